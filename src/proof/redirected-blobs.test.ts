import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeServer } from '../../test/support/fake-server.ts';
import { faultFor } from '../../test/support/faults.ts';
import { fillRegistry } from '../../test/support/fill-registry.ts';
import { passwordOf } from '../../test/support/open-client.ts';
import {
  failureAt,
  offlineSite,
  proveSample,
  rulesTo,
  sampleImages,
  spoiledRegistry,
  verdictOn,
} from '../../test/support/prove-sample.ts';
import { sampleLock } from '../../test/support/sample-lock.ts';
import { serverCertificate } from '../../test/support/server-certificate.ts';
import { startRegistry } from '../../test/support/start-registry.ts';

test('a redirected blob is proven by its first byte from there, without credentials', async (t) => {
  const storage = await startRegistry(t);
  await fillRegistry(storage, sampleLock());
  const redirect = faultFor({ path: /\/v2\/pause\/blobs\// }, (request, response) => {
    request.resume();
    response.writeHead(307, { location: `${storage.url}${request.url}&for=${request.method}` });
    response.end();
  });
  const registry = await startRegistry(t, { users: { ann: 'secret' }, faults: [redirect] });
  await fillRegistry(registry, sampleLock());

  const report = await proveSample(t, {
    site: offlineSite(registry.host, storage.host),
    configuration: { hosts: rulesTo(registry.url) },
    pullSecrets: { credentialFor: async () => passwordOf('ann', 'secret') },
  });

  assert.equal(verdictOn(report, sampleImages.pause).kind, 'proven');
  assert.ok(storage.log.length > 0);
  assert.ok(storage.log.every(({ url, method }) => method === 'GET' && url.endsWith('for=GET')));
  assert.ok(storage.log.every(({ user }) => user === undefined));
  // The configuration is read whole, of a layer one byte.
  assert.deepEqual(storage.log.map(({ status }) => status).toSorted(), [200, 206, 206]);
  assert.match(report.warnings.join('\n'), new RegExp(`on to ${storage.host}`));
});

test('a redirect target that has lost the blob is not proven', async (t) => {
  const storage = await startRegistry(t);
  const redirect = faultFor({ path: /\/v2\/pause\/blobs\// }, (request, response) => {
    request.resume();
    response.writeHead(307, { location: `${storage.url}${request.url}` }).end();
  });
  const registry = await spoiledRegistry(t, { faults: [redirect] });

  const failure = await failureAt(t, registry, { site: offlineSite(registry.host, storage.host) });

  assert.equal(failure.kind, 'incomplete');
  assert.match(failure.asked[0]?.answer ?? '', new RegExp(`404 from ${storage.host}`));
});

test('a redirect target that refuses a signed URL is a failure of the registry, not a login', async (t) => {
  const storage = await startFakeServer(t, (_request, response) => response.writeHead(403).end());
  const redirect = faultFor({ path: /\/v2\/pause\/blobs\// }, (request, response) => {
    request.resume();
    response.writeHead(307, { location: `${storage.url}${request.url}` }).end();
  });
  const registry = await spoiledRegistry(t, { faults: [redirect] });

  const failure = await failureAt(t, registry, { site: offlineSite(registry.host, storage.host) });

  assert.equal(failure.kind, 'registry-failed');
  assert.match(
    failure.summary,
    new RegExp(`${storage.host} \\(where ${registry.host} sends the node`),
  );
});

for (const [hops, isFollowed] of [
  [9, true],
  [10, false],
] as const) {
  test(`${hops} redirects in a row are ${isFollowed ? '' : 'not '}followed, as by Go`, async (t) => {
    const chain = faultFor({ path: /\/v2\/pause\/blobs\// }, (request, response, next) => {
      const url = new URL(request.url ?? '', 'http://registry');
      const hop = Number(url.searchParams.get('hop') ?? '0');
      if (hop === hops) return next(request, response);
      request.resume();
      response.writeHead(307, { location: `${url.pathname}?hop=${hop + 1}` }).end();
    });
    const registry = await spoiledRegistry(t, { faults: [chain] });

    const report = await proveSample(t, {
      site: offlineSite(registry.host),
      configuration: { hosts: rulesTo(registry.url) },
    });

    assert.equal(verdictOn(report, sampleImages.pause).kind === 'proven', isFollowed);
  });
}

test('a redirect from HTTP to HTTPS is judged by the ca of the endpoint, as by containerd', async (t) => {
  const { tls, ca } = await serverCertificate();
  const storage = await startRegistry(t, { tls });
  await fillRegistry(storage, sampleLock());
  const host = `localhost:${storage.port}`;
  const redirect = faultFor({ path: /\/v2\/pause\/blobs\// }, (request, response) => {
    request.resume();
    response.writeHead(307, { location: `https://${host}${request.url}` }).end();
  });
  const registry = await spoiledRegistry(t, { faults: [redirect] });

  const report = await proveSample(t, {
    site: offlineSite(registry.host, host),
    configuration: {
      hosts: rulesTo(registry.url, 'ca = "/etc/site.pem"'),
      files: { '/etc/site.pem': ca },
    },
  });

  assert.equal(verdictOn(report, sampleImages.pause).kind, 'proven');
});
