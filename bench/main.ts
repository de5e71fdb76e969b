/** `npm run bench`: what things cost beside each other, in one run on one machine, as a Markdown table. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureStart } from '../test/support/start-time.ts';
import { formatRows, type Row, tableHead } from './measure.ts';
import { measurePlanning } from './planning.ts';
import { measureServing } from './serving.ts';
import { measureTransfers } from './transfers.ts';

function measureStarting(): readonly Row[] {
  const { emptyMs, versionMs } = measureStart();
  return [
    { what: 'start', who: 'node -e 0', seconds: emptyMs / 1000 },
    { what: 'start', who: 'slipway --version', seconds: versionMs / 1000 },
  ];
}

const measurements = [
  async () => measureStarting(),
  measureTransfers,
  measureServing,
  measurePlanning,
];
console.log(tableHead);
for (const measure of measurements) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-bench-'));
  try {
    console.log(formatRows(await measure(folder)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
