/** Where a file that is linted alone belongs on a node, from its path and its text; does no I/O. */

import { basename, dirname } from 'node:path';
import type { RuntimeName } from '../../site/runtime-id.ts';
import type { RuntimeRules } from '../runtime-rules.ts';
import type { RecognisedFile } from './file-kind.ts';

/** A file and its place on the node. */
export interface PlacedFile {
  /** `/etc/containerd/certs.d/docker.io/hosts.toml`. */
  readonly place: string;
  /** The folder of this machine that stands for one node: files with the same one are read together. */
  readonly base: string;
  /** False when the registry's folder was made up, since the file lies in no such folder. */
  readonly hasFolder: boolean;
}

/**
 * The runtime that reads a file: the one that was asked for, if it reads such files at all, else the
 * one whose folder it lies in, else the usual one.
 */
export function runtimeFor(
  { facts }: RecognisedFile,
  real: string,
  typed: RuntimeName | undefined,
): RuntimeName | undefined {
  const readers = facts?.runtimes ?? [];
  if (typed !== undefined) return readers.includes(typed) ? typed : undefined;
  const inFolder = readers.find(
    (name) => real.includes(`/${name}/certs.d/`) || dirname(real).endsWith(`/${name}`),
  );
  return inFolder ?? readers[0];
}

/**
 * The place of a file for a runtime. A name that is nearly right keeps being wrong there, so that the
 * rule against it speaks; a file that only its text tells gets the right name.
 */
export function placeFile(
  real: string,
  text: string,
  found: RecognisedFile,
  rules: Pick<RuntimeRules, 'placeOf'>,
): PlacedFile | undefined {
  const { kind, by } = found;
  const folder = kind === 'hosts' ? registryFolder(real, text) : basename(dirname(real));
  const right = rules.placeOf(rightName(found, folder, basename(real)));
  if (right === undefined) return undefined;
  const place = by === 'name' ? `${dirname(right)}/${basename(real)}` : right;
  const hasFolder = kind !== 'hosts' || isRegistryFolder(dirname(real));
  return { place, base: baseOf(found, real, hasFolder), hasFolder };
}

/** What the runtime wants such a file to be called. */
function rightName({ kind, facts }: RecognisedFile, folder: string, name: string): string {
  if (kind === 'hosts') return `${folder}/hosts.toml`;
  const { called = name, dropIns } = facts ?? {};
  return folder === dropIns ? `${folder}/${name}` : called;
}

/** A lone hosts.toml is for Docker Hub if its text says so, else for every registry. */
function registryFolder(real: string, text: string): string {
  const folder = dirname(real);
  if (isRegistryFolder(folder)) return basename(folder);
  return /^\s*server\s*=\s*["'][^"'\n]*\bdocker\.(?:io|com)\b/m.test(text)
    ? 'docker.io'
    : '_default';
}

/** Folders of registries have a domain or a port in their name, or lie where such folders lie. */
export function isRegistryFolder(folder: string): boolean {
  const isInside = /^(?:certs\.d|hosts|hosts\.d)$/.test(basename(dirname(folder)));
  const name = basename(folder);
  if (/^(?:certs\.d|hosts\.d|conf\.d)$/.test(name)) return false;
  return isInside || /[.:*]|_\d+_$|^_default$|^localhost$/.test(name.slice(1));
}

function baseOf({ kind, facts }: RecognisedFile, real: string, hasFolder: boolean): string {
  const folder = dirname(real);
  const { isWholeNode = false, dropIns } = facts ?? {};
  if (isWholeNode || !hasFolder) return real;
  if (kind !== 'hosts') return basename(folder) === dropIns ? dirname(folder) : folder;
  const all = dirname(folder);
  return basename(all) === 'certs.d' ? dirname(all) : all;
}
