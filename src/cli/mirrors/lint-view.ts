import { formatOrigin, inFile } from '../../mirrors/finding.ts';
import { consequenceOf } from '../../mirrors/lint/report/consequence.ts';
import type { LintFinding } from '../../mirrors/lint/report/lint-finding.ts';
import { formatCount } from '../../shared/quantities.ts';
import { cleanText } from '../clean-text.ts';
import { cutLine } from '../columns.ts';
import type { Look, Paint } from '../terminal.ts';
import { answerOf, type LintedReport } from './lint-report.ts';
import type { FixChange, FixReport } from './run-fix.ts';

/** How a report is shown to people. */
export interface LintLook {
  readonly paint: Paint;
  readonly width: number;
}

/** The answer first, then what was changed, then each finding with its line and remedy, then what to type. */
export function formatLint(view: LintedReport, look: LintLook): string {
  const { findings, fix, notSeen, notes, next } = view.report;
  const mendable = findings.filter(({ mend }) => mend !== undefined).length;
  return [
    look.paint('bold', answerOf(view)),
    ...(fix === undefined ? [] : ['', ...fixLines(fix, view, look)]),
    ...allFindings(fix?.left ?? findings, look),
    ...(notSeen.length + notes.length + mendable > 0 || next !== undefined ? [''] : []),
    ...notes.map((note) => `note: ${cleanText(note)}`),
    ...notSeenLines(notSeen),
    ...(next === undefined ? [] : [nextLine(next, mendable, fix)]),
  ].join('\n');
}

/** Of one rule more findings than these are only named by their places. */
const MOST_OF_A_RULE = 10;

function allFindings(findings: readonly LintFinding[], look: LintLook): readonly string[] {
  const seen = new Map<string, number>();
  const isShown = findings.map(({ rule }) => {
    const count = (seen.get(rule) ?? 0) + 1;
    seen.set(rule, count);
    return count <= MOST_OF_A_RULE;
  });
  const shown = findings.filter((_, index) => isShown[index]);
  const others = Map.groupBy(
    findings.filter((_, index) => !isShown[index]),
    ({ rule }) => rule,
  );
  const more = [...others].flatMap(([rule, rest]) => [
    '',
    look.paint('bold', `${rule} in ${formatCount(rest.length, 'more place')}`),
    ...rest.map(({ origin, file }) => `  ${cleanText(formatOrigin(inFile(origin, file)))}`),
  ]);
  return [...shown.flatMap((one) => ['', ...findingLines(one, look)]), ...more];
}

const looks: Readonly<Record<LintFinding['level'], Look>> = {
  error: 'red',
  warn: 'yellow',
  info: 'cyan',
};

/**
 * ```text
 * certs.d/docker.io/hosts.toml:1:10  error C004
 *   docker.io is a web site, not the registry of Docker Hub
 *     1 | server = "https://docker.io"
 *       |          ^^^^^^^^^^^^^^^^^^^
 *   do    Online, write server = "https://registry-1.docker.io".
 * ```
 */
function findingLines(finding: LintFinding, { paint, width }: LintLook): readonly string[] {
  const { level, rule, file, origin, message, fix, onlyOn } = finding;
  const place = formatOrigin(inFile(origin, file));
  return [
    `${paint('bold', cleanText(place))}  ${paint(looks[level], `${level} ${rule}`)}`,
    `  ${cleanText(shortened(message))}`,
    ...sourceLines(finding, { paint, width }),
    `  do    ${cleanText(fix)}`,
    ...(onlyOn === undefined ? [] : [`  only  ${onlyOn}`]),
  ];
}

/** Longer messages are those in which a library prints a whole file as a value. */
const MOST_CHARACTERS = 400;
const SHOWN_CHARACTERS = 220;

/** The beginning of a message that no reader would read to its end, cut between two words. */
function shortened(message: string): string {
  if (message.length <= MOST_CHARACTERS) return message;
  const start = message.slice(0, SHOWN_CHARACTERS);
  return `${start.slice(0, start.lastIndexOf(' '))} … (the whole text: --json)`;
}

function sourceLines({ source, origin, level }: LintFinding, { paint, width }: LintLook) {
  const { line } = origin;
  if (source === undefined || line === undefined || source.text.trim() === '') return [];
  const number = String(line).padStart(5);
  const room = width - number.length - 3;
  const shift = shiftFor(source, room);
  const text = cutLine(source.text.slice(shift), room);
  const lines = [`${paint('dim', `${number} |`)} ${text.trimEnd()}`];
  if (source.mark === undefined) return lines;
  const start = source.mark.start - shift;
  // What stands left of the text are blanks that are not shown, such as control characters were.
  if (start < 0) return lines;
  const length = Math.max(1, Math.min(source.mark.end - shift, text.length) - start);
  const mark = ' '.repeat(start) + paint(looks[level], '^'.repeat(length));
  return [...lines, `${paint('dim', `${' '.repeat(number.length)} |`)} ${mark}`];
}

/** Blanks before the text are left out; of a long line the part around the mark is shown. */
function shiftFor({ text, mark }: NonNullable<LintFinding['source']>, room: number): number {
  const indent = text.length - text.trimStart().length;
  // One column is for the sign that the line goes on.
  if (mark === undefined || mark.end - indent < room) return indent;
  return Math.max(indent, Math.min(mark.start, mark.end - room + 1));
}

function fixLines(
  fix: FixReport,
  { rules, site }: LintedReport,
  { paint }: LintLook,
): readonly string[] {
  const { changes, dryRun, mended, reloads } = fix;
  if (changes.length === 0) {
    const because =
      fix.links.length === 0
        ? 'nothing that is found here can be mended without a decision'
        : 'what can be mended without a decision is in files that are links';
    return [`nothing was changed: ${because}`, ...linkLines(fix)];
  }
  const would = dryRun ? 'can be mended safely; nothing was changed yet:' : 'mended:';
  const consequence = consequenceOf(fix.left, rules, site);
  // A runtime that takes these files stops pulling: what it runs with now may be better.
  const isStopped = consequence === 'nothing can be pulled';
  const then = dryRun || fix.left.some(isError) ? 'on the node, afterwards' : 'on the node, now';
  return [
    `${formatCount(mended.length, 'finding')} ${would}${lateWords(fix)}`,
    ...changes.flatMap((change) => changeLines(change, paint)),
    ...(dryRun && reloads.length > 0 ? [''] : []),
    ...linkLines(fix),
    ...remainingLines(fix, consequence),
    ...(isStopped
      ? []
      : reloads.map(({ command, because }) => `${then}: ${command}   (${because})`)),
  ];
}

function isError({ level }: LintFinding): boolean {
  return level === 'error';
}

/** A lint counts what it sees at once; some faults only show when what stood before them is mended. */
function lateWords({ mended, found }: FixReport): string {
  const late = mended.length - found.filter(({ mend }) => mend !== undefined).length;
  return late > 0 ? `   (${late} of them only showed once others were mended)` : '';
}

function linkLines({ links }: FixReport): readonly string[] {
  return links.map(({ file, to }) =>
    cleanText(`  left    ${file}  (is a link to ${to}; name that file to have it mended)`),
  );
}

/** What a person has to do before the runtime is told of the files, and in which one. */
function remainingLines(
  { left, dryRun }: FixReport,
  consequence: string | undefined,
): readonly string[] {
  const [first, ...more] = left.filter(isError);
  if (first === undefined || dryRun) return [];
  const errors = more.length === 0 ? 'error' : `${more.length + 1} errors`;
  const where = cleanText(formatOrigin(inFile(first.origin, first.file)));
  const then = consequence === undefined ? '' : `: ${consequence}`;
  return [`next: mend the ${errors} below, first ${where}${then}`];
}

function changeLines(change: FixChange, paint: Paint): readonly string[] {
  const what = change.do === 'rename' ? `${change.file} to ${change.to}` : change.file;
  const copy =
    change.do === 'change' && change.backup !== undefined
      ? `; the old file stays as ${change.backup}`
      : '';
  const head = cleanText(`  ${change.do.padEnd(6)}  ${what}  (${change.rules}${copy})`);
  if (change.diff === undefined) return [head];
  return ['', head, ...change.diff.map((line) => paintDiff(cleanText(line), paint))];
}

function paintDiff(line: string, paint: Paint): string {
  if (/^(?:---|\+\+\+) /.test(line)) return paint('bold', line);
  if (line.startsWith('@@')) return paint('cyan', line);
  if (line.startsWith('-')) return paint('red', line);
  return line.startsWith('+') ? paint('green', line) : line;
}

/** Files more than these are only counted; `--json` has them all. */
const MOST_NAMED = 3;

function notSeenLines(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const named = paths.slice(0, MOST_NAMED).join(', ');
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : '';
  return [`note: ${named}${more} must be on the node; not checked here, with --root DIR they are`];
}

function nextLine(next: string, mendable: number, fix: FixReport | undefined): string {
  if (fix !== undefined) return `next: ${next}`;
  return `next: ${next}   (${formatCount(mendable, 'finding')} can be mended safely)`;
}
