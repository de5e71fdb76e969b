import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import {
  filesIn,
  nodeWith,
  mirrorsRequest as request,
} from '../../../../test/support/mirror-node.ts';
import { startRun } from '../../../shared/run.ts';
import { writeMirrors } from '../../write/write-mirrors.ts';
import { withSettings } from './edit-limits.ts';

const main = '/etc/containerd/config.toml';
const runtime = { name: 'containerd', version: '1.7.28' } as const;
const cri = 'plugins."io.containerd.grpc.v1.cri"';
const certs = '/etc/containerd/certs.d';

const forms: ReadonlyArray<readonly [form: string, text: string, changed: string]> = [
  [
    'all plugins as an inline table',
    'version = 2\n\nplugins = {"io.containerd.grpc.v1.cri" = {enable_selinux = true}}\n',
    `version = 2\n\nplugins = {"io.containerd.grpc.v1.cri" = {enable_selinux = true, registry.config_path = "${certs}"}}\n`,
  ],
  [
    'the registry as an inline table',
    `version = 2\n[${cri}]\n  registry = {config_path = ""} # mine\n`,
    `version = 2\n[${cri}]\n  registry = {config_path = "${certs}"} # mine\n`,
  ],
  [
    'the directory as a text over several lines',
    `version = 2\r\n[${cri}.registry]\r\n  config_path = """\r\n/etc/mine"""\r\n`,
    `version = 2\r\n[${cri}.registry]\r\n  config_path = "${certs}"\r\n`,
  ],
  [
    'the registry in dotted keys',
    `\uFEFFversion = 2\n[${cri}]\n  registry.headers.X = ["y"]\n`,
    `\uFEFFversion = 2\n[${cri}]\n  registry.headers.X = ["y"]\n  registry.config_path = "${certs}"\n`,
  ],
];

for (const [form, text, changed] of forms) {
  test(`a main file with ${form} is changed in place, and a second run changes nothing`, async (t) => {
    const root = await nodeWith(t, { [main]: text });

    await writeMirrors(request(root, { runtime, replaceForeign: true }), startRun());

    assert.equal((await filesIn(root))[main], changed);
    const { actions } = await writeMirrors(request(root, { runtime }), startRun());
    assert.equal(actions.find(({ path }) => path === main)?.do, 'keep');
  });
}

test('a main file with a byte that is not UTF-8 is left to its owner, by its real line', async (t) => {
  const root = await nodeWith(t, { [main]: '' });
  await writeFile(join(root, main), 'version = 2\n# caf\xE9\n', 'latin1');
  const before = await filesIn(root);

  for (const replaceForeign of [false, true]) {
    await assert.rejects(
      writeMirrors(request(root, { runtime, replaceForeign }), startRun()),
      (error: Error & { code?: string; fix?: string }) => {
        assert.equal(error.code, 'MIRROR_CONFIG_NOT_EDITABLE');
        assert.match(error.message, /config\.toml:2: .* a byte that is not UTF-8/);
        assert.match(error.fix ?? '', /config_path = "\/etc\/containerd\/certs\.d"/);
        return true;
      },
    );
  }
  assert.deepEqual(await filesIn(root), before);
});

test('with the setting put in by hand such a file is in force and stays byte for byte', async (t) => {
  const text = `version = 2\n# caf\xE9\n[${cri}]\n  registry = {config_path = "${certs}"}\n`;
  const root = await nodeWith(t, { [main]: '' });
  await writeFile(join(root, main), text, 'latin1');

  const { actions } = await writeMirrors(request(root, { runtime }), startRun());

  assert.equal(actions.find(({ path }) => path === main)?.do, 'keep');
});

test('a place that no change of the text reaches is named by its line', () => {
  const setting = { table: ['plugins', 'cri'], key: 'config_path', value: certs } as const;

  assert.throws(() => withSettings(main, 'version = 2\nplugins = 3\n', [setting]), {
    code: 'MIRROR_CONFIG_NOT_EDITABLE',
    message: /config\.toml:2: plugins is a value that cannot hold plugins\.cri\.config_path/,
  });
});
