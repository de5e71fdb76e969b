/** Where a pull goes when no mirror has the image. */

import { upstreamHost } from '../../../oci/docker-hub.ts';
import type { Noticed } from '../../finding.ts';
import { endpointsIn, hostInWords, type JudgedRules, keyAt, originAt } from './judged.ts';

/**
 * C005: the registry itself is asked last, although nobody says so; offline also where the file says
 * it. How bad that is depends on the place: an online site loses nothing.
 */
export function upstream({ rules, registry, site }: JudgedRules): readonly Noticed[] {
  const read = endpointsIn(rules);
  const last = read?.endpoints.at(-1);
  if (read === undefined || last === undefined) return [];
  const { file, scan } = read;
  const server = keyAt(scan, [], 'server');
  const host = hostInWords(last.host);
  const level = site === undefined ? {} : ({ level: levelIn[site.mode] } as const);
  if (last.role === 'server') {
    const isItself = last.host === registry || last.host === upstreamHost(registry);
    if (site?.mode !== 'offline' || !isItself) return [];
    const message = `${host}, the registry itself, is asked after the mirrors: that is outside of an offline site`;
    const fix = 'Make the last mirror the server.';
    return [{ rule: 'C005', ...level, origin: originAt(file, server), message, fix }];
  }
  // A server that is written and read wrongly is another rule's.
  if (last.role !== 'upstream' || (last.entry.written !== '' && server !== undefined)) return [];
  const after = read.endpoints.length > 1 ? ' after the mirrors' : '';
  const message = `no server is named, so ${host} is asked${after}`;
  const fix = 'Offline, make the last mirror the server; else write the upstream down as server.';
  return [{ rule: 'C005', ...level, origin: originAt(file, server), message, fix }];
}

const levelIn = { online: 'info', offline: 'error' } as const;
