import { OptionsContradict, OptionValueInvalid } from '../errors.ts';

/** What the user asked for. */
export interface ServeOrder {
  readonly bundlePath: string | undefined;
  readonly storeFolder: string | undefined;
  /** `HOST:PORT`. */
  readonly listen: string;
  readonly tlsCertificate: string | undefined;
  readonly tlsKey: string | undefined;
  /** Names for a certificate of our own; empty for none. */
  readonly tlsNames: readonly string[];
  readonly tlsFolder: string;
  readonly htpasswdFile: string | undefined;
  readonly anonymousRead: boolean;
  readonly isReadOnly: boolean;
  readonly siteFile: string | undefined;
  readonly registryName: string | undefined;
  readonly hasMetrics: boolean;
}

/** Where to listen; an IPv6 address comes without its brackets. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const command = 'registry serve';

/** Refuses options that exclude or need each other: OPTIONS_CONTRADICT. */
export function checkServeOrder(order: ServeOrder): void {
  const because = contradiction(order);
  if (because !== undefined) throw new OptionsContradict({ command, because });
}

function contradiction(order: ServeOrder): string | undefined {
  const { bundlePath, storeFolder, tlsCertificate, tlsKey, siteFile } = order;
  const rules: ReadonlyArray<readonly [isBroken: boolean, because: string]> = [
    [
      (bundlePath === undefined) === (storeFolder === undefined),
      'say what to serve, either --bundle BUNDLE or --store DIR',
    ],
    [
      (tlsCertificate === undefined) !== (tlsKey === undefined),
      '--tls-cert and --tls-key are given together',
    ],
    [
      tlsCertificate !== undefined && order.tlsNames.length > 0,
      '--tls-self-signed makes a certificate, --tls-cert brings one',
    ],
    [
      order.anonymousRead && order.htpasswdFile === undefined,
      '--anonymous-read has no effect without --htpasswd',
    ],
    [siteFile !== undefined && bundlePath === undefined, '--site names what is in a --bundle'],
    [order.registryName !== undefined && siteFile === undefined, '--registry is one of a --site'],
  ];
  return rules.find(([isBroken]) => isBroken)?.[1];
}

/** `127.0.0.1:5000`, `[::1]:0`, `registry.local:443`. OPTION_VALUE_INVALID. */
export function parseListen(text: string): ListenAddress {
  const [, bracketed, plain, digits = ''] =
    /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host !== undefined && port <= 65_535) return { host, port };
  const because = `must be HOST:PORT, such as 127.0.0.1:5000 or [::1]:5000, not "${text}"`;
  throw new OptionValueInvalid({ command, option: '--listen', because });
}

/** True for addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** True for the addresses that mean "every one of this machine". */
export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
