/**
 * Asks Talos about `differences.ts` again and writes what `npm test` replays without Go:
 * `node test/oracles/talos/record.ts`.
 */

import { writeFile } from 'node:fs/promises';
import { differences } from './differences.ts';
import { lines, realAnswers } from './lines.ts';

const configs = Object.entries(differences);
const cases = [];
for (const line of lines) {
  const answers = await realAnswers(
    line,
    configs.map(([, text]) => text),
  );
  for (const [at, [claim, text]] of configs.entries()) {
    cases.push({ claim, version: line.version, text, answer: answers[at] });
  }
}
const place = new URL('../../../src/mirrors/talos/testdata/oracle-cases.json', import.meta.url);
await writeFile(place, `${JSON.stringify(cases, null, 2)}\n`);
