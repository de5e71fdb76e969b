/** Parses a pattern as Go's regexp/syntax does it with the flags of regexp.Compile (Perl). */

import { literal, perlClass, posixClass, range, unicodeClass } from './char-class.ts';
import { fitsRepeats } from './repeat-limit.ts';
import {
  type Assertion,
  type CharTest,
  type ParsedRegexp,
  type Regexp,
  RegexpFault,
  RegexpUnsupported,
} from './syntax.ts';
import { classChar, type Repeat, readEscape, readRepeat } from './tokens.ts';

/** Deeper ones Go refuses or Slipway has no stack for; nobody writes either. */
const DEEPEST = 200;
const MOST_REPEATS = 1000;

interface Flags {
  readonly isCaseless: boolean;
  readonly isMultiline: boolean;
  readonly dotIsAll: boolean;
  readonly isLazy: boolean;
}

interface Group {
  readonly index: number | undefined;
  /** Those outside of it, which come back at its end. */
  readonly flags: Flags;
  readonly branches: Regexp[][];
}

/** The expression and its groups. Throws {@link RegexpFault} where Go refuses the pattern. */
export function parseRegexp(pattern: string): ParsedRegexp {
  return new Parser(pattern).parse();
}

class Parser {
  readonly #pattern: string;
  readonly #chars: readonly string[];
  readonly #groups: Group[] = [];
  readonly #names: string[] = [''];
  #at = 0;
  #flags: Flags = { isCaseless: false, isMultiline: false, dotIsAll: false, isLazy: false };
  #group: Group;
  /** What begins with a sign of its own. */
  readonly #atoms: ReadonlyMap<string, () => void> = new Map([
    ['(', () => this.#open()],
    [')', () => this.#close()],
    ['|', () => this.#bar()],
    ['^', () => this.#assert(this.#flags.isMultiline ? 'line-start' : 'text-start', 1)],
    ['$', () => this.#assert(this.#flags.isMultiline ? 'line-end' : 'text-end', 1)],
    ['.', () => this.#dot()],
    ['[', () => this.#class()],
    ['\\', () => this.#escape()],
  ]);
  /** Where the repetition began that ended just now; a second one right behind it is refused. */
  #lastRepeat: number | undefined;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#chars = Array.from(pattern);
    this.#group = { index: undefined, flags: this.#flags, branches: [[]] };
  }

  parse(): ParsedRegexp {
    while (this.#at < this.#chars.length) {
      const start = this.#at;
      const isRepeat = this.#step();
      this.#lastRepeat = isRepeat ? start : undefined;
    }
    if (this.#groups.length > 0) throw new RegexpFault('missing closing )', this.#pattern);
    return { root: joined(this.#group.branches), groupNames: this.#names };
  }

  /** True when it was a repetition. */
  #step(): boolean {
    const char = this.#chars[this.#at] ?? '';
    const repeat = readRepeat(this.#chars, this.#at);
    if (repeat !== undefined) {
      this.#repeat(repeat);
      return true;
    }
    this.#atom(char);
    return false;
  }

  #atom(char: string): void {
    const read = this.#atoms.get(char) ?? (() => this.#literal(char, 1));
    read();
  }

  #literal(char: string, length: number): void {
    this.#take(literal(char, this.#flags.isCaseless), length);
  }

  #dot(): void {
    this.#take(this.#flags.dotIsAll ? () => true : (other) => other !== '\n', 1);
  }

  #bar(): void {
    this.#at += 1;
    this.#group.branches.push([]);
  }

  #push(node: Regexp): void {
    this.#group.branches.at(-1)?.push(node);
  }

  #take(test: CharTest, length: number): void {
    this.#push({ op: 'char', test });
    this.#at += length;
  }

  #assert(what: Assertion, length: number): void {
    this.#push({ op: 'assert', what });
    this.#at += length;
  }

  #text(from: number, to = this.#at): string {
    return this.#chars.slice(from, to).join('');
  }

  #rest(): string {
    return this.#text(this.#at, this.#chars.length);
  }

  #repeat({ min, max, end }: Repeat): void {
    const start = this.#at;
    const isTurned = this.#chars[end] === '?';
    const whole = isTurned ? end + 1 : end;
    if (min < 0 || min > MOST_REPEATS || max > MOST_REPEATS || (max >= 0 && min > max)) {
      throw new RegexpFault('invalid repeat count', this.#text(start, end));
    }
    if (this.#lastRepeat !== undefined) {
      const both = this.#text(this.#lastRepeat, whole);
      throw new RegexpFault('invalid nested repetition operator', both);
    }
    const branch = this.#group.branches.at(-1);
    const sub = branch?.pop();
    if (branch === undefined || sub === undefined) {
      throw new RegexpFault('missing argument to repetition operator', this.#text(start, whole));
    }
    const isLazy = this.#flags.isLazy !== isTurned;
    const node: Regexp = { op: 'repeat', sub, min, max, isLazy };
    const isCounted = this.#chars[start] === '{' && (min >= 2 || max >= 2);
    if (isCounted && !fitsRepeats(node, MOST_REPEATS)) {
      throw new RegexpFault('invalid repeat count', this.#text(start, whole));
    }
    branch.push(node);
    this.#at = whole;
  }

  #open(): void {
    if (this.#groups.length >= DEEPEST) {
      throw new RegexpUnsupported(`more than ${DEEPEST} groups lie in each other`);
    }
    if (this.#chars[this.#at + 1] === '?') this.#openSpecial();
    else {
      this.#at += 1;
      this.#enter(this.#names.push('') - 1, this.#flags);
    }
  }

  #enter(index: number | undefined, flags: Flags): void {
    this.#groups.push(this.#group);
    this.#group = { index, flags, branches: [[]] };
  }

  #openSpecial(): void {
    const rest = this.#rest();
    const length = rest.startsWith('(?P<') && rest.length > 4 ? 4 : rest.startsWith('(?<') ? 3 : 0;
    // Go takes (?< for a name only if something follows it.
    if (length > 0 && rest.length > length) this.#openNamed(rest, length);
    else this.#setFlags(rest);
  }

  #openNamed(rest: string, length: number): void {
    const end = rest.indexOf('>');
    if (end < 0) throw new RegexpFault('invalid named capture', rest);
    const name = rest.slice(length, end);
    if (!/^[A-Za-z0-9_]+$/.test(name)) {
      throw new RegexpFault('invalid named capture', rest.slice(0, end + 1));
    }
    this.#at += end + 1;
    this.#enter(this.#names.push(name) - 1, this.#flags);
  }

  #setFlags(rest: string): void {
    const match = /^\(\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest);
    if (match === null) {
      const bad = /^\(\?[imsU]*(?:-[imsU]*)?./su.exec(rest)?.[0] ?? rest;
      throw new RegexpFault('invalid or unsupported Perl syntax', bad);
    }
    const [whole, on = '', off = '', end] = match;
    const outside = this.#flags;
    const isSet = (letter: string, before: boolean) =>
      on.includes(letter) ? !off.includes(letter) : before && !off.includes(letter);
    this.#at += whole.length;
    if (end === ':') this.#enter(undefined, outside);
    this.#flags = {
      isCaseless: isSet('i', outside.isCaseless),
      isMultiline: isSet('m', outside.isMultiline),
      dotIsAll: isSet('s', outside.dotIsAll),
      isLazy: isSet('U', outside.isLazy),
    };
  }

  #close(): void {
    const outer = this.#groups.pop();
    if (outer === undefined) throw new RegexpFault('unexpected )', this.#pattern);
    const { index, flags, branches } = this.#group;
    const sub = joined(branches);
    this.#group = outer;
    this.#flags = flags;
    this.#push(index === undefined ? sub : { op: 'capture', index, sub });
    this.#at += 1;
  }

  #escape(): void {
    const letter = this.#chars[this.#at + 1] ?? '';
    const assertion = assertions.get(letter);
    if (letter === 'C') throw new RegexpFault('invalid escape sequence', '\\C');
    if (letter === 'Q') this.#quoted();
    else if (assertion !== undefined) this.#assert(assertion, 2);
    else this.#escapedChar();
  }

  #escapedChar(): void {
    const named = this.#escapedClass();
    if (named !== undefined) this.#push({ op: 'char', test: named });
    else {
      const { char, end } = readEscape(this.#chars, this.#at);
      this.#literal(char, end - this.#at);
    }
  }

  #quoted(): void {
    const [text = ''] = this.#text(this.#at + 2, this.#chars.length).split('\\E', 1);
    const chars = Array.from(text);
    this.#at += 2;
    for (const char of chars) this.#literal(char, 1);
    if (this.#text(this.#at, this.#at + 2) === '\\E') this.#at += 2;
  }

  /** `\d`, `\pL`, `\p{Greek}`; moves behind it. */
  #escapedClass(): CharTest | undefined {
    if (this.#chars[this.#at] !== '\\') return undefined;
    const letter = this.#chars[this.#at + 1] ?? '';
    const { isCaseless } = this.#flags;
    if (letter === 'p' || letter === 'P') return this.#unicode(letter === 'P');
    const test = perlClass(letter, isCaseless);
    if (test !== undefined) this.#at += 2;
    return test;
  }

  #unicode(isNegated: boolean): CharTest {
    const rest = this.#rest();
    const [written = ''] = /^\\[pP](?:\{[^}]*\}|[^{])/su.exec(rest) ?? [];
    if (written === '') throw new RegexpFault('invalid character class range', rest);
    const { isCaseless } = this.#flags;
    const name = written.slice(2).replace(/^\{|\}$/g, '');
    const test = unicodeClass(written, { name, isNegated, isCaseless });
    this.#at += Array.from(written).length;
    return test;
  }

  #class(): void {
    const start = this.#at;
    this.#at += 1;
    const isNegated = this.#chars[this.#at] === '^';
    if (isNegated) this.#at += 1;
    const tests: CharTest[] = [];
    for (let isFirst = true; isFirst || this.#chars[this.#at] !== ']'; isFirst = false) {
      tests.push(this.#classItem(start));
    }
    const any: CharTest = (char) => tests.some((test) => test(char));
    this.#take(isNegated ? (char) => !any(char) : any, 1);
  }

  #classItem(start: number): CharTest {
    const { isCaseless } = this.#flags;
    const name = this.#posixName();
    if (name !== undefined) {
      const test = posixClass(name, isCaseless);
      this.#at += name.length;
      return test;
    }
    const named = this.#escapedClass();
    if (named !== undefined) return named;
    const from = this.#at;
    const low = this.#classChar(start);
    const isRange = this.#chars[this.#at] === '-' && this.#chars.length > this.#at + 1;
    if (!isRange || this.#chars[this.#at + 1] === ']') return range(low, low, isCaseless);
    this.#at += 1;
    const high = this.#classChar(start);
    if ((high.codePointAt(0) ?? 0) < (low.codePointAt(0) ?? 0)) {
      throw new RegexpFault('invalid character class range', this.#text(from));
    }
    return range(low, high, isCaseless);
  }

  #posixName(): string | undefined {
    const rest = this.#rest();
    if (!rest.startsWith('[:')) return undefined;
    const end = rest.indexOf(':]', 2);
    return end < 0 ? undefined : rest.slice(0, end + 2);
  }

  #classChar(start: number): string {
    if (this.#at >= this.#chars.length) {
      throw new RegexpFault('missing closing ]', this.#text(start, this.#chars.length));
    }
    const { char, end } = classChar(this.#chars, this.#at);
    this.#at = end;
    return char;
  }
}

const assertions: ReadonlyMap<string, Assertion> = new Map([
  ['A', 'text-start'],
  ['z', 'text-end'],
  ['b', 'word-boundary'],
  ['B', 'no-word-boundary'],
]);

function joined(branches: readonly (readonly Regexp[])[]): Regexp {
  const subs = branches.map((branch): Regexp => {
    const [first = { op: 'empty' as const }, second] = branch;
    return second === undefined ? first : { op: 'concat', subs: branch };
  });
  const [first = { op: 'empty' as const }, second] = subs;
  return second === undefined ? first : { op: 'alternate', subs };
}
