import { compareText } from '../../shared/json.ts';
import type { ConfigTree } from '../config-tree.ts';
import { type Finding, formatOrigin } from '../finding.ts';
import type { LintedSite } from '../runtime-rules.ts';
import type { ContainerdBehaviour } from './behaviour.ts';
import { openContainerdNode } from './containerd-node.ts';
import { CERTS_D } from './write/certs-d.ts';

/** What is wrong with the main configuration and with the folder of each registry. */
export async function lintContainerd(
  tree: ConfigTree,
  behaviour: ContainerdBehaviour,
  { mode }: LintedSite,
): Promise<readonly Finding[]> {
  const node = await openContainerdNode(tree, behaviour);
  const found = new Map<string, Finding>();
  for (const registry of await registriesIn(tree)) {
    const { findings } = await node.pullChain(`${registry}/slipway/lint:1`);
    for (const one of [...node.findings, ...findings]) {
      found.set(`${one.rule} ${formatOrigin(one.origin)} ${one.message}`, inMode(one, mode));
    }
  }
  return [...found.values()].sort(byPlace);
}

/** Offline a registry that is asked last is an error (mirrors.md section 9, C005). */
function inMode(finding: Finding, mode: LintedSite['mode']): Finding {
  return finding.rule === 'C005' && mode === 'offline' ? { ...finding, level: 'error' } : finding;
}

function byPlace({ origin: a }: Finding, { origin: b }: Finding): number {
  return compareText(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0);
}

async function registriesIn(tree: ConfigTree): Promise<readonly string[]> {
  const names = (await tree.list(CERTS_D)).filter(({ isFolder }) => isFolder);
  const registries = names.map(({ name }) => name.replace(/_(\d+)_$/, ':$1'));
  return [...registries.filter((name) => name !== '_default'), 'registry.not-listed.invalid'];
}
