/** R003: prefixes that no name has. */

import { tomlPlace } from '../../../documents/toml-places.ts';
import { HUB, HUB_HOST, HUB_INDEX } from '../../../oci/docker-hub.ts';
import type { Mend, Noticed } from '../../finding.ts';
import type { DecodedTable } from '../read/decoded-table.ts';
import type { LintedFile } from './linted-file.ts';

/** Names are compared without tag and digest, and Docker Hub's with `library/`. */
export function prefixFindings(
  linted: LintedFile,
  officialImages: ReadonlySet<string>,
): readonly Noticed[] {
  return linted.tables.flatMap(([table, { prefix }]) => {
    const fault = prefixFault(prefix, officialImages);
    if (fault === undefined) return [];
    const origin = placeOfPrefix(table, linted);
    const mend = fault.better === undefined ? undefined : replaced(table, fault.better, linted);
    const found: Noticed = {
      rule: 'R003',
      ...(fault.better !== undefined && { registry: fault.better }),
      origin,
      message: `the prefix ${prefix} matches no image: ${fault.reason}`,
      fix: fault.fix,
      ...(mend === undefined ? {} : { mend }),
    };
    return [found];
  });
}

const starReason = 'a wildcard stands for the first part of a domain only';

/** `docker.io/*` → that `docker.io` says it. */
function starFix(prefix: string): string {
  const above = /^([^*]+)\/\*+$/.exec(prefix)?.[1];
  return above === undefined
    ? 'Write *.domain, or one table for each registry.'
    : `Write ${above}; a prefix holds for everything below it.`;
}

interface PrefixFault {
  readonly reason: string;
  readonly fix: string;
  /** The prefix that is meant, where there is no doubt. */
  readonly better?: string;
}

/** Why a prefix matches no image, such as `docker.io/*`; undefined for one that can match. */
export function prefixFault(
  prefix: string,
  official: ReadonlySet<string>,
): PrefixFault | undefined {
  const [registry = '', ...path] = prefix.split('/');
  // Behind `*.` the domain is compared as it is written, and no name has a star in it.
  const domain = prefix.startsWith('*.') ? prefix.slice('*.'.length) : prefix;
  if (domain.includes('*') || domain === '') return { reason: starReason, fix: starFix(prefix) };
  if (domain !== prefix) return undefined;
  const rest = path.join('/');
  if (/[:@]/.test(rest)) {
    return {
      reason: 'names are compared without tag and digest',
      fix: 'Write the name without them; the rule then holds for all tags.',
    };
  }
  if (registry === HUB_INDEX || registry === HUB_HOST) {
    return {
      reason: 'images of Docker Hub are named docker.io',
      fix: 'Write docker.io.',
      better: [HUB, ...path].join('/'),
    };
  }
  if (registry === HUB && path.length === 1 && official.has(rest)) {
    return {
      reason: `the image is named ${HUB}/library/${rest}`,
      fix: `Write ${HUB}/library/${rest}.`,
      better: `${HUB}/library/${rest}`,
    };
  }
  if (registry !== 'localhost' && !/[.:]/.test(registry)) {
    return {
      reason: 'its first part is no registry, which has a dot or a port',
      fix: `Write the registry before it, such as ${HUB}/${prefix}.`,
    };
  }
  return undefined;
}

function placeOfPrefix(table: DecodedTable, { path, file }: LintedFile): Noticed['origin'] {
  const key = table.spelled.get('prefix') ?? table.spelled.get('location') ?? '';
  const place = file && tomlPlace(file.decoded.scan, [...table.steps, key]);
  return place ? { file: path, line: place.line, column: place.column } : { file: path };
}

function replaced(
  table: DecodedTable,
  better: string,
  { path, file }: LintedFile,
): Mend | undefined {
  const key = table.spelled.get('prefix');
  const place =
    key === undefined ? undefined : file && tomlPlace(file.decoded.scan, [...table.steps, key]);
  if (!place || !('value' in place)) return undefined;
  const { start, end } = place.value;
  return { kind: 'edit', path, edits: [{ start, end, text: JSON.stringify(better) }] };
}
