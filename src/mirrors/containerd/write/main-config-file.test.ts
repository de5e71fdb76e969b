import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import {
  filesIn,
  nodeWith,
  mirrorsRequest as request,
} from '../../../../test/support/mirror-node.ts';
import { startRun } from '../../../shared/run.ts';
import { writeMirrors } from '../../write/write-mirrors.ts';

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
  assert.equal(report.reloads.length, 1);
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

  assert.equal(report.reloads.length, 0);
  assert.equal((await filesIn(root))[main], text);
});

const deprecated = `version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "registry.k8s.io/pause:3.8"
[plugins."io.containerd.grpc.v1.cri".registry.mirrors."docker.io"]
  endpoint = [
    "https://m.example", # the old one
  ]
[plugins."io.containerd.grpc.v1.cri".registry]
  # where rules are
  config_path = ""
[plugins."io.containerd.grpc.v1.cri".registry.configs."m.example".tls]
  ca_file = "/etc/m.pem"
[plugins."io.containerd.grpc.v1.cri".registry.configs."m.example".auth]
  username = "u"
`;
const old = {
  runtime: { name: 'containerd', version: '1.7.20' },
  sandboxImage: 'registry.k8s.io/pause:3.9',
} as const;

for (const [what, text] of [
  ['without config_path', deprecated],
  ['beside config_path', deprecated.replace('config_path = ""', 'config_path = "/etc/x"')],
] as const) {
  test(`registry.mirrors and tls ${what} become comments with --replace, since they exclude it (C019)`, async (t) => {
    const root = await nodeWith(t, { [main]: text });

    const report = await writeMirrors(request(root, { ...old, replaceForeign: true }), startRun());

    const files = await filesIn(root);
    assert.match(
      files[main] ?? '',
      /\n# \[.*mirrors\."docker\.io"\]\n# {3}endpoint = \[\n# {5}"https:/,
    );
    assert.match(
      files[main] ?? '',
      /\n# \[.*\.tls\]\n# {3}ca_file .*\n\[.*\.auth\]\n {2}username = "u"\n/,
    );
    assert.match(
      report.actions.map(({ because }) => because).join('\n'),
      /lines 4, 5, 6, 7, 11, 12/,
    );
    assert.equal(files[`${main}.before-slipway`], text);
  });

  test(`registry.mirrors ${what}: the change by hand that is printed is all there is to do`, async (t) => {
    const root = await nodeWith(t, { [main]: text });
    const fix = await writeMirrors(request(root, old), startRun()).then(
      () => '',
      (error: Error & { fix?: string }) => error.fix ?? '',
    );

    await writeFile(join(root, main), byHand(text, fix));
    const report = await writeMirrors(request(root, old), startRun());

    assert.equal(report.actions.find(({ path }) => path === main)?.do, 'keep');
  });
}

test('a table that is there gets a line, and is not written a second time', async (t) => {
  const text =
    'version = 3\n[plugins."io.containerd.cri.v1.images".registry]\n# mine\n[plugins."io.containerd.cri.v1.images".pinned_images]\n  sandbox = "a.example/pause:1"\n';
  const root = await nodeWith(t, { [main]: text });
  const { fix = '' } = (await writeMirrors(
    request(root, { sandboxImage: old.sandboxImage }),
    startRun(),
  )
    .then(() => new Error('written'))
    .catch((error: Error & { fix?: string }) => error)) as { fix?: string };

  await writeFile(join(root, main), byHand(text, fix));
  await writeMirrors(request(root, { sandboxImage: old.sandboxImage }), startRun());

  assert.match(
    fix,
    /config\.toml:5: make it sandbox = .*\nbelow \/etc\/containerd\/config\.toml:2: add config_path/,
  );
});

/** Does what is printed, line by line, as a person would. */
function byHand(text: string, fix: string): string {
  const lines = text.split('\n');
  for (const step of fix.split('\n').slice(1)) {
    const off = /put # before lines ([\d, ]+),/.exec(step)?.[1];
    for (const line of off?.split(', ') ?? []) lines[+line - 1] = `# ${lines[+line - 1]}`;
    const [, at = '', made = ''] = /^\S+:(\d+): make it (.*)$/.exec(step) ?? [];
    if (at !== '') lines[+at - 1] = made;
    const [, below = '', more = ''] = /^below \S+:(\d+): add (.*)$/.exec(step) ?? [];
    if (below !== '') lines.splice(+below, 0, more);
    assert.match(step, /put # before|make it|below/);
  }
  return lines.join('\n');
}

for (const [how, text, mended] of [
  ['none', '', 'version = 3\n'],
  [
    'none for tables of 1.x',
    '[plugins."io.containerd.grpc.v1.cri"]\n',
    'version = 2\n[plugins."io.containerd.grpc.v1.cri"]\n',
  ],
] as const) {
  test(`2.x with a file of version ${how} is told the line to write, and that is enough`, async (t) => {
    const root = await nodeWith(t, { [main]: `# mine\n${text}` });

    await assert.rejects(
      writeMirrors(request(root, { replaceForeign: true }), startRun()),
      (error: Error & { code?: string; fix?: string }) =>
        error.code === 'MIRROR_CONFIG_BROKEN' &&
        (error.fix ?? '').startsWith(
          `Write ${mended.split('\n')[0]} as the first line of ${main} (above ${main}:1)`,
        ),
    );
    await writeFile(join(root, main), mended);
    await writeMirrors(request(root, { replaceForeign: true }), startRun());
  });
}

test('a main file of ours that somebody broke is named, and written anew once it is moved away', async (t) => {
  const root = await nodeWith(t);
  await writeMirrors(request(root), startRun());
  const written = await filesIn(root);
  const again = await nodeWith(t, { ...written, [main]: `${written[main]}\nnot toml\n` });

  await assert.rejects(writeMirrors(request(again), startRun()), { code: 'MIRROR_CONFIG_BROKEN' });
  await rm(join(again, main));
  await writeMirrors(request(again), startRun());

  assert.deepEqual(await filesIn(again), written);
});

test('the report says which settings the main file gets, and that the rest of it stays', async (t) => {
  const root = await nodeWith(t, { [main]: 'version = 2\n' });
  const sandboxImage = 'registry.k8s.io/pause:3.9';

  const report = await writeMirrors(
    request(root, { sandboxImage, replaceForeign: true }),
    startRun(),
  );

  const [action] = report.actions.filter(({ path }) => path === main);
  assert.equal(action?.do, 'change');
  assert.equal(
    action?.because,
    'sets sandbox_image = "registry.k8s.io/pause:3.9" and config_path = "/etc/containerd/certs.d"; every other line stays',
  );
});
