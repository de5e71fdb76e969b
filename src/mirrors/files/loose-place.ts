import { basename, dirname } from 'node:path';
import type { RuntimeRules } from '../runtime-rules.ts';
import type { FileFacts } from './file-facts.ts';
import { recogniseFile } from './file-kind.ts';
import { isRegistryFolder, placeFile } from './place-file.ts';

/** Where a file without its node is read. */
export interface LoosePlace {
  readonly place: string;
  /** True when nothing but the image said whose rules they are. */
  readonly isForImage: boolean;
}

/** What else must be known to find one. */
export interface LooseQuestion {
  /** The registry of the image. */
  readonly registry: string;
  readonly facts: FileFacts;
}

/**
 * The place of a file. Where a hosts.toml lies in no folder of a registry it is the one of the image's:
 * `/tmp/hosts.toml` for `quay.io` → `/etc/containerd/certs.d/quay.io/hosts.toml`. A file that lies where it
 * is read stays there, and one that only its text tells is read under the right name. Undefined for a file
 * that the runtime reads nowhere.
 */
export function placeLooseFile(
  file: { readonly path: string; readonly text: string },
  runtime: Pick<RuntimeRules, 'placeOf'>,
  { registry, facts }: LooseQuestion,
): LoosePlace | undefined {
  const { path, text } = file;
  const found = recogniseFile(path, text, facts);
  const isTold = found?.by === 'text';
  const isForImage = found?.kind === 'hosts' && !isRegistryFolder(dirname(path));
  const name = isTold ? 'hosts.toml' : basename(path);
  const here = runtime.placeOf(isForImage ? `${registry}/${name}` : path);
  const isThere = isForImage || (here !== undefined && path.endsWith(here));
  const told = isTold && !isThere ? placeFile(path, text, found, runtime)?.place : undefined;
  const place = told ?? here;
  return place === undefined ? undefined : { place, isForImage };
}
