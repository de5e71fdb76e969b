import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** What is asked of Go's standard library; `name` only for `match`. */
export interface GoQuestion {
  readonly kind: 'url' | 'host and port' | 'duration' | 'clean path' | 'match' | 'base64' | 'quote';
  readonly text: string;
  readonly name?: string;
}

/** Its error, or what it found: texts as bytes, one character each. */
export interface GoAnswer {
  readonly error?: string;
  readonly texts: readonly string[];
}

/** All questions in one run of program/main.go. Needs Go. */
export function askGo(questions: readonly GoQuestion[]): readonly GoAnswer[] {
  const output = execFileSync('go', ['run', '-mod=readonly', '.'], {
    cwd: join(import.meta.dirname, 'program'),
    // What programs have whose go.mod is from before Go 1.26: most of those that we simulate.
    env: { ...process.env, GODEBUG: 'urlstrictcolons=0' },
    input: questions.map((question) => `${JSON.stringify(question)}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const answers = output
    .trim()
    .split('\n')
    // Written by program/main.go; no texts are null.
    .map((line) => JSON.parse(line) as { error?: string; texts: readonly string[] | null });
  return answers.map(({ error, texts }) => ({
    ...(error !== undefined && { error }),
    texts: (texts ?? []).map((text) => Buffer.from(text, 'base64').toString('latin1')),
  }));
}
