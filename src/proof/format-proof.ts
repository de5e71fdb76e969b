/** A proof as people read it: the answer first, then each cause with what to do, then the sums. */
import { type CauseGroup, groupByCause } from './group-by-cause.ts';
import type { Asked, ProofReport } from './report.ts';
import { isProven } from './report.ts';

/**
 * The report as text without colours, ending without a newline. `closing` is appended to the last
 * line: `formatProof(report, ['report prove-worker-2.json', 'exit 1'])`.
 *
 * What hits many images is said once, with the images behind it. URLs are not shortened: they can be copied.
 */
export function formatProof(report: ProofReport, closing: readonly string[] = []): string {
  return [
    headline(report),
    '',
    ...groupByCause(report.results).flatMap(groupLines),
    ...noteLines(report),
    [...sums(report), ...closing].join(' · '),
  ].join('\n');
}

/** Errors of the node's configuration belong here too: they may hurt only the next image. */
function noteLines({ warnings, findings }: ProofReport): string[] {
  const errors = findings.filter(({ level }) => level === 'error');
  const notes = [
    ...errors.map(({ message, at, rule }) => `${message} (${at}, ${rule})`),
    ...warnings,
  ];
  return notes.length === 0 ? [] : [...notes.map((note) => `  note    ${note}`), ''];
}

function headline(report: ProofReport): string {
  const { totals, node } = report;
  const images = `${totals.images} ${totals.images === 1 ? 'image' : 'images'}`;
  if (totals.images === 0) return 'the Lock has no image, so nothing is proven';
  if (isProven(report)) {
    const how = report.deep ? ', every byte of them hashed' : '';
    return `${totals.images === 1 ? 'the 1' : `all ${totals.images}`} ${totals.images === 1 ? 'image' : 'images'} will reach ${node}${how}`;
  }
  return `${totals.failed} of ${images} will not reach ${node}; do not install yet`;
}

function sums({ totals, durationMs }: ProofReport): string[] {
  const requests = `${totals.requests} ${totals.requests === 1 ? 'request' : 'requests'}`;
  return [
    `${totals.proven} of ${totals.images} proven`,
    `${requests} in ${formatSeconds(durationMs)}`,
  ];
}

function formatSeconds(durationMs: number): string {
  const seconds = durationMs / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** One image stands in the first line; of many the cause does, and they follow. */
function groupLines({ images, summary, asked, because, steps, isChoice }: CauseGroup): string[] {
  const [first] = images;
  const isOne = images.length === 1;
  const title =
    isOne && first !== undefined
      ? `${first.name}   ${first.platforms.join(', ')}   ${summary}`
      : `${images.length} images   ${summary}`;
  const width = Math.max(...images.map(({ name }) => name.length));
  const listed = images.map(
    ({ name, platforms }) => `${name.padEnd(width)}  ${platforms.join(', ')}`,
  );
  return [
    `  ${title}`,
    ...labelled('asked', asked.map(askedText)),
    ...labelled('because', because),
    ...stepLines(steps, isChoice),
    ...labelled('images', isOne ? [] : listed),
    '',
  ];
}

/** Only what is to be done one after the other has numbers. */
function stepLines(steps: readonly string[], isChoice: boolean): string[] {
  if (isChoice) return steps.flatMap((step, at) => labelled(at === 0 ? 'do' : 'or', [step]));
  return labelled('do', steps.length < 2 ? steps : steps.map((step, at) => `${at + 1}. ${step}`));
}

function labelled(label: string, texts: readonly string[]): string[] {
  return texts.map((text, index) => `        ${(index === 0 ? label : '').padEnd(7)} ${text}`);
}

function askedText({ method, url, answer, at, sent }: Asked): string {
  const request = `${method} ${url}${at === undefined ? '' : ` (at ${at})`}`;
  if (sent === false) return `${request} was not asked: given up, the last answer was ${answer}`;
  return `${request} → ${answer}`;
}
