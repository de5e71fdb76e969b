import type { RuntimeName } from '../../site/runtime-id.ts';
import { comparePlaces, type Mend, type Noticed } from '../finding.ts';
import { type FoundName, namesInList, namesInManifest } from './find-names.ts';
import { lintImageName } from './lint-image-name.ts';

/** A file with image names. */
export interface NamesFile {
  readonly kind: 'images' | 'manifest';
  /** As findings name it. */
  readonly file: string;
  readonly text: string;
}

/**
 * The findings of all names in a file, each at its place, with the safe change where one name was
 * clearly meant. What is no YAML is N001 too: no name in it reaches a runtime.
 */
export function lintNames(
  { kind, file, text }: NamesFile,
  runtime?: RuntimeName,
): readonly Noticed[] {
  const { names, problems } = kind === 'images' ? namesInList(text) : namesInManifest(text, file);
  const unread = problems.map(({ line, column, message, hint }): Noticed => {
    const origin = { file, line, column };
    const fix =
      hint === undefined ? 'Correct the YAML; a template must be rendered first.' : `${hint}.`;
    return { rule: 'N001', origin, message: `the document cannot be read: ${message}`, fix };
  });
  const found = names.flatMap((name) => findingsOf(name, { file, text }, runtime));
  return [...unread, ...found].sort((a, b) => comparePlaces(a.origin, b.origin));
}

function findingsOf(
  name: FoundName,
  { file, text }: Pick<NamesFile, 'file' | 'text'>,
  runtime: RuntimeName | undefined,
): readonly Noticed[] {
  const origin = { file, line: name.line, column: name.column };
  return lintImageName(name.text, runtime).map(({ instead, ...finding }): Noticed => {
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
