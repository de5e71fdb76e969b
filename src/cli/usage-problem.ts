/** What is wrong with a command line; `usage-errors.ts` makes the error of it, with suggestions. */
export type UsageProblem =
  | { readonly kind: 'unknown-command'; readonly words: readonly string[]; readonly depth: number }
  | { readonly kind: 'unknown-option'; readonly typed: string }
  | {
      readonly kind: 'bad-value';
      readonly option: string;
      readonly because: string;
      /** Where one of a few words was wanted. */
      readonly choice?: { readonly typed: string; readonly known: readonly string[] };
    }
  | { readonly kind: 'missing-option'; readonly option: string; readonly summary: string }
  | { readonly kind: 'missing-argument'; readonly name: string; readonly summary: string }
  | { readonly kind: 'extra-argument'; readonly typed: string };
