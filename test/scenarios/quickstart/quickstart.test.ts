/** The main job on a sample release takes less than a minute on two cores, as a user starts it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const folder = fileURLToPath(new URL('../../..', import.meta.url));
const allowedMs = 60_000;

test('npm run quickstart proves all images in less than a minute', async (t) => {
  const started = performance.now();

  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'quickstart'], {
    cwd: folder,
    timeout: 5 * allowedMs,
  });

  const tookMs = performance.now() - started;
  t.diagnostic(`${Math.round(tookMs)} ms`);
  assert.match(stdout, /\n9 of 9 proven\n$/);
  assert.ok(tookMs < allowedMs, `${Math.round(tookMs)} ms`);
});
