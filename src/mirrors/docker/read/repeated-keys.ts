/** D009: keys of daemon.json that stand twice, and renamings that would make them so. */

import { suggest } from '../../../documents/suggest.ts';
import type { Noticed } from '../../finding.ts';
import type { DockerBehaviour } from '../behaviour.ts';
import { flatEntries } from '../lint/daemon-faults.ts';
import type { DaemonFile } from './daemon-file.ts';
import { type PlacedEntry, placedEntries } from './placed-json.ts';

/**
 * One finding at each key that stood there before, in whatever letter case. Of two values Go keeps the
 * last one, and of two objects the fields of both. Source: Go encoding/json, Unmarshal.
 */
export function repeatedKeys(
  { root, originOf }: DaemonFile,
  { options }: DockerBehaviour,
): readonly Noticed[] {
  if (root === undefined) return [];
  const first = new Map<string, PlacedEntry>();
  return placedEntries(root).flatMap((entry): Noticed[] => {
    const name = entry.key.toLowerCase();
    const before = first.get(name);
    if (before === undefined) first.set(name, entry);
    if (before === undefined || !options.has(name)) return [];
    const origin = originOf(entry.span);
    const where = `${entry.key} stands here a second time`;
    if (before.key !== entry.key) {
      const message = `${where}: ${before.key} in line ${originOf(before.span).line} is the same key in another letter case`;
      return [{ rule: 'D009', origin, message, fix: intoOne(name) }];
    }
    if (options.get(name) === 'object') {
      const message = `${where}; dockerd adds what is in it to the first`;
      return [{ rule: 'D009', level: 'warn', origin, message, fix: 'Write it once.' }];
    }
    const message = `${where}, and this one wins without a message`;
    return [{ rule: 'D009', origin, message, fix: intoOne(name) }];
  });
}

/** What to do about a key that is there already. */
export function intoOne(key: string): string {
  return `Write all of it into one "${key}", and remove the other.`;
}

/** True where no other key has this name, or is taken for a wrong spelling of it. */
export function isFreeName(
  name: string,
  { root }: DaemonFile,
  behaviour: DockerBehaviour,
): boolean {
  if (root === undefined) return false;
  const { options, ignored } = behaviour;
  const meant = ({ key }: PlacedEntry) => (options.has(key) ? key : suggest(key, options.keys()));
  const alike = flatEntries({ root, behaviour }).filter(
    (entry) => !ignored.has(entry.key) && meant(entry) === name,
  );
  return alike.length === 1;
}
