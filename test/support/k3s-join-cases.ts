/** Several wrong registries.yaml files as one: the lines under one `mirrors`, one `configs` and what else there is. */

import { type K3sCase, REGISTRIES } from './k3s-lint-case.ts';
import { type CombinedCase, joinFiles, pickFiles, type Side } from './lint-case.ts';

/** A line of the file, with its number where it stood. */
interface Line {
  readonly number: number;
  readonly text: string;
}

/** By key of the top: the lines of each registry or host, its name first. */
type Sections = ReadonlyMap<string, readonly Line[]>;

/** Undefined where two are about one registry or host, or one of them hides all others in the file. */
export function joinK3s(cases: readonly K3sCase[], side: Side): CombinedCase | undefined {
  const others = joinFiles(cases.map((one) => pickFiles(one, (path) => path !== REGISTRIES)[side]));
  const texts = cases.map((one) => one[side][REGISTRIES]);
  const isHidden = side === 'wrong' && cases.some(({ isUnreadable }) => isUnreadable);
  const written = [...new Set(texts)].filter((text) => text !== undefined);
  if (others === undefined) return undefined;
  if (isHidden || written.length <= 1) {
    if (written.length > 1) return undefined;
    const file = written[0] === undefined ? {} : { [REGISTRIES]: written[0] };
    return { files: { ...others, ...file }, at: cases.map(({ at }) => at) };
  }
  return joinTexts(cases, texts, others);
}

function joinTexts(
  cases: readonly K3sCase[],
  texts: readonly (string | undefined)[],
  others: CombinedCase['files'],
): CombinedCase | undefined {
  const all = texts.map((text) => sectionsOf(text ?? ''));
  if (isShared(all)) return undefined;
  const keys = [...new Set(all.flatMap((sections) => [...sections.keys()]))];
  const lines = keys.flatMap((key) => {
    const below = all.flatMap((sections) => sections.get(key) ?? []);
    // The key itself is there once for all.
    return below.filter((line, index) => index === 0 || line.text !== key);
  });
  const numberOf = (index: number, at: number) => {
    const [line] = Array.from(all[index]?.values() ?? []).flatMap((some) =>
      some.filter(({ number }) => number === at),
    );
    const moved = line === undefined ? -1 : lines.indexOf(line);
    return 1 + (moved < 0 ? lines.findIndex(({ text }) => text === line?.text) : moved);
  };
  const at = cases.map((one, index) => placeIn(one, (line) => numberOf(index, line)));
  const text = lines.map((line) => `${line.text}\n`).join('');
  return { files: { ...others, [REGISTRIES]: text }, at };
}

function placeIn({ at }: K3sCase, moved: (line: number) => number): string {
  const [, line] = at.startsWith(`${REGISTRIES}:`) ? at.split(':') : [];
  return line === undefined ? at : `${REGISTRIES}:${moved(Number(line))}`;
}

function sectionsOf(text: string): Sections {
  const sections = new Map<string, Line[]>();
  let lines: Line[] = [];
  for (const [index, line] of text.trimEnd().split('\n').entries()) {
    if (/^\S/.test(line)) {
      lines = sections.get(line) ?? [];
      sections.set(line, lines);
    }
    lines.push({ number: index + 1, text: line });
  }
  return sections;
}

/** Whether two have one name below one key: `  docker.io:`. */
function isShared(all: readonly Sections[]): boolean {
  const names = all.flatMap((sections) => [
    ...new Set(
      Array.from(sections, ([key, lines]) =>
        lines.filter(({ text }) => /^ {2}\S/.test(text)).map(({ text }) => `${key}${text}`),
      ).flat(),
    ),
  ]);
  return new Set(names).size < names.length;
}
