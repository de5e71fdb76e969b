/** What differs between the versions of a runtime: the form in which data files say it. */

import { coerce, major, satisfies, valid, validRange } from 'semver';
import { z } from 'zod';

/** `>=2.1.0 <3.0.0`; an empty text, which semver takes for every version, is none. */
export const VersionRange = z
  .string()
  .min(1)
  .refine((range) => validRange(range) !== null, 'is no range of versions such as >=2.1.0');

/** What every file about the versions of one runtime begins with. */
export const versionsLookedAt = {
  source: z.string(),
  checked: z.iso.date().describe('the day on which a person compared it with its source'),
  oldest: z.string().describe('older ones are refused'),
  newest: z.string().describe('the newest version that was looked at'),
};

/** The list of facts of a data file, which must have each of these names once. */
export function factList<const Name extends string>(names: readonly Name[]) {
  const fact = z.strictObject({
    name: z.enum(names),
    versions: VersionRange,
    means: z.string(),
    source: z.string(),
  });
  return z.array(fact).superRefine((facts, context) => {
    const wrong = names.filter((name) => facts.filter((one) => one.name === name).length !== 1);
    if (wrong.length === 0) return;
    context.addIssue({ code: 'custom', message: `does not have ${wrong.join(', ')} once` });
  });
}

/** Which facts hold for a release: `factsOf(facts, '2.1.1').has('go-toml-2')` → true. */
export function factsOf<Name extends string>(
  facts: ReadonlyArray<{ readonly name: Name; readonly versions: string }>,
  release: string,
): ReadonlySet<Name> {
  const holding = facts.filter(({ versions }) => satisfies(release, versions));
  return new Set(holding.map(({ name }) => name));
}

/**
 * `v28.0.1-rc.1` → `28.0.1`; undefined for what is no version, is older than `oldest`, or is of a newer
 * major than `newest`, which may do anything in another way.
 */
export function knownRelease(
  version: string | undefined,
  { oldest, newest }: { readonly oldest: string; readonly newest: string },
): string | undefined {
  const release = valid(version) === null ? undefined : coerce(version)?.version;
  if (release === undefined || !satisfies(release, `>=${oldest}`)) return undefined;
  return major(release) <= major(newest) ? release : undefined;
}
