/** One bundle fills a registry under four kinds of names; every byte goes over the wire once. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { digestOf } from '../../../src/oci/digest.ts';
import { bundleRelease } from '../../support/delivery/bundle-release.ts';
import { writeSite } from '../../support/delivery/documents.ts';
import { sizesOf, uniqueBytes } from '../../support/delivery/lock-sizes.ts';
import { slipway } from '../../support/delivery/slipway.ts';
import { readUploads } from '../../support/delivery/uploads.ts';
import { toolPath } from '../../support/tools/build-tools.ts';
import { startDockerRegistry } from '../../support/tools/docker-registry.ts';
import { freePort } from '../../support/tools/free-port.ts';
import { runProgram } from '../../support/tools/run-program.ts';
import { scratchFolder } from '../../support/tools/scratch-folder.ts';
import { startServedRegistry } from '../../support/tools/served-registry.ts';
import { startSiteRegistry } from '../../support/tools/site-registry.ts';
import { pauseImage } from '../../support/tools/upstream-images.ts';

const publish = ['keep-path', 'flat', 'keep-host', 'projects'] as const;

/** Under which names two images must be found, in the order of `publish`. */
const expected = {
  'pause:3.10.1': [
    'platform/pause',
    'platform/pause',
    'platform/registry.k8s.io/pause',
    'upstream/pause',
  ],
  'console-website:v26.03': [
    'platform/openfuyao/console-website',
    'platform/console-website',
    'platform/hub.oepkgs.net/openfuyao/console-website',
    'shared/openfuyao/console-website',
  ],
};

const kinds = [
  ['docker-registry', startDockerRegistry],
  ['slipway registry serve', startServedRegistry],
] as const;

test('a bundle is loaded in all four layouts', { timeout: 900_000 }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await scratchFolder()).path;
  const { lock, bundle } = await bundleRelease(folder);
  const sizes = sizesOf(lock);

  await t.test('skopeo, oras and crane read the bundle without Slipway', async () => {
    const pause = lock.spec.images.find(({ name }) => name === pauseImage);
    assert.ok(pause);
    const { digest } = pause.target;
    const crane = await toolPath('crane', 'crane');
    const oras = await toolPath('oras', 'oras');

    const bySkopeo = await runProgram([
      'skopeo',
      'inspect',
      '--raw',
      `oci:${bundle}:${pause.name}`,
    ]);
    const byOras = await runProgram([
      oras,
      ...['manifest', 'fetch', '--oci-layout', `${bundle}@${digest}`],
    ]);

    assert.equal(digestOf(bySkopeo.stdout), digest);
    assert.equal(digestOf(byOras.stdout), digest);
    await using registry = await startServedRegistry({
      folder: join(folder, 'by-crane'),
      host: '127.0.0.1',
      port: await freePort(),
    });
    await runProgram([crane, 'push', '--index', bundle, `${registry.address}/all:1`]);
    const pushed = await runProgram([crane, 'manifest', `${registry.address}/all@${digest}`]);
    assert.equal(digestOf(pushed.stdout), digest);
  });

  for (const [kind, start] of kinds) {
    await t.test(`into ${kind}, each blob sent once`, async () => {
      const place = join(folder, kind.replaceAll(' ', '-'));
      await mkdir(place);
      await using site = await startSiteRegistry(place, '127.0.0.1', start);
      const { address } = site.registry;
      const siteFile = await writeSite(place, {
        nodes: address,
        machine: address,
        caFile: site.caFile,
        publish,
      });

      await slipway(['load', bundle, '--site', siteFile]);

      const first = readUploads(site.registry.requests());
      const sent = first.digests.reduce((sum, digest) => sum + (sizes.get(digest) ?? 0), 0);
      const unknown = first.digests.filter((digest) => !sizes.has(digest));
      assert.deepEqual({ unknown, abandoned: first.abandoned }, { unknown: [], abandoned: 0 });
      assert.ok(sent <= 1.02 * uniqueBytes(sizes), `${sent} of ${uniqueBytes(sizes)} bytes`);
      assert.ok(first.mounts > 0);

      await slipway(['load', bundle, '--site', siteFile]);

      const second = readUploads(site.registry.requests());
      assert.deepEqual(second.digests, first.digests, 'a second load sends nothing');
      await findByEveryName(address, site.caFile, lock.spec.images);
    });
  }
});

/** Asks the registry with crane, which knows nothing of Slipway. */
async function findByEveryName(
  address: string,
  caFile: string,
  images: readonly { readonly name: string; readonly target: { readonly digest: string } }[],
): Promise<void> {
  const crane = await toolPath('crane', 'crane');
  for (const [last, repositories] of Object.entries(expected)) {
    const image = images.find(({ name }) => name.endsWith(`/${last}`));
    const tag = last.slice(last.indexOf(':'));
    for (const repository of repositories) {
      const found = await runProgram([crane, 'digest', `${address}/${repository}${tag}`], {
        env: { SSL_CERT_FILE: caFile },
      });
      assert.equal(found.stdout.trim(), image?.target.digest, repository);
    }
  }
}
