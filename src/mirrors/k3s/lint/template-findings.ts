import type { ConfigTree } from '../../config-tree.ts';
import { joinPath } from '../../go/go-path.ts';
import type { K3sBehaviour } from '../behaviour.ts';
import type { K3sSettings } from '../node/k3s-settings.ts';
import type { K3sNotice } from './k3s-notice.ts';

const names = ['config.toml.tmpl', 'config-v3.toml.tmpl'];

/**
 * C019: a template of one's own for containerd's configuration that still has registry.mirrors. k3s sets config_path
 * beside it, and the CRI plugin does not load with both.
 */
export async function templateFindings(
  { dataDir }: Pick<K3sSettings, 'dataDir'>,
  behaviour: K3sBehaviour,
  tree: ConfigTree,
): Promise<readonly K3sNotice[]> {
  if (!behaviour.has('hosts-toml')) return [];
  const found: K3sNotice[] = [];
  for (const name of names) {
    const file = joinPath(dataDir, 'agent/etc/containerd', name);
    const entry = await tree.read(file);
    if (entry.kind !== 'file') continue;
    const lines = Buffer.from(entry.bytes).toString('utf8').split('\n');
    const at = lines.findIndex((line) => /^\s*\[plugins\.[^\]]*registry\.mirrors/.test(line));
    if (at < 0) continue;
    found.push({
      rule: 'C019',
      origin: { file, line: at + 1 },
      message:
        'registry.mirrors excludes the config_path that k3s sets: the CRI plugin does not load, and the node stays NotReady',
      fix: 'Move the mirrors to registries.yaml, and remove the table.',
    });
  }
  return found;
}
