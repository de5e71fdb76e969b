import type { Match } from './machine.ts';
import { parseRegexp } from './parse.ts';
import { compileProgram, type RegexpProgram } from './program.ts';
import { RegexpFault, RegexpUnsupported } from './syntax.ts';

/**
 * A compiled pattern, or why there is none: `invalid` in Go's own words, `unsupported` where Go would take the
 * pattern and Slipway does not simulate it.
 */
export type GoRegexp =
  | {
      readonly kind: 'compiled';
      readonly groupNames: readonly string[];
      /** regexp.ReplaceAllString; an {@link Unsupported} where it would take too long. */
      replaceAll(text: string, template: string): string | Unsupported;
      matches(text: string): boolean | Unsupported;
    }
  | { readonly kind: 'invalid'; readonly error: string }
  | Unsupported;

/** What cannot be simulated, with the reason. */
export interface Unsupported {
  readonly kind: 'unsupported';
  readonly reason: string;
}

/**
 * Compiles a pattern with the rules of Go's regexp package: `^rancher/(.*)` and `x/$1` make `x/app` of
 * `rancher/app`. Linear in the text for every pattern, so hostile ones do no harm.
 */
export function compileGoRegexp(pattern: string): GoRegexp {
  try {
    const parsed = parseRegexp(pattern);
    const program = compileProgram(parsed);
    const { groupNames } = parsed;
    return {
      kind: 'compiled',
      groupNames,
      replaceAll: (text, template) =>
        guarded(() => replaceAll(program, { text, template, groupNames })),
      matches: (text) => guarded(() => program.search(Array.from(text), 0) !== undefined),
    };
  } catch (error) {
    if (error instanceof RegexpFault) return { kind: 'invalid', error: error.message };
    return unsupported(error);
  }
}

function guarded<T>(work: () => T): T | Unsupported {
  try {
    return work();
  } catch (error) {
    return unsupported(error);
  }
}

function unsupported(error: unknown): Unsupported {
  if (!(error instanceof RegexpUnsupported)) throw error;
  return { kind: 'unsupported', reason: error.message };
}

interface Replacing {
  readonly text: string;
  readonly template: string;
  readonly groupNames: readonly string[];
}

/** regexp.replaceAll: no empty match right behind another one. */
function replaceAll(program: RegexpProgram, { text, template, groupNames }: Replacing): string {
  const chars = Array.from(text);
  let [result, lastEnd, from] = ['', 0, 0];
  while (from <= chars.length) {
    const match = program.search(chars, from);
    if (match === undefined) break;
    const [start = 0, end = 0] = match;
    result += chars.slice(lastEnd, start).join('');
    if (end > lastEnd || start === 0) result += expand(template, { chars, match, groupNames });
    lastEnd = end;
    from = Math.max(from + 1, end);
  }
  return result + chars.slice(lastEnd).join('');
}

interface Matched {
  readonly chars: readonly string[];
  readonly match: Match;
  readonly groupNames: readonly string[];
}

/** What a template refers to by `$name`, `${name}` or a number. */
const reference = /\$(?:\$|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu;

/** regexp.Expand: an unknown group is empty, and what is no reference stays. */
function expand(template: string, matched: Matched): string {
  return template.replaceAll(reference, (whole, braced?: string, bare?: string) => {
    const name = braced ?? bare;
    return name === undefined ? whole.slice(1) : groupText(name, matched);
  });
}

function groupText(name: string, { chars, match, groupNames }: Matched): string {
  const number = groupNumber(name);
  const index =
    number ?? groupNames.findIndex((one, at) => one === name && (match[at * 2] ?? -1) >= 0);
  const [start = -1, end = -1] = [match[index * 2], match[index * 2 + 1]];
  return start < 0 ? '' : chars.slice(start, end).join('');
}

/** A number without leading zeros, or undefined for a name. */
function groupNumber(name: string): number | undefined {
  return /^(?:0|[1-9][0-9]{0,8})$/.test(name) ? Number(name) : undefined;
}

/** The references of a template by their names, in order: `x/$1-${o}` → `1`, `o`. */
export function templateGroups(template: string): readonly string[] {
  return Array.from(
    template.matchAll(reference),
    ([, braced, bare]) => braced ?? bare ?? '',
  ).filter((name) => name !== '');
}
