/** What the folder of a registry loses of the folder for all others, which it replaces whole. */

import type { ConfigTree } from '../../config-tree.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import type { Noticed } from '../../finding.ts';
import { UNLISTED } from '../../mirror-rule.ts';
import { readRulesIn } from '../registry-rules.ts';
import { endpointsIn, type JudgedRules, keyAt, originAt } from './judged.ts';

/** The hosts that a `_default` folder names. */
export async function defaultMirrors(
  tree: ConfigTree,
  path: string,
  behaviour: ContainerdBehaviour,
): Promise<readonly string[]> {
  const directory = { kind: 'found', path, isDefault: true, isFile: false } as const;
  const { planned } = await readRulesIn(directory, { tree, registry: UNLISTED, behaviour });
  return planned.filter(({ entry }) => entry.written !== '').map(({ host }) => host);
}

/**
 * C017: mirrors of `_default` that are not asked for this registry. A file that names no mirror at all
 * says on purpose that the registry is asked itself, which is only worth knowing.
 */
export function withoutDefaultMirrors(
  { rules, registry }: JudgedRules,
  mirrors: readonly string[],
): readonly Noticed[] {
  const read = endpointsIn(rules);
  // The registry that is itself a mirror needs no other one for its own images.
  if (read === undefined || mirrors.includes(registry)) return [];
  const { endpoints, file, scan } = read;
  const lost = mirrors.filter((host) => endpoints.every((endpoint) => endpoint.host !== host));
  if (lost.length === 0) return [];
  const hasMirror = endpoints.some(({ ns, entry }) => ns !== undefined && entry.written !== '');
  const place = keyAt(scan, [], 'server') ?? scan.headers[0];
  return [
    {
      rule: 'C017',
      ...(hasMirror ? {} : { level: 'info' }),
      origin: originAt(file, place),
      message: `the folder replaces _default whole: ${lost.join(', ')} ${lost.length === 1 ? 'is' : 'are'} not asked for ${registry}`,
      fix: 'Repeat the mirrors of _default here, if they have the images of this registry too.',
    },
  ];
}
