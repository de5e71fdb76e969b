import type { Lock } from '../../release/lock.ts';
import type { PlanNote } from './plan-notes.ts';

const mostNames = 3;

/** Which documents have changed since the earlier Lock was made, and what that changed in the Lock. */
export function changeNotes(lock: Lock, earlier: Lock | undefined): readonly PlanNote[] {
  if (earlier === undefined) return [];
  const [before, now] = [earlier.spec.madeFrom, lock.spec.madeFrom];
  return [
    ...(before.release === now.release ? [] : [changed('release', releaseChanges(earlier, lock))]),
    ...(before.policy === now.policy ? [] : [changed('policy', policyChanges(earlier, lock))]),
  ];
}

function changed(what: 'release' | 'policy', changes: readonly string[]): PlanNote {
  const subject = what === 'release' ? 'the Release' : 'the SourcePolicy';
  const effect = changes.length === 0 ? 'no artefact is another for it' : changes.join('; ');
  return {
    kind: `${what}-changed`,
    text: `${subject} has changed since the earlier Lock: ${effect}`,
  };
}

function releaseChanges(earlier: Lock, lock: Lock): string[] {
  const [before, now] = [namesOf(earlier), namesOf(lock)];
  return [
    ...listed('new', [...now.difference(before)]),
    ...listed('gone', [...before.difference(now)]),
  ];
}

function namesOf({ spec }: Lock): ReadonlySet<string> {
  return new Set([...spec.images, ...spec.charts, ...spec.files].map(({ name }) => name));
}

function policyChanges(earlier: Lock, lock: Lock): string[] {
  const before = new Map(judgementsOf(earlier));
  const moved = judgementsOf(lock).flatMap(([name, now]) => {
    const was = before.get(name);
    return was === undefined || was === now ? [] : [`${name} ${was} → ${now}`];
  });
  return listed('', moved);
}

function judgementsOf({ spec }: Lock): (readonly [name: string, judgement: string])[] {
  return [...spec.images, ...spec.charts].map(({ name, redistribution }) => [name, redistribution]);
}

/** `('new', [a, b, c, d])` → `new a, b, c and 1 more`. */
function listed(word: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, mostNames).join(', ');
  const rest = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return [`${word} ${shown}${rest}`.trim()];
}
