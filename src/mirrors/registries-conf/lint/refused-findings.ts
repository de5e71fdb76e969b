/** R001: what makes every pull fail, of unrelated images too. */

import { tomlPlace } from '../../../documents/toml-places.ts';
import type { Mend, Noticed } from '../../finding.ts';
import type { RegistriesFault, RegistriesFaultKind } from '../read/registries-types.ts';
import type { LintedFile } from './linted-file.ts';

/** One finding for each fault of a file, not only for the first that the program would name. */
export function refusedFindings(linted: LintedFile): readonly Noticed[] {
  return linted.faults.map((fault) => {
    const mend = schemeMend(fault, linted);
    return {
      rule: 'R001',
      origin: fault.origin,
      message: `every pull fails: ${inWords(fault)}`,
      fix: fixFor(fault),
      ...(mend === undefined ? {} : { mend }),
    };
  });
}

const noLocation = 'Add location, with the same value as prefix if nothing else is meant.';
const fixes: Readonly<Partial<Record<RegistriesFaultKind, string>>> = {
  scheme: 'Write the host alone; HTTP is allowed by insecure = true.',
  'list-of-registries': 'Write [[registry]], without an s.',
  'no-mirror-tables': 'Write a [[registry.mirror]] table with a location for each mirror.',
  'no-location': noLocation,
  'neither-prefix-nor-location': noLocation,
  'no-mirror-location': 'Give the mirror a location.',
  wildcard: 'Write *.domain alone, without port and path.',
  'old-drop-in': 'Write [[registry]] tables; drop-ins may not have the old format.',
  'both-formats':
    'Write the [registries.…] tables as [[registry]] and unqualified-search-registries.',
  conflict: 'Give all tables of this location the same value.',
  alias: 'Put a short name on the left and a full name without tag on the right.',
  'restricted-twice': 'Keep one of the two; pull-from-mirror at each mirror is the newer one.',
  'restricted-registry': 'Take it out here, or write it at each mirror.',
  restriction: 'Write all, digest-only or tag-only.',
  search: 'Write the host of a registry, without a path.',
  mode: 'Write enforcing, permissive or disabled.',
};

/** What the library prints of two formats is the whole file as a Go value, so the sentence comes before it. */
function inWords({ kind, message }: RegistriesFault): string {
  if (kind !== 'both-formats') return message;
  return `tables of the old format, [registries.…], stand beside settings of the new one: ${message}`;
}

function fixFor({ kind }: RegistriesFault): string {
  return fixes[kind] ?? 'Correct this place.';
}

/** `https://` adds nothing to a location, so it can go; http:// would need a decision. */
function schemeMend(
  { kind, origin }: RegistriesFault,
  { path, file }: LintedFile,
): Mend | undefined {
  const scan = file?.decoded.scan;
  if (kind !== 'scheme' || scan === undefined) return undefined;
  const key = scan.keys.find(
    ({ line, column }) => line === origin.line && column === origin.column,
  );
  const place = key === undefined ? undefined : tomlPlace(scan, key.steps);
  if (place === undefined || !('value' in place)) return undefined;
  const { start, end } = place.value;
  const found = scan.text.slice(start, end).indexOf('https://');
  if (found === -1) return undefined;
  const at = start + found;
  return { kind: 'edit', path, edits: [{ start: at, end: at + 'https://'.length, text: '' }] };
}
