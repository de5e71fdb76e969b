/** K008: offline, and yet a registry itself is asked; or a setting that brings it back. */

import { upstreamHost } from '../../../oci/docker-hub.ts';
import { isInsideSite } from '../../inside-site.ts';
import { EVERY_OTHER } from '../../mirror-rule.ts';
import { rightName } from '../../names/registry-key.ts';
import type { LintedSite } from '../../runtime-rules.ts';
import type { Mirror } from '../registries-file.ts';
import { type Judged, type K3sNotice, originAt } from './k3s-notice.ts';

/** Findings about the last endpoint of each registry of the file. */
export function upstreamFindings(judged: Judged, site: LintedSite): readonly K3sNotice[] {
  const { mirrors } = judged.running.file.registries;
  const found = Array.from(mirrors).flatMap(([name, mirror]): readonly K3sNotice[] => {
    // Online nothing is inside or outside, and what brings a registry back is said all the same.
    if (judged.isOffline && isInsideSite(site, upstreamHost(name))) return [];
    const rest = mirror.endpoints.length === 0 ? undefined : lastEndpoint(judged, name, mirror);
    return rest === undefined ? [] : [{ rule: 'K008', registry: rightName(name) ?? name, ...rest }];
  });
  return [...found, ...unlisted(judged, site)];
}

/** What is wrong with the end of one registry's list. */
function lastEndpoint(judged: Judged, name: string, { at }: Mirror): Rest | undefined {
  const { hosts, settings, file } = judged.running;
  if (!judged.behaviour.has('hosts-toml')) {
    return judged.isOffline ? tooOld(judged, at, name) : undefined;
  }
  if (settings.noDefaultEndpoint === undefined) {
    return judged.isOffline ? askedLast(judged, at, name) : undefined;
  }
  const config = file.registries.configs.get(name);
  const isBack = hosts.hosts.get(name)?.default !== undefined;
  return isBack && config !== undefined ? broughtBack(judged, config.at, name) : undefined;
}

type Rest = Pick<K3sNotice, 'origin' | 'message' | 'fix' | 'level'>;
type Place = Parameters<typeof originAt>[1];

function tooOld(judged: Judged, at: Place, name: string): Rest {
  const { program, version } = judged.behaviour;
  return {
    origin: originAt(judged, at),
    message: `${program} ${version} always asks ${shown(rightName(name) ?? name)} after the mirrors: it has no --disable-default-registry-endpoint`,
    fix: 'Use v1.26.13, v1.27.10, v1.28.6, v1.29.1 or later, or close the way out for nodes by DNS or a firewall.',
  };
}

function askedLast(judged: Judged, at: Place, name: string): Rest {
  const { program } = judged.behaviour;
  return {
    origin: originAt(judged, at),
    message: askedWords(name),
    fix: `Write disable-default-registry-endpoint: true into /etc/rancher/${program}/config.yaml of every node.`,
  };
}

/** No mirror is asked for a key that is never looked up (K003). */
function askedWords(name: string): string {
  const right = rightName(name);
  return right === undefined
    ? `${shown(name)} is asked after the mirrors`
    : `${right} is asked itself, and once its key is right still after the mirrors`;
}

function broughtBack(judged: Judged, at: Place, name: string): Rest {
  return {
    origin: originAt(judged, at),
    message: `settings under the name of ${name} itself make it the last endpoint again, in spite of --disable-default-registry-endpoint`,
    fix: 'Keep settings for the endpoints only, each under its host:port as written.',
    ...(!judged.isOffline && { level: 'warn' as const }),
  };
}

/** What is asked directly because no rule is for it: the registries that are known to be needed, else every other one. */
function unlisted(judged: Judged, site: LintedSite): readonly K3sNotice[] {
  const { mirrors } = judged.running.file.registries;
  if (!judged.isOffline || mirrors.size === 0 || mirrors.has('*')) return [];
  const needed = (site.registries ?? []).filter((name) => !isInsideSite(site, upstreamHost(name)));
  const missing = needed.filter((name) => !mirrors.has(name));
  const origin = { file: judged.running.settings.registriesPath };
  if (needed.length === 0) return [{ rule: 'K008', registry: EVERY_OTHER, origin, ...anyOther }];
  if (missing.length === 0) return [];
  return [
    {
      rule: 'K008',
      origin,
      message: `no rule is for ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} asked directly`,
      fix: 'List them under mirrors, or add "*" with the same endpoint.',
    },
  ];
}

const anyOther = {
  message: 'there is no "*": a registry that is not listed is asked itself, outside of the site',
  fix: 'Add "*" with the last mirror as its endpoint, or name the Lock with --lock, which says what is pulled.',
};

function shown(name: string): string {
  return name === '*' ? 'the registry itself' : name;
}
