import type { RuntimeName } from '../../site/runtime-id.ts';
import { comparePlaces, type Mend, type Noticed } from '../finding.ts';
import { type FoundName, type NamesFile, namesInFile } from './find-names.ts';
import { lintImageName, type NameFinding } from './lint-image-name.ts';

/** What is to be said of a name, given what is found in the name alone. */
export type NameJudge = (text: string, alone: readonly NameFinding[]) => readonly NameFinding[];

/**
 * The findings of all names in a file, each at its place, with the safe change where one name was
 * clearly meant. What is no YAML is N001 too: no name in it reaches a runtime. `judge` knows of images
 * outside of the file.
 */
export function lintNames(
  source: NamesFile,
  runtime?: RuntimeName,
  judge?: NameJudge,
): readonly Noticed[] {
  const { file } = source;
  const { names, problems } = namesInFile(source);
  const unread = problems.map(({ line, column, message, hint }): Noticed => {
    const origin = { file, line, column };
    const fix =
      hint === undefined ? 'Correct the YAML; a template must be rendered first.' : `${hint}.`;
    return { rule: 'N001', origin, message: `the document cannot be read: ${message}`, fix };
  });
  const found = names.flatMap((name) => {
    const alone = lintImageName(name.text, runtime);
    return noticed(name, judge?.(name.text, alone) ?? alone, source);
  });
  return [...unread, ...found].sort((a, b) => comparePlaces(a.origin, b.origin));
}

function noticed(
  name: FoundName,
  findings: readonly NameFinding[],
  { file, text }: Pick<NamesFile, 'file' | 'text'>,
): readonly Noticed[] {
  const origin = { file, line: name.line, column: name.column };
  return findings.map(({ instead, ...finding }): Noticed => {
    const mend = instead === undefined ? undefined : mendOf(name, instead, { file, text });
    return { ...finding, origin, ...(mend && { mend }) };
  });
}

/** Only where the name stands in the file letter by letter, in quotes or without. */
function mendOf(
  { text: old, line, column }: FoundName,
  instead: string,
  { file, text }: Pick<NamesFile, 'file' | 'text'>,
): Mend | undefined {
  const before = text.split('\n').slice(0, line - 1);
  const at = before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  const start = /["']/.test(text.charAt(at)) ? at + 1 : at;
  if (!text.startsWith(old, start)) return undefined;
  return { kind: 'edit', path: file, edits: [{ start, end: start + old.length, text: instead }] };
}
