import assert from 'node:assert/strict';
import test from 'node:test';
import { nodePullChain } from '../../../test/support/node-chain.ts';
import { memoryTree } from '../memory-tree.ts';
import { openRuntime } from '../open-runtime.ts';
import type { PullChain, PullEndpoint } from '../pull-chain.ts';

type Files = Readonly<Record<string, string>>;

const DAEMON = '/etc/docker/daemon.json';
const certs = '/etc/docker/certs.d';
const pem = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n';

function daemon(settings: Readonly<Record<string, unknown>>): Files {
  return { [DAEMON]: JSON.stringify(settings) };
}

function chainOf(files: Files, image = 'nginx:1', version = '28.5.2'): Promise<PullChain> {
  return nodePullChain(memoryTree(files), { name: 'docker', version }, image);
}

async function endpointsOf(files: Files, image?: string, version?: string) {
  const chain = await chainOf(files, image, version);
  assert.ok(chain.kind === 'endpoints', chain.kind === 'refused' ? chain.error : '');
  return chain.endpoints;
}

const bases = (endpoints: readonly PullEndpoint[]) => endpoints.map(({ base }) => base);

const mirrors = daemon({ 'registry-mirrors': ['https://a.example', 'http://b.example:5000/hub/'] });
const store = { 'containerd-snapshotter': true };

test('images of Docker Hub are asked of the mirrors in order, then of Docker Hub', async () => {
  assert.deepEqual(bases(await endpointsOf(mirrors)), [
    'https://a.example/v2',
    'http://b.example:5000/hub/v2',
    'https://registry-1.docker.io/v2',
  ]);
});

test('a mirror that is listed twice is asked once', async () => {
  const twice = daemon({ 'registry-mirrors': ['https://a.example', 'https://a.example/'] });

  assert.equal((await endpointsOf(twice)).length, 2);
});

test('no mirror learns of a registry by ?ns= in the classic store, all of them do in containerd’s', async () => {
  const both = { 'registry-mirrors': ['https://a.example'] };

  assert.equal((await endpointsOf(daemon(both)))[0]?.ns, undefined);
  assert.equal((await endpointsOf(daemon({ ...both, features: store })))[0]?.ns, 'docker.io');
});

test('images of other registries come from there, and D001 says so', async () => {
  const chain = await chainOf(mirrors, 'quay.io/a:1');

  assert.ok(chain.kind === 'endpoints');
  assert.deepEqual(bases(chain.endpoints), ['https://quay.io/v2']);
  assert.deepEqual(
    chain.findings.map(({ rule, origin }) => `${rule} ${origin.file}`),
    [`D001 ${DAEMON}`],
  );
});

test('an insecure registry is asked over HTTPS without a check, then over HTTP', async () => {
  const files = daemon({ 'insecure-registries': ['reg.example:5000'] });

  const endpoints = await endpointsOf(files, 'reg.example:5000/a:1');

  assert.deepEqual(
    endpoints.map(({ base, trust }) => `${base} ${trust.skipVerify}`),
    ['https://reg.example:5000/v2 true', 'http://reg.example:5000/v2 true'],
  );
});

test('an insecure network counts for the addresses that /etc/hosts has', async () => {
  const files = {
    ...daemon({ 'insecure-registries': ['10.1.0.0/16'] }),
    '/etc/hosts': '127.0.0.1 localhost\n10.1.2.3 near.example # the one\n10.2.2.3 far.example\n',
  };
  const isOpen = async (image: string) => (await endpointsOf(files, image)).length === 2;

  assert.equal(await isOpen('near.example/a:1'), true);
  assert.equal(await isOpen('far.example/a:1'), false);
  assert.equal(await isOpen('10.1.9.9:5000/a:1'), true);
  assert.equal(await isOpen('localhost:5000/a:1'), true);
});

test('certificates are found by the host and port of a mirror, not by the registry', async () => {
  const files = {
    ...mirrors,
    [`${certs}/a.example/ca.crt`]: pem,
    [`${certs}/docker.io/ca.crt`]: pem,
  };

  const [mirror, , hub] = await endpointsOf(files);

  assert.deepEqual(
    mirror?.trust.ca.map(({ path }) => path),
    [`${certs}/a.example/ca.crt`],
  );
  assert.deepEqual(hub?.trust.ca, []);
});

test('a certificate without its key fails every pull of Docker Hub when it is a mirror’s', async () => {
  const chain = await chainOf({ ...mirrors, [`${certs}/a.example/me.cert`]: pem });

  assert.ok(chain.kind === 'refused');
  assert.equal(chain.scope, 'registry');
  assert.match(chain.error, /^missing key me\.key for client certificate me\.cert\./);
  assert.deepEqual(chain.origin, { file: `${certs}/a.example/me.cert` });
});

test('a daemon that does not start pulls nothing, and says the place', async () => {
  const chain = await chainOf({ [DAEMON]: '{\n  "registry-mirrors": ["a.example"]\n}\n' });

  assert.ok(chain.kind === 'refused');
  assert.equal(chain.scope, 'node');
  assert.match(
    chain.error,
    /^unable to configure the Docker daemon with file .*: invalid mirror: no scheme/,
  );
  assert.deepEqual(chain.origin, { file: DAEMON, line: 2, column: 24 });
});

test('a byte order mark does no harm, bytes that are no text do', async () => {
  const open = (bytes: Buffer) =>
    nodePullChain(memoryTree({ [DAEMON]: bytes }), { name: 'docker', version: '28.5.2' }, 'nginx');

  assert.equal((await open(Buffer.from('\ufeff{}'))).kind, 'endpoints');
  assert.equal((await open(Buffer.from('\ufeff{}', 'utf16le'))).kind, 'endpoints');
  assert.equal((await open(Buffer.from([0x7b, 0xff, 0x7d]))).kind, 'refused');
});

test('which store keeps images follows features, version, driver and what is there', async () => {
  const usesStore = async (files: Files, version: string) =>
    (
      await endpointsOf(
        { ...files, [`${certs}/quay.io/hosts.toml`]: 'server = "https://m.example"\n[host]\n' },
        'quay.io/a:1',
        version,
      )
    )[0]?.host === 'm.example';

  assert.equal(await usesStore({}, '28.5.2'), false);
  assert.equal(await usesStore(daemon({ features: store }), '28.5.2'), true);
  assert.equal(await usesStore({}, '29.0.0'), true);
  assert.equal(
    await usesStore(daemon({ features: { 'containerd-snapshotter': false } }), '29.0.0'),
    false,
  );
  assert.equal(await usesStore(daemon({ 'storage-driver': 'overlay2' }), '29.0.0'), false);
  assert.equal(await usesStore({ '/var/lib/docker/overlay2/l/x': '' }, '29.0.0'), false);
  assert.equal(
    await usesStore(
      { ...daemon({ 'data-root': '/data' }), '/var/lib/docker/overlay2/l/x': '' },
      '29.0.0',
    ),
    true,
  );
});

test('mirrors of daemon.json come before the only host of certs.d, and share its client', async () => {
  const files = {
    ...daemon({
      features: store,
      'registry-mirrors': ['https://a.example/hub', 'https://b.example'],
      'insecure-registries': ['b.example'],
    }),
  };

  const endpoints = await endpointsOf(files, 'nginx', '29.7.2');

  assert.deepEqual(
    endpoints.map(
      ({ base, trust, capabilities }) => `${base} ${trust.skipVerify} ${capabilities.join()}`,
    ),
    [
      'https://a.example/hub/v2 true pull,resolve,referrers',
      'https://b.example/v2 true pull,resolve,referrers',
      'https://registry-1.docker.io/v2 true pull,resolve,push,referrers',
    ],
  );
});

test('a hosts.toml with several hosts makes daemon.json count for nothing', async () => {
  const files = {
    ...daemon({ features: store, 'registry-mirrors': ['https://a.example'] }),
    [`${certs}/docker.io/hosts.toml`]:
      'server = "https://registry-1.docker.io"\n[host."https://h.example"]\ncapabilities = ["pull", "resolve"]\n',
  };

  const chain = await chainOf(files);

  assert.ok(chain.kind === 'endpoints');
  assert.deepEqual(bases(chain.endpoints), [
    'https://h.example/v2',
    'https://registry-1.docker.io/v2',
  ]);
  assert.ok(chain.findings.some(({ rule }) => rule === 'D003'));
});

test('before Docker 28 the containerd store puts the path of a mirror behind /v2', async () => {
  const files = daemon({ features: store, 'registry-mirrors': ['http://a.example/hub'] });

  assert.deepEqual(bases(await endpointsOf(files, 'nginx', '27.5.1')), [
    'https://a.example/v2/hub',
    'https://registry-1.docker.io/v2',
  ]);
});

test('the pull secret goes to every endpoint in the classic store only', async () => {
  const wire = async (features: Readonly<Record<string, boolean>>) => {
    const rules = await openRuntime({ name: 'docker', version: '28.5.2' });
    return (await rules.openNode(memoryTree(daemon({ features })))).wire.pullSecretGoesTo;
  };

  assert.equal(await wire({}), 'every endpoint');
  assert.equal(await wire(store), 'the registry');
});

for (const version of ['23.0.1', '30.0.0']) {
  test(`Docker ${version} is none whose rules are known`, async () => {
    await assert.rejects(openRuntime({ name: 'docker', version }), {
      code: 'MIRROR_RUNTIME_UNKNOWN',
    });
  });
}

test('a version that nobody has looked at says so in every report', async () => {
  const { notes } = await openRuntime({ name: 'docker', version: '29.99.0' });

  assert.match(notes[0] ?? '', /29\.99\.0 is newer .* behave like 29\./);
});
