/** One piece of a command line. `value` of an option is text that was given with it. */
export type Piece =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'option'; readonly typed: string; readonly value: string | undefined };

/** What the options are, as far as splitting needs it: their letters, and which of them take a value. */
export type OptionKinds = Readonly<
  Record<string, { readonly kind: string; readonly short?: string | undefined }>
>;

/**
 * Splits arguments into words and options the POSIX way: `--name value`, `--name=value`, `-n value`,
 * `-nvalue`, `-qh`; `--` ends the options and `-` is a word.
 *
 * Instead of `util.parseArgs`, since importing node:util takes longer than all of this program's own
 * start (docs/adr/0007). A value that starts with `-` must be written with `=`.
 */
export function splitArguments(args: readonly string[], kinds: OptionKinds): readonly Piece[] {
  const pieces: Piece[] = [];
  const waiting = [...args];
  for (let arg = waiting.shift(); arg !== undefined; arg = waiting.shift()) {
    if (arg === '--') return [...pieces, ...waiting.map(word)];
    if (arg === '-' || !arg.startsWith('-')) pieces.push(word(arg));
    else if (arg.startsWith('--')) pieces.push(longOption(arg, waiting, kinds));
    else pieces.push(...shortOptions(arg, waiting, kinds));
  }
  return pieces;
}

/** The name of the option behind `--name` or `-n`, or undefined. */
export function optionName(typed: string, kinds: OptionKinds): string | undefined {
  if (typed.startsWith('--')) {
    const name = typed.slice(2);
    return Object.hasOwn(kinds, name) ? name : undefined;
  }
  return Object.keys(kinds).find((name) => kinds[name]?.short === typed.slice(1));
}

function longOption(arg: string, waiting: string[], kinds: OptionKinds): Piece {
  const equals = arg.indexOf('=');
  if (equals !== -1) {
    return { kind: 'option', typed: arg.slice(0, equals), value: arg.slice(equals + 1) };
  }
  const value = takesValue(arg, kinds) ? nextValue(waiting) : undefined;
  return { kind: 'option', typed: arg, value };
}

function shortOptions(arg: string, waiting: string[], kinds: OptionKinds): Piece[] {
  const pieces: Piece[] = [];
  const letters = arg.slice(1);
  for (const [index, letter] of [...letters].entries()) {
    const typed = `-${letter}`;
    if (!takesValue(typed, kinds)) {
      pieces.push({ kind: 'option', typed, value: undefined });
      continue;
    }
    const value = letters.slice(index + 1) || nextValue(waiting);
    return [...pieces, { kind: 'option', typed, value }];
  }
  return pieces;
}

function takesValue(typed: string, kinds: OptionKinds): boolean {
  const name = optionName(typed, kinds);
  return name !== undefined && kinds[name]?.kind !== 'flag';
}

/** `-o --json` is a forgotten value, not a file of that name. */
function nextValue(waiting: string[]): string | undefined {
  const [next] = waiting;
  return next === undefined || (next.startsWith('-') && next !== '-') ? undefined : waiting.shift();
}

function word(text: string): Piece {
  return { kind: 'word', text };
}
