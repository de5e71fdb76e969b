import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { startFakeServer } from '../../test/support/fake-server.ts';
import { fillRegistry } from '../../test/support/fill-registry.ts';
import { withUrls } from '../../test/support/odd-images.ts';
import { passwordOf } from '../../test/support/open-client.ts';
import {
  failureIn,
  offlineSite,
  proveSample,
  rulesTo,
  sampleImages,
  verdictOn,
} from '../../test/support/prove-sample.ts';
import type { SampleLock } from '../../test/support/sample-lock.ts';
import { startRegistry } from '../../test/support/start-registry.ts';
import type { Digest } from '../oci/digest.ts';

/** A closed site with a full registry, and a server that content of the image names; it has nothing. */
async function proveWithUrls(
  t: TestContext,
  where: Parameters<typeof withUrls>[0],
  options: {
    readonly isAllowed: boolean;
    readonly status: number;
    readonly content?: (sample: SampleLock) => Uint8Array | undefined;
  },
) {
  let content: Uint8Array | undefined;
  const logins: (string | undefined)[] = [];
  const outside = await startFakeServer(t, ({ headers, method }, response) => {
    logins.push(headers.authorization);
    const body = content ?? new Uint8Array();
    response.writeHead(options.status, { 'content-length': `${body.length}` });
    response.end(method === 'HEAD' ? '' : body);
  });
  const url = `${outside.url}/steal?x=1`;
  const sample = withUrls(where, url);
  content = options.content?.(sample);
  const registry = await startRegistry(t, { users: { ann: 'secret' } });
  await fillRegistry(registry, sample);
  const report = await proveSample(t, {
    lock: sample.lock,
    site: offlineSite(registry.host, ...(options.isAllowed ? [outside.host] : [])),
    configuration: { hosts: rulesTo(registry.url) },
    pullSecrets: { credentialFor: async () => passwordOf('ann', 'secret') },
    deep: true,
  });
  const image = where === 'manifest' ? sampleImages.app : sampleImages.pause;
  return { verdict: verdictOn(report, image), outside, url, logins };
}

for (const where of ['layer', 'config', 'foreign layer', 'manifest'] as const) {
  test(`a ${where} whose descriptor names another host leaves the site before any mirror is asked`, async (t) => {
    const { verdict, outside, url } = await proveWithUrls(t, where, {
      isAllowed: false,
      status: 404,
    });

    const failure = failureIn(verdict);
    assert.equal(failure.kind, 'falls-open');
    assert.equal(failure.kind === 'falls-open' && failure.host, outside.host);
    assert.ok(failure.summary.includes(url), failure.summary);
    assert.equal(failure.do.length, 1);
    assert.match(failure.do[0] ?? '', /without "urls"/);
    assert.equal(outside.connections(), 0);
  });
}

for (const where of ['layer', 'config', 'manifest'] as const) {
  test(`a ${where} that an allowed host does not have comes from the mirror`, async (t) => {
    const { verdict, outside, logins } = await proveWithUrls(t, where, {
      isAllowed: true,
      status: 404,
    });

    assert.equal(verdict.kind, 'proven', JSON.stringify(verdict));
    assert.ok(outside.connections() > 0);
    assert.ok(logins.every((login) => login === undefined));
  });
}

test('a foreign layer that its own address does not have is missed by the mirror too', async (t) => {
  const { verdict } = await proveWithUrls(t, 'foreign layer', { isAllowed: true, status: 404 });

  const failure = failureIn(verdict);
  assert.equal(failure.kind, 'incomplete');
  assert.equal(failure.asked.length, 2);
});

test('an allowed host that fails ends the pull, though the mirror has the layer', async (t) => {
  const { verdict } = await proveWithUrls(t, 'layer', { isAllowed: true, status: 503 });

  const failure = failureIn(verdict);
  assert.equal(failure.kind, 'registry-failed');
  assert.equal(failure.asked.length, 1);
});

test('an allowed host that gives other bytes ends the pull', async (t) => {
  const { verdict } = await proveWithUrls(t, 'config', {
    isAllowed: true,
    status: 200,
    content: () => Buffer.from('{}'),
  });

  assert.equal(failureIn(verdict).kind, 'wrong-size');
});

test('an allowed host that gives the layer is enough', async (t) => {
  const { verdict } = await proveWithUrls(t, 'layer', {
    isAllowed: true,
    status: 200,
    content: (sample) => {
      const digest: Digest | undefined =
        sample.lock.spec.images[1]?.platforms[0]?.layers[0]?.digest;
      return digest && sample.blobs.get(digest);
    },
  });

  assert.equal(verdict.kind, 'proven', JSON.stringify(verdict));
});
