import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../bin/slipway.mjs', import.meta.url));

test('an answer that the disk could not take is no success', (t) => {
  if (!existsSync('/dev/full')) return t.skip('this system has no /dev/full');

  const full = openSync('/dev/full', 'w');
  const { status } = spawnSync(process.execPath, [program, 'schema', 'Lock'], {
    stdio: ['ignore', full, 'ignore'],
  });

  assert.equal(status, 74);
});

test('a fault before anything is known ends with 70, not with success', async () => {
  const gone = await mkdtemp(join(tmpdir(), 'slipway-gone-'));
  const script = 'rmdir "$1" && exec "$2" "$3" doctor';

  const { status } = spawnSync('sh', ['-c', script, 'sh', gone, process.execPath, program], {
    cwd: gone,
    stdio: 'ignore',
  });

  assert.equal(status, 70);
});
