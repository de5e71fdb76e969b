import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeProxy } from '../../../test/support/fake-proxy.ts';
import { startFakeServer } from '../../../test/support/fake-server.ts';
import { fakeWorld } from '../../../test/support/fake-world.ts';
import { openClient, passwordOf } from '../../../test/support/open-client.ts';
import { serverCertificate } from '../../../test/support/server-certificate.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { describeError } from '../../shared/errors.ts';
import type { ProxySettings } from './settings.ts';

const fine = (_request: unknown, response: { end(text: string): unknown }) => response.end('{}');
const registry = { kind: 'registry', auth: 'none' };
const behind = (proxy: ProxySettings) => fakeWorld().settings({ proxy, retry: { attempts: 1 } });

test('an HTTPS registry is reached through a tunnel of the proxy, verified end to end', async (t) => {
  const { ca, tls } = await serverCertificate(['registry.test']);
  const server = await startFakeServer(t, fine, tls);
  const proxy = await startFakeProxy(t, { ports: { 'registry.test:443': server.port } });
  const settings = behind({ https: `http://${proxy.host}` });
  const url = 'https://registry.test';

  const ping = await openClient(t, url, { trust: { ca }, settings }).ping(testRun(t));

  assert.deepEqual(ping, registry);
  assert.deepEqual(proxy.asked, ['CONNECT registry.test:443']);
  const distrusting = openClient(t, url, { settings });
  await assert.rejects(distrusting.ping(testRun(t)), { code: 'REGISTRY_UNREACHABLE' });
});

test('a plain HTTP registry is reached by the proxy that is meant for HTTP', async (t) => {
  const server = await startFakeServer(t, fine);
  const proxy = await startFakeProxy(t, { ports: { 'registry.test:5000': server.port } });
  // As it often stands in HTTP_PROXY: without a scheme.
  const settings = behind({ http: proxy.host, https: 'http://127.0.0.1:1' });

  const ping = await openClient(t, 'http://registry.test:5000', { settings }).ping(testRun(t));

  assert.deepEqual(ping, registry);
  assert.deepEqual(proxy.asked, ['GET http://registry.test:5000/v2/']);
});

test('user and password of the proxy go to the proxy only', async (t) => {
  const { ca, tls } = await serverCertificate(['registry.test']);
  const plain = await startFakeServer(t, fine);
  const secure = await startFakeServer(t, fine, tls);
  const ports = { 'registry.test': plain.port, 'registry.test:443': secure.port };
  const proxy = await startFakeProxy(t, { ports, login: 'us:p@ss' });
  const address = `http://us:p%40ss@${proxy.host}`;
  const settings = behind({ http: address, https: address });

  for (const url of ['http://registry.test', 'https://registry.test']) {
    assert.deepEqual(
      await openClient(t, url, { trust: { ca }, settings }).ping(testRun(t)),
      registry,
    );
  }

  assert.equal(secure.requests[0]?.headers['proxy-authorization'], undefined);
});

for (const url of ['http://registry.test', 'https://registry.test']) {
  test(`a proxy that wants a login is said so for ${url}, without the password given`, async (t) => {
    const proxy = await startFakeProxy(t, { ports: {}, login: 'us:right' });
    const address = `http://us:wrong-password@${proxy.host}`;
    const settings = behind({ http: address, https: address });

    await assert.rejects(openClient(t, url, { settings }).ping(testRun(t)), (error: Error) => {
      assert.equal('code' in error && error.code, 'REGISTRY_UNREACHABLE');
      assert.match(error.message, new RegExp(`the proxy ${proxy.host} wants a user and password`));
      assert.doesNotMatch(describeError(error), /wrong-password/);
      return true;
    });
  });
}

test('a proxy that refuses a host is named as the cause', async (t) => {
  const proxy = await startFakeProxy(t, { ports: {} });
  const settings = behind({ https: `http://${proxy.host}` });

  await assert.rejects(openClient(t, 'https://registry.test', { settings }).ping(testRun(t)), {
    code: 'REGISTRY_UNREACHABLE',
    message: new RegExp(`the proxy ${proxy.host} refuses the connection with status 403`),
  });
});

test('hosts in NO_PROXY are reached directly', async (t) => {
  const proxy = await startFakeProxy(t, { ports: {} });
  const settings = behind({ http: `http://${proxy.host}`, noProxy: '.invalid' });

  const pinging = openClient(t, 'http://registry.invalid', { settings }).ping(testRun(t));

  await assert.rejects(pinging, { code: 'REGISTRY_UNREACHABLE' });
  assert.deepEqual(proxy.asked, []);
});

test('an unusable proxy address is shown without its password', async (t) => {
  const settings = behind({ http: 'ftp://us:secret-word@proxy' });
  const credential = passwordOf('ann', 'secret');
  const client = openClient(t, 'http://registry.test', { settings, credential });

  await assert.rejects(client.ping(testRun(t)), (error: Error) => {
    assert.equal('code' in error && error.code, 'REGISTRY_ADDRESS_INVALID');
    assert.doesNotMatch(error.message, /secret-word/);
    return true;
  });
});

for (const scheme of ['http', 'https']) {
  test(`a proxy that is not there is named, not the registry behind it (${scheme})`, async (t) => {
    const address = 'http://us:wrong-password@127.0.0.1:1';
    const settings = behind({ http: address, https: address });
    const client = openClient(t, `${scheme}://registry.test`, { settings });

    await assert.rejects(client.ping(testRun(t)), (error: Error) => {
      assert.equal('code' in error && error.code, 'REGISTRY_UNREACHABLE');
      assert.match(error.message, /the proxy 127\.0\.0\.1:1 cannot be reached: nothing listens/);
      assert.match('fix' in error ? String(error.fix) : '', /^Check HTTPS_PROXY/);
      assert.doesNotMatch(describeError(error), /wrong-password/);
      return true;
    });
  });
}

test('a silent registry behind a proxy is named together with the proxy', async (t) => {
  const server = await startFakeServer(t, () => {});
  const proxy = await startFakeProxy(t, { ports: { 'registry.test': server.port } });
  const settings = fakeWorld().settings({
    proxy: { http: `http://${proxy.host}` },
    timeouts: { headersMs: 50 },
    retry: { attempts: 1 },
  });
  const client = openClient(t, 'http://registry.test', { settings });

  await assert.rejects(client.ping(testRun(t)), {
    code: 'REGISTRY_TIMEOUT',
    message: new RegExp(`at registry\\.test through the proxy ${proxy.host} kept`),
  });
});

for (const scheme of ['socks5', 'socks', 'socks4', 'socks5h']) {
  test(`a ${scheme} proxy is an error that says what is spoken`, async (t) => {
    const settings = behind({ https: `${scheme}://us:secret-word@127.0.0.1:1080` });
    const client = openClient(t, 'https://registry.test', { settings });

    await assert.rejects(client.ping(testRun(t)), {
      code: 'REGISTRY_ADDRESS_INVALID',
      message: /^the proxy address "127\.0\.0\.1:1080" for reg\.test is not an http/,
      fix: /SOCKS is not spoken/,
    });
  });
}
