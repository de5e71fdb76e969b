import type { ProgressEvent } from '../shared/run.ts';
import { RateMeter } from './rate-meter.ts';

/** Bytes and items, done and announced, of a step with all steps below it. */
export interface Amount {
  readonly bytes: number;
  readonly items: number;
  readonly expectedBytes: number;
  readonly expectedItems: number;
}

/** A step that is under way, as the views need it. Times in milliseconds. */
export interface StepView {
  readonly name: string;
  /** 1 for a main step, 2 and more for its parts. */
  readonly depth: number;
  readonly amount: Amount;
  readonly elapsedMs: number;
  readonly bytesPerSecond: number | undefined;
  readonly leftMs: number | undefined;
}

/** Something that deserves a line which stays. */
export type Milestone =
  | { readonly kind: 'started'; readonly name: string }
  | { readonly kind: 'finished'; readonly step: StepView }
  | { readonly kind: 'failed'; readonly step: StepView }
  | { readonly kind: 'note'; readonly text: string };

interface Step {
  readonly name: string;
  readonly path: readonly string[];
  readonly startedMs: number;
  readonly rate: RateMeter;
  amount: Amount;
}

const nothing: Amount = { bytes: 0, items: 0, expectedBytes: 0, expectedItems: 0 };

/**
 * What is going on, from the events of a run: does no I/O and reads no clock, so the same events
 * at the same times give the same views. Holds running steps only; memory does not grow with
 * the length of a run.
 */
export class ProgressModel {
  readonly #running = new Map<string, Step>();
  #lastFinished: string | undefined;

  /** Takes in one event; what it returns is worth a line of its own. */
  apply(event: ProgressEvent, atMs: number): Milestone | undefined {
    switch (event.kind) {
      case 'step-started':
        return this.#start(event.path, atMs);
      case 'step-finished':
        return this.#end(event.path, atMs, 'finished');
      case 'step-failed':
        return this.#end(event.path, atMs, 'failed');
      case 'expect':
        this.#add(event.path, { expectedBytes: event.bytes, expectedItems: event.items }, atMs);
        return undefined;
      case 'advance':
        this.#add(event.path, { bytes: event.bytes, items: event.items }, atMs);
        return undefined;
      case 'note':
        return { kind: 'note', text: event.text };
      default:
        return event satisfies never;
    }
  }

  /** Running steps, each below the step that it is a part of, in the order of their starts. */
  running(atMs: number): readonly StepView[] {
    const steps = [...this.#running.values()];
    const mains = steps.filter((step) => step.path.length === 1);
    return mains.flatMap((main) => {
      const parts = steps.filter((step) => step.path.length > 1 && step.path[0] === main.name);
      return [main, ...parts].map((step) => view(step, atMs));
    });
  }

  /** The main step that ended last, for "stopped after". */
  get lastFinished(): string | undefined {
    return this.#lastFinished;
  }

  #start(path: readonly string[], atMs: number): Milestone | undefined {
    const name = path.at(-1) ?? '';
    const rate = new RateMeter();
    this.#running.set(keyOf(path), { name, path, startedMs: atMs, rate, amount: nothing });
    return path.length === 1 ? { kind: 'started', name } : undefined;
  }

  #end(path: readonly string[], atMs: number, kind: 'finished' | 'failed'): Milestone | undefined {
    const step = this.#running.get(keyOf(path));
    this.#running.delete(keyOf(path));
    if (step === undefined || path.length > 1) return undefined;
    if (kind === 'finished') this.#lastFinished = step.name;
    return { kind, step: view(step, atMs) };
  }

  #add(path: readonly string[], more: Partial<Amount>, atMs: number): void {
    for (let depth = path.length; depth > 0; depth -= 1) {
      const step = this.#running.get(keyOf(path.slice(0, depth)));
      if (step === undefined) continue;
      step.amount = sum(step.amount, more);
      step.rate.record(step.amount, atMs);
    }
  }
}

function view(step: Step, atMs: number): StepView {
  const { name, amount, rate, path } = step;
  const elapsedMs = atMs - step.startedMs;
  const speed = rate.perSecond(atMs);
  return {
    name,
    depth: path.length,
    amount,
    elapsedMs,
    bytesPerSecond: speed.bytes > 0 ? speed.bytes : undefined,
    leftMs:
      amount.expectedBytes > 0
        ? timeLeft(amount.expectedBytes - amount.bytes, speed.bytes)
        : timeLeft(amount.expectedItems - amount.items, speed.items),
  };
}

function timeLeft(left: number, perSecond: number): number | undefined {
  return left > 0 && perSecond > 0 ? (left / perSecond) * 1000 : undefined;
}

function sum(a: Amount, more: Partial<Amount>): Amount {
  return {
    bytes: a.bytes + (more.bytes ?? 0),
    items: a.items + (more.items ?? 0),
    expectedBytes: a.expectedBytes + (more.expectedBytes ?? 0),
    expectedItems: a.expectedItems + (more.expectedItems ?? 0),
  };
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}
