/** Compiles rules into the tree of host directories that every containerd from 1.6.17 on reads alike. */

import { upstreamHost } from '../../../oci/docker-hub.ts';
import { authorityFile } from '../../certificates/authority-file.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import {
  EVERY_OTHER,
  type MirrorRule,
  type MirrorTarget,
  subjectOf,
  targetUrl,
} from '../../mirror-rule.ts';
import { ownText } from '../../own-text.ts';
import type { WantedFile } from '../../runtime-rules.ts';
import { DEFAULT_DIRECTORY, directoryNames } from '../host-directory.ts';
import { refuseRule } from './refused-rules.ts';

/** The one directory that the main configuration names; a list would not be read by 2.1 and later. */
export const CONTAINERD_CERTS_D = '/etc/containerd/certs.d';

/**
 * The files for all rules: authorities first, then one hosts.toml for each registry, `_default`
 * last. Only what all versions read alike is used. Throws MIRROR_RULE_NOT_WRITABLE. Docker reads the same
 * files below a `directory` of its own.
 */
export function certsDirectory(
  rules: readonly MirrorRule[],
  behaviour: ContainerdBehaviour,
  directory = CONTAINERD_CERTS_D,
): readonly WantedFile[] {
  const authorities = new Map<string, WantedFile>();
  for (const { ca } of rules.flatMap(({ targets }) => targets)) {
    if (ca === undefined) continue;
    const path = authorityPath(ca.name, directory);
    authorities.set(path, authorityFile(path, ca));
  }
  const ordered = [...rules].sort(
    (a, b) => Number(a.registry === EVERY_OTHER) - Number(b.registry === EVERY_OTHER),
  );
  return [...authorities.values(), ...ordered.map((rule) => hostsFile(rule, behaviour, directory))];
}

function authorityPath(name: string, directory: string): string {
  return `${directory}/slipway-${name}.pem`;
}

function hostsFile(
  rule: MirrorRule,
  behaviour: ContainerdBehaviour,
  directory: string,
): WantedFile {
  refuseRule(rule, behaviour);
  const isRest = rule.registry === EVERY_OTHER;
  const [folder = rule.registry] = isRest
    ? [DEFAULT_DIRECTORY]
    : directoryNames(rule.registry, behaviour);
  const subject = subjectOf(rule);
  const places = rule.targets.map(({ host, prefix }) =>
    prefix === '' ? host : `${host}/${prefix}`,
  );
  return {
    path: `${directory}/${folder}/hosts.toml`,
    content: renderHostsToml(rule, subject, directory),
    because: `${subject} is pulled from ${places.join(', then ')}${rule.fallback ? ', then from itself' : ''}`,
  };
}

/**
 * A rule as hosts.toml. Without fallback the last target is the `server`, which is the only way to
 * leave the upstream out. The `[host]` line is there because versions up to 1.7.31 discard a file
 * without a host table.
 */
function renderHostsToml(rule: MirrorRule, subject: string, directory: string): string {
  const mirrors = rule.fallback ? rule.targets : rule.targets.slice(0, -1);
  const tables = mirrors.flatMap((target) => [
    '',
    `[host.${quoted(targetUrl(target))}]`,
    ...settingsOf(target, directory).map((line) => `  ${line}`),
  ]);
  const body = [...rootOf(rule, directory), '[host]', ...tables].join('\n');
  return ownText(`where ${subject} is pulled from`, `${body}\n`);
}

/** The server: the registry itself, or the last target in its place. `_default` has no one to name. */
function rootOf({ registry, targets, fallback }: MirrorRule, directory: string): readonly string[] {
  if (fallback) {
    return registry === EVERY_OTHER ? [] : [`server = ${quoted(upstreamUrl(registry))}`, ''];
  }
  return targets
    .slice(-1)
    .flatMap((last) => [`server = ${quoted(targetUrl(last))}`, ...settingsOf(last, directory), '']);
}

function upstreamUrl(registry: string): string {
  return `https://${upstreamHost(registry)}`;
}

function settingsOf({ prefix, ca, skipVerify, scheme }: MirrorTarget, directory: string): string[] {
  const lines = ['capabilities = ["pull", "resolve"]'];
  if (prefix !== '') lines.push('override_path = true');
  // TLS settings on an http endpoint would make containerd ask over HTTPS first.
  if (scheme === 'https' && ca !== undefined)
    lines.push(`ca = ${quoted(authorityPath(ca.name, directory))}`);
  if (scheme === 'https' && skipVerify === true) lines.push('skip_verify = true');
  return lines;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
