/** Runs steps over a text in time that grows with both only, as Go's own machine does (regexp/exec.go). */

import type { Step } from './program.ts';
import type { Assertion } from './syntax.ts';

/** Where a match and its groups start and end, in characters; -1 for a group that took no part. */
export type Match = readonly number[];

interface Thread {
  readonly step: number;
  readonly saved: readonly number[];
}

/** Threads in the order of preference, each step once. */
class ThreadList {
  readonly threads: Thread[] = [];
  readonly seen = new Set<number>();
}

/** All threads go through the text side by side; those before others in the list are preferred. */
export class Machine {
  readonly #steps: readonly Step[];
  readonly #slots: number;
  readonly #chars: readonly string[];
  /** How many steps were taken. */
  work = 0;

  constructor(steps: readonly Step[], slots: number, chars: readonly string[]) {
    this.#steps = steps;
    this.#slots = slots;
    this.#chars = chars;
  }

  run(start: number, from: number): Match | undefined {
    let list = new ThreadList();
    let found: Match | undefined;
    for (let at = from; at <= this.#chars.length; at += 1) {
      if (found === undefined) {
        const saved = new Array<number>(this.#slots).fill(-1);
        this.#follow({ step: start, saved }, at, list);
      }
      const next = new ThreadList();
      found = this.#advance(list, at, next) ?? found;
      if (found !== undefined && next.threads.length === 0) return found;
      list = next;
    }
    return found;
  }

  /** Takes the character at `at`; a match ends the list, for those behind it are preferred less. */
  #advance({ threads }: ThreadList, at: number, next: ThreadList): Match | undefined {
    const char = this.#chars[at];
    for (const { step, saved } of threads) {
      this.work += 1;
      const here = this.#steps[step];
      if (here?.do === 'match') return saved;
      if (here?.do === 'char' && char !== undefined && here.test(char)) {
        this.#follow({ step: here.next, saved }, at + 1, next);
      }
    }
    return undefined;
  }

  /** Adds the thread and all that it stands for; a stack of its own, for patterns may be deep. */
  #follow(thread: Thread, at: number, list: ThreadList): void {
    const pending: Thread[] = [thread];
    for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
      if (list.seen.has(one.step)) continue;
      list.seen.add(one.step);
      this.work += 1;
      pending.push(...this.#behind(one, at, list));
    }
  }

  /** What a step leads to without taking a character, the preferred one last. */
  #behind({ step, saved }: Thread, at: number, list: ThreadList): readonly Thread[] {
    const here = this.#steps[step];
    switch (here?.do) {
      case 'split':
        return [
          { step: here.other, saved },
          { step: here.next, saved },
        ];
      case 'save':
        return [{ step: here.next, saved: saved.with(here.slot, at) }];
      case 'assert':
        return this.#holds(here.what, at) ? [{ step: here.next, saved }] : [];
      case 'char':
      case 'match':
      case undefined:
        list.threads.push({ step, saved });
        return [];
    }
  }

  #holds(what: Assertion, at: number): boolean {
    const [before, after] = [this.#chars[at - 1], this.#chars[at]];
    switch (what) {
      case 'text-start':
        return at === 0;
      case 'text-end':
        return after === undefined;
      case 'line-start':
        return at === 0 || before === '\n';
      case 'line-end':
        return after === undefined || after === '\n';
      case 'word-boundary':
        return isWord(before) !== isWord(after);
      case 'no-word-boundary':
        return isWord(before) === isWord(after);
    }
  }
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /^[0-9A-Za-z_]$/.test(char);
}
