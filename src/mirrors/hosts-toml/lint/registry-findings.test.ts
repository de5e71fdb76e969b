import assert from 'node:assert/strict';
import test from 'node:test';
import { openContainerdNode } from '../../containerd/containerd-node.ts';
import { loadContainerdVersions } from '../../containerd-version/behaviour.ts';
import { memoryTree } from '../../memory-tree.ts';

const config = `version = 2
[plugins."io.containerd.grpc.v1.cri".registry]
config_path = "/certs.d"
`;

/** The chain for docker.io with these files in its directory; an empty name is the directory. */
async function chainFor(files: Readonly<Record<string, string>>, version = '2.1.1') {
  const versions = await loadContainerdVersions();
  const tree: Record<string, string> = { '/etc/containerd/config.toml': config };
  for (const [name, text] of Object.entries(files)) {
    tree[name === '' ? '/certs.d/docker.io' : `/certs.d/docker.io/${name}`] = text;
  }
  const node = await openContainerdNode(memoryTree(tree), versions.behaviourOf(version));
  return node.pullChain('nginx');
}

/** Its findings: `C003 hosts.toml:2`. */
async function findingsFor(files: Readonly<Record<string, string>>, version?: string) {
  const chain = await chainFor(files, version);
  const findings = chain.findings.map(({ rule, level, origin }) => {
    const { file = '', line } = origin;
    const place = file.replace('/certs.d/docker.io/', '').replace('/certs.d/docker.io', '.');
    return `${rule} ${level} ${place}${line === undefined ? '' : `:${line}`}`;
  });
  return { findings, skipped: chain.skipped };
}

const good = 'server = "https://m.example"\ncapabilities = ["pull", "resolve"]\n\n[host]\n';
const mirror = '[host."https://m.example"]\ncapabilities = ["pull", "resolve"]\n';

test('a file with the last mirror as server is clean', async () => {
  assert.deepEqual((await findingsFor({ 'hosts.toml': good })).findings, []);
});

test('no server is surprising where nobody knows whether the site is offline (C005)', async () => {
  assert.deepEqual((await findingsFor({ 'hosts.toml': mirror })).findings, [
    'C005 warn hosts.toml',
  ]);
});

test('a misspelt file name and the empty directory behind it are noticed (C001, C016)', async () => {
  const { findings, skipped } = await findingsFor({ 'hosts.yaml': good });

  assert.deepEqual(findings, ['C001 error hosts.yaml', 'C016 error .']);
  assert.deepEqual(
    skipped.map(({ origin }) => origin.file),
    ['/certs.d/docker.io/hosts.yaml'],
  );
});

test('certificates beside hosts.toml are named as without effect (C025)', async () => {
  const { findings } = await findingsFor({ 'hosts.toml': good, 'ca.crt': 'x' });

  assert.deepEqual(findings, ['C025 warn ca.crt']);
});

/** What fails a pull, with its rule and the fix for its cause. */
const failing: ReadonlyArray<
  readonly [
    claim: string,
    files: Readonly<Record<string, string>>,
    rule: string,
    fix: RegExp,
    version?: string,
  ]
> = [
  ['a missing CA', { 'hosts.toml': `ca = "x"\n${good}` }, 'C010', /^Put the file there/],
  [
    'a folder in place of a CA',
    { 'hosts.toml': `ca = "x"\n${good}`, 'x/y': '' },
    'C010',
    /^Name a file/,
  ],
  [
    'a CA that is no certificate',
    { 'hosts.toml': `ca = "x"\n${good}`, x: 'text' },
    'C010',
    /PEM form/,
  ],
  [
    'a client without its key',
    { 'hosts.toml': `client = "x"\n${good}`, x: 'text' },
    'C010',
    /the key that belongs to it/,
  ],
  ['a folder in place of hosts.toml', { 'hosts.toml/x': '' }, 'C028', /^Move the folder away/],
  ['a file in place of the folder', { '': 'a file' }, 'C028', /^Move the file away/],
  [
    'a key below host that 1.x panics at',
    { 'hosts.toml': `[host]\nca = "x"\n${mirror}` },
    'C029',
    /^Move this key above/,
    '1.7.34',
  ],
];

for (const [claim, files, rule, fix, version] of failing) {
  test(`${claim} fails every pull, and only that is said`, async () => {
    const chain = await chainFor(files, version);
    const errors = chain.findings.filter(({ level }) => level === 'error');

    assert.equal(chain.kind, 'refused');
    assert.deepEqual(
      errors.map((error) => error.rule),
      [rule],
    );
    assert.match(errors[0]?.fix ?? '', fix);
  });
}

test('the advice to make a mirror the server is all that must change', async () => {
  const { findings } = await chainFor({ 'hosts.toml': mirror });
  const [advice] = findings.filter(({ rule }) => rule === 'C005');
  const [server, capabilities, header] = [
    'server = "https://m.example"',
    'capabilities = ["pull", "resolve"]',
    '[host."https://m.example"]',
  ];
  for (const words of [server, capabilities, header, '[host]']) {
    assert.ok(advice?.fix.includes(words), `${words} is not in ${advice?.fix}`);
  }

  const followed = `${server}\n${capabilities}\n\n[host]\n`;
  assert.deepEqual((await findingsFor({ 'hosts.toml': followed }, '1.7.31')).findings, []);
});
