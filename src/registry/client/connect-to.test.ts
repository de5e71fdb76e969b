import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { startFakeServer } from '../../../test/support/fake-server.ts';
import { fakeWorld } from '../../../test/support/fake-world.ts';
import { openClient } from '../../../test/support/open-client.ts';
import { serverCertificate } from '../../../test/support/server-certificate.ts';
import { startRegistry } from '../../../test/support/start-registry.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { systemClock } from '../../shared/ports.ts';
import { issueServerCertificate } from '../../trust/authority.ts';
import type { ClientSettings } from './settings.ts';
import { openTransport } from './transport.ts';

/** A settings object that asks `seenHere` wherever the URL says `asWritten`. */
function elsewhere(asWritten: string, seenHere: string): ClientSettings {
  return { ...fakeWorld().settings(), connectTo: new Map([[asWritten, seenHere]]) };
}

async function pingVia(t: TestContext, hosts: readonly string[], asked: string) {
  const { authority, ca } = await serverCertificate();
  const own = await issueServerCertificate({ hosts, validDays: 1 }, authority, systemClock);
  const registry = await startRegistry(t, {
    tls: { cert: own.certificate, key: own.key.reveal() },
  });
  const settings = elsewhere(`${asked}:5443`, registry.host);
  const client = openClient(t, `https://${asked}:5443`, { trust: { ca }, settings });
  return client.ping(testRun(t));
}

for (const host of ['harbor.plant7.example', '10.0.0.5']) {
  test(`https://${host} is asked elsewhere, its certificate checked for its own name`, async (t) => {
    const ping = await pingVia(t, [host], host);

    assert.equal(ping.kind, 'registry');
  });

  test(`a certificate for the other place does not stand for ${host}`, async (t) => {
    const pinging = pingVia(t, ['127.0.0.1', 'localhost'], host);

    await assert.rejects(pinging, { code: 'REGISTRY_UNREACHABLE', message: /for other names/ });
  });
}

test('a host that is not in the map is asked where it is', async (t) => {
  const registry = await startRegistry(t);
  const settings = elsewhere('10.0.0.5:5443', '127.0.0.1:1');

  const ping = await openClient(t, registry.url, { settings }).ping(testRun(t));

  assert.equal(ping.kind, 'registry');
});

test('beforeSend sees the redirect before anything is sent there, and can forbid it', async (t) => {
  const other = await startRegistry(t);
  const registry = await startFakeServer(t, (_request, response) =>
    response.writeHead(307, { location: `${other.url}/v2/` }).end(),
  );
  const seen: string[] = [];
  const settings: ClientSettings = {
    ...fakeWorld().settings(),
    beforeSend: ({ host }) => {
      seen.push(host);
      if (host === other.host) throw new Error('not allowed');
    },
  };
  const transport = openTransport({ name: 'reg.test', url: registry.url, trust: {} }, settings);
  t.after(() => transport.close());

  const url = new URL(`${registry.url}/v2/app/manifests/1`);
  const asking = transport.request({ method: 'GET', url }, testRun(t));

  await assert.rejects(asking, { message: 'not allowed' });
  assert.deepEqual(seen, [registry.host, other.host]);
  assert.deepEqual(other.log, []);
});
