import { shellWord } from '../shared/shell-word.ts';

/**
 * What a command for a person to paste needs to be about the same node: `/mnt/n1` → ` --root /mnt/n1`,
 * and nothing for `/`, which the commands mean without it.
 */
export function atRoot(root: string): string {
  return root === '/' ? '' : ` --root ${shellWord(root)}`;
}
