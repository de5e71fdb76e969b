/** registries.conf of version 1: `[registries.search]`, `[registries.insecure]`, `[registries.block]`. */

import { checkLocation } from './check-location.ts';
import { type DecodedTable, isDecodedTable } from './decoded-table.ts';
import type { Places } from './places.ts';
import type { ConfiguredRegistry, ReadFormat } from './registries-types.ts';
import { textsOf } from './table-values.ts';

/** True when the file says anything in the old format; an empty table is nothing, an empty list is something. */
export function hasOldFormat(table: DecodedTable): boolean {
  return listNames.some((name) => listOf(table, name) !== undefined);
}

/** True when the file says anything in the new format. */
export function hasNewFormat({ values }: DecodedTable): boolean {
  return Array.from(values).some(([name, value]) => name !== 'registries' && value !== '');
}

const listNames = ['search', 'insecure', 'block'] as const;

function listOf(table: DecodedTable, name: (typeof listNames)[number]) {
  const old = table.values.get('registries');
  const list = isDecodedTable(old) ? old.values.get(name) : undefined;
  return isDecodedTable(list) ? textsOf(list, 'registries') : undefined;
}

/** The same in the new format: one registry for each name, blocked ones first. */
export function oldFormat(table: DecodedTable, places: Places): ReadFormat {
  const registries = new Map<string, ConfiguredRegistry>();
  for (const list of ['block', 'insecure'] as const) {
    const origin = places.at(['registries', list, 'registries']);
    for (const name of listOf(table, list) ?? []) {
      const location = checkLocation(name, origin, places);
      const before = registries.get(location);
      registries.set(location, {
        prefix: location,
        mirrors: [],
        mirrorByDigestOnly: false,
        origin: before?.origin ?? origin,
        blocked: before?.blocked === true || list === 'block',
        endpoint: { location, pullFromMirror: '', origin, insecure: list === 'insecure' },
      });
    }
  }
  if (registries.has('')) {
    const message = 'invalid condition: both location and prefix are unset';
    places.report('neither-prefix-nor-location', message, places.at(['registries']));
  }
  return { registries: [...registries.values()], search: listOf(table, 'search') };
}
