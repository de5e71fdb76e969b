import { compileGoRegexp } from '../../go/regexp/replace-all.ts';

/**
 * True when one name may match both patterns. Only what surely excludes each other does not overlap: two anchored
 * patterns that begin in different ways, or a whole name that the other one does not match.
 */
export function mayOverlap(a: string, b: string): boolean {
  const [first, second] = [startOf(a), startOf(b)];
  if (first === undefined || second === undefined) return true;
  if (first.isWhole) return matches(b, first.text);
  if (second.isWhole) return matches(a, second.text);
  return first.text.startsWith(second.text) || second.text.startsWith(first.text);
}

/** What every name that matches begins with: `^rancher/(.*)` → `rancher/`. */
function startOf(
  pattern: string,
): { readonly text: string; readonly isWhole: boolean } | undefined {
  if (!pattern.startsWith('^') || /(?<!\\)\|/.test(pattern)) return undefined;
  const rest = pattern.slice(1);
  const plain = /^(?:[A-Za-z0-9/_-]|\[\.\]|\\\.)*/.exec(rest)?.[0] ?? '';
  const text = plain.replaceAll(/\[\.\]|\\\./g, '.');
  const behind = rest.slice(plain.length);
  // A sign of repetition belongs to the character before it.
  const isRepeated = /^[*?{]/.test(behind);
  return { text: isRepeated ? text.slice(0, -1) : text, isWhole: behind === '$' };
}

function matches(pattern: string, text: string): boolean {
  const compiled = compileGoRegexp(pattern);
  return compiled.kind !== 'compiled' || compiled.matches(text) !== false;
}
