import type { MirrorTarget } from '../mirror-rule.ts';
import { ownText } from '../own-text.ts';
import type { WantedFile } from '../runtime-rules.ts';

/**
 * The authorities of a target as a file of ours: `/etc/…/slipway-main.pem`. `signed` is who shows
 * certificates of them, in the words of a plan: the target's name, or its host where the folder of a
 * host holds them.
 */
export function authorityFile(
  path: string,
  { name, pem }: NonNullable<MirrorTarget['ca']>,
  signed = name,
): WantedFile {
  const content = ownText(`the authorities of ${name}`, `${pem.trimEnd()}\n`);
  return { path, content, because: `${signed} is signed by these authorities` };
}
