/** One entry of `mirrors` for all rules of one registry. */

import { HUB, HUB_HOST } from '../../../oci/docker-hub.ts';
import { MirrorRuleNotWritable } from '../../errors.ts';
import { isLocalHost } from '../../go/host-port.ts';
import { EVERY_OTHER, type MirrorRule, type MirrorTarget, subjectOf } from '../../mirror-rule.ts';
import type { K3sBehaviour } from '../behaviour.ts';

/** An entry as it is written. */
export interface WrittenMirror {
  /** `docker.io`, or `*`. */
  readonly name: string;
  readonly endpoints: readonly string[];
  /** Pattern → replacement. */
  readonly rewrites: ReadonlyMap<string, string>;
}

/** What the entry depends on besides its own rules. */
export interface MirrorContext {
  /** True when registries are asked themselves only where they are listed. */
  readonly isFlagged: boolean;
  readonly behaviour: K3sBehaviour;
  readonly rules: readonly MirrorRule[];
}

/**
 * `docker.io/library` at `hub/library` of a mirror → the endpoint `https://mirror/v2/hub` and no rewrite; another path
 * at the end needs one: `^library/(.*)$` → `images/$1`. Throws MIRROR_RULE_NOT_WRITABLE.
 */
export function mirrorOf(
  registry: string,
  rules: readonly MirrorRule[],
  context: MirrorContext,
): WrittenMirror {
  const refuse = (reason: string, instead: string): never => {
    throw new MirrorRuleNotWritable({ rule: subjectOf({ registry }), reason, instead });
  };
  const [first] = rules;
  if (first === undefined || first.targets.length === 0) {
    return refuse('it has no target', 'Name a target.');
  }
  checkAlike(rules, refuse);
  checkPaths(rules, refuse);
  for (const { host } of first.targets) checkHost(host, context, refuse);
  const bases = basesOf(rules, refuse);
  const rewrites = new Map(rules.flatMap((rule) => rewriteOf(rule, bases, refuse)));
  checkEnd(registry, first, rewrites, { context, refuse });
  const own = first.fallback && context.isFlagged ? [ownUrl(registry)] : [];
  const mirrors = first.targets.map((target, index) => urlOf(target, bases[index] ?? ''));
  return { name: registry, endpoints: [...mirrors, ...own], rewrites };
}

type Refuse = (reason: string, instead: string) => never;

/** All rules of a registry share one list of endpoints. */
function checkAlike(rules: readonly MirrorRule[], refuse: Refuse): void {
  const lists = new Set(
    rules.map(({ targets }) => targets.map(({ scheme, host }) => `${scheme}://${host}`).join(' ')),
  );
  if (lists.size > 1) {
    refuse(
      'k3s has one list of endpoints for a registry, and its rules name different ones',
      'Give all rules of the registry the same targets in the same order; paths may differ.',
    );
  }
  if (new Set(rules.map(({ fallback }) => fallback)).size > 1) {
    refuse(
      'k3s asks the registry itself for all of its paths or for none',
      'Let all rules of the registry fall back, or none.',
    );
  }
}

function checkPaths(rules: readonly MirrorRule[], refuse: Refuse): void {
  const paths = rules.map(({ path = '' }) => path).filter((path) => path !== '');
  const inner = paths.find((path, index) =>
    paths.some((other, at) => at !== index && `${path}/`.startsWith(`${other}/`)),
  );
  if (inner !== undefined) {
    refuse(
      `${inner} lies in the path of another rule, and k3s takes any rewrite that matches`,
      'Use paths that do not lie in each other.',
    );
  }
}

function checkHost(host: string, { behaviour }: MirrorContext, refuse: Refuse): void {
  if (!host.startsWith('[') || behaviour.containerd.has('go-toml-2')) return;
  refuse(
    `the containerd of ${behaviour.program} ${behaviour.version} discards a file with the IPv6 address ${host}`,
    'Reach the mirror by a name or by IPv4, or use a release with containerd 2.',
  );
}

/** What stands in the URL of each endpoint: the prefix of the rule for the whole registry, or what all have in common. */
function basesOf(rules: readonly MirrorRule[], refuse: Refuse): readonly string[] {
  const whole = rules.filter(({ path = '' }) => path === '');
  if (whole.length > 1) refuse('two rules are for the whole of it', 'Keep one of them.');
  const [rule = rules[0]] = whole;
  if (whole.length > 0) return rule?.targets.map(({ prefix }) => prefix) ?? [];
  const prefixes = rule?.targets.map(({ prefix }) => prefix) ?? [];
  const common = commonEnd(prefixes);
  return prefixes.map((prefix) => withoutEnd(prefix, common));
}

/** The names at the end that all have: `a/x`, `b/x` → `x`; everything where all are the same. */
function commonEnd(prefixes: readonly string[]): string {
  const lists = prefixes.map((prefix) =>
    prefix
      .split('/')
      .filter((part) => part !== '')
      .reverse(),
  );
  const [first = []] = lists;
  const end = first.findIndex((part, at) => lists.some((list) => list[at] !== part));
  return (end < 0 ? first : first.slice(0, end)).toReversed().join('/');
}

function withoutEnd(text: string, end: string): string {
  return end === '' ? text : text.slice(0, -end.length).replace(/\/$/, '');
}

/** The rewrite that leads a path where the rule says, if it does not lead there by itself. */
function rewriteOf(
  { path = '', targets }: MirrorRule,
  bases: readonly string[],
  refuse: Refuse,
): readonly [string, string][] {
  if (path === '') return [];
  const rests = new Set(targets.map(({ prefix }, index) => restBehind(prefix, bases[index] ?? '')));
  const [rest] = rests;
  if (rests.size !== 1 || rest === undefined) {
    return refuse(
      `k3s rewrites ${path} in one way for all endpoints, and below the path of each endpoint`,
      'Publish with keep-path, so that all paths lie below one prefix.',
    );
  }
  if (rest === path) return [];
  const pattern = `^${path.replaceAll('.', '[.]')}/(.*)$`;
  return [[pattern, rest === '' ? '$1' : `${rest}/$1`]];
}

/** `hub/library` behind `hub` → `library`; undefined where it is not below it. */
function restBehind(prefix: string, base: string): string | undefined {
  if (base === '') return prefix;
  if (prefix === base) return '';
  return prefix.startsWith(`${base}/`) ? prefix.slice(base.length + 1) : undefined;
}

interface EndCheck {
  readonly context: MirrorContext;
  readonly refuse: Refuse;
}

/** What comes after the mirrors must be what the rule says. */
function checkEnd(
  registry: string,
  { fallback, targets }: MirrorRule,
  rewrites: ReadonlyMap<string, string>,
  { context, refuse }: EndCheck,
): void {
  const { isFlagged, behaviour } = context;
  if (!fallback) {
    checkNotBack(registry, targets, context, refuse);
    return;
  }
  if (isFlagged && registry === EVERY_OTHER) {
    refuse(
      'with disable-default-registry-endpoint no registry is asked itself, unless it is listed by name',
      'Let all rules fall back, or none; or write a rule for each registry that may be asked itself.',
    );
  }
  if (rewrites.size > 0 && (isFlagged || !behaviour.has('hosts-toml'))) {
    refuse(
      'its rewrites would hold for the registry itself too, which does not know those names',
      'Let all rules fall back on a release from January 2024 on, or publish with keep-path.',
    );
  }
}

/** Settings for a host bring it back as the last endpoint of images that are named after it. */
function checkNotBack(
  registry: string,
  targets: readonly MirrorTarget[],
  { rules }: MirrorContext,
  refuse: Refuse,
): void {
  const last = targets.at(-1);
  if (last?.host === registry && last.prefix === '') return;
  const hasSettings = rules
    .flatMap((rule) => rule.targets)
    .some(
      ({ host, scheme, ca, skipVerify, login }) =>
        host === registry &&
        (login !== undefined || (scheme === 'https' && (ca ?? skipVerify) !== undefined)),
    );
  if (!hasSettings) return;
  refuse(
    `${registry} is a mirror with settings of its own, which make k3s ask it under its own name too`,
    'Let the rule lead to the registry itself, or reach the mirror by another name.',
  );
}

function urlOf({ scheme, host }: MirrorTarget, base: string): string {
  return base === '' ? `${scheme}://${host}` : `${scheme}://${host}/v2/${base}`;
}

/** The registry as an endpoint, in the scheme that it would be asked in by default. */
function ownUrl(registry: string): string {
  const host = registry === HUB ? HUB_HOST : registry;
  const isPlain = isLocalHost(host) && /:\d+$/.test(host) && !host.endsWith(':443');
  return `${isPlain ? 'http' : 'https'}://${host}`;
}
