/** Transfers that go wrong: the error names image, cause and code, and what was good is kept. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import test from 'node:test';
import {
  bundledPlace,
  createArguments,
  etcd,
  html,
  Mendable,
  type Misbehaviour,
  mustRun,
  startPlace,
  writeSite,
} from './support/bad-input-place.ts';
import { answer, corruptBlobs, truncateBlobs } from './support/faults.ts';
import { runCli } from './support/run-cli.ts';
import { startRegistry } from './support/start-registry.ts';

const layer = etcd.images[0]?.blobs.at(-1)?.descriptor.digest ?? '';
const layerPath = new RegExp(`^/v2/etcd/blobs/${layer}$`);

const brokenBlobs: readonly Misbehaviour[] = [
  {
    name: 'a body cut short',
    fault: truncateBlobs({ path: layerPath, afterBytes: 10 }),
    code: 'REGISTRY_CONNECTION_LOST',
    exitCode: 69,
  },
  {
    name: 'a body shorter than its descriptor',
    fault: answer({ method: 'GET', path: layerPath, status: 200, body: 'short' }),
    code: 'BLOB_SIZE_MISMATCH',
    exitCode: 69,
  },
  {
    name: 'a body longer than its descriptor',
    fault: answer({ method: 'GET', path: layerPath, status: 200, body: Buffer.alloc(9000) }),
    code: 'BLOB_SIZE_MISMATCH',
    exitCode: 69,
  },
  {
    name: 'a wrong digest',
    fault: corruptBlobs({ path: layerPath }),
    code: 'BLOB_DIGEST_MISMATCH',
    exitCode: 69,
  },
  {
    name: 'a blob that answers HTML',
    fault: answer({ method: 'GET', path: layerPath, status: 200, ...html }),
    code: 'REGISTRY_NOT_A_REGISTRY',
    exitCode: 69,
  },
  {
    name: 'a login that is refused',
    fault: answer({ method: 'GET', path: layerPath, status: 403 }),
    code: 'REGISTRY_DENIED',
    exitCode: 77,
  },
  {
    name: 'a blob that is gone',
    fault: answer({ method: 'GET', path: layerPath, status: 404 }),
    code: 'BLOB_NOT_FOUND',
    exitCode: 69,
  },
];

for (const { name, fault, code, exitCode } of brokenBlobs) {
  for (const bundle of ['sample.bundle', 'sample.tar']) {
    test(`create ${bundle}: ${name} is ${code}; the rest is kept, and no bundle is there`, async (t) => {
      const broken = new Mendable(fault);
      const { folder, registry } = await startPlace(t, {
        faults: [broken.fault],
      });
      await mustRun(folder, 'plan', 'release.yaml', 'policy.yaml');
      const create = [...createArguments, '--own-use', '-o', bundle];

      const failed = await runCli(folder, ...create);
      const files = await readdir(folder);
      broken.mend();
      registry.log.length = 0;
      await mustRun(folder, ...create);

      assert.equal(failed.exitCode, exitCode, failed.stderr);
      assert.match(failed.stderr, new RegExp(`${code}\\n +for +registry\\.k8s\\.io/etcd:3\\.5`));
      assert.match(failed.stderr, /BUNDLE_FETCH_FAILED/);
      assert.ok(!files.includes(bundle));
      const fetched = registry.log.filter(({ method }) => method === 'GET').map(({ url }) => url);
      assert.deepEqual(fetched, [`/v2/etcd/blobs/${layer}`]);
      await mustRun(folder, 'bundle', 'verify', bundle);
    });
  }
}

const pushFaults: readonly Misbehaviour[] = [
  {
    name: 'a login that is asked for',
    fault: answer({ path: /\/blobs\/uploads\//, status: 401 }),
    code: 'REGISTRY_UNAUTHORIZED',
    exitCode: 77,
  },
  {
    name: 'a push that is denied',
    fault: answer({ path: /\/blobs\/uploads\//, status: 403 }),
    code: 'REGISTRY_DENIED',
    exitCode: 77,
  },
];

for (const { name, fault, code, exitCode } of pushFaults) {
  test(`load: ${name} is ${code} with the name of the image; the next load succeeds`, async (t) => {
    const { folder } = await bundledPlace(t);
    const broken = new Mendable(fault);
    const site = await startRegistry(t, {
      faults: [broken.fault],
    });
    await writeSite(folder, site.host);

    const failed = await runCli(folder, 'load', 'sample.bundle', '--site', 'site.yaml');
    broken.mend();
    await mustRun(folder, 'load', 'sample.bundle', '--site', 'site.yaml');

    assert.equal(failed.exitCode, exitCode, failed.stderr);
    assert.match(failed.stderr, new RegExp(`${code}\\n +for +\\S+/platform/etcd:3\\.5`));
    assert.match(failed.stderr, /2 of 2 names did not get into main/);
  });
}
