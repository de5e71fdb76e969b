import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { reachableHosts } from '../../../test/support/node-chain.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { startRun } from '../../shared/run.ts';
import { directoryTree } from '../directory-tree.ts';
import { EVERY_OTHER, type MirrorRule, type MirrorTarget } from '../mirror-rule.ts';
import { openNode } from '../open-node.ts';
import { type MirrorsRequest, writeMirrors } from './write-mirrors.ts';

const versions = ['1.6.39', '1.7.0', '1.7.28', '2.0.0', '2.1.1', '2.2.0', '2.2.7', '2.3.4'];
const harbor: MirrorTarget = { scheme: 'https', host: 'harbor.example:5000', prefix: 'platform' };
const backup: MirrorTarget = { scheme: 'https', host: 'backup.example', prefix: '' };
const offline: readonly MirrorRule[] = [
  { registry: 'docker.io', targets: [backup, harbor], fallback: false },
  { registry: 'reg.example:5000', targets: [harbor], fallback: false },
  { registry: EVERY_OTHER, targets: [harbor], fallback: false },
];

function request(root: string, more: Partial<MirrorsRequest> = {}): MirrorsRequest {
  const runtime = { name: 'containerd', version: '2.1.1' } as const;
  return { root, runtime, rules: offline, replaceForeign: false, dryRun: false, ...more };
}

async function nodeWith(
  t: TestContext,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const root = await tempDir(t);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}

async function filesIn(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const texts: Record<string, string> = {};
  for (const file of files.sort()) texts[file.slice(root.length)] = await readFile(file, 'utf8');
  return texts;
}

for (const version of versions) {
  test(`rules for containerd ${version} leave no way out of the site (R0-52)`, async (t) => {
    const root = await nodeWith(t);
    const runtime = { name: 'containerd', version } as const;

    const report = await writeMirrors(request(root, { runtime }), startRun());

    const node = await openNode(directoryTree(root), runtime);
    for (const image of [
      'nginx',
      'reg.example:5000/a:1',
      `quay.io/unknown/b@sha256:${'a'.repeat(64)}`,
      'localhost:5000/x',
    ]) {
      const hosts = reachableHosts(await node.pullChain(image));
      assert.ok(
        hosts.length > 0 && hosts.every((host) => /^(harbor|backup)\.example/.test(host)),
        `${image}: ${hosts.join()}`,
      );
    }
    assert.equal(report.needsRestart, true);
    assert.deepEqual(node.findings, []);
  });

  test(`a second run for containerd ${version} changes nothing`, async (t) => {
    const root = await nodeWith(t);
    const runtime = { name: 'containerd', version } as const;
    await writeMirrors(
      request(root, { runtime, sandboxImage: 'registry.k8s.io/pause:3.9' }),
      startRun(),
    );
    const before = await filesIn(root);
    const times = await Promise.all(
      Object.keys(before).map(async (path) => (await stat(join(root, path))).mtimeMs),
    );

    const again = await writeMirrors(
      request(root, { runtime, sandboxImage: 'registry.k8s.io/pause:3.9' }),
      startRun(),
    );

    assert.deepEqual(
      again.actions.filter((action) => action.do !== 'keep'),
      [],
    );
    assert.equal(again.needsRestart, false);
    assert.deepEqual(await filesIn(root), before);
    assert.deepEqual(
      await Promise.all(
        Object.keys(before).map(async (path) => (await stat(join(root, path))).mtimeMs),
      ),
      times,
    );
  });
}

test('what is written is the subset that all versions read alike', async (t) => {
  const root = await nodeWith(t);

  await writeMirrors(request(root), startRun());

  const files = await filesIn(root);
  assert.equal(
    files['/etc/containerd/certs.d/docker.io/hosts.toml'],
    `# Written by Slipway: where docker.io is pulled from. Do not edit, the next "slipway mirrors write" replaces it.
server = "https://harbor.example:5000/v2/platform"
capabilities = ["pull", "resolve"]
override_path = true

[host]

[host."https://backup.example"]
  capabilities = ["pull", "resolve"]
`,
  );
  assert.deepEqual(Object.keys(files), [
    '/etc/containerd/certs.d/_default/hosts.toml',
    '/etc/containerd/certs.d/docker.io/hosts.toml',
    '/etc/containerd/certs.d/reg.example_5000_/hosts.toml',
    '/etc/containerd/config.toml',
  ]);
});

test('online the upstream stays the last endpoint, under its real name (R0-58)', async (t) => {
  const root = await nodeWith(t);
  const rules = [{ registry: 'docker.io', targets: [harbor], fallback: true }];

  await writeMirrors(request(root, { rules }), startRun());

  const node = await openNode(directoryTree(root), request(root).runtime);
  assert.deepEqual(reachableHosts(await node.pullChain('nginx')), [
    'harbor.example:5000',
    'registry-1.docker.io',
  ]);
});

test('an empty tree stays empty when the CA is none', async (t) => {
  const root = await nodeWith(t);
  const targets = [{ ...harbor, ca: { name: 'main', pem: 'no certificate' } }];

  const writing = writeMirrors(
    request(root, { rules: [{ registry: 'docker.io', targets, fallback: false }] }),
    startRun(),
  );

  await assert.rejects(writing, (error: Error & { code?: string }) => {
    return error.code === 'MIRROR_READBACK_FAILED' && /unable to load CA cert/.test(error.message);
  });
  assert.deepEqual(await filesIn(root), {});
});

test('unchecked certificates and plain HTTP are named in the report (R0-87)', async (t) => {
  const root = await nodeWith(t);
  const targets: MirrorTarget[] = [
    { ...backup, scheme: 'http' },
    { ...harbor, skipVerify: true },
  ];

  const report = await writeMirrors(
    request(root, { rules: [{ registry: 'docker.io', targets, fallback: false }] }),
    startRun(),
  );

  assert.match(report.warnings.join('\n'), /harbor\.example:5000 is not verified.*R0-87/);
  assert.match(report.warnings.join('\n'), /backup\.example is asked over plain HTTP/);
});

test('foreign rule files are refused by name, and nothing is changed', async (t) => {
  const files = {
    '/etc/containerd/certs.d/docker.io/hosts.toml': 'server = "https://docker.io"\n',
  };
  const root = await nodeWith(t, files);

  await assert.rejects(
    writeMirrors(request(root), startRun()),
    (error: Error & { code?: string }) => {
      return error.code === 'MIRROR_FILE_FOREIGN' && /docker\.io\/hosts\.toml/.test(error.message);
    },
  );
  assert.deepEqual(await filesIn(root), files);
});

test('foreign rule files are replaced on request, and a copy stays', async (t) => {
  const path = '/etc/containerd/certs.d/docker.io/hosts.toml';
  const root = await nodeWith(t, { [path]: 'server = "https://docker.io"\n' });
  await chmod(join(root, path), 0o600);

  await writeMirrors(request(root, { replaceForeign: true }), startRun());
  await writeMirrors(request(root, { replaceForeign: true }), startRun());

  const copy = join(root, `${path}.before-slipway`);
  assert.equal(await readFile(copy, 'utf8'), 'server = "https://docker.io"\n');
  assert.equal((await stat(copy)).mode & 0o777, 0o600);
});

test('foreign rules for other registries are kept and named', async (t) => {
  const path = '/etc/containerd/certs.d/quay.io/hosts.toml';
  const root = await nodeWith(t, { [path]: '[host."https://q.example"]\n' });

  const report = await writeMirrors(request(root), startRun());

  assert.ok(report.actions.some((action) => action.do === 'keep' && action.path === path));
  assert.equal((await filesIn(root))[path], '[host."https://q.example"]\n');
});

test('a rule that is no longer wanted goes with its folder, which would shadow _default (C016)', async (t) => {
  const root = await nodeWith(t);
  await writeMirrors(request(root), startRun());

  await writeMirrors(
    request(root, { rules: offline.filter(({ registry }) => registry !== 'docker.io') }),
    startRun(),
  );

  assert.deepEqual(await readdir(join(root, 'etc/containerd/certs.d')), [
    '_default',
    'reg.example_5000_',
  ]);
});

test('a plan only says what it would do', async (t) => {
  const root = await nodeWith(t);

  const report = await writeMirrors(request(root, { dryRun: true }), startRun());

  assert.deepEqual(
    report.actions.map((action) => action.do),
    ['write', 'write', 'write', 'write'],
  );
  assert.deepEqual(await filesIn(root), {});
});

const main = '/etc/containerd/config.toml';
const other =
  'version = 3\n# mine\nimports = ["/etc/containerd/conf.d/*.toml"]\n[plugins."io.containerd.cri.v1.runtime"]\n  enable_selinux = true\n';

test('a main file that imports a folder gets a drop-in and stays as it is (2.x)', async (t) => {
  const root = await nodeWith(t, { [main]: other });

  const report = await writeMirrors(request(root), startRun());

  const files = await filesIn(root);
  assert.equal(files[main], other);
  assert.match(
    files['/etc/containerd/conf.d/90-slipway.toml'] ?? '',
    /version = 3\n\n\[plugins\."io\.containerd\.cri\.v1\.images"\.registry\]/,
  );
  assert.equal(report.needsRestart, true);
});

test('1.x gets no drop-in, because that would replace all of its CRI settings', async (t) => {
  const text =
    'version = 2\nimports = ["/etc/containerd/conf.d/*.toml"]\n[plugins."io.containerd.grpc.v1.cri"]\n  enable_selinux = true # keep\n';
  const root = await nodeWith(t, { [main]: text });
  const more = {
    runtime: { name: 'containerd', version: '1.7.28' },
    sandboxImage: 'registry.k8s.io/pause:3.9',
  } as const;

  await assert.rejects(
    writeMirrors(request(root, more), startRun()),
    (error: Error & { fix?: string }) => {
      return /config_path = "\/etc\/containerd\/certs\.d"/.test(error.fix ?? '');
    },
  );
  await writeMirrors(request(root, { ...more, replaceForeign: true }), startRun());

  const files = await filesIn(root);
  assert.match(
    files[main] ?? '',
    /\[plugins\."io\.containerd\.grpc\.v1\.cri"\]\n {2}sandbox_image = "registry\.k8s\.io\/pause:3\.9"\n {2}enable_selinux = true # keep\n/,
  );
  assert.equal(files[`${main}.before-slipway`], text);
  const again = await writeMirrors(request(root, more), startRun());
  assert.deepEqual(
    again.actions.filter((action) => action.do !== 'keep'),
    [],
  );
});

test('a main file that says it already is kept', async (t) => {
  const text =
    'version = 2\n[plugins."io.containerd.grpc.v1.cri".registry]\nconfig_path = "/etc/containerd/certs.d"\n';
  const root = await nodeWith(t, { [main]: text });

  const report = await writeMirrors(request(root), startRun());

  assert.equal(report.needsRestart, false);
  assert.equal((await filesIn(root))[main], text);
});

test('deprecated mirrors beside the new directory are refused before anything is written (C019)', async (t) => {
  const text = `${other}[plugins."io.containerd.cri.v1.images".registry.mirrors."docker.io"]\nendpoint = ["https://m"]\n`;
  const root = await nodeWith(t, { [main]: text });

  await assert.rejects(
    writeMirrors(request(root), startRun()),
    (error: Error & { code?: string }) => {
      return (
        error.code === 'MIRROR_READBACK_FAILED' && /`mirrors` cannot be set/.test(error.message)
      );
    },
  );
  assert.deepEqual(await filesIn(root), { [main]: text });
});

test('links of the node are followed inside its root only', async (t) => {
  const root = await nodeWith(t, { '/data/.keep': '' });
  await mkdir(join(root, 'etc/containerd'), { recursive: true });
  await symlink('/data/certs', join(root, 'etc/containerd/certs.d'));

  await writeMirrors(request(root), startRun());

  assert.deepEqual((await readdir(join(root, 'data/certs'))).sort(), [
    '_default',
    'docker.io',
    'reg.example_5000_',
  ]);
});

test('a version without _default is told that other names would leave the site', async (t) => {
  const runtime = { name: 'containerd', version: '1.6.8' } as const;

  await assert.rejects(writeMirrors(request(await nodeWith(t), { runtime }), startRun()), {
    code: 'MIRROR_RULE_NOT_WRITABLE',
  });
});

test('1.x cannot have an IPv6 mirror in front; the last one may be', async (t) => {
  const runtime = { name: 'containerd', version: '1.7.28' } as const;
  const six: MirrorTarget = { scheme: 'https', host: '[fd00::1]:5000', prefix: '' };
  const rule = (targets: MirrorTarget[]) => [{ registry: 'docker.io', targets, fallback: false }];
  const root = await nodeWith(t);

  await assert.rejects(
    writeMirrors(request(root, { runtime, rules: rule([six, harbor]) }), startRun()),
    { code: 'MIRROR_RULE_NOT_WRITABLE' },
  );
  await writeMirrors(request(root, { runtime, rules: rule([harbor, six]) }), startRun());
});

test('a file in the way is named, and the node is left as it was', async (t) => {
  const root = await nodeWith(t, { '/etc/containerd/certs.d': 'a file' });

  await assert.rejects(
    writeMirrors(request(root), startRun()),
    (error: Error & { code?: string }) =>
      ['MIRROR_READBACK_FAILED', 'MIRROR_PATH_UNUSABLE'].includes(error.code ?? ''),
  );
});
