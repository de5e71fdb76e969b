/** What keeps a file from being put where it shall stand, known before the first byte is written. */

import type { FoundFile, FoundFiles } from './found-files.ts';
import type { WriteAction } from './plan-write.ts';

/** Which paths of a node lie in one place, because folders or files on the way are links. */
export class PathsByPlace {
  readonly #files: ReadonlyMap<string, FoundFile>;
  readonly #paths: ReadonlyMap<string, readonly string[]>;

  constructor(files: ReadonlyMap<string, FoundFile>) {
    this.#files = files;
    this.#paths = Map.groupBy(files.keys(), (path) => files.get(path)?.place ?? path);
  }

  /** The other paths under which the file of this one is found too. */
  othersAt(path: string): readonly string[] {
    const place = this.#files.get(path)?.place ?? path;
    return (this.#paths.get(place) ?? []).filter((other) => other !== path);
  }
}

/** One obstacle each at the path of an action and at that of its copy; none if all can be done. */
export function obstaclesIn(
  action: WriteAction,
  { files, copies }: FoundFiles,
  places: PathsByPlace,
): ReadonlyArray<{ readonly path: string; readonly reason: string }> {
  const { path } = action;
  const stands = files.get(path)?.stands;
  if (stands?.kind === 'blocked') return [{ path, reason: stands.reason }];
  const others = places.othersAt(path);
  // Whatever is written for one of them would silently count for the others too.
  if (others.length > 0) return [{ path, reason: sharedReason(others) }];
  if (!('backup' in action)) return [];
  const copy = copies.get(path)?.find((item) => item.path === action.backup)?.stands;
  return copy?.kind === 'blocked' ? [{ path: action.backup, reason: copy.reason }] : [];
}

function sharedReason([first, ...more]: readonly string[]): string {
  const rest = more.length === 0 ? '' : ` and ${more.length} more`;
  return `is one file with ${first}${rest} because of a link: make it a folder of its own, or remove the link`;
}
