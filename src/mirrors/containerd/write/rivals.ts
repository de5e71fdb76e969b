/** Settings beside which CRI does not load once config_path is set: registry.mirrors, and tls before 2. */

import { scanToml } from '../../../documents/toml-scan.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';

const criTables: ReadonlySet<string> = new Set([
  'cri',
  'io.containerd.grpc.v1.cri',
  'io.containerd.cri.v1.images',
]);

/**
 * The text with those settings as comments, and their lines, counted from 1. Nothing changes where
 * there are none: `[plugins.cri.registry.mirrors."a"]` → `# [plugins.cri.registry.mirrors."a"]`.
 * Source: containerd ValidateImageConfig (ValidatePluginConfig in 1.x), as registryFault checks it.
 */
export function withoutRivals(
  text: string,
  behaviour: ContainerdBehaviour,
): { readonly text: string; readonly lines: readonly number[] } {
  const lines = text.split('\n');
  const { headers, keys } = scanToml(text);
  const items = [...headers, ...keys].sort((a, b) => a.line - b.line);
  const found = items.flatMap((item, at) => {
    if (!isRival(item.path, behaviour) || /=\s*\{\s*\}/.test(lines[item.line - 1] ?? '')) return [];
    return [{ from: item.line, to: items[at + 1]?.line ?? lines.length + 1 }];
  });
  const changed = found
    .flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at))
    .filter((line) => /^\s*[^#\s]/.test(lines[line - 1] ?? ''));
  for (const line of changed) lines[line - 1] = `# ${lines[line - 1]}`;
  return { text: lines.join('\n'), lines: changed };
}

function isRival(path: readonly string[], behaviour: ContainerdBehaviour): boolean {
  const [plugins, plugin = '', registry, kind, , setting] = path;
  if (plugins !== 'plugins' || !criTables.has(plugin) || registry !== 'registry') return false;
  if (kind === 'mirrors') return path.length > 4;
  return kind === 'configs' && setting === 'tls' && behaviour.has('registry-tls');
}
