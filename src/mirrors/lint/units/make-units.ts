/** Sorts what was gathered into units that are linted together; does no I/O. */

import type { RuntimeName } from '../../../site/runtime-id.ts';
import type { FileFacts } from '../../files/file-facts.ts';
import { type RecognisedFile, recogniseFile, recogniseNamedFile } from '../../files/file-kind.ts';
import { runtimeAt } from '../../files/node-runtimes.ts';
import { placeFile, runtimeFor } from '../../files/place-file.ts';
import type { RuntimeRules } from '../../runtime-rules.ts';
import { fragmentUnit } from './fragment-unit.ts';
import { Fragments, type PlacedInput } from './fragments.ts';
import type { GatheredPath, InputFile } from './gather-files.ts';
import type { LintUnit } from './lint-unit.ts';
import { nodeUnit } from './node-unit.ts';

/** A file that is for no runtime in particular: with names of images in it, or a script. */
export interface PlainFile {
  readonly kind: 'manifest' | 'images' | 'script';
  readonly file: InputFile;
}

/** What there is to lint. */
export interface LintPlan {
  readonly units: readonly LintUnit[];
  readonly plainFiles: readonly PlainFile[];
  /** Typed paths in which nothing was recognised, or nothing of the runtime that was named. */
  readonly unrecognised: readonly UnreadPath[];
}

/** A typed path in which there is nothing to lint. */
export interface UnreadPath {
  /** As it was typed. */
  readonly shown: string;
  /** The runtimes that read what is there, where the one that was named does not. */
  readonly readers: readonly RuntimeName[];
}

/** What {@link makeUnits} must know. */
export interface UnitPorts {
  /** One version of each runtime that is known, for the places of its files. */
  readonly readers: ReadonlyMap<RuntimeName, RuntimeRules>;
  /** The runtime that the user named. */
  readonly typed: RuntimeName | undefined;
  /** By what files are recognised. */
  readonly facts: FileFacts;
  /** A certificate with its key, in place of those that nobody handed over. */
  pem(): Promise<string>;
}

/** Files below `/etc/containerd` and its like are part of this machine; all others are fragments. */
export function makeUnits(paths: readonly GatheredPath[], ports: UnitPorts): LintPlan {
  const units: LintUnit[] = [];
  const plainFiles: PlainFile[] = [];
  const unrecognised: UnreadPath[] = [];
  const fragments = new Fragments();
  for (const path of paths) {
    const runtime = runtimeAt(path.real, ports.facts);
    if (runtime !== undefined && [undefined, runtime].includes(ports.typed)) {
      units.push(nodeUnit({ runtime, root: '/', shownRoot: '/', only: [path.real] }));
      continue;
    }
    const plain = plainFilesIn(path, ports);
    plainFiles.push(...plain);
    const placed = placedFiles(path, ports);
    if (placed.length + plain.length === 0) {
      unrecognised.push({ shown: path.shown, readers: readersOf(path, ports) });
    }
    for (const one of placed) fragments.add(one, path);
  }
  const parts = fragments.all().map((one) => fragmentUnit(one, ports.pem));
  return { units: [...units, ...parts], plainFiles, unrecognised };
}

function recognise(
  file: InputFile,
  { isFolder }: GatheredPath,
  { facts }: Pick<UnitPorts, 'facts'>,
): RecognisedFile | undefined {
  const text = Buffer.from(file.bytes).toString('utf8');
  return isFolder
    ? recogniseFile(file.real, text, facts)
    : recogniseNamedFile(file.real, text, facts);
}

/** Of a typed file only itself is asked for; those beside it are for its runtime. */
function isAsked(file: InputFile, path: GatheredPath): boolean {
  return path.isFolder || file.real === path.real;
}

function readersOf(path: GatheredPath, ports: UnitPorts): readonly RuntimeName[] {
  const readers = path.files
    .filter((file) => isAsked(file, path))
    .flatMap((file) => recognise(file, path, ports)?.facts?.runtimes ?? []);
  return [...new Set(readers)];
}

function plainFilesIn(path: GatheredPath, ports: UnitPorts): readonly PlainFile[] {
  return path.files
    .filter((file) => isAsked(file, path))
    .flatMap((file) => {
      const kind = recognise(file, path, ports)?.kind;
      const isPlain = kind === 'manifest' || kind === 'images' || kind === 'script';
      return isPlain ? [{ kind, file }] : [];
    });
}

function placedFiles(path: GatheredPath, ports: UnitPorts): readonly PlacedInput[] {
  const { readers, typed } = ports;
  return path.files
    .filter((file) => isAsked(file, path))
    .flatMap((file) => {
      const found = recognise(file, path, ports);
      const runtime = found === undefined ? undefined : runtimeFor(found, file.real, typed);
      const rules = runtime === undefined ? undefined : readers.get(runtime);
      if (found === undefined || runtime === undefined || rules === undefined) return [];
      const text = Buffer.from(file.bytes).toString('utf8');
      const place = placeFile(file.real, text, found, rules);
      return place === undefined
        ? []
        : [{ ...place, file, runtime, isHosts: found.kind === 'hosts' }];
    });
}
