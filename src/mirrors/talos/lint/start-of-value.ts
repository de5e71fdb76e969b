import type { Origin } from '../../finding.ts';
import type { MachineConfig } from '../read/machine-config.ts';

/**
 * Where the characters of a value begin in the text of its file, behind the quote if there is one
 * (UTF-16 units); undefined where it is written in another way than it reads.
 */
export function startOfValue(
  value: string,
  { file, line, column }: Origin,
  { texts }: Pick<MachineConfig, 'texts'>,
): number | undefined {
  const text = texts.get(file ?? '');
  if (text === undefined || line === undefined || column === undefined) return undefined;
  const before = text.split('\n').slice(0, line - 1);
  const at = before.reduce((sum, one) => sum + one.length + 1, column - 1);
  const start = /["']/.test(text.charAt(at)) ? at + 1 : at;
  return text.startsWith(value, start) ? start : undefined;
}
