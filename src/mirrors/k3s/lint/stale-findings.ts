import type { ConfigTree } from '../../config-tree.ts';
import { joinPath } from '../../go/go-path.ts';
import { hostsHeader } from '../convert/hosts-text.ts';
import type { Judged, K3sNotice } from './k3s-notice.ts';

/**
 * K009: the generated files on the node are not what registries.yaml says now, so k3s has not been restarted
 * since. Nothing is said where there are none yet, and where the servers switched the embedded registry on, which
 * an agent cannot see in its own files.
 */
export async function staleFindings(
  { running, behaviour }: Judged,
  tree: ConfigTree,
): Promise<readonly K3sNotice[]> {
  if (!behaviour.has('hosts-toml')) return [];
  const there = await filesThere(tree, running.certsFolder, hostsHeader(behaviour.program));
  const isShared = [...there.values()].some((text) =>
    /^\[host\."https:\/\/127\.0\.0\.1:/m.test(text),
  );
  if (there.size === 0 || isShared) return [];
  const paths = [...new Set([...there.keys(), ...running.generated.keys()])];
  const other = paths.find((path) => there.get(path) !== running.generated.get(path));
  if (other === undefined) return [];
  const { program } = behaviour;
  return [
    {
      rule: 'K009',
      origin: { file: running.settings.registriesPath },
      message: `${other} is not what this file makes of it: ${program} has not been restarted since the file was changed`,
      fix: `Restart ${program === 'k3s' ? 'k3s, or k3s-agent' : 'rke2-server, or rke2-agent'} on this node.`,
    },
  ];
}

async function filesThere(
  tree: ConfigTree,
  folder: string,
  header: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const { name, isFolder } of await tree.list(folder)) {
    const path = joinPath(folder, name, 'hosts.toml');
    const entry = isFolder ? await tree.read(path) : undefined;
    if (entry?.kind !== 'file') continue;
    const text = Buffer.from(entry.bytes).toString('utf8');
    if (text.startsWith(`${header}\n`)) found.set(path, text);
  }
  return found;
}
