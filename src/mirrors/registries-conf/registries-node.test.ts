import assert from 'node:assert/strict';
import test from 'node:test';
import { memoryTree } from '../memory-tree.ts';
import type { PullChain } from '../pull-chain.ts';
import { registriesConfBehaviourFor } from './behaviour.ts';
import { registriesConfRules } from './registries-conf-rules.ts';

const MAIN = '/etc/containers/registries.conf';
const digest = `sha256:${'a'.repeat(64)}`;
const hub =
  '[[registry]]\nprefix = "docker.io"\nlocation = "docker.io"\n[[registry.mirror]]\nlocation = "m.example:5000/hub"\n';

type Files = Readonly<Record<string, string>>;

async function open(files: Files, runtime = 'cri-o@1.34.0') {
  const [name, version = ''] = runtime.split('@');
  const id = { name: name === 'podman' ? 'podman' : 'cri-o', version } as const;
  return registriesConfRules(await registriesConfBehaviourFor(id)).openNode(memoryTree(files));
}

async function chainOf(image: string, files: Files, runtime?: string): Promise<PullChain> {
  return (await open(files, runtime)).pullChain(image);
}

function placesIn(chain: PullChain): readonly string[] {
  if (chain.kind === 'refused') return [chain.error];
  return chain.endpoints.map(({ base, repository, role }) => `${role} ${base}/${repository}`);
}

test('mirrors come first, each with its own repository and the line of its location, then the registry itself', async () => {
  const chain = await chainOf('nginx', {
    [MAIN]: `unqualified-search-registries = ["docker.io"]\n${hub}`,
  });

  assert.deepEqual(placesIn(chain), [
    'mirror https://m.example:5000/v2/hub/library/nginx',
    'upstream https://registry-1.docker.io/v2/library/nginx',
  ]);
  assert.equal(chain.kind === 'endpoints' && chain.endpoints[0]?.origin.line, 6);
});

test('a blocked registry is left out, with the reason, and stays when it is all there is', async () => {
  const blocked = hub.replace('[[registry.mirror]]', 'blocked = true\n[[registry.mirror]]');
  const chain = await chainOf('docker.io/library/nginx:1', { [MAIN]: blocked });
  const alone = await chainOf('quay.io/a:1', {
    [MAIN]: '[[registry]]\nlocation = "quay.io"\nblocked = true\n',
  });

  assert.deepEqual(placesIn(chain), ['mirror https://m.example:5000/v2/hub/library/nginx']);
  assert.match(chain.skipped[0]?.because ?? '', /^registry docker.io is blocked in /);
  assert.deepEqual(placesIn(alone), [
    'registry quay.io is blocked in /etc/containers/registries.conf or /root/.config/containers/registries.conf.d',
  ]);
});

test('a chain has the findings of its own registry and of what is asked for it, not those of others', async () => {
  const table = (prefix: string) => `[[registry]]\nlocation = "${prefix}"\ninsecure = true\n`;
  const files = {
    [MAIN]: `${hub}typo = 1\n${['quay.io', 'm.example:5000', '*.gcr.io', 'index.docker.io'].map(table).join('')}`,
  };
  const linesOf = async (image: string) => {
    const { findings } = await chainOf(image, files);
    return [...new Set(findings.map(({ origin }) => origin.line))];
  };

  const [ofHub, ofQuay] = [await linesOf('docker.io/a/b:1'), await linesOf('quay.io/a:1')];

  assert.deepEqual(ofHub, [6, 12, 17, 18]);
  assert.deepEqual(ofQuay, [9]);
});

test('what fails every pull is a finding of every chain', async () => {
  const files = { [MAIN]: `${hub}[[registry]]\nlocation = "https://quay.io"\n` };

  const { findings } = await chainOf('docker.io/a/b:1', files);

  assert.ok(findings.some(({ rule, origin }) => rule === 'R001' && origin.line === 7));
});

test('a mirror below a blocked name is not asked either', async () => {
  const files = { [MAIN]: `${hub}[[registry]]\nlocation = "m.example:5000"\nblocked = true\n` };

  assert.deepEqual(placesIn(await chainOf('docker.io/a/b:1', files)), [
    'upstream https://registry-1.docker.io/v2/a/b',
  ]);
});

test('a mirror for digests only is left out for a tag, and the other way round', async () => {
  const files = {
    [MAIN]: hub.replace(
      '/hub"\n',
      '/hub"\npull-from-mirror = "digest-only"\n[[registry.mirror]]\nlocation = "t.example"\npull-from-mirror = "tag-only"\n',
    ),
  };
  const [byTag, byDigest] = [
    await chainOf('docker.io/a/b:1', files),
    await chainOf(`docker.io/a/b@${digest}`, files),
  ];

  assert.match(placesIn(byTag)[0] ?? '', /t.example/);
  assert.match(byTag.skipped[0]?.because ?? '', /digest-only/);
  assert.match(placesIn(byDigest)[0] ?? '', /m.example/);
  assert.match(byDigest.skipped[0]?.because ?? '', /tag-only/);
});

test('the tag beside a digest is dropped', async () => {
  const { reference } = await chainOf(`quay.io/a:1@${digest}`, {});

  assert.deepEqual(reference, { domain: 'quay.io', path: 'a', digest });
});

test('a location that makes no full name fails the pull, whatever the mirrors are', async () => {
  const files = { [MAIN]: hub.replace('location = "docker.io"', 'location = "elsewhere"') };

  assert.deepEqual(placesIn(await chainOf('docker.io/a/b:1', files)), [
    'rewriting reference: repository name must be canonical',
  ]);
});

test('several search registries: CRI-O refuses from 1.34 on, tries all before, and podman does as it is told', async () => {
  const search = 'unqualified-search-registries = ["quay.io", "docker.io"]\n';
  const places = async (runtime: string, files: Files = { [MAIN]: search }) =>
    placesIn(await chainOf('app:1', files, runtime));
  const all = [
    'upstream https://quay.io/v2/app',
    'upstream https://registry-1.docker.io/v2/library/app',
  ];
  const noTerminal = ['short-name resolution enforced but cannot prompt without a TTY'];

  assert.deepEqual(await places('cri-o@1.34.0'), noTerminal);
  assert.deepEqual(await places('cri-o@1.33.0'), all);
  const off = {
    [MAIN]: search,
    '/etc/crio/crio.conf.d/10-a.conf': '[crio.image]\nshort_name_mode = "disabled"\n',
  };
  assert.deepEqual(await places('cri-o@1.34.0', off), all);
  assert.deepEqual(await places('podman@5.2.0'), all);
  assert.deepEqual(
    await places('podman@5.2.0', { [MAIN]: `short-name-mode = "enforcing"\n${search}` }),
    noTerminal,
  );
});

test('names that only these programs refuse have a chain that says so; others are refused like everywhere', async () => {
  const upper = await chainOf('MyHost/a:1', {});
  const six = await chainOf('[fd00::1]:5000/a:1', {});

  assert.match(placesIn(upper)[0] ?? '', /^short-name "MyHost\/a:1" did not resolve/);
  assert.match(placesIn(six)[0] ?? '', /invalid reference format/);
  await assert.rejects(chainOf('http://a.example/b', {}), { code: 'REFERENCE_INVALID' });
});

test('a broken file fails every image of the node', async () => {
  const chain = await chainOf('ghcr.io/a:1', {
    [MAIN]: '[[registry]]\nlocation = "https://a.example"\n',
  });

  assert.equal(chain.kind === 'refused' && chain.scope, 'node');
  assert.deepEqual(chain.kind === 'refused' && chain.origin, { file: MAIN, line: 2, column: 1 });
});

test("a broken crio.conf keeps CRI-O from starting, and is none of podman's business", async () => {
  const files = { '/etc/crio/crio.conf': '[crio.image]\npause_image = 1\n' };

  assert.match(
    placesIn(await chainOf('quay.io/a:1', files))[0] ?? '',
    /^(?:update config from drop-in file|walk path): unable to decode configuration/,
  );
  assert.equal((await chainOf('quay.io/a:1', files, 'podman@5.2.0')).kind, 'endpoints');
});

test('an empty text in a later file of CRI-O takes a setting back', async () => {
  const files = {
    '/etc/crio/crio.conf': '[crio.image]\npause_image = "reg.site/pause:1"\n',
    '/etc/crio/crio.conf.d/10': '[crio.image]\npause_image = ""\n',
  };

  assert.equal((await open(files)).sandboxImage?.image, (await open({})).sandboxImage?.image);
});

test("the sandbox image is CRI-O's own, or the one that its configuration names", async () => {
  const named = { '/etc/crio/crio.conf': '[crio.image]\npause_image = "reg.site/pause:1"\n' };

  assert.equal((await open({}, 'cri-o@1.30.0')).sandboxImage?.image, 'registry.k8s.io/pause:3.9');
  assert.equal((await open(named)).sandboxImage?.image, 'reg.site/pause:1');
  assert.equal((await open({}, 'podman@5.2.0')).sandboxImage, undefined);
});

test('the login of the longest key counts; insecure places are not verified', async () => {
  const auth = (user: string) => ({ auth: Buffer.from(`${user}:pw`).toString('base64') });
  const files = {
    [MAIN]: hub.replace('/hub"\n', '/hub"\ninsecure = true\n'),
    '/root/.config/containers/auth.json': JSON.stringify({
      auths: { 'm.example:5000': auth('host'), 'm.example:5000/hub': auth('path') },
    }),
    '/root/.docker/config.json': JSON.stringify({
      auths: { 'https://index.docker.io/v1/': auth('hub') },
    }),
  };
  const chain = await chainOf('docker.io/library/nginx:1', files);

  assert.ok(chain.kind === 'endpoints');
  assert.deepEqual(
    chain.endpoints.map(({ login }) => login?.username),
    ['path', 'hub'],
  );
  assert.deepEqual(
    chain.endpoints.map(({ trust }) => trust.skipVerify),
    [true, false],
  );
});

test('only the first folder of certificates for a host counts', async () => {
  const files = {
    '/etc/containers/certs.d/quay.io/ca.crt': 'first',
    '/etc/docker/certs.d/quay.io/ca.crt': 'second',
    '/etc/docker/certs.d/docker.io/ca.crt': 'hub',
  };
  const [quay, docker] = [
    await chainOf('quay.io/a:1', files),
    await chainOf('docker.io/library/a:1', files),
  ];

  assert.ok(quay.kind === 'endpoints' && docker.kind === 'endpoints');
  assert.deepEqual(
    quay.endpoints[0]?.trust.ca.map(({ pem }) => pem),
    ['first'],
  );
  assert.deepEqual(
    docker.endpoints[0]?.trust.ca.map(({ pem }) => pem),
    ['hub'],
  );
});

test('an alias comes before the search registries, and podman remembers its own', async () => {
  const files = {
    [MAIN]: 'unqualified-search-registries = ["quay.io"]\n[aliases]\n"app" = "reg.example/one"\n',
    '/var/cache/containers/short-name-aliases.conf': '[aliases]\n"app" = "reg.example/two"\n',
  };

  assert.deepEqual(placesIn(await chainOf('app', { [MAIN]: files[MAIN] })), [
    'upstream https://reg.example/v2/one',
  ]);
  assert.deepEqual(placesIn(await chainOf('app', files)), ['upstream https://reg.example/v2/two']);
});

test('TOML 1.1 is read from CRI-O 1.36 on only', async () => {
  const files = { [MAIN]: 'registry = [{ location = "quay.io", blocked = true, }]\n' };

  assert.match(
    placesIn(await chainOf('quay.io/a', files, 'cri-o@1.35.0'))[0] ?? '',
    /trailing comma/,
  );
  assert.match(placesIn(await chainOf('quay.io/a', files, 'cri-o@1.36.0'))[0] ?? '', /is blocked/);
});

test('versions that nobody looked at are named, and those without a known behaviour refused', async () => {
  const newer = registriesConfRules(
    await registriesConfBehaviourFor({ name: 'cri-o', version: '1.99.0' }),
  );

  assert.match(newer.notes.join(), /newer than what was checked/);
  for (const id of [
    { name: 'cri-o' },
    { name: 'cri-o', version: '1.19.0' },
    { name: 'docker', version: '28.0.0' },
  ] as const) {
    await assert.rejects(registriesConfBehaviourFor(id), { code: 'MIRROR_RUNTIME_UNKNOWN' });
  }
});

test('CRI-O is told to reload, podman reads at each run; files have their places', async () => {
  const crio = registriesConfRules(
    await registriesConfBehaviourFor({ name: 'cri-o', version: '1.34.0' }),
  );
  const podman = registriesConfRules(
    await registriesConfBehaviourFor({ name: 'podman', version: '5.2.0' }),
  );

  assert.equal(
    crio.reloadFor('/etc/containers/registries.conf.d/99-slipway.conf')?.command,
    'systemctl reload crio',
  );
  assert.equal(crio.reloadFor('/etc/crio/crio.conf')?.command, 'systemctl restart crio');
  assert.equal(crio.reloadFor('/etc/containers/certs.d/a.example/ca.crt'), undefined);
  assert.equal(podman.reloadFor(MAIN), undefined);
  assert.equal(crio.placeOf('registries.conf'), MAIN);
  assert.equal(crio.placeOf('50-a.conf'), '/etc/containers/registries.conf.d/50-a.conf');
  assert.equal(crio.placeOf('a.example/ca.crt'), '/etc/containers/certs.d/a.example/ca.crt');
  assert.equal(crio.placeOf('hosts.toml'), undefined);
});
