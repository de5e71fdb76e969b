/** R001: what makes every pull fail, of unrelated images too. */

import { tomlPlace } from '../../../documents/toml-places.ts';
import type { Mend, Noticed } from '../../finding.ts';
import type { RegistriesFault } from '../registries-types.ts';
import type { LintedFile } from './linted-file.ts';

/** One finding for each fault of a file, not only for the first that the program would name. */
export function refusedFindings(linted: LintedFile): readonly Noticed[] {
  return linted.faults.map((fault) => {
    const mend = schemeMend(fault, linted);
    return {
      rule: 'R001',
      origin: fault.origin,
      message: `every pull fails: ${fault.message}`,
      fix: fixFor(fault),
      ...(mend === undefined ? {} : { mend }),
    };
  });
}

const fixes: ReadonlyArray<readonly [RegExp, string]> = [
  [/URI schemes are not supported/, 'Write the host alone; HTTP is allowed by insecure = true.'],
  [/V1TOMLConfig/, 'Write [[registry]], without an s.'],
  [
    /location is unset|both location and prefix/,
    'Add location, with the same value as prefix if nothing else is meant.',
  ],
  [/mirror location is unset/, 'Give the mirror a location.'],
  [/Wildcarded prefix/, 'Write *.domain alone, without port and path.'],
  [/v2 format but is in v1/, 'Write [[registry]] tables; drop-ins may not have the old format.'],
  [
    /mixing sysregistry/,
    'Write the [registries.…] tables as [[registry]] and unqualified-search-registries.',
  ],
  [/conflicting/, 'Give all tables of this location the same value.'],
  [/short-name aliases/, 'Put a short name on the left and a full name without tag on the right.'],
  [
    /mirror-by-digest-only/,
    'Keep one of the two; pull-from-mirror at each mirror is the newer one.',
  ],
  [/pull-from-mirror value/, 'Write all, digest-only or tag-only.'],
  [/unqualified-search-registries entry/, 'Write the host of a registry, without a path.'],
];

function fixFor({ message }: RegistriesFault): string {
  return fixes.find(([pattern]) => pattern.test(message))?.[1] ?? 'Correct this place.';
}

/** `https://` adds nothing to a location, so it can go; http:// would need a decision. */
function schemeMend(
  { message, origin }: RegistriesFault,
  { path, file }: LintedFile,
): Mend | undefined {
  const scan = file?.decoded.scan;
  if (!message.startsWith("invalid location 'https://") || scan === undefined) return undefined;
  const key = scan.keys.find(
    ({ line, column }) => line === origin.line && column === origin.column,
  );
  const place = key === undefined ? undefined : tomlPlace(scan, key.steps);
  if (place === undefined || !('value' in place)) return undefined;
  const { start, end } = place.value;
  const at = start + scan.text.slice(start, end).indexOf('https://');
  return { kind: 'edit', path, edits: [{ start: at, end: at + 'https://'.length, text: '' }] };
}
