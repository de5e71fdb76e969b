import type { ConfigTree } from '../../config-tree.ts';
import type { K3sProgram } from '../behaviour.ts';
import { k3sPaths } from '../node/k3s-paths.ts';
import type { K3sNotice } from './k3s-notice.ts';

/** C001: files that look like registries.yaml and that nobody reads. */
export async function fileNameFindings(
  tree: ConfigTree,
  program: K3sProgram,
): Promise<readonly K3sNotice[]> {
  const { folder, registries } = k3sPaths(program);
  const names = (await tree.list(folder)).filter(({ isFolder }) => !isFolder);
  const wrong = names
    .map(({ name }) => name)
    .filter((name) => /^registr(?:y|ies)\.ya?ml$/.test(name));
  const hasRight = wrong.includes('registries.yaml');
  return wrong
    .filter((name) => name !== 'registries.yaml')
    .map((name) => ({
      rule: 'C001',
      origin: { file: `${folder}/${name}` },
      message: `${program} does not read ${name} (it wants registries.yaml)`,
      fix: hasRight ? 'Move what is in it to registries.yaml.' : 'Rename it to registries.yaml.',
      ...(!hasRight && {
        mend: { kind: 'rename', path: `${folder}/${name}`, to: registries } as const,
      }),
    }));
}
