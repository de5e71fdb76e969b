/** `node test/oracles/cri-o/record.ts` asks CRI-O about differences.ts and writes what `npm test` replays. */

import { writeFile } from 'node:fs/promises';
import { askCrio } from './ask-crio.ts';
import { differences } from './differences.ts';

const nodes = Object.entries(differences);
const answers = await askCrio(nodes.map(([, files]) => files));
const cases = nodes.map(([claim, files], at) => ({ claim, files, answer: answers[at] }));
const place = new URL(
  '../../../src/mirrors/registries-conf/testdata/crio-cases.json',
  import.meta.url,
);
await writeFile(place, `${JSON.stringify(cases, null, 2)}\n`);
