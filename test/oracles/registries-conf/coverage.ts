/** Which keys, files and rules of registries.conf the generated nodes were about. */

import type { Answer, World } from './world.ts';

const MAIN = '/etc/containers/registries.conf';
const DROP_INS = `${MAIN}.d/`;

/** One row: what it is about, and whether one name of one node is a case of it. */
type Row = readonly [what: string, isCase: (world: World, name: string, answer: Answer) => boolean];

/** The tables that have each key; the top of the file is no table. */
const keys: Readonly<Record<string, readonly string[]>> = {
  'unqualified-search-registries': [''],
  'short-name-mode': [''],
  'credential-helpers': [''],
  'additional-layer-store-auth-helper': [''],
  prefix: ['[[registry]]'],
  location: ['[[registry]]', '[[registry.mirror]]'],
  insecure: ['[[registry]]', '[[registry.mirror]]'],
  blocked: ['[[registry]]'],
  'mirror-by-digest-only': ['[[registry]]'],
  'pull-from-mirror': ['[[registry.mirror]]'],
};

/** The keys of 3.2, the files of 3.1 and the algorithm of 3.3 in the facts about mirrors. */
const rows: readonly Row[] = [
  ...Object.entries(keys).flatMap(([key, tables]) =>
    tables.map((table): Row => [`key ${table} ${key}`.replace('  ', ' '), isRead(table, key)]),
  ),
  ['key of [aliases]', isRead('[aliases]', 'busybox')],
  ['format of version 1', isRead('[registries.search]', 'registries')],
  ['main file in /etc', (world) => MAIN in world.files],
  ["root's own main file", (world) => '/root/.config/containers/registries.conf' in world.files],
  ['no main file', (world) => !(MAIN in world.files) && Object.keys(world.files).length > 0],
  ['several drop-ins', (world) => dropInsOf(world).length > 1],
  ["root's own drop-ins", (world) => hasFile(world, '/root/.config/containers/registries.conf.d/')],
  ['drop-in without the suffix .conf', (world) => hasFile(world, `${DROP_INS}c.toml`)],
  ['drop-in in a folder of a folder', (world) => hasFile(world, `${DROP_INS}sub/`)],
  ["podman's own aliases", (world) => hasFile(world, '/var/cache/')],
  ['same prefix in two files', (world) => repeats(world, 'two files')],
  ['same prefix twice in one file', (world) => repeats(world, 'one file')],
  ['refused: old format in a drop-in', error(/v2 format but is in v1/)],
  ['refused: both formats', error(/mixing sysregistry/)],
  [
    'refused: no TOML',
    error(/toml: line \d+(?: \(last key "[^"]*"\))?: (?!incompatible|type mismatch)/),
  ],
  ['refused: wrong type', error(/incompatible types|type mismatch/)],
  ['refused: scheme', error(/URI schemes/)],
  ['refused: no location', error(/location is unset/)],
  ['refused: neither prefix nor location', error(/both location and prefix/)],
  ['refused: mirror without location', error(/mirror location is unset/)],
  ['refused: wildcard with more', error(/Wildcarded prefix/)],
  ['refused: tables that disagree', error(/conflicting '(?:blocked|insecure)'/)],
  ['refused: restriction unknown', error(/unsupported pull-from-mirror/)],
  ['refused: restriction twice', error(/mirror-by-digest-only for the registry/)],
  ['refused: restriction of a registry', error(/non-mirror registry/)],
  ['refused: search registry', error(/Invalid unqualified-search/)],
  ['refused: mode', error(/invalid short-name mode/)],
  ['refused: alias', error(/short-name aliases: /)],
  ['short name: alias', (_, name, { candidates }) => !isFull(name) && candidates?.length === 1],
  [
    'short name: several candidates',
    (_, name, { candidates }) => (candidates?.length ?? 0) > 1 && !isFull(name),
  ],
  ['short name: none', error(/did not resolve/)],
  ['short name: enforcing', error(/cannot prompt/)],
  ['name that does not parse', error(/^cannot (?:parse|normalize) input/)],
  ['docker.io without library/', (_, name) => /^docker\.io\/[^/]*$/.test(name)],
  ['name with tag and digest', (_, name) => /:[^/]*@/.test(name)],
  ['no table matches', some(({ prefix }) => prefix === null)],
  ['prefix with a path', some(({ prefix }) => prefix?.includes('/') === true)],
  [
    'prefix without port, name with port',
    some(
      ({ prefix, name }) =>
        prefix !== null && !prefix.includes(':') && name.startsWith(`${prefix}:`),
    ),
  ],
  ['wildcard', some(({ prefix }) => prefix?.startsWith('*.') === true)],
  [
    'wildcard, several labels deep',
    some(({ prefix, name }) => prefix === '*.example.com' && name.startsWith('a.b.')),
  ],
  ['several sources', some(({ sources }) => (sources?.length ?? 0) > 2)],
  ['by digest', some(({ name, sources }) => name.includes('@') && (sources?.length ?? 0) > 1)],
  ['insecure source', some(({ sources }) => sources?.some(({ insecure }) => insecure) === true)],
  ['blocked source', some(({ sources }) => sources?.at(-1)?.blocked !== undefined)],
  [
    'blocked mirror',
    some(
      ({ sources }) => sources?.slice(0, -1).some(({ blocked }) => blocked !== undefined) === true,
    ),
  ],
  ['rewriting fails', some(({ error: text }) => /^rewriting reference/.test(text ?? ''))],
  [
    'login for a host',
    some(({ sources }) => sources?.some(({ user }) => user !== undefined) === true),
  ],
];

function error(pattern: RegExp): Row[1] {
  return (_, __, answer) => pattern.test(answer.error ?? '');
}

type Candidate = NonNullable<Answer['candidates']>[number];

function some(isCase: (candidate: Candidate) => boolean): Row[1] {
  return (_, __, { candidates = [] }) => candidates.some(isCase);
}

/** True where the files are accepted, and one of them that is read has the key in that table. */
function isRead(table: string, key: string): Row[1] {
  return (world, _, { candidates }) =>
    candidates !== undefined && readFiles(world).some((text) => hasKey(text, table, key));
}

function readFiles({ files }: World): readonly string[] {
  const own = '/root/.config/containers/registries.conf';
  const folders = own in files ? [`${own}.d/`] : [DROP_INS, `${own}.d/`];
  const isRead = (path: string) =>
    path === (own in files ? own : MAIN) ||
    folders.some(
      (folder) => path.startsWith(folder) && /^[^/]*\.conf$/.test(path.slice(folder.length)),
    );
  return Object.entries(files).flatMap(([path, text]) => (isRead(path) ? [String(text)] : []));
}

function hasKey(text: string, table: string, key: string): boolean {
  let header = '';
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('[')) header = line;
    else if (header === table && line.startsWith(`${key} = `)) return true;
  }
  return false;
}

function hasFile({ files }: World, start: string): boolean {
  return Object.keys(files).some((path) => path.startsWith(start));
}

function dropInsOf({ files }: World): readonly string[] {
  return Object.keys(files).filter((path) => /registries\.conf\.d\/[^/]*\.conf$/.test(path));
}

function repeats(world: World, where: 'one file' | 'two files'): boolean {
  const lists = [MAIN, ...dropInsOf(world)].map((path) =>
    Array.from(
      String(world.files[path] ?? '').matchAll(/^prefix = "([^"]*)"/gm),
      ([, prefix]) => prefix,
    ),
  );
  if (where === 'one file') return lists.some((list) => new Set(list).size < list.length);
  const all = lists.flatMap((list) => [...new Set(list)]);
  return new Set(all).size < all.length;
}

function isFull(name: string): boolean {
  return /^(?:localhost|[^/]*[.:][^/]*)\//.test(name);
}

/** How many cases there were of each row. */
export class Coverage {
  readonly counts = new Map<string, number>(rows.map(([what]) => [what, 0]));

  add(world: World, name: string, answer: Answer): void {
    for (const [what, isCase] of rows) {
      if (isCase(world, name, answer)) this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
    }
  }

  /** The rows that nothing was about. */
  missing(): readonly string[] {
    return Array.from(this.counts).flatMap(([what, count]) => (count === 0 ? [what] : []));
  }
}
