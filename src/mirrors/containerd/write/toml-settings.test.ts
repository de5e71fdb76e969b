import assert from 'node:assert/strict';
import test from 'node:test';
import { parseToml } from '../../../documents/toml.ts';
import {
  applySettings,
  describeSettings,
  renderSettings,
  type TomlSetting,
} from './toml-settings.ts';

const cri = ['plugins', 'io.containerd.grpc.v1.cri'];
const path: TomlSetting = { table: [...cri, 'registry'], key: 'config_path', value: '/c' };
const sandbox: TomlSetting = { table: cri, key: 'sandbox_image', value: 'a"b' };

test('settings of one table share its header', () => {
  const text = renderSettings([path, { ...path, key: 'other' }, sandbox]);

  assert.equal(text.match(/\.registry\]/g)?.length, 1);
  assert.ok(parseToml(text, 'x').ok);
});

const descriptions: ReadonlyArray<
  readonly [claim: string, text: string, steps: readonly string[]]
> = [
  [
    'lines that are there are changed, with their comments',
    '[plugins."io.containerd.grpc.v1.cri"]\n  sandbox_image = "" # x\nregistry.config_path = ""\n',
    ['/m:2: make it sandbox_image = "a\\"b" # x', '/m:3: make it registry.config_path = "/c"'],
  ],
  [
    'a value over several lines is named by all of them',
    '[plugins."io.containerd.grpc.v1.cri"]\n  sandbox_image = """\nx"""\nregistry.config_path = ""\n',
    ['/m:2-3: make it sandbox_image = "a\\"b"', '/m:4: make it registry.config_path = "/c"'],
  ],
  [
    'one line is told once, with both changes in it',
    'version = 2\nplugins = {"io.containerd.grpc.v1.cri" = {registry = {config_path = ""}}}\n',
    [
      '/m:2: make it plugins = {"io.containerd.grpc.v1.cri" = {registry = {config_path = "/c"}, sandbox_image = "a\\"b"}}',
    ],
  ],
  [
    'what is not there comes before what moves other lines',
    '[plugins."io.containerd.grpc.v1.cri"]\n  a = 1\n',
    [
      'at the end of /m: add\n[plugins."io.containerd.grpc.v1.cri".registry]\n  config_path = "/c"',
      'below /m:1: add sandbox_image = "a\\"b"',
    ],
  ],
];

for (const [claim, text, steps] of descriptions) {
  test(`a change in words: ${claim}`, () => {
    assert.deepEqual(describeSettings('/m', text, [sandbox, path]), steps);
  });
}

test('a form that cannot be changed is told with its line', () => {
  const edited = applySettings('version = 2\nplugins = 3\n', [path]);

  assert.ok(!edited.ok);
  assert.equal(edited.line, 2);
});
