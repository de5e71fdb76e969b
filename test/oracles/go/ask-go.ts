import { askProgram } from '../../support/tools/ask-program.ts';
import { toolPath } from '../../support/tools/build-tools.ts';

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

/** What programs have whose go.mod is from before Go 1.26: most of those that we simulate. */
const env = { GODEBUG: 'urlstrictcolons=0' };

/** All questions in one run of program/main.go. Needs Go the first time. */
export async function askGo(questions: readonly GoQuestion[]): Promise<readonly GoAnswer[]> {
  const lines = questions.map((question) => JSON.stringify(question));
  const answers = await askProgram(await toolPath('go-values', 'oracle'), lines, { env });
  return answers.map((line) => {
    // Written by program/main.go; no texts are null.
    const { error, texts } = JSON.parse(line) as {
      error?: string;
      texts: readonly string[] | null;
    };
    return {
      ...(error !== undefined && { error }),
      texts: (texts ?? []).map((text) => Buffer.from(text, 'base64').toString('latin1')),
    };
  });
}
