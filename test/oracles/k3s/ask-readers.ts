import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** What is asked: how a text decodes, or what a rewrite makes of a name. */
export type ReaderQuestion =
  | { readonly yaml: string }
  | { readonly pattern: string; readonly replacement: string; readonly text: string };

/** One answer of readers/main.go. */
export interface ReaderAnswer {
  readonly error?: string;
  readonly parsed?: unknown;
  readonly text?: string;
}

/** Asks gopkg.in/yaml.v2 and Go's regexp, all questions in one run. Needs Go. */
export function askReaders(questions: readonly ReaderQuestion[]): readonly ReaderAnswer[] {
  const output = execFileSync('go', ['run', '-mod=readonly', '.'], {
    cwd: join(import.meta.dirname, 'readers'),
    input: questions.map((question) => `${JSON.stringify(question)}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ReaderAnswer); // written by readers/main.go
}
