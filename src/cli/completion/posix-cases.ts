/** What the scripts for bash and zsh have in common: both are shells of the POSIX family. */
import type { Place, Values } from './words.ts';

/** How a shell offers values, as a command of its own. */
type Offer = (values: Values) => string;

/** A word that the shell takes as it is: `it's` → `'it'\''s'`. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The pattern of all names of commands and groups, for `case`. */
export function namesPattern(places: readonly Place[]): string {
  return places.flatMap(({ name }) => (name === '' ? [] : [quoted(name)])).join('|');
}

/** A case for each option that takes a value: `'plan:--output'|'plan:-o') …; return ;;`. */
export function optionCases(places: readonly Place[], offer: Offer): string {
  return places.flatMap((place) => casesOf(place, offer)).join('\n');
}

function casesOf(place: Place, offer: Offer): readonly string[] {
  return place.options.flatMap(({ long, short, values }) => {
    if (values === undefined) return [];
    const patterns = [long, short ?? []].flat().map((word) => quoted(`${place.name}:${word}`));
    return [`    ${patterns.join('|')}) ${offer(values)}; return ;;`];
  });
}

/** The case of one place: its words, and its operands unless an option is being typed. */
export function placeCase(name: string, list: string, otherwise?: PlaceOperands): string {
  const body =
    otherwise === undefined
      ? list
      : `if ${otherwise.isOption}; then ${list}; else ${otherwise.offer}; fi`;
  return `    ${quoted(name)}) ${body} ;;`;
}

/** How a shell asks whether an option is being typed, and what it offers if not. */
interface PlaceOperands {
  readonly isOption: string;
  readonly offer: string;
}
