/** Compares the `lint` of containerd's vectors with what the linter says about their files. */

import { satisfies } from 'semver';
import { lintContainerd } from '../../src/mirrors/containerd/lint-containerd.ts';
import { loadContainerdVersions } from '../../src/mirrors/containerd-version/behaviour.ts';
import type { Finding } from '../../src/mirrors/finding.ts';
import { memoryTree } from '../../src/mirrors/memory-tree.ts';
import { containerdRegistryKey, parseReference } from '../../src/oci/reference.ts';
import { compareLint, type LintedVector, readLint } from './vector-lint.ts';

/** The files of a vector, and what it says about the world around them. */
interface LintedFiles {
  readonly files: Readonly<Record<string, string>>;
  readonly ref: string;
  readonly config_path_roots?: readonly string[] | undefined;
  readonly config_path_as_one_string?: string | undefined;
  readonly speaks_only_http?: readonly string[] | undefined;
}

/**
 * The differences for all versions; those that the lint speaks of are meant by its words too: of
 * `error on containerd 2.x: text` those of major 2. A vector without any of them fails, as does a
 * restriction that nobody knows.
 */
export async function compareContainerdLint(
  vector: LintedVector,
  given: LintedFiles,
  versions: readonly string[],
): Promise<string[]> {
  const { lint } = vector;
  if (lint === undefined) return [];
  const restriction = readLint(lint)?.restriction;
  const ranges = restriction === undefined ? [] : rangesIn(restriction);
  if (restriction !== undefined && ranges.length === 0) {
    return [`unknown shape: the versions of the lint ${JSON.stringify(lint)}`];
  }
  const means = (version: string) =>
    restriction === undefined || ranges.some((range) => satisfies(version, range));
  if (!versions.some(means)) return [`lint: no version of the vector is one of "${restriction}"`];
  const problems = versions.map(async (version) => {
    const found = await lintFiles(given, version);
    const at = { version, isMeant: means(version) };
    return compareLint(vector, found, at).map((problem) => `${version} ${problem}`);
  });
  return (await Promise.all(problems)).flat();
}

/** `<=1.6.39 and <=1.7.31` → each of the two; `2.1+` → `>=2.1`. */
function rangesIn(restriction: string): readonly string[] {
  const found = restriction.matchAll(/([<>]=?)?\s*(\d+(?:\.(?:\d+|x))*)(\+)?/g);
  return Array.from(found, ([, comparison, version = '', orLater]) => {
    if (comparison !== undefined) return `${comparison}${version}`;
    return orLater === undefined ? version : `>=${version}`;
  });
}

async function lintFiles(given: LintedFiles, version: string): Promise<readonly Finding[]> {
  const behaviour = (await loadContainerdVersions()).behaviourOf(version);
  const { files, ref, speaks_only_http: plainHttpHosts = [] } = given;
  const tree = memoryTree({ ...files, '/etc/containerd/config.toml': mainConfig(given, version) });
  const registries = [containerdRegistryKey(parseReference(ref))];
  return lintContainerd(tree, behaviour, { mode: 'online', plainHttpHosts, registries });
}

/** With several roots the vector is about a list, which only the local pull splits. */
function mainConfig(given: LintedFiles, version: string): string {
  const { config_path_roots: roots = [], config_path_as_one_string: one } = given;
  const isOld = version.startsWith('1.');
  const table = isOld ? 'io.containerd.grpc.v1.cri' : 'io.containerd.cri.v1.images';
  const path = one ?? roots.map((root) => `/${root.replace(/^\//, '')}`).join(':');
  const isLocal = !isOld && roots.length > 1;
  return [
    `version = ${isOld ? 2 : 3}`,
    ...(isLocal ? [`[plugins."${table}"]`, 'use_local_image_pull = true'] : []),
    `[plugins."${table}".registry]`,
    `config_path = ${JSON.stringify(path)}`,
    '',
  ].join('\n');
}
