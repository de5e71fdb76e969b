/** Where a pull goes when no mirror has the image. */

import { HUB } from '../../../oci/docker-hub.ts';
import { isRegistryItself } from '../../../oci/registry-itself.ts';
import { redact } from '../../../shared/secret.ts';
import type { Noticed } from '../../finding.ts';
import { isInsideSite } from '../../inside-site.ts';
import type { PlannedEndpoint } from '../endpoints.ts';
import {
  endpointPlace,
  endpointsIn,
  hostInWords,
  type JudgedRules,
  keyAt,
  originAt,
  type ReadHosts,
} from './judged.ts';

/**
 * C005: the registry itself is asked last, although nobody says so; offline also where the file says
 * it. How bad that is depends on the place: an online site loses nothing.
 */
export function upstream(judged: JudgedRules): readonly Noticed[] {
  const read = endpointsIn(judged.rules);
  const last = read?.endpoints.at(-1);
  if (read === undefined || last === undefined) return [];
  const end = last.role === 'server' ? itself(judged, read, last) : unnamed(judged, read, last);
  return [...asMirror(judged, read), ...end];
}

/** The registry itself in the list of mirrors, where nobody can reach it. */
function asMirror({ registry, site, rules }: JudgedRules, read: ReadHosts): readonly Noticed[] {
  const outside = rules.planned.filter(
    ({ role, host }) =>
      role === 'mirror' && isRegistryItself(registry, host) && !isInsideSite(site, host),
  );
  return outside.map(({ host, entry }) => ({
    rule: 'C005',
    level: levelIn.offline,
    origin: originAt(read.file, endpointPlace(read.scan, entry.table)),
    message: `${host}, the registry itself, is asked as a mirror: that is outside of an offline site`,
    fix: 'Take it out of the mirrors.',
  }));
}

/** Written down as the server, the registry itself is out of place only where nobody can reach it. */
function itself(
  { registry, site, rules }: JudgedRules,
  { file, scan }: ReadHosts,
  { host }: PlannedEndpoint,
): readonly Noticed[] {
  if (isInsideSite(site, host)) return [];
  // Alone, it is not asked after anything: whoever wrote it means a registry of the site. The Hub is none.
  if (registry !== HUB && rules.planned.length === 1) return [];
  if (!isRegistryItself(registry, host)) return [];
  const message = `${host}, the registry itself, is asked after the mirrors: that is outside of an offline site`;
  const origin = originAt(file, keyAt(scan, [], 'server'));
  const fix = `Instead, ${mirrorAsServer(rules.planned)}.`;
  return [{ rule: 'C005', level: levelIn.offline, origin, message, fix }];
}

function unnamed(
  { rules, site }: JudgedRules,
  { file, scan }: ReadHosts,
  last: PlannedEndpoint,
): readonly Noticed[] {
  const { directory, planned } = rules;
  // For all registries at once there is no server to name, and online none is needed.
  const isDefault = directory.kind === 'found' && directory.isDefault;
  if (isDefault && site?.mode === 'online') return [];
  const server = keyAt(scan, [], 'server');
  // A server that is written and read wrongly is another rule's.
  if (last.role !== 'upstream' || (last.entry.written !== '' && server !== undefined)) return [];
  const after = planned.length > 1 ? ' after the mirrors' : '';
  const message = `no server is named, so ${hostInWords(last.host)} is asked${after}`;
  const fix = `Offline, ${mirrorAsServer(planned)}; else write the upstream down as server.`;
  const isInside = site?.mode === 'offline' && isInsideSite(site, last.host);
  const level = site === undefined ? {} : { level: levelIn[isInside ? 'online' : site.mode] };
  return [{ rule: 'C005', ...level, origin: originAt(file, server), message, fix }];
}

/** All that must change for it: the capabilities of a header do not hold for the server (C006, C024, C021). */
function mirrorAsServer(planned: readonly PlannedEndpoint[]): string {
  const written = planned.findLast(({ role }) => role === 'mirror')?.entry.written ?? '';
  if (written === '') return 'write a mirror down as server';
  const url = redact(written);
  return `make the last mirror the server: write server = "${url}" and capabilities = ["pull", "resolve"] at the top, in place of its header [host."${url}"] (a line [host] stays where no header is left)`;
}

const levelIn = { online: 'info', offline: 'error' } as const;
