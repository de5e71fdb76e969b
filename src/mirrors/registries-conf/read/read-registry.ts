/** One `[[registry]]` table with its mirrors. Source: pkg/sysregistriesv2, postProcessRegistries. */

import { quoteGo } from '../../../oci/dialects/go-quote.ts';
import { checkLocation } from './check-location.ts';
import type { DecodedTable } from './decoded-table.ts';
import type { Places } from './places.ts';
import type {
  ConfiguredEndpoint,
  ConfiguredRegistry,
  RegistriesFault,
} from './registries-types.ts';
import { flagOf, tablesOf, textOf } from './table-values.ts';

/** Reads and checks it, in the order in which the library does. */
export function readRegistry(table: DecodedTable, places: Places): ConfiguredRegistry {
  const location = locationIn(table, 'location', places);
  const prefix = readPrefix(table, location, places);
  if (textOf(table, 'pull-from-mirror') !== '') {
    const message = `pull-from-mirror must not be set for a non-mirror registry ${quoteGo(prefix)}`;
    places.report('restricted-registry', message, places.of(table, 'pull-from-mirror'));
  }
  const mirrorByDigestOnly = flagOf(table, 'mirror-by-digest-only');
  const origin = places.at(table.steps);
  const endpoint = { location, insecure: flagOf(table, 'insecure'), pullFromMirror: '' };
  return {
    prefix,
    endpoint: { ...endpoint, origin: places.of(table, 'location') },
    mirrors: tablesOf(table, 'mirror').map((mirror) =>
      readMirror(mirror, { prefix, mirrorByDigestOnly }, places),
    ),
    blocked: flagOf(table, 'blocked'),
    mirrorByDigestOnly,
    origin,
  };
}

function locationIn(table: DecodedTable, name: string, places: Places): string {
  return checkLocation(textOf(table, name), places.of(table, name), places);
}

function readPrefix(table: DecodedTable, location: string, places: Places): string {
  if (textOf(table, 'prefix') === '') {
    if (location === '') {
      const message = 'invalid condition: both location and prefix are unset';
      places.report('no-location', message, places.of(table, 'location'));
    }
    return location;
  }
  const prefix = locationIn(table, 'prefix', places);
  if (location === '' && !prefix.startsWith('*.')) {
    const message =
      'invalid condition: location is unset and prefix is not in the format: *.example.com';
    places.report('neither-prefix-nor-location', message, places.of(table, 'prefix'));
  }
  return prefix;
}

type Owner = Pick<ConfiguredRegistry, 'prefix' | 'mirrorByDigestOnly'>;

function readMirror(table: DecodedTable, owner: Owner, places: Places): ConfiguredEndpoint {
  const location = locationIn(table, 'location', places);
  if (location === '') {
    const message = 'invalid condition: mirror location is unset';
    places.report('no-mirror-location', message, places.at(table.steps));
  }
  const pullFromMirror = textOf(table, 'pull-from-mirror');
  const fault = restrictionFault({ location, pullFromMirror }, owner);
  if (fault !== undefined) {
    places.report(fault.kind, fault.message, places.of(table, 'pull-from-mirror'));
  }
  const insecure = flagOf(table, 'insecure');
  return { location, insecure, pullFromMirror, origin: places.of(table, 'location') };
}

function restrictionFault(
  { location, pullFromMirror }: Pick<ConfiguredEndpoint, 'location' | 'pullFromMirror'>,
  { prefix, mirrorByDigestOnly }: Owner,
): Pick<RegistriesFault, 'kind' | 'message'> | undefined {
  if (mirrorByDigestOnly && pullFromMirror !== '') {
    const message = `cannot set mirror usage mirror-by-digest-only for the registry (${quoteGo(prefix)}) and pull-from-mirror for per-mirror (${quoteGo(location)}) at the same time`;
    return { kind: 'restricted-twice', message };
  }
  if (['', 'all', 'digest-only', 'tag-only'].includes(pullFromMirror)) return undefined;
  const message = `unsupported pull-from-mirror value ${quoteGo(pullFromMirror)} for mirror ${quoteGo(location)}`;
  return { kind: 'restriction', message };
}
