/** Classes of characters: `[a-z]`, `\d`, `[[:alpha:]]`, `\p{Greek}`, each as a test of one character. */

import { type CharTest, RegexpFault, RegexpUnsupported } from './syntax.ts';

const perl: Readonly<Record<string, string>> = { d: '0-9', s: '\\t\\n\\f\\r ', w: '0-9A-Za-z_' };

const posix: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** A test for the inside of a JavaScript class, which is ours and not from outside. */
function classTest(inside: string, isCaseless: boolean): CharTest {
  const regexp = new RegExp(`^[${inside}]$`, isCaseless ? 'iu' : 'u');
  return (char) => regexp.test(char);
}

function negated(test: CharTest, isNegated: boolean): CharTest {
  return isNegated ? (char) => !test(char) : test;
}

/** `\d`, `\S` …; undefined for an escape that is none. */
export function perlClass(letter: string, isCaseless: boolean): CharTest | undefined {
  const lower = letter.toLowerCase();
  const inside = perl[lower];
  if (inside === undefined) return undefined;
  return negated(classTest(inside, isCaseless), letter !== lower);
}

/** `[:alpha:]`, `[:^alpha:]`. */
export function posixClass(name: string, isCaseless: boolean): CharTest {
  const match = /^\[:(\^?)([a-z]+):\]$/.exec(name);
  const inside = posix[match?.[2] ?? ''];
  if (inside === undefined) throw new RegexpFault('invalid character class range', name);
  return negated(classTest(inside, isCaseless), match?.[1] === '^');
}

/** One character, in either case where that does not count. */
export function literal(char: string, isCaseless: boolean): CharTest {
  if (!isCaseless) return (other) => other === char;
  return range(char, char, true);
}

/** `a` to `z`, both of them in. */
export function range(from: string, to: string, isCaseless: boolean): CharTest {
  const [low = 0, high = 0] = [from.codePointAt(0), to.codePointAt(0)];
  if (!isCaseless) {
    return (char) => {
      const point = char.codePointAt(0) ?? 0;
      return low <= point && point <= high;
    };
  }
  return classTest(`\\u{${low.toString(16)}}-\\u{${high.toString(16)}}`, true);
}

/** Go's names, which ignore case, blanks, `_` and `-`: `greek`, `Lowercase_Letter`. */
export function unicodeClass(
  written: string,
  {
    name,
    isNegated,
    isCaseless,
  }: {
    readonly name: string;
    readonly isNegated: boolean;
    readonly isCaseless: boolean;
  },
): CharTest {
  const isTurned = name.startsWith('^');
  const plain = (isTurned ? name.slice(1) : name).replaceAll(/[_\- ]/g, '').toLowerCase();
  const inside = unicodeInside(plain);
  if (inside === undefined) throw new RegexpFault('invalid character class range', written);
  return negated(classTest(inside, isCaseless), isNegated !== isTurned);
}

function unicodeInside(name: string): string | undefined {
  if (name === 'any') return '\\u{0}-\\u{10FFFF}';
  if (name === 'ascii') return '\\x00-\\x7F';
  if (name === 'assigned') return '\\P{Cn}';
  const category = /^[a-z]{1,2}$/.test(name)
    ? name.charAt(0).toUpperCase() + name.slice(1)
    : undefined;
  if (category === 'Lc') return '\\p{LC}';
  if (category !== undefined) return isProperty(category) ? `\\p{${category}}` : undefined;
  const script = scriptName(name);
  if (script !== undefined) return `\\p{Script=${script}}`;
  if (!/^[a-z]{3,}$/.test(name)) return undefined;
  // Names of several words, such as the long ones of categories, differ between the two programs.
  throw new RegexpUnsupported(`Slipway does not know the class of characters \\p{${name}}`);
}

/** The scripts of one word, which both programs call the same. */
function scriptName(name: string): string | undefined {
  const script = name.charAt(0).toUpperCase() + name.slice(1);
  return isProperty(`Script=${script}`) && script.length > 4 ? script : undefined;
}

function isProperty(name: string): boolean {
  try {
    return new RegExp(`\\p{${name}}`, 'u').source !== '';
  } catch {
    return false; // that is how the engine says that it has no such property
  }
}
