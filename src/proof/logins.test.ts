import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { sendError } from '../../test/support/fake-server.ts';
import { startFakeTokenRegistry } from '../../test/support/fake-token-registry.ts';
import { fillRegistry } from '../../test/support/fill-registry.ts';
import type { NodeVersion } from '../../test/support/memory-node.ts';
import { passwordOf } from '../../test/support/open-client.ts';
import { failureAt, offlineSite, proveSample, rulesTo } from '../../test/support/prove-sample.ts';
import { sampleLock } from '../../test/support/sample-lock.ts';
import { sendRequest } from '../../test/support/send-request.ts';
import { startRegistry } from '../../test/support/start-registry.ts';

test('a pull secret is offered by the name of the image, and its user is in the report', async (t) => {
  const registry = await startRegistry(t, { users: { ann: 'secret' } });
  await fillRegistry(registry, sampleLock());
  const names: string[] = [];

  const report = await proveSample(t, {
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
    pullSecrets: {
      credentialFor: async (name) => {
        names.push(name);
        return passwordOf('ann', 'secret');
      },
    },
  });

  assert.equal(report.totals.failed, 0);
  assert.deepEqual(names.sort(), ['cr.openfuyao.cn/openfuyao/app', 'registry.k8s.io/pause']);
  assert.equal(report.logins[0]?.user, 'ann');
  assert.doesNotMatch(JSON.stringify(report), /"secret"|:secret/);
});

test('the login of the main configuration counts where there is no pull secret', async (t) => {
  const registry = await startRegistry(t, { users: { ann: 'secret' } });
  await fillRegistry(registry, sampleLock());
  const table = `[plugins."io.containerd.cri.v1.images".registry.configs."${registry.host}".auth]`;
  const registrySettings = `${table}\nusername = "ann"\npassword = "wrong"`;

  const failure = await failureAt(t, registry, {
    configuration: { hosts: rulesTo(registry.url), registrySettings },
  });

  assert.equal(failure.kind, 'denied');
  assert.equal(failure.kind === 'denied' && failure.user, 'ann');
  assert.doesNotMatch(JSON.stringify(failure), /wrong/);
});

test('a token is fetched once for each repository, and only for pulling', async (t) => {
  const behind = await startRegistry(t);
  await fillRegistry(behind, sampleLock());
  const { registry, tokens, granted } = await startFakeTokenRegistry(t, {
    scopeOf: ({ path }) => `repository:${/v2\/(.+)\/(?:manifests|blobs)/.exec(path)?.[1]}:pull`,
    inner: async ({ method, path }, response) => {
      const answer = await sendRequest(behind.url, { method, path });
      response.writeHead(answer.status, answer.headers).end(answer.bytes);
    },
  });

  const report = await proveSample(t, {
    site: offlineSite(registry.host, tokens.host),
    configuration: { hosts: rulesTo(registry.url) },
    pullSecrets: { credentialFor: async () => passwordOf('ann', 'secret') },
  });

  assert.equal(report.totals.failed, 0);
  assert.deepEqual(granted.flat().sort(), [
    'repository:openfuyao/app:pull',
    'repository:pause:pull',
  ]);
});

/** A token server that wants the header X-Site, and what a node of a version gets of it. */
async function proveWithHeader(t: TestContext, version: NodeVersion) {
  const behind = await startRegistry(t);
  await fillRegistry(behind, sampleLock());
  const { registry, tokens } = await startFakeTokenRegistry(t, {
    anonymous: true,
    scopeOf: ({ path }) => `repository:${/v2\/(.+)\/(?:manifests|blobs)/.exec(path)?.[1]}:pull`,
    refuseToken: ({ headers }, response) => {
      if (headers['x-site'] === 'plant-7, north') return false;
      sendError(response, 403, 'DENIED');
      return true;
    },
    inner: async ({ method, path }, response) => {
      const answer = await sendRequest(behind.url, { method, path });
      response.writeHead(answer.status, answer.headers).end(answer.bytes);
    },
  });
  const header = '[header]\nX-Site = ["plant-7", "north"]\n';
  return proveSample(t, {
    site: offlineSite(registry.host, tokens.host),
    configuration: { version, hosts: rulesTo(registry.url, header) },
  });
}

test('headers of hosts.toml go to the token server too, from containerd 2.1 on', async (t) => {
  const report = await proveWithHeader(t, '2.1.1');

  assert.deepEqual(report.totals.failed, 0, JSON.stringify(report.results[0]));
});

test('containerd 1.7 does not send headers to the token server', async (t) => {
  const report = await proveWithHeader(t, '1.7.34');

  assert.deepEqual([...new Set(report.results.map(({ verdict }) => verdict.kind))], ['denied']);
});
