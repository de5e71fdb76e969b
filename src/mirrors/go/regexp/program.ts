/** Compiles a parsed expression into steps, in the order of preference that Go has (regexp/syntax/compile.go). */

import { Machine, type Match } from './machine.ts';
import {
  type Assertion,
  type CharTest,
  type ParsedRegexp,
  type Regexp,
  RegexpUnsupported,
} from './syntax.ts';

/** What one instruction does; `next` and `other` are numbers of instructions. */
export type Step =
  | { do: 'char'; test: CharTest; next: number }
  | { do: 'split'; next: number; other: number }
  | { do: 'assert'; what: Assertion; next: number }
  | { do: 'save'; slot: number; next: number }
  | { do: 'match' };

const MOST_STEPS = 20_000;
/** A second or two; a real pattern on a real name needs a thousand. */
const MOST_WORK = 20_000_000;

/** A pattern that is ready to search with. */
export interface RegexpProgram {
  /** The first match at or behind `from`, of several at one place the one that Go prefers. */
  search(chars: readonly string[], from: number): Match | undefined;
}

/** Throws {@link RegexpUnsupported} for a pattern that is too large to be run. */
export function compileProgram(parsed: ParsedRegexp): RegexpProgram {
  const compiler = new Compiler();
  const end = compiler.add({ do: 'match' });
  const close = compiler.add({ do: 'save', slot: 1, next: end });
  const body = compiler.compile(parsed.root, close);
  const start = compiler.add({ do: 'save', slot: 0, next: body });
  const slots = parsed.groupNames.length * 2;
  let work = 0;
  return {
    search: (chars, from) => {
      const machine = new Machine(compiler.steps, slots, chars);
      const found = machine.run(start, from);
      work += machine.work;
      if (work > MOST_WORK) throw new RegexpUnsupported('it takes too long to simulate');
      return found;
    },
  };
}

/** Builds from the end to the start: each part is told what comes behind it. */
class Compiler {
  readonly steps: Step[] = [];

  add(step: Step): number {
    if (this.steps.length >= MOST_STEPS) {
      throw new RegexpUnsupported(`it stands for more than ${MOST_STEPS} steps`);
    }
    return this.steps.push(step) - 1;
  }

  compile(node: Regexp, next: number): number {
    switch (node.op) {
      case 'empty':
        return next;
      case 'char':
        return this.add({ do: 'char', test: node.test, next });
      case 'assert':
        return this.add({ do: 'assert', what: node.what, next });
      case 'capture': {
        const close = this.add({ do: 'save', slot: node.index * 2 + 1, next });
        const body = this.compile(node.sub, close);
        return this.add({ do: 'save', slot: node.index * 2, next: body });
      }
      case 'concat':
        return node.subs.reduceRight((behind, sub) => this.compile(sub, behind), next);
      case 'alternate':
        return node.subs
          .map((sub) => this.compile(sub, next))
          .reduceRight((other, first) => this.add({ do: 'split', next: first, other }));
      case 'repeat':
        return this.#repeat(node, next);
    }
  }

  #repeat(node: Extract<Regexp, { op: 'repeat' }>, next: number): number {
    const { sub, min, max, isLazy } = node;
    if (max === 0) return next;
    let behind = next;
    if (max < 0) behind = min === 0 ? this.#star(node, next) : this.#plus(node, next);
    for (let copy = min; copy < max; copy += 1) {
      behind = this.#choice(this.compile(sub, behind), next, isLazy);
    }
    const copies = max < 0 ? min - 1 : min;
    for (let copy = 0; copy < copies; copy += 1) behind = this.compile(sub, behind);
    return behind;
  }

  #choice(into: number, past: number, isLazy: boolean): number {
    return this.add(
      isLazy ? { do: 'split', next: past, other: into } : { do: 'split', next: into, other: past },
    );
  }

  /** What may be empty is tried as `(x+)?`, so that its priority is that of other programs. */
  #star(node: Extract<Regexp, { op: 'repeat' }>, next: number): number {
    if (isNullable(node.sub)) return this.#choice(this.#plus(node, next), next, node.isLazy);
    const loop = this.#choice(next, next, node.isLazy);
    this.#close(loop, this.compile(node.sub, loop), node.isLazy);
    return loop;
  }

  #plus({ sub, isLazy }: Extract<Regexp, { op: 'repeat' }>, next: number): number {
    const loop = this.#choice(next, next, isLazy);
    const body = this.compile(sub, loop);
    this.#close(loop, body, isLazy);
    return body;
  }

  #close(loop: number, body: number, isLazy: boolean): void {
    const step = this.steps[loop];
    if (step?.do !== 'split') return;
    if (isLazy) step.other = body;
    else step.next = body;
  }
}

function isNullable(node: Regexp): boolean {
  switch (node.op) {
    case 'char':
      return false;
    case 'empty':
    case 'assert':
      return true;
    case 'capture':
      return isNullable(node.sub);
    case 'concat':
      return node.subs.every(isNullable);
    case 'alternate':
      return node.subs.some(isNullable);
    case 'repeat':
      return node.min === 0 || isNullable(node.sub);
  }
}
