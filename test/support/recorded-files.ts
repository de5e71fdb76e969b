/** The real file system, which remembers what was written, synced and renamed, in the order of the ends. */
import assert from 'node:assert/strict';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DurableFiles } from '../../src/shared/durable-files.ts';

/** One thing that was done to a path; a rename has the new name in `to`. */
export interface FileEvent {
  readonly did: 'write' | 'sync' | 'rename';
  readonly path: string;
  readonly to?: string;
}

const writing = new Set<PropertyKey>(['write', 'writev', 'writeFile', 'appendFile', 'truncate']);
const syncing = new Set<PropertyKey>(['sync', 'datasync']);

/** Files that are really written, and what was done to them. */
export class RecordedFiles implements DurableFiles {
  readonly events: FileEvent[] = [];

  async open(path: string, flags: string, mode?: number): Promise<FileHandle> {
    const handle = await open(path, flags, mode);
    return new Proxy(handle, { get: (target, key) => this.#method(target, key, path) });
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(from, to);
    this.events.push({ did: 'rename', path: from, to });
  }

  #method(handle: FileHandle, key: PropertyKey, path: string): unknown {
    const value: unknown = Reflect.get(handle, key, handle);
    if (typeof value !== 'function') return value;
    const did = eventOf(key);
    return async (...args: unknown[]) => {
      const result: unknown = await Reflect.apply(value, handle, args);
      if (did !== undefined) this.events.push({ did, path });
      return result;
    };
  }
}

function eventOf(key: PropertyKey): 'write' | 'sync' | undefined {
  if (writing.has(key)) return 'write';
  return syncing.has(key) ? 'sync' : undefined;
}

/**
 * Asserts that a power cut at any time leaves no name without its bytes, and that `path`, once made,
 * stays: every file is synced between its last write and its rename, and the folder after it.
 */
export function assertSurvivesPowerCut(events: readonly FileEvent[], path: string): void {
  for (const [at, { did, path: from, to }] of events.entries()) {
    if (did !== 'rename') continue;
    const before = events.slice(0, at).filter((event) => event.path === from);
    const isFile = before.some((event) => event.did === 'write');
    if (isFile) assert.equal(before.at(-1)?.did, 'sync', `${to} got its name before its bytes`);
  }
  const named = events.findLastIndex((event) => event.to === path);
  assert.notEqual(named, -1, `${path} was written in place`);
  const after = events.slice(named + 1);
  const isKept = after.some((event) => event.did === 'sync' && event.path === dirname(path));
  assert.ok(isKept, `the name ${path} can be lost`);
}
