/** Connections that go elsewhere than their URL says, as curl's --connect-to does it. */
import { checkServerIdentity } from 'node:tls';
import { buildConnector } from 'undici';

/**
 * A connector for undici: a connection for a host of `places` goes where the map says. Server name
 * and certificate check stay those of the URL.
 *
 * `new Map([['10.0.0.5:5443', '127.0.0.1:11443']])`: https://10.0.0.5:5443/v2/ is asked at 127.0.0.1:11443,
 * whose certificate must be one for 10.0.0.5. Keys have their port, also the usual one.
 */
export function connectorTo(
  places: ReadonlyMap<string, string>,
  options: buildConnector.BuildOptions,
): buildConnector.connector {
  const straight = buildConnector(options);
  return (wanted, callback) => {
    const port = wanted.port || (wanted.protocol === 'https:' ? '443' : '80');
    const place = places.get(`${wanted.hostname}:${port}`);
    const at = place === undefined ? null : URL.parse(`tcp://${place}`);
    if (at === null) return straight(wanted, callback);
    const host = bare(wanted.hostname);
    const elsewhere = buildConnector({
      ...options,
      // For an address there is no server name, and the check would take the other place's.
      checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
    });
    const target = { ...wanted, hostname: bare(at.hostname), port: at.port || port };
    return elsewhere(target, callback);
  };
}

/** `[::1]` → `::1`: sockets take addresses without brackets. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
