/** A proof as people read it: the answer first, then what fails and what to do, then the sums. */
import type { Asked, Failure, ProofReport } from './report.ts';
import { isProven } from './report.ts';

/**
 * The report as text without colours, ending without a newline. `closing` is appended to the last
 * line: `formatProof(report, ['report prove-worker-2.json', 'exit 1'])`.
 *
 * Platforms of one image that fail alike are one entry. URLs are not shortened: they can be copied.
 */
export function formatProof(report: ProofReport, closing: readonly string[] = []): string {
  return [
    headline(report),
    '',
    ...failureLines(report),
    ...noteLines(report),
    [...sums(report), ...closing].join(' · '),
  ].join('\n');
}

/** What is wrong with the node's configuration belongs here too: it may hurt only the next image. */
function noteLines({ warnings, findings }: ProofReport): string[] {
  const known = findings.filter(({ level }) => level !== 'info');
  const notes = [
    ...known.map(({ message, at, rule }) => `${message} (${at}, ${rule})`),
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
  return [`${totals.proven} proven`, `${requests} in ${formatSeconds(durationMs)}`];
}

function formatSeconds(durationMs: number): string {
  const seconds = durationMs / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

interface Entry {
  readonly image: string;
  readonly platforms: string[];
  readonly failure: Failure;
}

function failureLines({ results }: ProofReport): string[] {
  const entries = new Map<string, Entry>();
  for (const { image, platform, verdict } of results) {
    if (verdict.kind === 'proven') continue;
    const key = JSON.stringify([image, verdict]);
    const known = entries.get(key);
    if (known === undefined) entries.set(key, { image, platforms: [platform], failure: verdict });
    else known.platforms.push(platform);
  }
  return [...entries.values()].flatMap(entryLines);
}

function entryLines({ image, platforms, failure }: Entry): string[] {
  return [
    `  ${image}   ${platforms.join(', ')}   ${failure.summary}`,
    ...labelled('asked', failure.asked.map(askedText)),
    ...labelled('because', failure.because),
    ...labelled('do', failure.do),
    '',
  ];
}

function labelled(label: string, texts: readonly string[]): string[] {
  return texts.map((text, index) => `        ${(index === 0 ? label : '').padEnd(7)} ${text}`);
}

function askedText({ method, url, answer, at, sent }: Asked): string {
  const request = `${method} ${url}${at === undefined ? '' : ` (at ${at})`}`;
  if (sent === false) return `${request} was not asked: given up, the last answer was ${answer}`;
  return `${request} → ${answer}`;
}
