import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { writeSampleBundle } from '../../../test/support/sample-files.ts';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { startRegistry } from '../../../test/support/start-registry.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

test('what comes next is for the nodes, by the Lock that they have; after a repair it is the proof', async (t) => {
  const folder = await tempDir(t);
  await writeSampleBundle(folder, 'carried.tar', sampleLock());
  const { host } = await startRegistry(t);
  const site = `apiVersion: slipway.dev/v1alpha1
kind: Site
metadata: {name: plant-7}
spec:
  mode: offline
  sources: single
  registries: {main: {address: "${host}", plainHttp: true, publish: [keep-path]}}
`;
  await writeFile(join(folder, 'site.yaml'), site);
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
