/** Keeps what a person made of files that an undo takes back all the same. */

import { digestOf } from '../../oci/digest.ts';
import { makeChange, stateOf } from './file-changes.ts';
import { STATE_FOLDER } from './last-change.ts';
import type { NodeLock } from './node-lock.ts';

/** Enough to tell all texts of one file apart. */
const DIGEST_LETTERS = 12;

/** Names of files end at 255 bytes, and the copy has a name while it is being written. */
const NAME_LETTERS = 150;

/**
 * Copies the file as it is now: `/etc/certs.d/x/hosts.toml` → `/var/lib/slipway/mirrors/edited-1f3a5c7e9b0d-x-hosts.toml`,
 * for root only. Undefined where it is gone. The same text gets the same name, so a repeated run adds nothing.
 * Rejects with MIRROR_PATH_UNUSABLE.
 *
 * Not beside the file: a folder of `certs.d` that only a copy keeps there would switch the rules for "every other
 * registry" off, and some runtimes read all files of a folder.
 */
export async function keepEdited(
  { root, disk }: NodeLock,
  path: string,
): Promise<string | undefined> {
  const now = await stateOf(root, path);
  if (now.kind === 'absent') return undefined;
  const { bytes } = now;
  const digest = digestOf(bytes).replace('sha256:', '').slice(0, DIGEST_LETTERS);
  const name = path.split('/').slice(-2).join('-').slice(-NAME_LETTERS);
  const copy = `${STATE_FOLDER}/edited-${digest}-${name}`;
  await makeChange(root, { path: copy, after: { kind: 'file', bytes, mode: 0o600 } }, { disk });
  return copy;
}
