import type { ConfigTree } from '../../config-tree.ts';
import { compareFindings, type Finding } from '../../finding.ts';
import { type FindingRules, loadFindingRules } from '../../finding-rules.ts';
import type { LintedSite } from '../../runtime-rules.ts';
import type { TalosBehaviour } from '../behaviour.ts';
import { readMachineConfig } from '../read/machine-config.ts';
import { machineFindings } from './talos-findings.ts';

/** What is wrong with the registries of the machine configuration. */
export async function lintTalos(
  tree: ConfigTree,
  behaviour: TalosBehaviour,
  site: LintedSite,
  levels: Promise<FindingRules> = loadFindingRules(),
): Promise<readonly Finding[]> {
  const machine = await readMachineConfig(tree, behaviour);
  const table = await levels;
  const noticed = machineFindings(machine, site, behaviour);
  return [...table.judge(noticed, 'registry rules')].sort(compareFindings);
}
