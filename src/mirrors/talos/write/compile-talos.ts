/** Compiles rules into a patch of the machine configuration, which only Talos' own API can take. */

import type { ConfigTree } from '../../config-tree.ts';
import { MirrorConfigBroken, MirrorRuleNotWritable } from '../../errors.ts';
import { formatOrigin } from '../../finding.ts';
import {
  type MirrorRule,
  type MirrorTarget,
  subjectOf,
  targetUrl,
  WHOLE_REGISTRY_ADVICE,
} from '../../mirror-rule.ts';
import { ownText } from '../../own-text.ts';
import type { CompiledRules } from '../../runtime-rules.ts';
import type { TalosBehaviour } from '../behaviour.ts';
import { REGISTRIES_PATCH, readMachineConfig } from '../read/machine-config.ts';

/**
 * One file: documents from Talos 1.12 on, `machine.registries` before (and for trust before 1.12.2).
 * Rejects with MIRROR_RULE_NOT_WRITABLE, MIRROR_CONFIG_BROKEN.
 */
export async function compileTalos(
  tree: ConfigTree,
  rules: readonly MirrorRule[],
  behaviour: TalosBehaviour,
): Promise<CompiledRules> {
  const { faults } = await readMachineConfig(tree, behaviour);
  const [fault] = faults.filter(({ origin }) => origin.file !== REGISTRIES_PATCH);
  if (fault !== undefined) {
    const { reason: error, origin } = fault;
    throw new MirrorConfigBroken({ error, file: origin.file, place: formatOrigin(origin) });
  }
  for (const rule of rules) refuse(rule, behaviour);
  const isThere = (await tree.read(REGISTRIES_PATCH)).kind === 'file';
  const existing = isThere ? [REGISTRIES_PATCH] : [];
  if (rules.length === 0) return { wanted: [], settled: [], existing };
  const targets = hostsOf(rules);
  const isKnown = behaviour.has('registry-documents');
  const isBearable = behaviour.has('partial-trust-documents') || !targets.some(isTrusted);
  const body =
    isKnown && isBearable ? documents(rules, targets) : machineRegistries(rules, targets);
  const file = {
    path: REGISTRIES_PATCH,
    content: ownText('where this node pulls from, as a patch of its machine configuration', body),
    because: `${rules.map(subjectOf).join(', ')}: pulled from ${targets.map(({ host }) => host).join(', ')}`,
    ...(targets.some(({ login }) => login !== undefined) && { isPrivate: true as const }),
  };
  return { wanted: [file], settled: [], existing };
}

function refuse(rule: MirrorRule, behaviour: TalosBehaviour): void {
  const { path, fallback, targets } = rule;
  const stop = (reason: string, instead: string) =>
    new MirrorRuleNotWritable({ rule: subjectOf(rule), reason, instead });
  if (path !== undefined) {
    throw stop('Talos has rules for whole registries only', WHOLE_REGISTRY_ADVICE);
  }
  if (!fallback && !behaviour.has('skip-fallback')) {
    throw stop(
      `Talos ${behaviour.version} asks the registry itself after its mirrors, always`,
      'Use Talos 1.9 or later, which knows skipFallback, or keep the node from the registry by its firewall.',
    );
  }
  if (targets.length === 0)
    throw stop('it has no target', 'Name a registry that serves its images.');
}

/** Each host once: trust and login belong to it, whichever rule leads there. */
function hostsOf(rules: readonly MirrorRule[]): readonly MirrorTarget[] {
  const targets = rules.flatMap((rule) => rule.targets);
  return [...new Map(targets.map((target) => [target.host, target])).values()];
}

function isTrusted({ scheme, ca, skipVerify }: MirrorTarget): boolean {
  return scheme === 'https' && (ca !== undefined || skipVerify === true);
}

function documents(rules: readonly MirrorRule[], targets: readonly MirrorTarget[]): string {
  const mirrors = rules.map(({ registry, targets: asked, fallback }) => [
    ...documentHead('RegistryMirrorConfig', registry),
    'endpoints:',
    ...asked.flatMap((target) => [
      `  - url: ${text(targetUrl(target))}`,
      ...(target.prefix === '' ? [] : ['    overridePath: true']),
    ]),
    ...(fallback ? [] : ['skipFallback: true']),
  ]);
  const trust = targets.filter(isTrusted).map(({ host, ca, skipVerify }) => [
    ...documentHead('RegistryTLSConfig', host),
    ...(skipVerify === true ? ['insecureSkipVerify: true'] : []),
    ...(ca === undefined
      ? []
      : [
          'ca: |-',
          ...ca.pem
            .trim()
            .split('\n')
            .map((line) => `  ${line}`),
        ]),
  ]);
  const logins = targets.flatMap(({ host, login }) =>
    login === undefined
      ? []
      : [
          [
            ...documentHead('RegistryAuthConfig', host),
            `username: ${text(login.username)}`,
            `password: ${text(login.password.reveal())}`,
          ],
        ],
  );
  return [...mirrors, ...trust, ...logins].map((lines) => `${lines.join('\n')}\n`).join('---\n');
}

function documentHead(kind: string, name: string): readonly string[] {
  return ['apiVersion: v1alpha1', `kind: ${kind}`, `name: ${text(name)}`];
}

/** Here overridePath is for all endpoints of a mirror, so all of them get their whole path. */
function machineRegistries(rules: readonly MirrorRule[], targets: readonly MirrorTarget[]): string {
  const mirrors = rules.flatMap(({ registry, targets: asked, fallback }) => {
    const isWhole = asked.some(({ prefix }) => prefix !== '');
    const urls = asked.map((target) =>
      isWhole && target.prefix === '' ? `${targetUrl(target)}/v2` : targetUrl(target),
    );
    return [
      `      ${text(registry)}:`,
      '        endpoints:',
      ...urls.map((url) => `          - ${text(url)}`),
      ...(isWhole ? ['        overridePath: true'] : []),
      ...(fallback ? [] : ['        skipFallback: true']),
    ];
  });
  const hosts = targets.filter((target) => isTrusted(target) || target.login !== undefined);
  const config = hosts.flatMap((target) => [`      ${text(target.host)}:`, ...hostLines(target)]);
  const head = ['machine:', '  registries:', '    mirrors:'];
  const all = [...head, ...mirrors, ...(config.length === 0 ? [] : ['    config:', ...config])];
  return `${all.join('\n')}\n`;
}

function hostLines(target: MirrorTarget): readonly string[] {
  const { ca, skipVerify, login } = target;
  const tls = isTrusted(target)
    ? [
        '        tls:',
        ...(skipVerify === true ? ['          insecureSkipVerify: true'] : []),
        ...(ca === undefined
          ? []
          : [`          ca: ${Buffer.from(`${ca.pem.trim()}\n`).toString('base64')}`]),
      ]
    : [];
  if (login === undefined) return tls;
  return [
    ...tls,
    '        auth:',
    `          username: ${text(login.username)}`,
    `          password: ${text(login.password.reveal())}`,
  ];
}

/** Text in quotes, which YAML reads as JSON does. */
function text(value: string): string {
  return JSON.stringify(value);
}
