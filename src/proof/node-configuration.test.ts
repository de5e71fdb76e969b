import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { startFakeProxy } from '../../test/support/fake-proxy.ts';
import { fakeWorld } from '../../test/support/fake-world.ts';
import { fillRegistry } from '../../test/support/fill-registry.ts';
import { onlyServer } from '../../test/support/memory-node.ts';
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
import { serverCertificate } from '../../test/support/server-certificate.ts';
import { startRegistry } from '../../test/support/start-registry.ts';
import { systemClock } from '../shared/ports.ts';

test('unreachable: a certificate of an authority that was replaced on the node', async (t) => {
  const { tls } = await serverCertificate();
  const { ca: other } = await serverCertificate();
  const registry = await startRegistry(t, { tls });
  await fillRegistry(registry, sampleLock());
  const url = `https://localhost:${registry.port}`;

  const failure = await failureAt(
    t,
    { url, host: `localhost:${registry.port}` },
    {
      configuration: {
        hosts: rulesTo(url, 'ca = "/etc/site.pem"'),
        files: { '/etc/site.pem': other },
      },
    },
  );

  assert.equal(failure.kind, 'unreachable');
  assert.match(failure.summary, /authority/);
  assert.match(failure.do.join('\n'), /write rules/);
});

test('configuration-refused: a CA file that is missing fails every pull without a request', async (t) => {
  const registry = await spoiledRegistry(t, {});

  const failure = await failureAt(t, registry, {
    configuration: { hosts: rulesTo(registry.url, 'ca = "/etc/gone.pem"') },
  });

  assert.equal(failure.kind, 'configuration-refused');
  assert.match(failure.because.join('\n'), /\/etc\/gone\.pem/);
  assert.deepEqual(registry.log, []);
});

test('skip_verify proves, and the report warns of it (R0-87)', async (t) => {
  const { tls } = await serverCertificate(['other.example']);
  const registry = await startRegistry(t, { tls });
  await fillRegistry(registry, sampleLock());
  const url = `https://localhost:${registry.port}`;

  const report = await proveSample(t, {
    site: offlineSite(`localhost:${registry.port}`),
    configuration: { hosts: rulesTo(url, 'skip_verify = true') },
  });

  assert.equal(report.totals.failed, 0);
  assert.match(report.warnings.join('\n'), /is not checked \(.*hosts\.toml/);
});

test('http with TLS settings is asked over HTTPS first, then over HTTP', async (t) => {
  const registry = await spoiledRegistry(t, {});

  const report = await proveSample(t, {
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url, 'skip_verify = true') },
  });

  assert.equal(report.totals.failed, 0);
});

test('a host that nodes see elsewhere is asked where this machine sees it, and said so', async (t) => {
  const { tls, ca } = await serverCertificate(['10.0.0.5']);
  const registry = await startRegistry(t, { tls });
  await fillRegistry(registry, sampleLock());

  const report = await proveSample(t, {
    site: offlineSite('10.0.0.5:5443'),
    seenFrom: new Map([['10.0.0.5:5443', registry.host]]),
    configuration: {
      hosts: rulesTo('https://10.0.0.5:5443', 'ca = "/etc/site.pem"'),
      files: { '/etc/site.pem': ca },
    },
  });

  assert.equal(report.totals.failed, 0);
  assert.match(
    report.warnings.join('\n'),
    new RegExp(`10.0.0.5:5443 was asked at ${registry.host}`),
  );
});

/** A registry that the node's rules name without a ca, and what signed its certificate. */
async function registryWithoutCa(t: TestContext) {
  const { tls, ca } = await serverCertificate();
  const registry = await startRegistry(t, { tls });
  await fillRegistry(registry, sampleLock());
  return { ca, url: `https://localhost:${registry.port}`, host: `localhost:${registry.port}` };
}

test('without a ca in the rules, the authorities of the node count', async (t) => {
  const { ca, url, host } = await registryWithoutCa(t);
  const files = { '/etc/ssl/certs/site.pem': ca };

  const report = await proveSample(t, {
    site: offlineSite(host),
    configuration: { hosts: rulesTo(url), files },
  });

  assert.equal(report.totals.failed, 0);
  assert.deepEqual(report.warnings, []);
});

test('the authorities of the node count besides a ca in the rules', async (t) => {
  const { ca, url, host } = await registryWithoutCa(t);
  const { ca: other } = await serverCertificate();

  const report = await proveSample(t, {
    site: offlineSite(host),
    configuration: {
      hosts: rulesTo(url, 'ca = "/etc/other.pem"'),
      files: { '/etc/other.pem': other, '/etc/ssl/cert.pem': ca },
    },
  });

  assert.equal(report.totals.failed, 0);
});

const unit = '/etc/systemd/system/containerd.service';

test('the proxy of the node is followed where the Site allows it, and judged by the node', async (t) => {
  const { tls, ca } = await serverCertificate(['registry.test']);
  const registry = await startRegistry(t, { tls });
  await fillRegistry(registry, sampleLock());
  const proxy = await startFakeProxy(t, { ports: { 'registry.test:443': registry.port } });

  const report = await proveSample(t, {
    site: offlineSite('registry.test', proxy.host),
    configuration: {
      hosts: rulesTo('https://registry.test'),
      files: {
        '/etc/ssl/cert.pem': ca,
        [unit]: `[Service]\nEnvironment=HTTPS_PROXY=http://${proxy.host}\n`,
      },
    },
  });

  assert.equal(report.totals.failed, 0);
  assert.notDeepEqual(proxy.asked, []);
});

test('a proxy in the shell of whoever proves gets no request and is told', async (t) => {
  const registry = await startRegistry(t);
  await fillRegistry(registry, sampleLock());
  const proxy = await startFakeProxy(t, { ports: {} });
  const { clock, settings } = fakeWorld();
  const client = settings({
    clock: { ...clock, now: systemClock.now },
    proxy: { http: `http://${proxy.host}` },
  });

  const report = await proveSample(t, {
    client,
    site: offlineSite('10.0.0.5:5000'),
    seenFrom: new Map([['10.0.0.5:5000', registry.host]]),
    configuration: { hosts: rulesTo('http://10.0.0.5:5000') },
  });

  assert.equal(report.totals.failed, 0);
  assert.deepEqual(proxy.asked, []);
  assert.match(report.warnings.join('\n'), /proxy in the environment of this machine was not used/);
});

test('unreachable: neither the node nor its rules know the authority', async (t) => {
  const { url, host } = await registryWithoutCa(t);
  const { ca: other } = await serverCertificate();

  const failure = await failureAt(
    t,
    { url, host },
    { configuration: { hosts: rulesTo(url), files: { '/etc/ssl/cert.pem': other } } },
  );

  assert.equal(failure.kind, 'unreachable');
  assert.match(
    failure.because.join('\n'),
    /no ca is named for it, and it is none of the node's own authorities in \/etc\/ssl\/cert\.pem/,
  );
});

test('unreachable: a node without any authority is told so, with where they are looked for', async (t) => {
  const { url, host } = await registryWithoutCa(t);

  const failure = await failureAt(t, { url, host });

  assert.equal(failure.kind, 'unreachable');
  assert.match(
    failure.because.join('\n'),
    /the node has no authorities: no file of \/etc\/ssl\/certs\/ca-certificates\.crt, .* exists/,
  );
  assert.match(failure.do.join('\n'), /copy its authorities too/);
});

test('a proxy of the runtime that the Site does not allow leaves the site, without a request', async (t) => {
  const registry = await startRegistry(t);
  await fillRegistry(registry, sampleLock());

  const report = await proveSample(t, {
    site: offlineSite('10.0.0.5:5000'),
    seenFrom: new Map([['10.0.0.5:5000', registry.host]]),
    configuration: {
      hosts: rulesTo('http://10.0.0.5:5000'),
      files: { [unit]: '[Service]\nEnvironment=HTTP_PROXY=http://ann:secret@proxy.example:3128\n' },
    },
  });

  const failure = failureIn(verdictOn(report, sampleImages.pause));
  assert.equal(failure.kind, 'falls-open');
  assert.equal(failure.kind === 'falls-open' && failure.host, 'proxy.example:3128');
  assert.equal(failure.do.length, 1);
  assert.match(failure.do[0] ?? '', /NO_PROXY/);
  assert.match(failure.because.join('\n'), /HTTP_PROXY in .*containerd\.service/);
  assert.equal(report.totals.requests, 0);
  assert.doesNotMatch(JSON.stringify(report), /secret/);
});

test('configuration-refused: no endpoint may resolve, so no tag can be pulled (C007)', async (t) => {
  const registry = await startRegistry(t);

  const failure = await failureAt(t, registry, {
    configuration: {
      hosts: {
        'registry.k8s.io': `server = "${registry.url}"\ncapabilities = ["pull"]\n[host]\n`,
        ...{ 'cr.openfuyao.cn': onlyServer(registry.url) },
      },
    },
  });

  assert.equal(failure.kind, 'configuration-refused');
  assert.match(failure.summary, /no resolve hosts/);
  assert.match(failure.because.join('\n'), /C007/);
});
