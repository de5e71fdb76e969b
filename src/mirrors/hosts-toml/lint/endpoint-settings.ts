/** What an endpoint may do, and how it is trusted. */

import { suggest } from '../../../documents/suggest.ts';
import type { TomlKey } from '../../../documents/toml-scan.ts';
import type { Noticed } from '../../finding.ts';
import { editMend, replaced, withLine, withoutKey } from '../../mends/toml-mends.ts';
import type { PlannedEndpoint } from '../endpoints.ts';
import {
  endpointsIn,
  hostInWords,
  isMeant,
  type JudgedRules,
  keyAt,
  type ReadHosts,
  settingOrigin,
} from './judged.ts';

/** C006, C007, C011, C012, C026, C033, S001. */
export function endpointSettings({ rules }: JudgedRules): readonly Noticed[] {
  const read = endpointsIn(rules);
  if (read === undefined) return [];
  const { endpoints } = read;
  const isTagPulled = endpoints.some((one) => can(one, 'pull') && can(one, 'resolve'));
  const meant = endpoints.filter((endpoint) => isMeant(read, endpoint));
  const found = meant.flatMap((endpoint) => [
    pushes(endpoint, read),
    isTagPulled ? halfAble(endpoint, read) : undefined,
    flatClients(endpoint, read),
    tlsOnHttp(endpoint, read),
    unchecked(endpoint, read),
    ...authorization(endpoint, read),
  ]);
  const [first] = endpoints;
  const noTag = isTagPulled || first === undefined ? undefined : noTagPulled(first, read);
  return [noTag, ...found].filter((one) => one !== undefined);
}

type Ability = PlannedEndpoint['capabilities'][number];

function can({ capabilities }: PlannedEndpoint, ability: Ability): boolean {
  return capabilities.includes(ability);
}

const wanted = 'capabilities = ["pull", "resolve"]';

function noTagPulled(endpoint: PlannedEndpoint, read: ReadHosts): Noticed {
  const origin = settingOrigin(read, endpoint, 'capabilities');
  const message = 'no endpoint has both pull and resolve, so no tag can be pulled';
  return { rule: 'C007', origin, message, fix: `Give one of them ${wanted}.` };
}

/** The registry itself may take pushes under its own name; everybody else is a mirror. */
function pushes(endpoint: PlannedEndpoint, read: ReadHosts): Noticed | undefined {
  const { host, ns, entry } = endpoint;
  if (ns === undefined || entry.written === '' || !can(endpoint, 'push')) return undefined;
  const key = keyAt(read.scan, entry.table, 'capabilities');
  const why = key === undefined ? 'without capabilities it has all of them' : 'push is granted';
  return {
    rule: 'C006',
    origin: settingOrigin(read, endpoint, 'capabilities'),
    message: `pushes end in the mirror ${host}: ${why}`,
    fix: `Write ${wanted}.`,
    ...editMend(read.file, [withoutPush(endpoint, key, read)]),
  };
}

function withoutPush(
  { capabilities, entry }: PlannedEndpoint,
  key: TomlKey | undefined,
  { scan }: ReadHosts,
) {
  if (key === undefined) {
    // Somebody said what it may do, in a word that is another rule's.
    const isSaid = keysOf(scan, entry.table).some((name) => suggest(name, ['capabilities']));
    return isSaid ? undefined : withLine(scan, entry.table, wanted);
  }
  const isEmpty = key.value.kind === 'array' && key.value.items.length === 0;
  const rest = isEmpty ? ['pull', 'resolve'] : capabilities.filter((name) => name !== 'push');
  const list = rest.map((name) => JSON.stringify(name)).join(', ');
  return rest.length === 0 ? undefined : replaced(key.value, `[${list}]`);
}

function keysOf({ keys }: ReadHosts['scan'], table: readonly string[]): readonly string[] {
  return keys.flatMap(({ path }) => {
    const isInside =
      path.length === table.length + 1 && table.every((name, at) => path[at] === name);
    return isInside ? path.slice(-1) : [];
  });
}

function halfAble(endpoint: PlannedEndpoint, read: ReadHosts): Noticed | undefined {
  const found = { rule: 'C033', origin: settingOrigin(read, endpoint, 'capabilities') } as const;
  const fix = `Write ${wanted}.`;
  const host = hostInWords(endpoint.host);
  if (!can(endpoint, 'pull')) {
    const message = `${host} is never asked for a tag, because it may not pull; for layers it is asked all the same`;
    return { ...found, message, fix };
  }
  if (can(endpoint, 'resolve')) return undefined;
  const message = `${host} is not asked for tags, because it may not resolve; only for what is known by its digest`;
  return { ...found, level: 'info', message, fix };
}

/** `client = ["x.crt", "x.key"]` names two files that each hold a certificate and its key. */
function flatClients(endpoint: PlannedEndpoint, read: ReadHosts): Noticed | undefined {
  const { clients = [], table } = endpoint.entry;
  const files = clients.flatMap(([certificate, key]) => (key === '' ? [certificate] : []));
  const keys = files.filter(isNamedLikeKey);
  if (files.length < 2 || keys.length === 0 || keys.length === files.length) return undefined;
  const key = keyAt(read.scan, table, 'client');
  const isPair = files.length === 2 && isNamedLikeKey(files[1] ?? '');
  const value = key?.value;
  const mend =
    value === undefined || !isPair
      ? {}
      : editMend(read.file, [
          replaced({ start: value.start, end: value.start }, '['),
          replaced({ start: value.end, end: value.end }, ']'),
        ]);
  const names = files.map((file) => file.replace(/^.*\//, '')).join(' and ');
  return {
    rule: 'C011',
    origin: settingOrigin(read, endpoint, 'client'),
    message: `a flat list names files that hold certificate and key each: ${names} are not one pair`,
    fix: 'Write a pair as a list of its own: client = [["CERTIFICATE", "KEY"]].',
    ...mend,
  };
}

function isNamedLikeKey(file: string): boolean {
  return /\.key$|key\.pem$/i.test(file);
}

/** TLS settings on a URL that says http. */
function tlsOnHttp(endpoint: PlannedEndpoint, read: ReadHosts): Noticed | undefined {
  const { entry, httpsFirst, host } = endpoint;
  const names = [
    ...(entry.skipVerify === undefined ? [] : ['skip_verify']),
    ...(entry.ca === undefined ? [] : ['ca']),
    ...(entry.clients === undefined ? [] : ['client']),
    ...(httpsFirst && entry.dialTimeoutMs !== undefined ? ['dial_timeout'] : []),
  ];
  // Where a TLS key stands too, dial_timeout changes nothing.
  const [first] = names;
  if (entry.scheme !== 'http' || entry.written === '' || first === undefined) return undefined;
  const origin = settingOrigin(read, endpoint, first);
  if (httpsFirst) {
    const message = `${first} makes containerd ask http://${host} over HTTPS first`;
    const fix = `Remove ${names.join(', ')}; or write https:// if the host speaks TLS.`;
    return { rule: 'C012', origin, message, fix };
  }
  const message = `${first} has no effect on http://${host}; a newer containerd would ask over HTTPS first`;
  const edits = names.map((name) => {
    const key = keyAt(read.scan, entry.table, name);
    return key === undefined ? undefined : withoutKey(read.scan, key);
  });
  const mend = editMend(read.file, edits);
  return { rule: 'C012', level: 'info', origin, message, fix: 'Remove it.', ...mend };
}

function unchecked(endpoint: PlannedEndpoint, read: ReadHosts): Noticed | undefined {
  const { entry, scheme, httpsFirst, host } = endpoint;
  if (entry.skipVerify !== true || scheme !== 'https' || httpsFirst) return undefined;
  const message = `the certificate of ${hostInWords(host)} is not checked: whoever answers at its address is believed`;
  return {
    rule: 'S001',
    origin: settingOrigin(read, endpoint, 'skip_verify'),
    message,
    fix: 'Give the authority of the registry as ca, and remove skip_verify.',
  };
}

/** What a header says is secret: no message repeats it. */
function authorization(endpoint: PlannedEndpoint, read: ReadHosts): readonly Noticed[] {
  const { entry, host } = endpoint;
  return [...entry.header].flatMap(([name, values]) => {
    if (name.toLowerCase() !== 'authorization') return [];
    const table = [...entry.table, 'header'];
    const place = settingOrigin(read, { ...endpoint, entry: { ...entry, table } }, name);
    const found = { rule: 'C026', origin: place } as const;
    const fix = 'Write Basic and the base64 of user:password: printf %s user:password | base64.';
    const faults = values.flatMap((value) => authorizationFault(value) ?? []);
    const wrong = faults.map((message): Noticed => ({ ...found, message, fix }));
    if (entry.scheme !== 'http') return wrong;
    const message = `the login for ${host} travels in the clear, because its URL says http`;
    return [...wrong, { ...found, message, fix: 'Write https://, or remove the header.' }];
  });
}

function authorizationFault(value: string): string | undefined {
  const [scheme = '', text, ...more] = value.trim().split(/\s+/);
  if (text === undefined) return 'the Authorization header has no scheme such as Basic in front';
  if (scheme.toLowerCase() !== 'basic') return undefined;
  const isEncoded = more.length === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  const decoded = isEncoded ? Buffer.from(text, 'base64').toString() : '';
  return decoded.includes(':')
    ? undefined
    : 'what follows Basic in the Authorization header is not the base64 of user:password';
}
