import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import fc from 'fast-check';
import { type FakeServer, startFakeServer } from '../../test/support/fake-server.ts';
import { faultFor } from '../../test/support/faults.ts';
import { fillRegistry } from '../../test/support/fill-registry.ts';
import type { MemoryNodeOptions } from '../../test/support/memory-node.ts';
import { passwordOf } from '../../test/support/open-client.ts';
import {
  failureAt,
  failureIn,
  offlineSite,
  proveSample,
  rulesTo,
  sampleImages,
  spoiledRegistry,
  verdictOn,
} from '../../test/support/prove-sample.ts';
import { sampleLock } from '../../test/support/sample-lock.ts';
import { startRegistry, type TestRegistry } from '../../test/support/start-registry.ts';
import type { Lock } from '../release/lock.ts';

/** Stands for everything outside; whoever connects has left the site. */
async function outside(t: TestContext): Promise<FakeServer> {
  const server = await startFakeServer(t, (_request, response) => response.writeHead(200).end());
  t.after(() => assert.equal(server.connections(), 0, 'a request left the site'));
  return server;
}

/** The sample Lock with images of one upstream, whose path and tag stay. */
function lockOf(upstream: string): Lock {
  const { lock } = sampleLock();
  const images = lock.spec.images.map((image) => ({
    ...image,
    name: image.name.replace(/^[^/]+/, upstream),
  }));
  return { ...lock, spec: { ...lock.spec, images } };
}

/** Proves all images of an upstream in a closed site with one full registry. */
async function proveClosed(
  t: TestContext,
  rules: (site: TestRegistry, upstream: string) => MemoryNodeOptions,
) {
  const [site, upstream] = [await startRegistry(t), await outside(t)];
  await fillRegistry(site, sampleLock());
  const lock = lockOf(upstream.host);
  const report = await proveSample(t, {
    lock,
    site: offlineSite(site.host),
    configuration: { sandbox: `${upstream.host}/pause:3.9`, ...rules(site, upstream.host) },
  });
  const failure = failureIn(verdictOn(report, `${upstream.host}/pause:3.9`));
  return { report, failure, site, upstream };
}

for (const version of ['1.7.34', '2.1.1'] as const) {
  test(`${version}: a registry without any rule falls open`, async (t) => {
    const { report, failure, upstream } = await proveClosed(t, () => ({ version }));

    assert.equal(failure.kind, 'falls-open');
    assert.equal(failure.kind === 'falls-open' && failure.host, upstream.host);
    assert.match(failure.because[0] ?? '', /no rule for 127\.0\.0\.1:\d+ is read/);
    assert.deepEqual(failure.do[0], 'write rules');
    assert.deepEqual([report.totals.proven, report.totals.requests], [0, 0]);
  });

  test(`${version}: a mirror that would serve all of it does not close the chain`, async (t) => {
    const { failure, site } = await proveClosed(t, ({ url }, upstream) => ({
      version,
      hosts: { [upstream]: `[host."${url}"]\n` },
    }));

    assert.equal(failure.kind, 'falls-open');
    assert.match(failure.because[0] ?? '', /hosts\.toml(:\d+)? names no server/);
    assert.deepEqual(site.log, []);
  });

  test(`${version}: a hosts.toml that does not parse falls open, with its line`, async (t) => {
    const { failure } = await proveClosed(t, ({ url }, upstream) => ({
      version,
      hosts: { [upstream]: `server = "${url}"\n[host.\n` },
    }));

    assert.equal(failure.kind, 'falls-open');
    assert.match(failure.because.join('\n'), /hosts\.toml:2:\d+, C002/);
  });
}

test('a file with a wrong name is the reason, and writing the rules is all there is to do', async (t) => {
  const { failure } = await proveClosed(t, ({ url }, upstream) => ({
    files: { [`/etc/containerd/certs.d/${upstream}/hosts.yaml`]: `server: ${url}` },
  }));

  assert.equal(failure.summary, 'the node would leave the site');
  assert.match(failure.because.join('\n'), /hosts\.yaml is not a file that containerd reads/);
  assert.deepEqual(failure.do, ['write rules']);
});

test('rules in a table that this version does not read fall open (C018)', async (t) => {
  const main = [
    'version = 3',
    '[plugins."io.containerd.grpc.v1.cri".registry]',
    'config_path = "/etc/containerd/certs.d"',
  ].join('\n');

  const { failure } = await proveClosed(t, ({ url }, upstream) => ({
    hosts: { [upstream]: `server = "${url}"\n[host]\n` },
    files: { '/etc/containerd/config.toml': main },
  }));

  assert.equal(failure.kind, 'falls-open');
  assert.match(failure.because.join('\n'), /C018/);
});

test('a configuration with which the CRI plugin does not load is refused (C019)', async (t) => {
  const { failure } = await proveClosed(t, ({ url }, upstream) => ({
    registrySettings: `[plugins."io.containerd.cri.v1.images".registry.mirrors."${upstream}"]\nendpoint = ["${url}"]`,
  }));

  assert.equal(failure.kind, 'configuration-refused');
  assert.match(failure.because.join('\n'), /C019/);
});

test('a mirror outside is named with its line', async (t) => {
  const { failure, upstream } = await proveClosed(t, ({ url }, host) => ({
    hosts: { [host]: `server = "${url}"\n\n[host."http://${host}"]\n` },
  }));

  assert.match(
    failure.because[0] ?? '',
    new RegExp(`hosts\\.toml:3:1 names the mirror ${upstream.host}`),
  );
});

test('one path that falls open does not keep the other images from being proven', async (t) => {
  const site = await spoiledRegistry(t);
  const { 'registry.k8s.io': rules = '' } = rulesTo(site.url);

  const report = await proveSample(t, {
    site: offlineSite(site.host),
    configuration: { hosts: { 'registry.k8s.io': rules } },
  });

  assert.equal(verdictOn(report, sampleImages.pause).kind, 'proven');
  assert.equal(verdictOn(report, sampleImages.app).kind, 'falls-open');
  assert.deepEqual([report.totals.proven, report.totals.failed], [1, 1]);
});

test('a redirect out of the site is not followed, and fails the image', async (t) => {
  const storage = await outside(t);
  const redirect = faultFor({ path: /\/v2\/pause\/blobs\// }, (request, response) => {
    request.resume();
    response.writeHead(307, { location: `${storage.url}${request.url}` }).end();
  });
  const site = await spoiledRegistry(t, { faults: [redirect] });

  const failure = await failureAt(t, site);

  assert.equal(failure.kind, 'falls-open');
  assert.match(failure.summary, new RegExp(`sends the node on to ${storage.host}`));
  assert.match(failure.do.join('\n'), /add .* to "allow"/);
});

test('a token server outside the site gets no credentials, and fails the image', async (t) => {
  const tokens = await outside(t);
  const site = await startFakeServer(t, (_request, response) => {
    const challenge = `Bearer realm="${tokens.url}/token",service="x"`;
    return response.writeHead(401, { 'www-authenticate': challenge }).end();
  });

  const failure = await failureAt(t, site, {
    pullSecrets: { credentialFor: async () => passwordOf('ann', 'secret') },
  });

  assert.equal(failure.kind, 'falls-open');
});

test('whatever the chain: with a host outside, nothing is proven and nothing is sent there', async (t) => {
  const [site, upstream] = [await startRegistry(t), await outside(t)];
  await fillRegistry(site, sampleLock());
  const lock = lockOf(upstream.host);
  const endpoint = fc.constantFrom(site.url, `http://${upstream.host}`, `https://${upstream.host}`);
  const chains = fc.record({
    mirrors: fc.uniqueArray(endpoint, { maxLength: 3 }),
    server: fc.option(endpoint, { nil: undefined }),
    capabilities: fc.constantFrom(
      '',
      'capabilities = ["pull"]',
      'capabilities = ["pull", "resolve"]',
    ),
    version: fc.constantFrom('1.7.34' as const, '2.1.1' as const),
  });

  await fc.assert(
    fc.asyncProperty(chains, async ({ mirrors, server, capabilities, version }) => {
      const hosts = mirrors.map((url) => `[host."${url}"]\n${capabilities}`);
      const text = [...(server ? [`server = "${server}"`] : []), ...hosts, ''].join('\n');
      const report = await proveSample(t, {
        lock,
        site: offlineSite(site.host),
        configuration: {
          version,
          sandbox: `${upstream.host}/pause:3.9`,
          hosts: { [upstream.host]: text },
        },
      });

      const isClosed = server === site.url && mirrors.every((url) => url === site.url);
      const expected = isClosed ? 'proven' : 'falls-open';
      assert.deepEqual(
        new Set(report.results.map(({ verdict }) => verdict.kind)),
        new Set([expected]),
      );
      assert.equal(upstream.connections(), 0);
    }),
    { numRuns: 25, seed: 7 },
  );
});
