/** `node test/oracles/docker/record.ts` asks all versions about differences.ts and writes what `npm test` replays. */

import { writeFile } from 'node:fs/promises';
import { scratchFolder } from '../../support/tools/scratch-folder.ts';
import { askDocker } from './ask-docker.ts';
import { buildDocker } from './build-docker.ts';
import { differences } from './differences.ts';
import { dockerLines } from './lines.ts';

await using folder = await scratchFolder();
const recorded = [];
for (const line of dockerLines) {
  const place = `${folder.path}/${line.version}`;
  const program = await buildDocker(line, place);
  const answers = await askDocker(
    program,
    place,
    differences.map(([, world]) => world),
  );
  for (const [index, [claim, world]] of differences.entries()) {
    recorded.push({ claim, version: line.version, world, answer: answers[index] });
  }
}
const target = new URL('../../../src/mirrors/docker/testdata/oracle-cases.json', import.meta.url);
await writeFile(target, `${JSON.stringify(recorded, undefined, 2)}\n`);
