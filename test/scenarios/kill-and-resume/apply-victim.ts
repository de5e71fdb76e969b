/** A process that changes a node: `apply-victim.ts ROOT apply CALL` kills itself before that call; `undo` takes back. */
import { undoLastChange } from '../../../src/mirrors/write/change-node.ts';
import { writeMirrors } from '../../../src/mirrors/write/write-mirrors.ts';
import { startRun } from '../../../src/shared/run.ts';
import { countedDisk } from '../../support/dying-disk.ts';
import { mirrorsRequest } from '../../support/mirror-node.ts';

const [root = '', what = '', at = ''] = process.argv.slice(2);
const { disk } = countedDisk(async (call) => {
  if (call === 0) process.stdout.write('begun\n');
  if (String(call) === at) process.kill(process.pid, 'SIGKILL');
});
if (what === 'undo') await undoLastChange(root, disk);
else await writeMirrors(mirrorsRequest(root, { replaceForeign: true, disk }), startRun());
