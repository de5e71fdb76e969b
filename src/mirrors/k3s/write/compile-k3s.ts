/** Compiles rules into registries.yaml, the authorities beside it, and a drop-in with the options that they need. */

import type { ConfigTree } from '../../config-tree.ts';
import { MirrorConfigBroken, MirrorRuleNotWritable } from '../../errors.ts';
import { formatOrigin } from '../../finding.ts';
import { EVERY_OTHER, type MirrorRule, subjectOf } from '../../mirror-rule.ts';
import { overlayTree } from '../../overlay-tree.ts';
import { ownText } from '../../own-text.ts';
import type { CompiledRules, WantedFile } from '../../runtime-rules.ts';
import type { K3sBehaviour } from '../behaviour.ts';
import { k3sPaths } from '../node/k3s-paths.ts';
import { type K3sSettings, readK3sSettings } from '../node/k3s-settings.ts';
import { mirrorOf, type WrittenMirror } from './mirror-of.ts';
import { registriesText } from './registries-text.ts';
import { settingsByHost } from './settings-by-host.ts';

/** What is compiled, and for which node. */
export interface K3sCompile {
  readonly tree: ConfigTree;
  readonly rules: readonly MirrorRule[];
  readonly sandboxImage: string | undefined;
  readonly behaviour: K3sBehaviour;
}

/** The drop-in of options that is ours. */
export function ownOptionsPath(behaviour: Pick<K3sBehaviour, 'program'>): string {
  return `${k3sPaths(behaviour.program).configFolder}/90-slipway.yaml`;
}

/** The files for the rules. Rejects with MIRROR_RULE_NOT_WRITABLE, MIRROR_CONFIG_BROKEN. */
export async function compileK3s(request: K3sCompile): Promise<CompiledRules> {
  const { tree, rules, behaviour } = request;
  const others = await othersSettings(tree, behaviour);
  const isCutOff = rules.some(({ fallback }) => !fallback);
  if (isCutOff) refuseOldVersion(rules, behaviour);
  const isFlagged = isCutOff || others.noDefaultEndpoint !== undefined;
  const mirrors = mirrorsOf(rules, { isFlagged, behaviour });
  const existing = await ownPlaces(tree, others, behaviour);
  const options = optionsFile(request, others, isCutOff);
  if (rules.length === 0) return { wanted: options.wanted, settled: options.settled, existing };
  const { folder } = k3sPaths(behaviour.program);
  const { configs, authorities } = settingsByHost(rules, folder);
  const lines = registriesText(mirrors, configs);
  const isPrivate = configs.some(({ login }) => login !== undefined);
  const file: WantedFile = {
    path: others.registriesPath,
    content: ownText('where images are pulled from', lines),
    because: rules.map(because).join('; '),
    ...(isPrivate && { isPrivate: true as const }),
  };
  return {
    wanted: [...authorities, file, ...options.wanted],
    settled: options.settled,
    existing,
    insert: { path: file.path, lines: isPrivate ? hideLogins(lines) : lines },
  };
}

/** The options that somebody else set: without our own drop-in. */
async function othersSettings(tree: ConfigTree, behaviour: K3sBehaviour): Promise<K3sSettings> {
  const without = overlayTree(tree, new Map([[ownOptionsPath(behaviour), undefined]]));
  const result = await readK3sSettings(without, behaviour.program);
  if (result.kind === 'read') return result.settings;
  const { error, origin } = result;
  throw new MirrorConfigBroken({ error, file: origin.file, place: formatOrigin(origin) });
}

const newer =
  'Use k3s or RKE2 v1.26.13, v1.27.10, v1.28.6, v1.29.1 or later, or let the rule fall back and close the way out for nodes by DNS or a firewall.';

function refuseOldVersion(rules: readonly MirrorRule[], behaviour: K3sBehaviour): void {
  const rule = rules.find(({ fallback }) => !fallback);
  if (rule === undefined || behaviour.has('hosts-toml')) return;
  const { program, version } = behaviour;
  const reason = `${program} ${version} always asks the registry itself after the mirrors`;
  throw new MirrorRuleNotWritable({ rule: subjectOf(rule), reason, instead: newer });
}

function mirrorsOf(
  rules: readonly MirrorRule[],
  context: { readonly isFlagged: boolean; readonly behaviour: K3sBehaviour },
): readonly WrittenMirror[] {
  const groups = Map.groupBy(rules, ({ registry }) => registry);
  const names = [...groups.keys()].sort(
    (a, b) => Number(a === EVERY_OTHER) - Number(b === EVERY_OTHER),
  );
  return names.map((name) => mirrorOf(name, groups.get(name) ?? [], { ...context, rules }));
}

interface Options {
  readonly wanted: readonly WantedFile[];
  readonly settled: CompiledRules['settled'];
}

function optionsFile(
  { sandboxImage, behaviour }: K3sCompile,
  others: K3sSettings,
  isCutOff: boolean,
): Options {
  const lines: string[] = [];
  const reasons: string[] = [];
  const isSet = others.noDefaultEndpoint !== undefined;
  if (isCutOff && !isSet) {
    lines.push('disable-default-registry-endpoint: true');
    reasons.push('no registry of registries.yaml is asked itself');
  }
  if (sandboxImage !== undefined && others.pauseImage?.value !== sandboxImage) {
    lines.push(`pause-image: ${JSON.stringify(sandboxImage)}`);
    reasons.push(`pods wait in ${sandboxImage}`);
  }
  const settled =
    isCutOff && others.noDefaultEndpoint !== undefined
      ? [
          {
            path: others.noDefaultEndpoint.file,
            because: 'it says disable-default-registry-endpoint already',
          },
        ]
      : [];
  if (lines.length === 0) return { wanted: [], settled };
  const content = ownText(`options of ${behaviour.program}`, `${lines.join('\n')}\n`);
  const path = ownOptionsPath(behaviour);
  return { wanted: [{ path, content, because: reasons.join('; ') }], settled };
}

/** Every place where a rule file of ours may stand. */
async function ownPlaces(
  tree: ConfigTree,
  { registriesPath }: K3sSettings,
  behaviour: K3sBehaviour,
): Promise<readonly string[]> {
  const { folder } = k3sPaths(behaviour.program);
  const names = (await tree.list(folder)).map(({ name }) => name);
  const authorities = names.filter((name) => /^slipway-.*\.pem$/.test(name));
  return [
    ...authorities.map((name) => `${folder}/${name}`),
    registriesPath,
    ownOptionsPath(behaviour),
  ];
}

function because(rule: MirrorRule): string {
  const places = rule.targets.map(({ host, prefix }) =>
    prefix === '' ? host : `${host}/${prefix}`,
  );
  const end = rule.fallback ? ', then from itself' : '';
  return `${subjectOf(rule)} is pulled from ${places.join(', then ')}${end}`;
}

/** What is shown to people must not hold passwords. */
function hideLogins(text: string): string {
  return text.replaceAll(/^( +(?:username|password): ).*$/gm, '$1"..."');
}
