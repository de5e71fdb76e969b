import type { Noticed } from '../../finding.ts';
import type { NodeFiles } from '../registries-node.ts';

export function fileFindings(files: NodeFiles): Promise<readonly Noticed[]> {
  return Promise.resolve(files.behaviour === undefined ? [] : []);
}
