/** A process that changes a node: `apply-victim.ts ROOT STEP` kills itself before that step. */
import { writeMirrors } from '../../../src/mirrors/write/write-mirrors.ts';
import { startRun } from '../../../src/shared/run.ts';
import { mirrorsRequest } from '../../support/mirror-node.ts';

const [root = '', at = ''] = process.argv.slice(2);
let step = 0;
await writeMirrors(
  mirrorsRequest(root, {
    replaceForeign: true,
    beforeStep: async () => {
      if (step === 0) process.stdout.write('begun\n');
      if (String(step) === at) process.kill(process.pid, 'SIGKILL');
      step += 1;
    },
  }),
  startRun(),
);
