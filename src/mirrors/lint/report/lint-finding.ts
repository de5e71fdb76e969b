import type { LinedText, TextPosition } from '../../../documents/lined-text.ts';
import { compareText } from '../../../shared/json.ts';
import type { RuntimeName } from '../../../site/runtime-id.ts';
import { comparePlaces, type Finding, inFile, type Mend } from '../../finding.ts';
import { excerptOf, type SourceExcerpt } from './source-excerpt.ts';

/** A finding under the user's own name of the file. */
export interface LintFinding extends Omit<Finding, 'mend'> {
  /** As the user calls it. */
  readonly file: string;
  readonly runtime?: RuntimeName;
  /** `containerd 1.6–1.7` where it does not hold for all versions that were looked at. */
  readonly onlyOn?: string;
  /** In paths of the node; only where the file is one that may be changed. */
  readonly mend?: Mend;
  /** The line that it is about, where there is one. */
  readonly source?: SourceExcerpt;
  /** The edits of the mend by line and column, where they are in this file. */
  readonly replacements?: readonly Replacement[];
}

/** One edit: what stands between two places becomes `text`. */
export interface Replacement {
  readonly from: TextPosition;
  readonly to: TextPosition;
  readonly text: string;
}

/** The line of a finding, and the edits of its mend by line and column, from the text of its file. */
export function placesIn(
  text: LinedText | undefined,
  { origin, mend }: Pick<LintFinding, 'origin' | 'mend'>,
): Pick<LintFinding, 'source' | 'replacements'> {
  if (text === undefined) return {};
  const { line, column } = origin;
  const source = line === undefined ? undefined : excerptOf(text, line, column);
  const isHere = mend?.kind === 'edit' && mend.path === origin.file;
  const replacements = (isHere ? mend.edits : []).map((edit) => ({
    from: text.at(edit.start),
    to: text.at(edit.end),
    text: edit.text,
  }));
  return { ...(source && { source }), ...(replacements.length > 0 && { replacements }) };
}

/** By file, line and column, the worst first where they are the same. */
export function byPlace(a: LintFinding, b: LintFinding): number {
  const asShown = ({ origin, file }: LintFinding) => inFile(origin, file);
  return comparePlaces(asShown(a), asShown(b)) || compareText(a.rule, b.rule);
}
