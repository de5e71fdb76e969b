import { formatBytes, formatBytesOf, formatDuration } from '../shared/quantities.ts';
import { cleanLine } from './clean-text.ts';
import { cutLine } from './columns.ts';
import type { Amount, Milestone, StepView } from './progress-model.ts';
import type { Paint } from './terminal.ts';

/** How many parts of a step are shown; the rest is counted. */
const shownParts = 6;
const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Everything about the place where progress is drawn. */
export interface ProgressLook {
  readonly paint: Paint;
  readonly width: number;
  /** Counts up with each drawing; turns the spinner. */
  readonly frame: number;
}

/** The lines that show the running steps and are drawn again and again. */
export function liveLines(steps: readonly StepView[], look: ProgressLook): readonly string[] {
  const lines: string[] = [];
  const mains = steps.filter((step) => step.depth === 1);
  for (const main of mains) {
    lines.push(mainLine(main, look));
    lines.push(...partLines(partsOf(steps, main), look));
  }
  return lines;
}

/** The line that stays for a milestone; a start has one only where nothing is drawn live. */
export function milestoneLine(milestone: Milestone, look: ProgressLook): string {
  const { paint } = look;
  switch (milestone.kind) {
    case 'started':
      return `  · ${cleanLine(milestone.name)}`;
    case 'finished':
      return `  ${paint('green', '✔')} ${endText(milestone.step)}`;
    case 'failed':
      return `  ${paint('red', '✘')} ${endText(milestone.step)}`;
    case 'note':
      return `  ${paint('yellow', '!')} ${cleanLine(milestone.text)}`;
    default:
      return milestone satisfies never;
  }
}

/** A running step as a plain line: `    copy  1.2 of 2.6 GB · 65 MB/s · 20 s left`. */
export function plainLine(step: StepView): string {
  return `    ${[cleanLine(step.name), runningText(step)].filter(Boolean).join('  ')}`;
}

function mainLine(step: StepView, look: ProgressLook): string {
  const mark = look.paint('cyan', spinner[look.frame % spinner.length] ?? '·');
  const text = [cleanLine(step.name), runningText(step)].filter(Boolean).join('  ');
  return `  ${mark} ${cutLine(text, look.width - 5)}`;
}

function partsOf(steps: readonly StepView[], main: StepView): readonly StepView[] {
  const start = steps.indexOf(main) + 1;
  const next = steps.findIndex((step, index) => index >= start && step.depth === 1);
  return steps.slice(start, next === -1 ? undefined : next);
}

function partLines(parts: readonly StepView[], look: ProgressLook): string[] {
  const lines = parts.slice(0, shownParts).map((part) => {
    const indent = ' '.repeat(2 + 2 * part.depth);
    return look.paint('dim', indent + partText(part, look.width - indent.length - 1));
  });
  const more = parts.length - shownParts;
  return more > 0 ? [...lines, look.paint('dim', `      … and ${more} more`)] : lines;
}

/** Of a name that is too long the end is left out: how far it is must be seen. */
function partText(part: StepView, room: number): string {
  const amount = amountText(part.amount);
  if (amount === '') return cutLine(cleanLine(part.name), room);
  return `${cutLine(cleanLine(part.name), room - amount.length - 2)}  ${amount}`;
}

function runningText(step: StepView): string {
  const rate = step.bytesPerSecond === undefined ? '' : `${formatBytes(step.bytesPerSecond)}/s`;
  const left = step.leftMs === undefined ? '' : `${formatDuration(step.leftMs)} left`;
  const elapsed = rate === '' && left === '' ? formatDuration(step.elapsedMs) : '';
  return [amountText(step.amount), rate, left, elapsed].filter(Boolean).join(' · ');
}

function endText(step: StepView): string {
  const { bytes, items } = step.amount;
  const moved = [bytes > 0 ? formatBytes(bytes) : '', items > 0 ? String(items) : ''];
  const facts = [...moved, formatDuration(step.elapsedMs)].filter(Boolean).join(' · ');
  return `${cleanLine(step.name)}  ${facts}`;
}

function amountText(amount: Amount): string {
  return [
    shareText(amount.items, amount.expectedItems, (n) => String(n)),
    amount.expectedBytes >= amount.bytes && amount.expectedBytes > 0
      ? formatBytesOf(amount.bytes, amount.expectedBytes)
      : shareText(amount.bytes, 0, formatBytes),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** What was announced too low is shown without its end, rather than as `5 of 3`. */
function shareText(done: number, expected: number, format: (value: number) => string): string {
  if (expected > 0 && done <= expected) return `${format(done)} of ${format(expected)}`;
  return done > 0 ? format(done) : '';
}
