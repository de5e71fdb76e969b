/** What fails every pull of a registry, the upstream included. */

import type { BadTrustFile } from '../../certificates/trust-files.ts';
import type { Noticed, Origin } from '../../finding.ts';
import { hostsOf, type JudgedRules, keyAt, originAt, registryInWords } from './judged.ts';
import { mendFailed } from './mend-rules.ts';

/** C010, C028, C029, C030. */
export function failures({ rules, registry }: JudgedRules): readonly Noticed[] {
  const { outcome, badFiles } = rules;
  if (outcome.kind !== 'failed') return [];
  const say = (error: string) => `every pull of ${registryInWords(registry)} fails: ${error}`;
  if (badFiles !== undefined) {
    return badFiles.map(({ table, file }) => ({
      ...mendFailed({ kind: 'trust-file', why: file.error.why }),
      origin: originOfFile(rules, table, file),
      message: say(file.error.message),
    }));
  }
  return [{ ...mendFailed(outcome.fault), origin: outcome.origin, message: say(outcome.error) }];
}

/** The word that names the file; the file itself where none does. */
function originOfFile(
  rules: JudgedRules['rules'],
  table: readonly string[],
  { key: name, index, error }: BadTrustFile,
): Origin {
  const read = hostsOf(rules);
  const key = read === undefined ? undefined : keyAt(read.scan, table, name);
  if (read === undefined || key === undefined) return { file: error.path };
  const { value } = key;
  return originAt(read.file, value.kind === 'array' ? (value.items[index] ?? value) : value);
}
