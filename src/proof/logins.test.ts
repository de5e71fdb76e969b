import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeTokenRegistry } from '../../test/support/fake-token-registry.ts';
import { fillRegistry } from '../../test/support/fill-registry.ts';
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
