/** Where the files of a registry lie: the right places, and those that people take for right. */

import fc from 'fast-check';
import { firstRoot, secondRoot } from '../roots.ts';
import { type GeneratedFile, hostsFile, oddHostsFile, wrongHostsFile } from './hosts-files.ts';

export interface Tree {
  readonly files: Readonly<Record<string, string>>;
  readonly rows: readonly string[];
}

interface Plan {
  readonly registry: string;
  readonly own: GeneratedFile;
  readonly rest: GeneratedFile;
}

type Layout = (plan: Plan) => Tree;

/** A hosts.toml in a folder of the first root unless said otherwise. */
function hosts(folder: string, { text, rows }: GeneratedFile, root = firstRoot): Tree {
  return { files: { [`${root}/${folder}/hosts.toml`]: text }, rows };
}

function both(...trees: readonly Tree[]): Tree {
  return {
    files: Object.fromEntries(trees.flatMap(({ files }) => Object.entries(files))),
    rows: trees.flatMap(({ rows }) => rows),
  };
}

const byFile = (files: Readonly<Record<string, string>>): Tree => ({ files, rows: [] });
const inFirst = (path: string) => `${firstRoot}/${path}`;

/** `reg:5000` → `reg_5000_`; a name without a port stays. */
function underscored(registry: string): string {
  const colon = registry.lastIndexOf(':');
  if (colon < 0) return registry;
  return `${registry.slice(0, colon)}_${registry.slice(colon + 1)}_`;
}

const usualLayouts: Readonly<Record<string, Layout>> = {
  'dir/name': ({ registry, own }) => hosts(registry, own),
  'dir/port-underscores': ({ registry, own }) => hosts(underscored(registry), own),
  'dir/specific-before-default': ({ registry, own, rest }) =>
    both(hosts(underscored(registry), own), hosts('_default', rest)),
  'dir/default': ({ rest }) => hosts('_default', rest),
};

const oddLayouts: Readonly<Record<string, Layout>> = {
  'dir/none': () => byFile({ [inFirst('')]: '' }),
  'dir/underscores-before-colon': ({ registry, own, rest }) =>
    both(hosts(registry, rest), hosts(underscored(registry), own)),
  'dir/without-port': ({ registry, own, rest }) =>
    both(hosts(registry.replace(/:\d+$/, ''), own), hosts('_default', rest)),
  'dir/letter-case': ({ registry, own }) => hosts(registry.toUpperCase(), own),
  'dir/hub-alias': ({ own, rest }) =>
    both(hosts('index.docker.io', own), hosts('registry-1.docker.io', rest)),
  'dir/wildcard': ({ own }) => hosts('*.example', own),
  'dir/empty-specific': ({ registry, rest }) =>
    both(byFile({ [inFirst(`${registry}/`)]: '' }), hosts('_default', rest)),
  'dir/only-hosts.yaml': ({ registry, own, rest }) =>
    both(byFile({ [inFirst(`${registry}/hosts.yaml`)]: own.text }), hosts('_default', rest)),
  'read/is-a-directory': ({ registry }) => byFile({ [inFirst(`${registry}/hosts.toml/`)]: '' }),
  'read/docker-layout': ({ registry }) => byFile(dockerFiles(registry)),
  'read/docker-layout-after-zero-bytes': ({ registry }) =>
    byFile({ ...dockerFiles(registry), [inFirst(`${registry}/hosts.toml`)]: '' }),
  'read/crt-ignored': ({ registry, own }) =>
    both(byFile(dockerFiles(registry)), hosts(registry, own)),
  'roots/second': ({ registry, own }) => hosts(registry, own, secondRoot),
  'roots/first-wins': ({ registry, own, rest }) =>
    both(hosts(registry, own), hosts(registry, rest, secondRoot)),
  'roots/default-of-first-before-specific-of-second': ({ registry, own, rest }) =>
    both(hosts('_default', rest), hosts(registry, own, secondRoot)),
};

/** Docker's own layout; the contents between @ are this run's certificates. */
function dockerFiles(registry: string): Readonly<Record<string, string>> {
  return {
    [inFirst(`${registry}/site.crt`)]: '@site.pem@',
    [inFirst(`${registry}/client.cert`)]: '@client.crt@',
    [inFirst(`${registry}/client.key`)]: '@client.key@',
  };
}

function treeOf(
  layouts: Readonly<Record<string, Layout>>,
  file: fc.Arbitrary<GeneratedFile>,
): fc.Arbitrary<(registry: string) => Tree> {
  return fc
    .record({ name: fc.constantFrom(...Object.keys(layouts)), own: file, rest: file })
    .map(({ name, own, rest }) => (registry) => {
      const tree = layouts[name]?.({ registry, own, rest });
      return { files: tree?.files ?? {}, rows: [...(tree?.rows ?? []), name] };
    });
}

/** The files of one registry, whichever it is. */
export const trees: fc.Arbitrary<(registry: string) => Tree> = treesWith(oddHostsFile);

/** The same without hosts that nobody stands for. */
export const settledTrees: fc.Arbitrary<(registry: string) => Tree> = treesWith(wrongHostsFile);

function treesWith(odd: fc.Arbitrary<GeneratedFile>): fc.Arbitrary<(registry: string) => Tree> {
  return fc.oneof(
    { weight: 6, arbitrary: treeOf(usualLayouts, hostsFile) },
    { weight: 2, arbitrary: treeOf(usualLayouts, odd) },
    { weight: 3, arbitrary: treeOf(oddLayouts, hostsFile) },
  );
}
