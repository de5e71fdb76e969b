/** Which settings and rules of daemon.json and certs.d the generated nodes were about. */

import type { Answer, Lookup, ShownEndpoint, World } from './world.ts';

/** One row: what it is about, and whether one node is a case of it. */
type Row = readonly [what: string, isCase: (world: World, answer: Answer) => boolean];

const rows: readonly Row[] = [
  ...['registry-mirrors', 'insecure-registries', 'features', 'live-restore', 'mtu'].map(
    (key): Row => [
      `key ${key}`,
      ({ files }) => files['daemon.json']?.includes(`"${key}"`) === true,
    ],
  ),
  [
    'the same key twice',
    ({ files }) => (files['daemon.json'] ?? '').split('"registry-mirrors"').length > 2,
  ],
  [
    'byte order mark of UTF-8',
    ({ files }) => files['daemon.json']?.startsWith('\xef\xbb\xbf') === true,
  ],
  ['byte order mark of UTF-16', (world, { refused }) => hasUtf16(world) && refused === undefined],
  [
    'empty file',
    ({ files }, { refused }) => files['daemon.json']?.trim() === '' && refused === undefined,
  ],
  ['refused: no UTF-8', refused(/invalid UTF-8/)],
  ['refused: no JSON', refused(/invalid character/)],
  ['refused: file ends too early', refused(/unexpected end/)],
  ['refused: wrong type', refused(/cannot unmarshal/)],
  ['refused: unknown key', refused(/don't match any configuration option/)],
  ['refused: mirror without scheme', refused(/no scheme specified|unsupported scheme ""/)],
  ['refused: mirror with another scheme', refused(/unsupported scheme "ftp"/)],
  ['refused: mirror with query', refused(/query or fragment/)],
  ['refused: mirror with login', refused(/username\/password/)],
  ['refused: mirror is no URL', refused(/is not a valid URI/)],
  ['refused: insecure with a scheme', refused(/should not contain '/)],
  ['refused: insecure with a hyphen', refused(/hyphen/)],
  ['refused: insecure is no host', refused(/invalid host/)],
  ['refused: insecure port', refused(/invalid port|Atoi/)],
  ['no mirror', (_, { refused: text, mirrors }) => text === undefined && !mirrors?.length],
  ['several mirrors', (_, { mirrors }) => (mirrors?.length ?? 0) > 1],
  ['mirror with a path', classic(({ base }) => /\/hub\/v2$/.test(base))],
  [
    'mirror over HTTP',
    classic(({ base, role }) => role === 'mirror' && base.startsWith('http://')),
  ],
  ['insecure mirror', classic(({ role, skipVerify }) => role === 'mirror' && skipVerify)],
  ['insecure registry', classic(({ role, skipVerify }) => role === 'upstream' && skipVerify)],
  ['authority of a registry', classic(({ ownRoots }) => ownRoots)],
  [
    'classic store: certificates cannot be used',
    (_, { pulls = [] }) => pulls.some((one) => one.classic.error !== undefined),
  ],
  ['containerd store: several hosts', store(({ endpoints = [] }) => endpoints.length > 1)],
  [
    'containerd store: HTTP after HTTPS',
    store(({ endpoints = [] }) => endpoints.some((one) => one.httpsFirst)),
  ],
  ['containerd store: certificates cannot be used', store(({ error }) => error !== undefined)],
  ['hosts.toml', ({ files }) => Object.keys(files).some((path) => path.endsWith('/hosts.toml'))],
];

function refused(pattern: RegExp): Row[1] {
  return (_, answer) => pattern.test(answer.refused ?? '');
}

function classic(isCase: (endpoint: ShownEndpoint) => boolean): Row[1] {
  return (_, { pulls = [] }) => pulls.some((one) => one.classic.endpoints?.some(isCase) === true);
}

function store(isCase: (found: Lookup) => boolean): Row[1] {
  return (_, { pulls = [] }) => pulls.some((one) => isCase(one.store));
}

function hasUtf16({ files }: World): boolean {
  return files['daemon.json']?.startsWith('\xff\xfe') === true;
}

/** How many nodes are a case of each row. */
export function countRows(
  cases: readonly { readonly world: World; readonly answer: Answer }[],
): ReadonlyMap<string, number> {
  return new Map(
    rows.map(([what, isCase]) => [
      what,
      cases.filter(({ world, answer }) => isCase(world, answer)).length,
    ]),
  );
}
