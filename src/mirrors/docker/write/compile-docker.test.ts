import assert from 'node:assert/strict';
import test from 'node:test';
import { Secret } from '../../../shared/secret.ts';
import { memoryTree } from '../../memory-tree.ts';
import { EVERY_OTHER, type MirrorRule, type MirrorTarget } from '../../mirror-rule.ts';
import { openRuntime } from '../../open-runtime.ts';
import { readBack } from '../../write/read-back.ts';

const DAEMON = '/etc/docker/daemon.json';
const pem = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n';
const harbor: MirrorTarget = { scheme: 'https', host: 'harbor.example', prefix: '' };
const plain: MirrorTarget = { scheme: 'http', host: '10.0.0.1:5000', prefix: '' };

function rule(registry: string, more: Partial<MirrorRule> = {}): MirrorRule {
  return { registry, targets: [harbor], fallback: true, ...more };
}

async function compile(rules: readonly MirrorRule[], daemonJson?: string, version = '28.5.2') {
  const runtime = await openRuntime({ name: 'docker', version });
  const files = daemonJson === undefined ? {} : { [DAEMON]: daemonJson };
  const compiled = await runtime.compile(memoryTree(files), rules, undefined);
  const written = Object.fromEntries(compiled.wanted.map(({ path, content }) => [path, content]));
  const tree = memoryTree({ ...files, ...written });
  return { ...compiled, written, tree, node: await runtime.openNode(tree), runtime };
}

test('mirrors of Docker Hub go into daemon.json, which reads back as what it is for', async () => {
  const rules = [rule('docker.io', { targets: [harbor, { ...plain }] })];

  const { written, node } = await compile(rules);

  assert.equal(
    written[DAEMON],
    '{\n  "registry-mirrors": [\n    "https://harbor.example",\n    "http://10.0.0.1:5000"\n  ]\n}\n',
  );
  assert.deepEqual(await readBack(node, rules, undefined), []);
});

test('an edit keeps every other letter of the file, and a second one changes nothing', async () => {
  const before =
    '{\n\t"debug": true,   // no comment\n\t"log-opts": { "max-size": "1m" }\n}\n'.replace(
      '   // no comment',
      '',
    );
  const rules = [rule('docker.io')];

  const { written, wanted, insert } = await compile(rules, before);
  const again = await compile(rules, written[DAEMON]);

  assert.equal(
    written[DAEMON],
    '{\n\t"debug": true,\n\t"log-opts": { "max-size": "1m" },\n\t"registry-mirrors": [\n\t\t"https://harbor.example"\n\t]\n}\n',
  );
  assert.equal(wanted[0]?.isChange, true);
  assert.match(insert?.lines ?? '', /registry-mirrors/);
  assert.deepEqual([again.wanted, again.settled.map(({ path }) => path)], [[], [DAEMON]]);
});

for (const [what, before, after] of [
  [
    'a file in one line',
    '{"debug":true}',
    '{"debug":true, "registry-mirrors": ["https://harbor.example"]}',
  ],
  [
    'an empty object',
    '{}\n',
    '{\n  "registry-mirrors": [\n  "https://harbor.example"\n]\n}\n'
      .replace('[\n  "', '[\n    "')
      .replace('"\n]', '"\n  ]'),
  ],
  [
    'a list that is there',
    '{ "registry-mirrors": ["https://old.example"], "debug": true }',
    '{ "registry-mirrors": ["https://harbor.example"], "debug": true }',
  ],
] as const) {
  test(`${what} is changed at that place only`, async () => {
    assert.equal((await compile([rule('docker.io')], before)).written[DAEMON], after);
  });
}

test('authorities go into the folder of the mirror, unchecked ones into insecure-registries', async () => {
  const rules = [
    rule('docker.io', {
      targets: [
        { ...harbor, ca: { name: 'site', pem } },
        { scheme: 'https', host: 'open.example', prefix: '', skipVerify: true },
      ],
    }),
  ];

  const { written, node } = await compile(rules);

  assert.deepEqual(Object.keys(written), [
    '/etc/docker/certs.d/harbor.example/slipway-site.crt',
    DAEMON,
  ]);
  assert.deepEqual(JSON.parse(written[DAEMON] ?? '')['insecure-registries'], ['open.example']);
  assert.deepEqual(await readBack(node, rules, undefined), []);
});

const withStore = '{"features": {"containerd-snapshotter": true}}';

test('with the containerd image store every rule becomes a hosts.toml of its own', async () => {
  const rules = [
    rule('docker.io', { fallback: false, targets: [{ ...harbor, prefix: 'hub' }] }),
    rule('ghcr.io'),
    rule(EVERY_OTHER, { fallback: false }),
  ];

  const { written, node } = await compile(rules, withStore);

  assert.deepEqual(
    Object.keys(written),
    ['docker.io', 'ghcr.io', '_default'].map((name) => `/etc/docker/certs.d/${name}/hosts.toml`),
  );
  assert.deepEqual(await readBack(node, rules, undefined), []);
});

test('mirrors of daemon.json would come first there, so they are emptied', async () => {
  const before =
    '{"features": {"containerd-snapshotter": true}, "registry-mirrors": ["https://old.example"]}';
  const rules = [rule('docker.io', { fallback: false })];

  const { written, node } = await compile(rules, before);

  assert.equal(written[DAEMON], before.replace('["https://old.example"]', '[]'));
  assert.deepEqual(await readBack(node, rules, undefined), []);
});

for (const [what, wrong, daemonJson, reason, instead] of [
  [
    'another registry',
    rule('quay.io'),
    undefined,
    /mirrors of Docker Hub only/,
    /containerd-snapshotter/,
  ],
  [
    'every other registry',
    rule(EVERY_OTHER),
    undefined,
    /mirrors of Docker Hub only/,
    /hosts\.toml/,
  ],
  [
    'no fallback',
    rule('docker.io', { fallback: false }),
    undefined,
    /itself after the mirrors, always/,
    /containerd-snapshotter/,
  ],
  [
    'a prefix',
    rule('docker.io', { targets: [{ ...harbor, prefix: 'hub' }] }),
    undefined,
    /does not find hub at harbor/,
    /containerd-snapshotter/,
  ],
  [
    'a part of a registry',
    rule('docker.io', { path: 'library' }),
    withStore,
    /whole registries only/,
    /Publish the images/,
  ],
  [
    'a login',
    rule('docker.io', {
      targets: [{ ...harbor, login: { username: 'u', password: new Secret('p') } }],
    }),
    withStore,
    /no file of Docker's daemon has a place for the login at harbor\.example/,
    /docker login/,
  ],
] as const) {
  test(`${what} is refused with the reason and what works instead`, async () => {
    await assert.rejects(
      compile([wrong], daemonJson),
      (error: Error & { code: string; fix: string }) => {
        assert.equal(error.code, 'MIRROR_RULE_NOT_WRITABLE');
        assert.match(error.message, reason);
        assert.match(error.fix, instead);
        return true;
      },
    );
  });
}

test('a daemon.json with which Docker does not start is named before anything is written', async () => {
  await assert.rejects(compile([rule('docker.io')], '{\n  "debug": 1,\n}'), {
    code: 'MIRROR_CONFIG_BROKEN',
    message: /looking for beginning of object key string.*daemon\.json:3:1/,
  });
});

test('without rules only files of ours are looked for, and daemon.json stays', async () => {
  const runtime = await openRuntime({ name: 'docker', version: '28.5.2' });
  const ours = '/etc/docker/certs.d/h.example/slipway-site.crt';
  const tree = memoryTree({
    [DAEMON]: '{"registry-mirrors": ["https://a.example"]}',
    [ours]: '',
    '/etc/docker/certs.d/h.example/ca.crt': '',
  });

  const { wanted, existing } = await runtime.compile(tree, [], undefined);

  assert.deepEqual([wanted, existing], [[], [ours]]);
});

test('daemon.json needs a reload, certs.d nothing', async () => {
  const { reloadFor, placeOf } = await openRuntime({ name: 'docker', version: '28.5.2' });

  assert.equal(reloadFor(DAEMON)?.command, 'systemctl reload docker');
  assert.equal(reloadFor('/etc/docker/certs.d/docker.io/hosts.toml'), undefined);
  assert.deepEqual(['x/daemon.json', 'ghcr.io/hosts.toml', 'other'].map(placeOf), [
    DAEMON,
    '/etc/docker/certs.d/ghcr.io/hosts.toml',
    undefined,
  ]);
});
