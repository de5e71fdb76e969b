import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeServer } from '../../test/support/fake-server.ts';
import { fakeWorld } from '../../test/support/fake-world.ts';
import { answer, type Fault, hang } from '../../test/support/faults.ts';
import { onlyServer } from '../../test/support/memory-node.ts';
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
import { startRegistry } from '../../test/support/start-registry.ts';

for (const status of [401, 403]) {
  test(`denied: ${status} without a login`, async (t) => {
    const registry = await spoiledRegistry(t, { faults: [answer({ status })] });

    const failure = await failureAt(t, registry);

    assert.equal(failure.kind, 'denied');
    assert.match(failure.because.join('\n'), /chosen by the name of the image/);
  });
}

test('rate-limited: 429 until the runtime gives up, as often as it would ask', async (t) => {
  const registry = await spoiledRegistry(t, { faults: [answer({ path: /pause/, status: 429 })] });

  const failure = await failureAt(t, registry);

  assert.equal(failure.kind, 'rate-limited');
  const asked = registry.log.filter(({ url }) => url.includes('/pause/manifests/3.9'));
  assert.equal(asked.length, 6);
});

test('429 that passes is repeated by the rules of the runtime and then proven', async (t) => {
  const registry = await spoiledRegistry(t, {
    faults: [answer({ path: /pause/, status: 429, times: 3 })],
  });

  const report = await proveSample(t, {
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
  });

  assert.equal(verdictOn(report, sampleImages.pause).kind, 'proven');
});

test('a registry that refuses HEAD for manifests and blobs is asked by GET', async (t) => {
  const registry = await spoiledRegistry(t, { faults: [answer({ method: 'HEAD', status: 405 })] });

  const report = await proveSample(t, {
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
  });

  assert.equal(report.totals.failed, 0);
});

test('registry-failed: 5xx, which containerd 2.1 asks once more of the last endpoint', async (t) => {
  const registry = await spoiledRegistry(t, { faults: [answer({ path: /pause/, status: 503 })] });

  const failure = await failureAt(t, registry);

  assert.equal(failure.kind, 'registry-failed');
  assert.equal(registry.log.filter(({ url }) => url.includes('/pause/manifests/3.9')).length, 2);
});

test('strange-answer: a login page in place of the registry', async (t) => {
  const web = await startFakeServer(t, (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Sign in</title>'),
  );

  const failure = await failureAt(t, web);

  assert.equal(failure.kind, 'strange-answer');
  assert.match(failure.summary, /a web page/);
});

test('strange-answer: 400 says that some registries refuse ns', async (t) => {
  const registry = await spoiledRegistry(t, { faults: [answer({ path: /\?ns=/, status: 400 })] });

  const failure = await failureAt(t, registry);

  assert.equal(failure.kind, 'strange-answer');
  assert.match(failure.because.join('\n'), /parameter ns/);
});

test('too-slow: a registry that does not answer ends the pull, whatever comes after it', async (t) => {
  const registry = await spoiledRegistry(t, { faults: [hang({ path: /pause/ })] });

  const failure = await failureAt(t, registry, {
    client: fakeWorld().settings({ timeouts: { headersMs: 200 } }),
  });

  assert.equal(failure.kind, 'too-slow');
  assert.match(failure.summary, /200 ms/);
});

test('unreachable: nothing listens, and the endpoint is not tried for ever', async (t) => {
  const registry = await spoiledRegistry(t, {});
  await registry.stop();

  const failure = await failureAt(t, registry);

  assert.equal(failure.kind, 'unreachable');
  assert.match(failure.summary, /nothing listens/);
});

test('a deeper failure outranks what is only missing', async (t) => {
  const first = await spoiledRegistry(t, { faults: [answer({ status: 403 })] });
  const second = await startRegistry(t);
  const text = `server = "${second.url}"\n[host."${first.url}"]\n`;

  const failure = await failureAt(t, first, {
    site: offlineSite(first.host, second.host),
    configuration: { hosts: { 'registry.k8s.io': text, 'cr.openfuyao.cn': text } },
  });

  assert.equal(failure.kind, 'denied');
  assert.deepEqual(
    failure.asked.map(({ answer: text }) => text),
    ['403', '404'],
  );
});

/** Takes the digest out of every answer, as simple file servers do. */
const nameless: Fault = (next) => (request, response) => {
  const write = response.writeHead.bind(response);
  const without = (part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const names = Object.entries(part).filter(([name]) => !/^docker-content-digest$/i.test(name));
    return Object.fromEntries(names);
  };
  response.writeHead = (...sent: unknown[]) => {
    response.removeHeader('docker-content-digest');
    return Reflect.apply(write, response, sent.map(without)) as typeof response;
  };
  next(request, response);
};

test('a server that names no digest is read and hashed', async (t) => {
  const registry = await spoiledRegistry(t, {
    faults: [nameless],
  });

  const report = await proveSample(t, {
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
  });

  assert.equal(report.totals.failed, 0);
  assert.ok(
    registry.log.some(({ method, url }) => method === 'GET' && url.includes('manifests/3.9')),
  );
});

test('an abort ends the proof with its reason', async (t) => {
  const registry = await spoiledRegistry(t, { faults: [hang()] });
  const stop = new AbortController();
  const rules = { 'registry.k8s.io': onlyServer(registry.url) };
  const proving = proveSample(t, {
    signal: stop.signal,
    site: offlineSite(registry.host),
    configuration: { hosts: { ...rules, 'cr.openfuyao.cn': onlyServer(registry.url) } },
  });

  stop.abort(new Error('stopped by the user'));

  await assert.rejects(proving, { message: 'stopped by the user' });
});

test('a registry that is silent, or throttles everything, does not hold up ten thousand images', async (t) => {
  const { lock } = sampleLock();
  const [, pause] = lock.spec.images;
  assert.ok(pause !== undefined);
  const copies = Array.from({ length: 40 }, (_, index) => ({
    ...pause,
    name: `registry.k8s.io/copy-${index}:1`,
  }));
  const many = { ...lock, spec: { ...lock.spec, images: [...copies, pause] } };
  const limits = { parallelRepositories: 1 };
  const silent = await spoiledRegistry(t, { faults: [hang()] });
  const throttling = await spoiledRegistry(t, { faults: [answer({ status: 429 })] });
  const client = fakeWorld().settings({ timeouts: { headersMs: 100 } });

  const slow = await failureAt(t, silent, { lock: many, limits, client });
  const throttled = await failureAt(t, throttling, { lock: many, limits });

  assert.equal(slow.kind, 'too-slow');
  assert.equal(throttled.kind, 'rate-limited');
  assert.equal(throttling.log.length, 24);
});

test('a URL that nobody can ask leads on to the next endpoint', async (t) => {
  const registry = await spoiledRegistry(t);
  const text = `server = "${registry.url}"\n[host."https://harbor.example:99999"]\n`;

  const report = await proveSample(t, {
    site: offlineSite(registry.host, 'harbor.example:99999'),
    configuration: { hosts: { 'registry.k8s.io': text, 'cr.openfuyao.cn': text } },
  });

  assert.equal(report.totals.failed, 0);
});
