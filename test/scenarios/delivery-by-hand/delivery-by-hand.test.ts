/**
 * What the other scenarios stand on, shown without the product: images are copied with crane and the
 * rules are written by hand. A node that follows closed rules leaves the hub's counter and the name
 * server's log empty; a node with one open rule does not, so an empty log means something.
 */
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { startHub } from '../../support/netns/hub.ts';
import { outsideAddress, startFakeNameServer } from '../../support/netns/name-server.ts';
import { certsFolder, dropInFolder, startNode } from '../../support/netns/node.ts';
import { execInContainer } from '../../support/netns/run-container.ts';
import { scratchFolder } from '../../support/tools/scratch-folder.ts';
import { startSiteRegistry } from '../../support/tools/site-registry.ts';
import { busyboxImage, pauseImage, upstreamHosts } from '../../support/tools/upstream-images.ts';
import { startUpstreams } from '../../support/tools/upstreams.ts';

test('a delivery by hand reaches a node without a way out', { timeout: 600_000 }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await scratchFolder()).path;
  const hub = stack.use(await startHub());
  const nameServer = stack.use(await startFakeNameServer(hub.machineAddress));
  const site = stack.use(await startSiteRegistry(join(folder, 'site'), hub.machineAddress));
  const upstreams = stack.use(await startUpstreams(join(folder, 'upstreams')));
  const names = upstreams.images.map((image) => image.name);

  await t.test('crane copies every image from the upstreams', async () => {
    for (const name of names) await site.copyFrom(upstreams, name);
    await upstreams[Symbol.asyncDispose]();
  });

  const node = stack.use(
    await startNode({
      hub,
      folder: join(folder, 'node'),
      name: 'node',
      hosts: { [site.host]: hub.machineAddress },
      configure: async (root) => {
        await writeFile(join(root, dropInFolder, 'registries.toml'), dropIn);
        for (const host of upstreamHosts)
          await writeRule(root, host, closedRule(site.url), site.ca);
      },
    }),
  );

  for (const image of upstreams.images) {
    await t.test(`containerd pulls ${image.name} by tag and by digest`, async () => {
      const byDigest = `${image.name.replace(/:[^:/]+$/, '')}@${image.content.descriptor.digest}`;

      await node.crictl('pull', image.name);
      await node.crictl('rmi', image.name);
      await node.crictl('pull', byDigest);
    });
  }

  await t.test('a container of the BusyBox image runs', async () => {
    await node.crictl('pull', busyboxImage);

    const output = await execInContainer(node, busyboxImage, ['/bin/busybox', 'echo', 'hello']);

    assert.equal(output.trim(), 'hello');
  });

  await t.test('containerd asked the registry of the site and nobody else', async () => {
    const asked = node.requests().map(({ url }) => url.origin);

    assert.deepEqual([...new Set(asked)], [site.url]);
    assert.ok(asked.length > 4 * names.length);
    assert.deepEqual(nameServer.queries(), []);
    assert.deepEqual(await hub.drops(), { packets: 0, destinations: [] });
  });

  await t.test('an open rule is seen by the name server and by the hub', async () => {
    await writeRule(node.root, 'docker.io', openRule(site.url), site.ca);

    await assert.rejects(
      node.crictl('pull', '--pull-timeout', '20s', 'docker.io/library/absent:1'),
    );

    assert.ok(nameServer.queries().includes('registry-1.docker.io'));
    assert.deepEqual((await hub.drops()).destinations, [outsideAddress]);
  });
});

const dropIn = `version = 3
[plugins."io.containerd.cri.v1.images".pinned_images]
  sandbox = "${pauseImage}"
[plugins."io.containerd.cri.v1.images".registry]
  config_path = "/${certsFolder}"
`;

const closedRule = (url: string) => `server = "${url}"
capabilities = ["pull", "resolve"]
ca = "ca.pem"

[host]
`;

const openRule = (url: string) => `[host."${url}"]
  capabilities = ["pull", "resolve"]
  ca = "ca.pem"
`;

async function writeRule(root: string, host: string, rule: string, ca: string) {
  const folder = join(root, certsFolder, host);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await writeFile(join(folder, 'ca.pem'), ca);
  await writeFile(join(folder, 'hosts.toml'), rule);
}
