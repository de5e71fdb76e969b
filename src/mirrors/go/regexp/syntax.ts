/** What a regular expression of Go is made of once it is parsed. */

/** Tests one character. */
export type CharTest = (char: string) => boolean;

/** A node; `caseless` literals and classes hold their folding in the test already. */
export type Regexp =
  | { readonly op: 'empty' }
  | { readonly op: 'char'; readonly test: CharTest }
  | { readonly op: 'assert'; readonly what: Assertion }
  | { readonly op: 'capture'; readonly index: number; readonly sub: Regexp }
  | { readonly op: 'concat' | 'alternate'; readonly subs: readonly Regexp[] }
  | {
      readonly op: 'repeat';
      readonly sub: Regexp;
      readonly min: number;
      /** -1 for no limit. */
      readonly max: number;
      readonly isLazy: boolean;
    };

/** A place between two characters. */
export type Assertion =
  | 'text-start'
  | 'text-end'
  | 'line-start'
  | 'line-end'
  | 'word-boundary'
  | 'no-word-boundary';

/** A parsed expression; group 0 is the whole match, and unnamed groups have the name ''. */
export interface ParsedRegexp {
  readonly root: Regexp;
  readonly groupNames: readonly string[];
}

/** Why Go does not compile a pattern: `missing closing ): ` and the pattern. */
export class RegexpFault extends Error {
  constructor(code: string, part: string) {
    super(`error parsing regexp: ${code}: \`${part}\``);
  }
}

/** A pattern that Go compiles and Slipway does not read, with the reason. */
export class RegexpUnsupported extends Error {}
