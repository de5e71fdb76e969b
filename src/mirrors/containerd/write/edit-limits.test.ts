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

const main = '/etc/containerd/config.toml';
const runtime = { name: 'containerd', version: '1.7.28' } as const;
const cri = 'plugins."io.containerd.grpc.v1.cri"';

const limits: ReadonlyArray<readonly [form: string, text: string, place: RegExp]> = [
  [
    'all plugins as an inline table',
    'version = 2\n\nplugins = {"io.containerd.grpc.v1.cri" = {enable_selinux = true}}\n',
    /config\.toml:3: plugins is an inline table/,
  ],
  [
    'the registry as an inline table',
    `version = 2\n[${cri}]\n  registry = {config_path = ""}\n`,
    /config\.toml:3: plugins\."io\.containerd\.grpc\.v1\.cri"\.registry is an inline table/,
  ],
  [
    'the directory as a text over several lines',
    `version = 2\n[${cri}.registry]\n  config_path = """\n/etc/mine"""\n`,
    /config\.toml:3: .*\.registry\.config_path is a text over several lines/,
  ],
  [
    'the registry in dotted keys',
    `version = 2\n[${cri}]\n  registry.headers.X = ["y"]\n`,
    /config\.toml:3: .*\.registry is written in dotted keys/,
  ],
  [
    'a byte that is not UTF-8',
    'version = 2\n# caf\xE9\n',
    /config\.toml:2: .* a byte that is not UTF-8/,
  ],
];

for (const [form, text, place] of limits) {
  test(`a main file with ${form} is left to its owner, by its real line`, async (t) => {
    const root = await nodeWith(t, { [main]: '' });
    await writeFile(join(root, main), text, 'latin1');
    const before = await filesIn(root);

    for (const replaceForeign of [false, true]) {
      await assert.rejects(
        writeMirrors(request(root, { runtime, replaceForeign }), startRun()),
        (error: Error & { code?: string; fix?: string }) => {
          assert.equal(error.code, 'MIRROR_CONFIG_NOT_EDITABLE');
          assert.match(error.message, place);
          assert.match(error.fix ?? '', /config_path = "\/etc\/containerd\/certs\.d"/);
          return true;
        },
      );
    }
    assert.deepEqual(await filesIn(root), before);
  });
}

test('with the setting put in by hand such a file is in force and stays byte for byte', async (t) => {
  const text = `version = 2\n# caf\xE9\n[${cri}]\n  registry = {config_path = "/etc/containerd/certs.d"}\n`;
  const root = await nodeWith(t, { [main]: '' });
  await writeFile(join(root, main), text, 'latin1');

  const { actions } = await writeMirrors(request(root, { runtime }), startRun());

  assert.equal(actions.find(({ path }) => path === main)?.do, 'keep');
});
