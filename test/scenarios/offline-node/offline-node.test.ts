/**
 * The main road: from a Release to a node without a way out. `slipway prove` says beforehand what a
 * real containerd then does; and when something is broken on purpose, both still say the same.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type OfflineSite, prepareOfflineSite } from '../../support/delivery/offline-site.ts';
import { execInContainer } from '../../support/netns/run-container.ts';
import { hostArchitecture } from '../../support/tools/build-tools.ts';
import { busyboxImage } from '../../support/tools/upstream-images.ts';
import { breakages } from './breakages.ts';

test('an offline node gets everything from the site', { timeout: 1_500_000 }, async (t) => {
  await using site = await prepareOfflineSite();
  const { lock, node, hub, nameServer, firstProof } = site;

  await t.test('prove says before the first pull that all images are there', () => {
    const verdicts = firstProof.results.map(({ verdict }) => verdict.kind);

    assert.equal(firstProof.totals.images, lock.spec.images.length);
    assert.equal(verdicts.length, lock.spec.images.length * lock.spec.platforms.length);
    assert.deepEqual([...new Set(verdicts)], ['proven']);
  });

  for (const image of lock.spec.images) {
    await t.test(`containerd pulls ${image.name} by tag and by digest`, async () => {
      assert.deepEqual(await site.pull(image), pulledFromTheSite);
    });
  }

  await t.test('a container of the BusyBox image runs', async () => {
    await node.crictl('pull', busyboxImage);

    const output = await execInContainer(node, busyboxImage, ['/bin/busybox', 'echo', 'hello']);

    assert.equal(output.trim(), 'hello');
  });

  await t.test('nobody asked for a name and no packet left', async () => {
    assert.deepEqual(nameServer.queries(), []);
    assert.deepEqual(await hub.drops(), { packets: 0, destinations: [] });
  });

  for (const breakage of breakages) {
    await t.test(`prove and containerd agree when ${breakage.name}`, async () => {
      await breakage.inflict(site);

      const seen = await compare(site);

      assert.deepEqual(seen.proven, seen.real);
      assert.deepEqual(failedNames(seen.proven), breakage.hits(names(site)));
      await breakage.repair(site);
    });
  }

  await t.test('after the repairs everything is proven again', async () => {
    assert.deepEqual(failedNames((await compare(site)).proven), []);
  });
});

const pulledFromTheSite = { byTag: true, byDigest: true, strangers: [], left: false, errors: [] };

const names = (site: OfflineSite) => site.lock.spec.images.map((image) => image.name);

type Verdicts = Readonly<Record<string, boolean>>;

function failedNames(verdicts: Verdicts): readonly string[] {
  return Object.keys(verdicts).filter((name) => verdicts[name] !== true);
}

/** What prove says of each image for this machine's platform, and what containerd makes of it. */
async function compare(site: OfflineSite): Promise<{ proven: Verdicts; real: Verdicts }> {
  const report = await site.prove();
  const platform = `linux/${hostArchitecture}`;
  const proven = report.results
    .filter((result) => result.platform === platform)
    .map(({ image, verdict }) => [image, verdict.kind === 'proven'] as const);
  const real: [string, boolean][] = [];
  const pulls = await pullAll(site);
  const silentPulls = await site.registry.whileSilent(() => pullAll(site));
  for (const [index, name] of names(site).entries()) {
    const pull = pulls[index];
    const stays = [pull, silentPulls[index]].every(
      (each) => each !== undefined && !each.left && each.strangers.length === 0,
    );
    real.push([name, pull?.byTag === true && pull.byDigest && stays]);
  }
  return { proven: Object.fromEntries(proven), real: Object.fromEntries(real) };
}

async function pullAll(site: OfflineSite) {
  const pulls = [];
  for (const image of site.lock.spec.images) pulls.push(await site.pull(image));
  return pulls;
}
