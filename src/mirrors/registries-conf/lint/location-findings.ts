/** R009: locations that make no full name of an image, so that every pull of their table fails. */

import { tomlPlace } from '../../../documents/toml-places.ts';
import { parsePodmanReference } from '../../../oci/dialects/podman.ts';
import { ReferenceInvalid } from '../../../oci/errors.ts';
import type { Reference } from '../../../oci/reference.ts';
import type { Noticed } from '../../finding.ts';
import type { DecodedTable } from '../read/decoded-table.ts';
import { tablesOf } from '../read/table-values.ts';
import { rewriteReference } from '../walk/pull-sources.ts';
import type { LintedFile } from './linted-file.ts';
import { prefixFault } from './prefix-findings.ts';

/** `location = "mirror"` has no registry in it: not only this mirror fails, but the whole pull. */
export function locationFindings(
  linted: LintedFile,
  officialImages: ReadonlySet<string>,
): readonly Noticed[] {
  return linted.tables.flatMap(([table, { prefix, endpoint, mirrors }]) => {
    // R003 says that the table is for no image; its locations are never asked.
    if (prefixFault(prefix, officialImages) !== undefined) return [];
    const probe = probeOf(prefix);
    if (probe === undefined) return [];
    const places = [[table, endpoint.location] as const].concat(
      tablesOf(table, 'mirror').map((one, index) => [one, mirrors[index]?.location ?? ''] as const),
    );
    return places.flatMap(([written, location]) => {
      const result = rewriteReference(probe, prefix, location);
      if (location === '' || result.kind === 'rewritten' || /^https?:/.test(location)) return [];
      const found: Noticed = {
        rule: 'R009',
        origin: placeOfLocation(written, linted),
        message: `every pull of ${prefix} fails, for ${location} makes no full name: ${result.error}`,
        fix: 'Write a registry with its domain or port, in lower case, and behind it at most a path.',
      };
      return [found];
    });
  });
}

/** An image that the table is for; undefined for a prefix that no image has. */
function probeOf(prefix: string): Reference | undefined {
  try {
    return parsePodmanReference(`${prefix.replace(/^\*\./, 'any.')}/slipway/lint:1`);
  } catch (error) {
    if (!(error instanceof ReferenceInvalid)) throw error;
    return undefined;
  }
}

function placeOfLocation(table: DecodedTable, { path, file }: LintedFile): Noticed['origin'] {
  const key = table.spelled.get('location') ?? 'location';
  const place = file && tomlPlace(file.decoded.scan, [...table.steps, key]);
  return place ? { file: path, line: place.line, column: place.column } : { file: path };
}
