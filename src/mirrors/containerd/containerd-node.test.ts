import assert from 'node:assert/strict';
import test from 'node:test';
import { nodePullChain, reachableHosts } from '../../../test/support/node-chain.ts';
import { openNode } from '../../../test/support/open-node.ts';
import { memoryTree } from '../memory-tree.ts';
import type { PullChain } from '../pull-chain.ts';

const oldTable = 'plugins."io.containerd.grpc.v1.cri".registry';
const newTable = 'plugins."io.containerd.cri.v1.images".registry';
const mirrorOnly = `server = "https://harbor.example/v2/platform"
capabilities = ["pull", "resolve"]
override_path = true

[host]
`;

function containerd(version: string) {
  return { name: 'containerd', version } as const;
}

function node(config: string, more: Readonly<Record<string, string>> = {}) {
  return memoryTree({
    '/etc/containerd/config.toml': config,
    '/etc/containerd/certs.d/registry.k8s.io/hosts.toml': mirrorOnly,
    ...more,
  });
}

async function hostsOf(version: string, config: string, more: Record<string, string> = {}) {
  const chain = await nodePullChain(
    node(config, more),
    containerd(version),
    'registry.k8s.io/pause:3.9',
  );
  return reachableHosts(chain);
}

function rulesOf(chain: PullChain) {
  return chain.findings.map(({ rule, origin }) => `${rule} ${origin.file}:${origin.line ?? '-'}`);
}

test('an endpoint carries its base, its namespace and the line that it comes from', async () => {
  const config = `version = 3\n[${newTable}]\nconfig_path = "/etc/containerd/certs.d"\n`;

  const chain = await nodePullChain(node(config), containerd('2.1.1'), 'registry.k8s.io/pause:3.9');

  assert.equal(chain.kind, 'endpoints');
  assert.ok(chain.kind === 'endpoints');
  assert.deepEqual(
    chain.endpoints.map(({ base, ns, role, origin }) => ({ base, ns, role, origin })),
    [
      {
        base: 'https://harbor.example/v2/platform',
        ns: 'registry.k8s.io',
        role: 'server',
        origin: { file: '/etc/containerd/certs.d/registry.k8s.io/hosts.toml', line: 1, column: 1 },
      },
    ],
  );
  assert.deepEqual(chain.findings, []);
});

const outside = ['registry.k8s.io'];
const inside = ['harbor.example'];
const path = 'config_path = "/etc/containerd/certs.d"';
const cases: ReadonlyArray<
  readonly [claim: string, version: string, config: string, hosts: string[]]
> = [
  ['1.7 reads the old table', '1.7.28', `version = 2\n[${oldTable}]\n${path}\n`, inside],
  ['1.7 does not read the new table', '1.7.28', `version = 2\n[${newTable}]\n${path}\n`, outside],
  [
    '1.7 reads the short table in a file without a version',
    '1.7.28',
    `[plugins.cri.registry]\n${path}\n`,
    inside,
  ],
  [
    '2.1 migrates the old table of an older file',
    '2.1.1',
    `version = 2\n[${oldTable}]\n${path}\n`,
    inside,
  ],
  [
    '2.1 does not read the old table of a new file',
    '2.1.1',
    `version = 3\n[${oldTable}]\n${path}\n`,
    outside,
  ],
  [
    '2.3 migrates the old table of a version 3 file',
    '2.3.0',
    `version = 3\n[${oldTable}]\n${path}\n`,
    inside,
  ],
  [
    '2.0 splits a list of directories',
    '2.0.5',
    `version = 3\n[${newTable}]\nconfig_path = "/x:/etc/containerd/certs.d"\n`,
    inside,
  ],
  [
    '2.1 takes a list as one directory',
    '2.1.1',
    `version = 3\n[${newTable}]\nconfig_path = "/etc/containerd/certs.d:/x"\n`,
    outside,
  ],
  [
    '2.1 with the local pull splits it',
    '2.1.1',
    `version = 3\n[plugins."io.containerd.cri.v1.images"]\nuse_local_image_pull = true\n[${newTable}]\nconfig_path = "/etc/containerd/certs.d:/x"\n`,
    inside,
  ],
  ['2.1 has no directory by default', '2.1.1', 'version = 3\n', outside],
  [
    '2.2 has a list by default, which the transfer service does not read',
    '2.2.4',
    'version = 3\n',
    outside,
  ],
];

for (const [claim, version, config, hosts] of cases) {
  test(`${claim} (C018)`, async () => {
    assert.deepEqual(await hostsOf(version, config), hosts);
  });
}

test('what is not read is a finding with its line (C018)', async () => {
  const config = `version = 3\n[${oldTable}]\n${path}\n`;

  const chain = await nodePullChain(node(config), containerd('2.1.1'), 'registry.k8s.io/pause:3.9');

  assert.deepEqual(rulesOf(chain), [
    'C018 /etc/containerd/config.toml:2',
    'C018 /etc/containerd/config.toml:-',
  ]);
});

test('a drop-in is read where the main file imports it, and changes single keys from 2.0 on', async () => {
  const main = `version = 3\nimports = ["conf.d/*.toml"]\n[plugins."io.containerd.cri.v1.images"]\nimage_pull_progress_timeout = "1m"\n`;
  const dropIn = `version = 3\n[${newTable}]\n${path}\n`;

  assert.deepEqual(
    await hostsOf('2.1.1', main, { '/etc/containerd/conf.d/50-a.toml': dropIn }),
    inside,
  );
  assert.deepEqual(
    await hostsOf('2.1.1', main, { '/etc/containerd/other.d/50-a.toml': dropIn }),
    outside,
  );
});

test('in 1.x the drop-in of a section replaces the whole section', async () => {
  const main = `version = 2\nimports = ["/etc/containerd/conf.d/*.toml"]\n[${oldTable}]\n${path}\n`;
  const dropIn =
    'version = 2\n[plugins."io.containerd.grpc.v1.cri"]\nsandbox_image = "h.example/pause:1"\n';
  const tree = node(main, { '/etc/containerd/conf.d/a.toml': dropIn });

  const rules = await openNode(tree, containerd('1.7.28'));

  assert.equal(rules.sandboxImage?.image, 'h.example/pause:1');
  assert.deepEqual(rules.sandboxImage?.origin, {
    file: '/etc/containerd/conf.d/a.toml',
    line: 3,
    column: 1,
  });
  assert.deepEqual(
    rules.findings.map(({ rule }) => rule),
    ['C018', 'C018'],
  );
});

const refusals: ReadonlyArray<
  readonly [claim: string, version: string, config: string, line: number | undefined, text: RegExp]
> = [
  [
    'mirrors beside config_path',
    '2.1.1',
    `version = 3\n[${newTable}]\n${path}\n[${newTable}.mirrors."docker.io"]\nendpoint = ["https://m"]\n`,
    4,
    /mirrors.*config_path/,
  ],
  [
    'configs.tls beside config_path in 1.x',
    '1.7.28',
    `version = 2\n[${oldTable}]\n${path}\n[${oldTable}.configs."m".tls]\nca_file = "/x"\n`,
    4,
    /configs.tls/,
  ],
  [
    'mirrors with the default of 2.2.0',
    '2.2.0',
    `version = 3\n[${newTable}.mirrors."docker.io"]\nendpoint = ["https://m"]\n`,
    2,
    /mirrors/,
  ],
  ['a version that is too new', '2.1.1', 'version = 4\n', 1, /less than `3`, got `4`/],
  ['a file that is not TOML', '2.1.1', 'version = 3\nx = y\n', 2, /row 2/],
  [
    'an import that is not there',
    '2.1.1',
    'version = 3\nimports = ["/nothing.toml"]\n',
    undefined,
    /no such file/,
  ],
  [
    'CRI switched off',
    '1.7.28',
    'version = 2\ndisabled_plugins = ["io.containerd.grpc.v1.cri"]\n',
    2,
    /disabled_plugins/,
  ],
];

for (const [claim, version, config, line, text] of refusals) {
  test(`${claim}: no image can be pulled, and the place is named (C019)`, async () => {
    const chain = await nodePullChain(node(config), containerd(version), 'nginx');

    assert.ok(chain.kind === 'refused');
    assert.equal(chain.scope, 'node');
    assert.match(chain.error, text);
    assert.equal(chain.origin.line, line);
    assert.deepEqual(reachableHosts(chain), []);
  });
}

test('a missing CA file refuses the pulls of its registry only (C010)', async () => {
  const config = `version = 3\n[${newTable}]\n${path}\n`;
  const broken = {
    '/etc/containerd/certs.d/quay.io/hosts.toml': '[host."https://m.example"]\nca = "/no.pem"\n',
  };
  const rules = await openNode(node(config, broken), containerd('2.1.1'));

  const quay = await rules.pullChain('quay.io/a:1');
  const k8s = await rules.pullChain('registry.k8s.io/pause:3.9');

  assert.ok(quay.kind === 'refused');
  assert.equal(quay.scope, 'registry');
  assert.match(quay.error, /unable to read CA cert "\/no.pem"/);
  assert.equal(k8s.kind, 'endpoints');
});

test('a login belongs to the host that is asked, not to the registry (C020)', async () => {
  const login = (host: string) =>
    `[${newTable}.configs."${host}".auth]\nusername = "u"\npassword = "hidden"\n`;
  const config = `version = 3\n[${newTable}]\n${path}\n${login('harbor.example')}${login('docker.io')}`;
  const rules = await openNode(node(config), containerd('2.1.1'));

  const k8s = await rules.pullChain('registry.k8s.io/pause:3.9');
  const hub = await rules.pullChain('nginx');

  assert.ok(k8s.kind === 'endpoints' && hub.kind === 'endpoints');
  assert.equal(k8s.endpoints[0]?.login?.username, 'u');
  assert.deepEqual(k8s.endpoints[0]?.login?.origin, {
    file: '/etc/containerd/config.toml',
    line: 4,
    column: 1,
  });
  assert.equal(hub.endpoints[0]?.login, undefined);
  assert.deepEqual(rulesOf(hub), ['C020 /etc/containerd/config.toml:7']);
  assert.doesNotMatch(JSON.stringify(k8s), /hidden/);
});

test('without directories the deprecated mirrors are asked, and the registry behind them', async () => {
  const config = `version = 2\n[${oldTable}.mirrors."registry.k8s.io"]\nendpoint = ["https://m.example/p"]\n`;

  const chain = await nodePullChain(
    node(config),
    containerd('1.7.28'),
    'registry.k8s.io/pause:3.9',
  );

  assert.ok(chain.kind === 'endpoints');
  assert.deepEqual(
    chain.endpoints.map(({ base, role }) => `${role} ${base}`),
    ['mirror https://m.example/p', 'upstream https://registry.k8s.io/v2'],
  );
});

test('runtimes whose rules are not known are refused', async () => {
  const none = memoryTree({});

  await assert.rejects(openNode(none, { name: 'k3s', version: 'v1.20.0+k3s1' }), {
    code: 'MIRROR_RUNTIME_UNKNOWN',
  });
  await assert.rejects(openNode(none, { name: 'containerd' }), { code: 'MIRROR_RUNTIME_UNKNOWN' });
  await assert.rejects(openNode(none, containerd('1.5.9')), { code: 'MIRROR_RUNTIME_UNKNOWN' });
});

test('a bad reference is refused with its reason', async () => {
  await assert.rejects(nodePullChain(memoryTree({}), containerd('2.1.1'), 'https://a/b'), {
    code: 'REFERENCE_INVALID',
  });
});
