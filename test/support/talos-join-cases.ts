/** Several machine configurations of Talos as one: what is below `machine` in one document, all others behind it. */

import { MACHINE_CONFIG } from '../../src/mirrors/talos/read/machine-config.ts';
import type { CombinedCase, LintCase, Side } from './lint-case.ts';

/** A line of one of the cases. */
interface Line {
  readonly of: LintCase;
  /** Where it stood. */
  readonly number: number;
  readonly text: string;
}

/** Undefined where two would say something in one place below `machine`. */
export function joinTalos(cases: readonly LintCase[], side: Side): CombinedCase | undefined {
  const all = cases.map((one) => linesOf(one, side));
  const machine = mergedBelow(all.filter(isMachine), 0);
  if (machine === undefined) return undefined;
  const documents = all.filter((lines) => lines.length > 0 && !isMachine(lines));
  const parts = [...(machine.length === 0 ? [] : [machine]), ...documents];
  const lines = parts.flatMap((part, index): readonly (Line | undefined)[] =>
    index === 0 ? part : [undefined, ...part],
  );
  const text = lines.map((line) => `${line?.text ?? '---'}\n`).join('');
  const at = cases.map((one) => {
    const [, number, ...column] = one.at.split(':');
    const index = lines.findIndex((line) => line?.of === one && line.number === Number(number));
    return [MACHINE_CONFIG, index + 1, ...column].join(':');
  });
  return { files: { [MACHINE_CONFIG]: text }, at };
}

function linesOf(one: LintCase, side: Side): readonly Line[] {
  const texts = (one[side][MACHINE_CONFIG] ?? '').trimEnd().split('\n');
  return texts.map((text, index) => ({ of: one, number: index + 1, text }));
}

function isMachine([first]: readonly Line[]): boolean {
  return first?.text === 'machine:';
}

/** Keys that only have keys below them are merged, one level of two blanks after the other. */
function mergedBelow(all: readonly (readonly Line[])[], depth: number): Line[] | undefined {
  const blocks = all.flatMap((lines) => blocksOf(lines, depth));
  const byKey = Map.groupBy(blocks, ([line]) => line?.text);
  const merged = Array.from(byKey.values(), (some) => mergedBlock(some, depth));
  return merged.includes(undefined) ? undefined : merged.flatMap((lines) => lines ?? []);
}

function mergedBlock(blocks: readonly (readonly Line[])[], depth: number) {
  const [first = []] = blocks;
  if (blocks.length === 1) return first;
  // Three levels down stand the names of registries and hosts, which no two cases may share.
  if (depth > 2) return undefined;
  const below = mergedBelow(
    blocks.map((block) => block.slice(1)),
    depth + 1,
  );
  return below && [...first.slice(0, 1), ...below];
}

/** Each line at this depth with the deeper ones behind it. */
function blocksOf(lines: readonly Line[], depth: number): readonly (readonly Line[])[] {
  const blocks: Line[][] = [];
  const start = '  '.repeat(depth);
  for (const line of lines) {
    if (line.text.startsWith(start) && !line.text.startsWith(`${start} `)) blocks.push([line]);
    else blocks.at(-1)?.push(line);
  }
  return blocks;
}
