/** R002: files beside the drop-ins that nobody reads, and settings of CRI-O that do nothing any more. */

import type { Noticed } from '../../finding.ts';
import type { NodeFiles } from '../read/node-files.ts';

/** `registries.conf.d/mirrors.toml` is not read: only the suffix .conf counts. */
export async function unreadFiles({ tree, config, crio }: NodeFiles): Promise<readonly Noticed[]> {
  const found: Noticed[] = [];
  for (const folder of config.places.folders) {
    for (const { name, isFolder } of await tree.list(folder)) {
      if (isFolder || name.endsWith('.conf') || name.startsWith('.')) continue;
      found.push({
        rule: 'R002',
        origin: { file: `${folder}/${name}` },
        message: `${name} is not read: only files with the suffix .conf are`,
        fix: `Rename it to ${name.replace(/\.[^.]*$/, '')}.conf, or move it away.`,
      });
    }
  }
  const insecure = crio?.kind === 'read' ? crio.insecureRegistries : undefined;
  if (insecure !== undefined) {
    found.push({
      rule: 'R002',
      origin: insecure,
      message: 'insecure_registries has no effect any more',
      fix: 'Write insecure = true into the table of the registry in registries.conf, and remove it here.',
    });
  }
  return found;
}
