import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import {
  backup,
  filesIn,
  harbor,
  nodeWith,
  offline,
  mirrorsRequest as request,
} from '../../../test/support/mirror-node.ts';
import { reachableHosts } from '../../../test/support/node-chain.ts';
import { openNode } from '../../../test/support/open-node.ts';
import { startRun } from '../../shared/run.ts';
import { directoryTree } from '../directory-tree.ts';
import type { MirrorTarget } from '../mirror-rule.ts';
import { writeMirrors } from './write-mirrors.ts';

const versions = ['1.6.39', '1.7.0', '1.7.28', '2.0.0', '2.1.1', '2.2.0', '2.2.7', '2.3.4'];

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
    assert.equal(report.reloads.length, 1);
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
    assert.equal(again.reloads.length, 0);
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
    `# Written by Slipway: where docker.io is pulled from. Do not edit, "slipway mirrors write" renews it (sha256:fabdcc5253cdca45)
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

  assert.match(report.warnings.join('\n'), /harbor\.example:5000 is not verified/);
  assert.match(report.warnings.join('\n'), /backup\.example is asked over plain HTTP/);
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

test('a version that nobody has checked is named in the report', async (t) => {
  const runtime = { name: 'containerd', version: '2.9.0' } as const;

  const report = await writeMirrors(request(await nodeWith(t), { runtime }), startRun());

  assert.match(report.notes.join(), /2\.9\.0 is newer.*taken to behave like 2\.\d+\.\d+/);
});
