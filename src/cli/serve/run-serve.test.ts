import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { htpasswdOf } from '../../../test/support/htpasswd.ts';
import { pushImage } from '../../../test/support/push-image.ts';
import { runCli } from '../../../test/support/run-cli.ts';
import { writeSampleBundle, writeSite } from '../../../test/support/sample-files.ts';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { serverCertificate } from '../../../test/support/server-certificate.ts';
import { startCli } from '../../../test/support/start-cli.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { buildImage } from '../../oci/image-builder.ts';
import { tarLayer } from '../../oci/tar-layer.ts';

const anyPort = ['--listen', '127.0.0.1:0'];

/** Starts `registry serve` and waits for its address. */
async function serve(t: TestContext, folder: string, ...args: readonly string[]) {
  const cli = startCli(t, folder, 'registry', 'serve', ...anyPort, ...args);
  return { cli, url: await cli.printed(/ at (https?:\/\/\S+),/) };
}

for (const name of ['sample.bundle', 'sample.tar']) {
  test(`${name} is served in place: names, types of the Lock, every blob`, async (t) => {
    const folder = await tempDir(t);
    const sample = sampleLock();
    await writeSampleBundle(folder, name, sample);

    const { cli, url } = await serve(t, folder, '--bundle', name);

    assert.match(cli.host.stdout.text, /^serving .*, read-only: 3 repositories\n/);
    for (const image of sample.lock.spec.images) {
      const [, path = '', tag = ''] = /^[^/]+\/(.+):(.+)$/.exec(image.name) ?? [];
      const answer = await fetch(`${url}/v2/${path}/manifests/${tag}`);
      assert.equal(answer.headers.get('content-type'), image.target.mediaType);
      assert.equal(answer.headers.get('docker-content-digest'), image.target.digest);
      for (const { config, layers } of image.platforms) {
        for (const { digest, size } of [config, ...layers]) {
          const blob = await fetch(`${url}/v2/${path}/blobs/${digest}`);
          assert.equal((await blob.arrayBuffer()).byteLength, size);
        }
      }
    }
    const push = await fetch(`${url}/v2/x/blobs/uploads/`, { method: 'POST' });
    assert.equal(push.status, 405);
  });
}

test('a bundle is served under the names of a Site', async (t) => {
  const folder = await tempDir(t);
  await writeSampleBundle(folder, 'sample.tar', sampleLock());
  await writeSite(folder, '{address: h.example/platform, publish: [flat, keep-host]}');

  const { url } = await serve(t, folder, '--bundle', 'sample.tar', '--site', 'site.yaml');

  const catalogue = await (await fetch(`${url}/v2/_catalog`)).json();
  assert.deepEqual(catalogue, {
    repositories: [
      'platform/app',
      'platform/cr.openfuyao.cn/openfuyao/app',
      'platform/hub.oepkgs.net/openfuyao/charts/metrics',
      'platform/metrics',
      'platform/pause',
      'platform/registry.k8s.io/pause',
    ],
  });
});

test('a store takes pushes, keeps them, and ends with 0 on SIGTERM and Ctrl-C', async (t) => {
  const folder = await tempDir(t);
  const image = buildImage({ layers: [tarLayer([{ path: 'a', content: 'a' }])] });
  const first = await serve(t, folder, '--store', 'store');
  await pushImage(first.url, 'app', 'v1', image);
  assert.equal(await first.cli.stop('SIGTERM'), 0);
  await assert.rejects(fetch(`${first.url}/v2/`));

  const second = await serve(t, folder, '--store', 'store', '--read-only');
  const pulled = await fetch(`${second.url}/v2/app/manifests/v1`);
  const push = await fetch(`${second.url}/v2/app/blobs/uploads/`, { method: 'POST' });

  assert.equal(pulled.headers.get('docker-content-digest'), image.descriptor.digest);
  assert.equal(push.status, 405);
  assert.equal(await second.cli.stop('SIGINT'), 0);
  assert.match(second.cli.host.stderr.text, /\nstopped after 2 requests\n$/);
});

test('the access log is on standard error, without control characters, and --quiet drops it', async (t) => {
  const folder = await tempDir(t);
  const loud = await serve(t, folder, '--store', 'a');
  const quiet = await serve(t, folder, '--store', 'b', '--quiet');

  for (const { url } of [loud, quiet]) {
    await fetch(`${url}/v2/no/manifests/v1`, { headers: { 'user-agent': 'tester/1' } });
  }
  await Promise.all([loud.cli.stop(), quiet.cli.stop()]);

  assert.match(
    loud.cli.host.stderr.text,
    /^\d{4}-\S+Z 127\.0\.0\.1 - GET \/v2\/no\/manifests\/v1 404 \d+ B \d+ ms tester\/1\n/,
  );
  assert.equal(quiet.cli.host.stderr.text, '');
});

test('logins come from an htpasswd file; anonymous reads and metrics only if asked for', async (t) => {
  const folder = await tempDir(t);
  await writeFile(join(folder, 'users'), await htpasswdOf({ ann: 'pass' }));
  const closed = await serve(t, folder, '--store', 'a', '--htpasswd', 'users');
  const open = ['--htpasswd', 'users', '--anonymous-read', '--metrics'];
  const readable = await serve(t, folder, '--store', 'b', ...open);
  const authorization = `Basic ${Buffer.from('ann:pass').toString('base64')}`;
  const status = async (url: string, options: RequestInit = {}) =>
    (await fetch(url, options)).status;

  assert.equal(await status(`${closed.url}/v2/_catalog`), 401);
  assert.equal(await status(`${closed.url}/v2/_catalog`, { headers: { authorization } }), 200);
  assert.equal(await status(`${readable.url}/v2/_catalog`), 200);
  assert.equal(await status(`${readable.url}/v2/a/blobs/uploads/`, { method: 'POST' }), 401);
  assert.notEqual(await status(`${closed.url}/metrics`), 200);
  assert.equal(await status(`${readable.url}/metrics`), 200);
  assert.match(readable.cli.host.stdout.text, /login +pulls need no login, pushes do/);
});

test('a certificate of our own is trusted through ca.pem, which a second start keeps', async (t) => {
  const folder = await tempDir(t);
  const tls = ['--tls-self-signed', 'registry.example', '--tls-folder', 'tls'];
  const first = await serve(t, folder, '--store', 'a', ...tls);
  const ca = await readFile(join(folder, 'tls/ca.pem'), 'utf8');
  await first.cli.stop();

  const second = await serve(t, folder, '--store', 'a', ...tls);

  assert.match(second.url, /^https:/);
  assert.match(second.cli.host.stdout.text, /trust +tls\/ca\.pem/);
  assert.equal(await httpsStatus(`${second.url}/v2/`, ca, 'registry.example'), 200);
  assert.equal(await httpsStatus(`${second.url}/v2/`, ca, '127.0.0.1'), 200);
  await assert.rejects(httpsStatus(`${second.url}/v2/`, ca, 'other.example'), {
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
});

test('a certificate that was given is used', async (t) => {
  const folder = await tempDir(t);
  const { ca, tls } = await serverCertificate(['given.example']);
  await writeFile(join(folder, 'c.pem'), tls.cert);
  await writeFile(join(folder, 'k.pem'), tls.key);

  const given = ['--tls-cert', 'c.pem', '--tls-key', 'k.pem'];
  const { url } = await serve(t, folder, '--store', 'a', ...given);

  assert.equal(await httpsStatus(`${url}/v2/`, ca, 'given.example'), 200);
});

test('--json gives the address as one document', async (t) => {
  const folder = await tempDir(t);
  const cli = startCli(t, folder, 'registry', 'serve', '--store', 'a', ...anyPort, '--json');
  await cli.printed(/\n\}\n/);

  assert.equal(await cli.stop(), 0);

  const { url, ...rest } = JSON.parse(cli.host.stdout.text) as { url: string };
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.deepEqual(rest, {
    content: 'a',
    access: 'read-write',
    repositories: 0,
    login: 'none',
    metrics: false,
  });
});

test('beyond loopback, plain HTTP and open pushes are warned of', async (t) => {
  const folder = await tempDir(t);
  const cli = startCli(t, folder, 'registry', 'serve', '--store', 'a', '--listen', '0.0.0.0:0');
  await cli.printed(/ at (http\S+),/);

  assert.match(cli.host.stderr.text, /warning: plain HTTP beyond this machine/);
  assert.match(cli.host.stderr.text, /warning: everybody who reaches it may push and delete/);
  assert.match(cli.host.stdout.text, /look +curl http:\/\/127\.0\.0\.1:\d+\/v2\/_catalog/);
});

test('what cannot be served is an error before anything listens', async (t) => {
  const folder = await tempDir(t);
  await writeFile(join(folder, 'users'), 'ann:plain\n');
  const { url } = await serve(t, folder, '--store', 'a');
  const { host } = new URL(url);
  const codeOf = async (...args: readonly string[]) => {
    const { stderr } = await runCli(folder, 'registry', 'serve', ...args);
    return / {2}([A-Z_]+)\n/.exec(stderr)?.[1];
  };

  assert.equal(await codeOf('--bundle', 'none.tar'), 'BUNDLE_NOT_FOUND');
  assert.equal(await codeOf('--store', 'a', ...anyPort), 'STORE_LOCKED');
  assert.equal(await codeOf('--store', 'b', '--listen', host), 'REGISTRY_LISTEN_FAILED');
  assert.equal(await codeOf('--store', 'b', '--htpasswd', 'none'), 'TRUST_FILE_UNREADABLE');
  assert.equal(await codeOf('--store', 'b', '--htpasswd', 'users'), 'HTPASSWD_INVALID');
});

/** The status that a client gets which trusts `ca` only and expects `servername` in the certificate. */
function httpsStatus(url: string, ca: string, servername: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  // An address cannot be sent as a server name, but is checked like one.
  const name = servername === '127.0.0.1' ? {} : { servername };
  request(url, { ca, agent: false, ...name }, (answer) => {
    answer.resume();
    resolve(answer.statusCode);
  })
    .on('error', reject)
    .end();
  return promise;
}
