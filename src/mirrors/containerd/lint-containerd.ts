/** Everything that is wrong with the files of a node, also in those that no image of a Lock needs. */

import type { ConfigTree } from '../config-tree.ts';
import type { ContainerdBehaviour } from '../containerd-version/behaviour.ts';
import { compareFindings, type Finding, findingKey, type Noticed } from '../finding.ts';
import { type FindingRules, loadFindingRules } from '../finding-rules.ts';
import { lintRoots } from '../hosts-toml/lint/linted-root.ts';
import { CONTAINERD_CERTS_D } from '../hosts-toml/write/certs-d.ts';
import { verifiedMends } from '../mends/verified-mends.ts';
import type { LintedSite } from '../runtime-rules.ts';
import { registrySettings } from './lint/registry-settings.ts';
import { newerFindings } from './main-config/config-findings.ts';
import { MAIN_CONFIG, type MainConfig, readMainConfig } from './main-config/main-config.ts';

/**
 * The main configuration with its imports, and every folder of every root of config_path. Where there
 * is no main configuration only the folders count: files that are looked at alone have none.
 */
export async function lintContainerd(
  tree: ConfigTree,
  behaviour: ContainerdBehaviour,
  site: LintedSite,
  levels: Promise<FindingRules> = loadFindingRules(),
): Promise<readonly Finding[]> {
  const table = await levels;
  const isWhole = (await tree.read(MAIN_CONFIG)).kind !== 'missing';
  const config = await readMainConfig(tree, behaviour);
  const main = isWhole ? await mainFindings(tree, behaviour) : newerFindings(behaviour);
  const rules = await lintRoots({ tree, roots: await rootsOf(config, tree), behaviour, site });
  return inOrder([
    ...table.judge(main, 'main configuration'),
    ...table.judge(rules, 'registry rules'),
  ]);
}

/** A change of the main configuration must not bring to force what keeps CRI from loading. */
async function mainFindings(
  tree: ConfigTree,
  behaviour: ContainerdBehaviour,
): Promise<readonly Noticed[]> {
  const lint = async (changed: ConfigTree): Promise<readonly Noticed[]> => {
    const config = await readMainConfig(changed, behaviour);
    const settings = await registrySettings(config, { tree: changed, behaviour });
    return [...config.findings, ...settings];
  };
  return verifiedMends(await lint(tree), tree, lint);
}

/** The roots that are meant, also where a mistake in the main configuration keeps them from being read. */
async function rootsOf(config: MainConfig, tree: ConfigTree): Promise<readonly string[]> {
  const path = config.kind === 'read' ? config.mode.configPath : '';
  const roots = new Set(path.split(':').filter((root) => root !== ''));
  const entries = await Promise.all(Array.from(roots, (root) => tree.read(root)));
  return entries.some(({ kind }) => kind === 'folder')
    ? [...roots]
    : [...roots.add(CONTAINERD_CERTS_D)];
}

function inOrder(findings: readonly Finding[]): readonly Finding[] {
  const one = (finding: Finding) => [`${findingKey(finding)} ${finding.message}`, finding] as const;
  return [...new Map(findings.map(one)).values()].sort(compareFindings);
}
