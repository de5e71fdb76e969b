/** R006, R007 and S001: how the places of a table are asked. */

import { tomlPlace } from '../../../documents/toml-places.ts';
import type { TomlStep } from '../../../documents/toml-scan.ts';
import { upstreamHost } from '../../../oci/docker-hub.ts';
import type { Noticed, Origin } from '../../finding.ts';
import { isInsideSite } from '../../inside-site.ts';
import type { LintedSite } from '../../runtime-rules.ts';
import type { DecodedTable } from '../read/decoded-table.ts';
import type { ConfiguredRegistry } from '../read/registries-types.ts';
import { flagOf, tablesOf, textOf } from '../read/table-values.ts';
import type { LintedFile } from './linted-file.ts';

/** `insecure` and `blocked` of each table. */
export function endpointFindings(linted: LintedFile, site: LintedSite): readonly Noticed[] {
  return linted.tables.flatMap(([table, registry]) => [
    ...unverified(table, linted),
    ...tablesOf(table, 'mirror').flatMap((mirror) => unverified(mirror, linted)),
    ...secureMirrors(table, registry, linted),
    ...askedLast(registry, site),
  ]);
}

function unverified(table: DecodedTable, linted: LintedFile): readonly Noticed[] {
  if (!flagOf(table, 'insecure')) return [];
  const place = textOf(table, 'location') || textOf(table, 'prefix');
  return [
    {
      rule: 'S001',
      origin: placeOf(table, 'insecure', linted),
      message: `certificates of ${place} are not checked, and it is asked over HTTP when HTTPS fails`,
      fix: `Put its authority into /etc/containers/certs.d/${place.split('/')[0]}/ca.crt and remove insecure.`,
    },
  ];
}

function secureMirrors(
  table: DecodedTable,
  { endpoint, mirrors }: ConfiguredRegistry,
  linted: LintedFile,
): readonly Noticed[] {
  const checked = mirrors.filter(({ insecure }) => !insecure);
  if (!endpoint.insecure || checked.length === 0) return [];
  return [
    {
      rule: 'R006',
      origin: placeOf(table, 'insecure', linted),
      message: `insecure is about the registry itself; ${checked.map(({ location }) => location).join(', ')} must have a valid certificate`,
      fix: 'Write insecure = true at each mirror that needs it.',
    },
  ];
}

/** Offline the pull would end in waiting for a place that cannot be reached. */
function askedLast(
  { prefix, endpoint, mirrors, blocked, origin }: ConfiguredRegistry,
  site: LintedSite,
): readonly Noticed[] {
  if (isInsideSite(site, upstreamHost(prefix.split('/')[0] ?? ''))) return [];
  const isItself = endpoint.location === '' || endpoint.location === prefix;
  if (blocked || mirrors.length === 0 || !isItself) return [];
  return [
    {
      rule: 'R007',
      registry: prefix,
      origin,
      message: `${prefix} itself is asked after its mirrors`,
      fix: 'Add blocked = true to this table.',
    },
  ];
}

function placeOf(table: DecodedTable, name: string, { path, file }: LintedFile): Origin {
  const steps: readonly TomlStep[] = [...table.steps, table.spelled.get(name) ?? name];
  const place = file && tomlPlace(file.decoded.scan, steps);
  return place ? { file: path, line: place.line, column: place.column } : { file: path };
}
