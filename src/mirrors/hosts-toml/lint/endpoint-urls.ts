/** Addresses of endpoints that lead elsewhere than they say. */

import { HUB_HOST, upstreamHost } from '../../../oci/docker-hub.ts';
import { redact } from '../../../shared/secret.ts';
import type { Noticed } from '../../finding.ts';
import { editMend, replaced, withLine, withoutKey } from '../../mends/toml-mends.ts';
import type { PlannedEndpoint } from '../endpoints.ts';
import {
  endpointPlace,
  endpointsIn,
  hostInWords,
  isMeant,
  type JudgedRules,
  keyAt,
  originAt,
  type ReadHosts,
  settingOrigin,
} from './judged.ts';

/** C004, C008, C009, C023, C024, C035, C036, C038: one look at each URL that the file has. */
export function endpointUrls(judged: JudgedRules): readonly Noticed[] {
  const read = endpointsIn(judged.rules);
  if (read === undefined) return [];
  const written = read.endpoints.filter(
    (endpoint) => endpoint.entry.written !== '' && isMeant(read, endpoint),
  );
  return written.flatMap((endpoint) => {
    const scheme = schemeFault(endpoint, read);
    // A URL that is read wrongly has no path, host or registry worth a word.
    if (scheme !== undefined) return [scheme];
    const rest = [
      wrongHost(endpoint, read),
      wrongPath(endpoint, read),
      droppedParts(endpoint, read),
      askedTwice(endpoint, read),
      plainHttp(endpoint, read, judged),
      otherSpelling(endpoint, read, judged),
    ];
    return rest.filter((one) => one !== undefined);
  });
}

function placeOfUrl(read: ReadHosts, { entry }: PlannedEndpoint) {
  return originAt(read.file, endpointPlace(read.scan, entry.table));
}

/** The characters of the URL inside its quotes. */
function urlSpan({ scan }: ReadHosts, { entry }: PlannedEndpoint) {
  const place = endpointPlace(scan, entry.table);
  if (place === undefined) return undefined;
  const quoted = 'value' in place ? place.value : place.parts[1];
  const isQuoted = quoted !== undefined && quoted.end - quoted.start === entry.written.length + 2;
  return isQuoted ? { start: quoted.start + 1, end: quoted.end - 1 } : undefined;
}

function urlMend(read: ReadHosts, endpoint: PlannedEndpoint, url: string) {
  const span = urlSpan(read, endpoint);
  return span === undefined ? {} : editMend(read.file, [replaced(span, url)]);
}

function schemeFault(endpoint: PlannedEndpoint, read: ReadHosts): Noticed | undefined {
  const { written } = endpoint.entry;
  const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(written) ?? [];
  const shown = redact(written);
  const origin = placeOfUrl(read, endpoint);
  const isReachable = endpoint.reachable && endpoint.entry.host !== '';
  if (scheme === undefined && !written.startsWith('http') && isReachable) return undefined;
  if (scheme !== undefined && written.startsWith('http') && isReachable) return undefined;
  const fix = 'Write https:// in front, in lower case.';
  if (scheme !== undefined && /^https?$/i.test(scheme)) {
    const message = `${shown} is read as a host, not as a URL: the scheme must be in lower case`;
    const url = written.replace(scheme, scheme.toLowerCase());
    return { rule: 'C009', origin, message, fix, ...urlMend(read, endpoint, url) };
  }
  if (scheme !== undefined) {
    const message = `${shown} cannot be asked: its scheme is not http or https`;
    return { rule: 'C009', origin, message, fix: 'Write http:// or https://.' };
  }
  const message = `${shown} has no scheme, and because it starts with "http" it is read as one: the host is lost`;
  const isName = /^http[\w.-]*(?::\d+)?(?:\/.*)?$/.test(written);
  const mend = isName ? urlMend(read, endpoint, `https://${written}`) : {};
  return { rule: 'C009', origin, message, fix, ...mend };
}

const webSites = /^(?:www\.|hub\.|app\.)?docker\.(?:io|com)(?::443)?$/;

function wrongHost(endpoint: PlannedEndpoint, read: ReadHosts): Noticed | undefined {
  const { host, role, entry, path } = endpoint;
  const origin = placeOfUrl(read, endpoint);
  if (host.includes('*')) {
    const message = `* is no wildcard in a URL: containerd asks a host of the name ${host}`;
    const fix =
      role === 'server'
        ? 'Remove the line: without a server each registry is asked itself. Offline, name a mirror.'
        : 'Name the host of the mirror.';
    return { rule: 'C004', origin, message, fix };
  }
  if (!webSites.test(host)) return undefined;
  const message = `${host} is a web site, not the registry of Docker Hub`;
  const fix = `Online, write https://${HUB_HOST}; offline, make the mirror the server.`;
  const isWhole = /^https:\/\/[^/]+$/.test(entry.written) && path === '/v2';
  const mend = isWhole && role === 'server' ? urlMend(read, endpoint, `https://${HUB_HOST}`) : {};
  return { rule: 'C004', origin, message, fix, ...mend };
}

function wrongPath(endpoint: PlannedEndpoint, read: ReadHosts): Noticed | undefined {
  const { path, base, entry } = endpoint;
  const origin = placeOfUrl(read, endpoint);
  if (entry.overridePath) return overriddenPath(endpoint, read);
  if (/^\/v2\/.*\/v2$/.test(path)) {
    const message = `/v2 is appended again: the mirror is asked at ${base}`;
    const line = 'override_path = true';
    const mend = editMend(read.file, [withLine(read.scan, entry.table, line)]);
    return { rule: 'C008', origin, message, fix: `Add ${line}.`, ...mend };
  }
  if (/^\/*v2$/.test(path) || entry.url?.path.replace(/\/*$/, '').endsWith('/v2')) return undefined;
  const message = `the path stands in front of /v2: images are asked at ${base}`;
  const fix = `If they lie below /v2, as in Harbor, write ${afterVersion(endpoint)} with override_path = true.`;
  return { rule: 'C038', origin, message, fix };
}

function afterVersion({ scheme, host, path }: PlannedEndpoint): string {
  return `${scheme}://${host}/v2${path.replace(/\/v2$/, '')}`;
}

function overriddenPath(endpoint: PlannedEndpoint, read: ReadHosts): Noticed | undefined {
  const { path, base, entry } = endpoint;
  if (/(?:^|\/)v2(?:\/|$)/.test(path)) return undefined;
  const origin = settingOrigin(read, endpoint, 'override_path');
  if (path !== '' && path !== '/') {
    const message = `override_path takes the path as it is: the mirror is asked at ${base}, without /v2`;
    const fix = `Write the path with /v2, in most registries ${afterVersion(endpoint)}.`;
    return { rule: 'C008', origin, message, fix };
  }
  const message = `override_path without a path: the mirror is asked at ${base}, without /v2`;
  const key = keyAt(read.scan, entry.table, 'override_path');
  const mend = key === undefined ? {} : editMend(read.file, [withoutKey(read.scan, key)]);
  return {
    rule: 'C008',
    origin,
    message,
    fix: 'Remove override_path, or write the path.',
    ...mend,
  };
}

function droppedParts(endpoint: PlannedEndpoint, read: ReadHosts): Noticed | undefined {
  const { url, written } = endpoint.entry;
  const origin = placeOfUrl(read, endpoint);
  if (url?.login !== undefined) {
    const message = 'the user name and password in the URL are dropped: nobody logs in with them';
    const fix =
      'Take them out; logins belong in a pull secret, or in registry.configs of the main configuration.';
    return { rule: 'C023', level: 'warn', origin, message, fix };
  }
  const [, extra] = /([?#].*)$/.exec(written) ?? [];
  if (extra === undefined) return undefined;
  const message = `${redact(extra)} at the end of the URL is dropped`;
  const level = extra.length > 1 ? 'warn' : 'info';
  const mend = urlMend(read, endpoint, written.slice(0, -extra.length));
  return { rule: 'C023', level, origin, message, fix: 'Take it out.', ...mend };
}

function spelledOut({ scheme, host, path }: PlannedEndpoint): string {
  const port = { https: ':443', http: ':80' }[scheme] ?? '';
  return `${scheme}://${host.toLowerCase().replace(new RegExp(`${port}$`), '')}${path}`;
}

function askedTwice(
  endpoint: PlannedEndpoint,
  read: ReadHosts & { readonly endpoints: readonly PlannedEndpoint[] },
): Noticed | undefined {
  const { endpoints } = read;
  const at = endpoints.indexOf(endpoint);
  const same = endpoints.findIndex(
    (other, index) => index !== at && spelledOut(other) === spelledOut(endpoint),
  );
  const other = endpoints[same];
  const isRoot = at === endpoints.length - 1;
  // Of two mirrors the later one is in excess; beside the root, which is always asked, the mirror.
  if (other === undefined || isRoot || (same > at && same < endpoints.length - 1)) return undefined;
  const reopened = reopenedTable(endpoint, other, read);
  if (reopened !== undefined) return reopened;
  const message =
    other.role === 'upstream'
      ? `${endpoint.base} is the registry itself, which is asked last anyway: it is asked twice`
      : `${endpoint.base} is asked twice: it is named in line ${other.origin.line ?? 1} too`;
  const origin = placeOfUrl(read, endpoint);
  return { rule: 'C024', origin, message, fix: 'Remove one of the two.' };
}

/** `[host."https://a".header]` behind the table of another host: 2.x lists the host once more. */
function reopenedTable(
  { entry, base }: PlannedEndpoint,
  other: PlannedEndpoint,
  { scan, file }: ReadHosts,
): Noticed | undefined {
  if (entry.written !== other.entry.written || other.entry.table.length === 0) return undefined;
  const again = scan.headers.findLast(({ path }) => path[1] === entry.written);
  const message = `${base} is asked twice: its table is opened again behind that of another host`;
  const fix = `Move it up, to the other keys of ${redact(entry.written)}.`;
  return { rule: 'C024', origin: originAt(file, again), message, fix };
}

/** A host of which somebody knows that it does not speak TLS. */
function plainHttp(
  endpoint: PlannedEndpoint,
  read: ReadHosts,
  { site }: JudgedRules,
): Noticed | undefined {
  const { scheme, host, entry } = endpoint;
  if (entry.scheme !== 'https' || site?.plainHttpHosts?.includes(host) !== true) return undefined;
  const message = `${host} answers in plain HTTP, and ${scheme}:// never falls back to it: every request fails`;
  return {
    rule: 'C035',
    origin: placeOfUrl(read, endpoint),
    message,
    fix: 'Write http:// and remove skip_verify, ca and client; or let the registry speak TLS.',
  };
}

/** `registry:443` for `registry`: the same place, and for containerd another host. */
function otherSpelling(
  endpoint: PlannedEndpoint,
  read: ReadHosts,
  { registry }: JudgedRules,
): Noticed | undefined {
  const { host, scheme, ns } = endpoint;
  const port = { https: ':443', http: ':80' }[scheme] ?? '';
  if (ns === undefined || port === '' || !host.endsWith(port)) return undefined;
  const plain = host.slice(0, -port.length);
  if (plain !== registry && plain !== upstreamHost(registry)) return undefined;
  const message = `${host} is ${hostInWords(registry)} with its usual port: for containerd it is another host, which gets ?ns=${registry}`;
  const fix = `Write ${scheme}://${plain}.`;
  return { rule: 'C036', origin: placeOfUrl(read, endpoint), message, fix };
}
