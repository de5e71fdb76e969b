import type { RuntimeName } from '../../site/runtime-id.ts';
import type { Noticed } from '../finding.ts';
import type { NodeRules } from '../pull-chain.ts';
import { askedNames } from './asked-names.ts';
import type { KnownImages } from './known-images.ts';
import { otherPorts } from './other-ports.ts';
import { sharedNames } from './shared-names.ts';
import { unpublishedNames } from './unpublished-names.ts';

/**
 * What a node's rules do to images that are known to be needed, which no file shows alone: rules I001, I002
 * and I005, at the lines that lead to the mirrors. Sends nothing.
 */
export async function judgeImages(
  node: NodeRules,
  { images, siteHosts }: KnownImages,
  runtime: RuntimeName,
): Promise<readonly Noticed[]> {
  const asked = await askedNames(node, images);
  return [
    ...sharedNames(asked, runtime),
    ...unpublishedNames(asked, siteHosts, runtime),
    ...otherPorts(asked, siteHosts),
  ];
}
