import assert from 'node:assert/strict';
import test from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { writeSampleBundle, writeSite } from '../../../test/support/sample-files.ts';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { startRegistry } from '../../../test/support/start-registry.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

test('what comes next is for the nodes, by the Lock that they have; after a repair it is the proof', async (t) => {
  const folder = await tempDir(t);
  await writeSampleBundle(folder, 'carried.tar', sampleLock());
  const { host } = await startRegistry(t);
  await writeSite(folder, `{address: "${host}", plainHttp: true, publish: [keep-path]}`);
  const load = ['load', 'carried.tar', '--site', 'site.yaml'];

  const loaded = await runCli(folder, ...load);
  const repaired = await runCli(folder, ...load, '--only', 'pause', '--recheck');

  assert.match(
    loaded.stdout,
    /next, on each node and not here: slipway mirrors write --lock sample\.lock\.yaml --site site\.yaml --root \/\n/,
  );
  assert.match(
    repaired.stdout,
    /next, on the node that failed: slipway prove sample\.lock\.yaml --site site\.yaml --root \/\n/,
  );
});
