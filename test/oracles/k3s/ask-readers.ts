import { askProgram } from '../../support/tools/ask-program.ts';
import { toolPath } from '../../support/tools/build-tools.ts';

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

/** Asks gopkg.in/yaml.v2 and Go's regexp, all questions in one run. Needs Go the first time. */
export async function askReaders(
  questions: readonly ReaderQuestion[],
): Promise<readonly ReaderAnswer[]> {
  const lines = questions.map((question) => JSON.stringify(question));
  const answers = await askProgram(await toolPath('k3s-readers', 'oracle'), lines);
  return answers.map((line) => JSON.parse(line) as ReaderAnswer); // written by readers/main.go
}
