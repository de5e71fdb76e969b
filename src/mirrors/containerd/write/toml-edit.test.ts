import assert from 'node:assert/strict';
import test from 'node:test';
import { parseToml } from '../../../documents/toml.ts';
import { editToml, renderSettings } from './toml-edit.ts';

const table = ['plugins', 'io.containerd.grpc.v1.cri', 'registry'];
const setting = { table, key: 'config_path', value: '/etc/containerd/certs.d' };

test('an existing value is replaced, and only its line changes', () => {
  const text =
    '# a\n[plugins."io.containerd.grpc.v1.cri".registry]\n    config_path = "" # empty\n[x]\n';

  assert.equal(
    editToml(text, [setting]),
    '# a\n[plugins."io.containerd.grpc.v1.cri".registry]\n    config_path = "/etc/containerd/certs.d"\n[x]\n',
  );
});

test('a dotted key keeps its form', () => {
  const text = '[plugins."io.containerd.grpc.v1.cri"]\nregistry.config_path = ""\n';

  assert.match(
    editToml(text, [setting]),
    /\nregistry\.config_path = "\/etc\/containerd\/certs\.d"\n/,
  );
});

test('a new key goes below the header of its table', () => {
  const text = "[plugins.'io.containerd.grpc.v1.cri'.registry]\nmore = 1\n";

  assert.equal(
    editToml(text, [setting]),
    '[plugins.\'io.containerd.grpc.v1.cri\'.registry]\n  config_path = "/etc/containerd/certs.d"\nmore = 1\n',
  );
});

test('a new table goes to the end', () => {
  const edited = editToml('version = 2', [setting]);

  assert.ok(parseToml(edited, 'x').ok);
  assert.match(
    edited,
    /^version = 2\n\n\[plugins\."io\.containerd\.grpc\.v1\.cri"\.registry\]\n {2}config_path/,
  );
});

test('settings of one table share its header', () => {
  const text = renderSettings([setting, { ...setting, key: 'other', value: 'a"b' }]);

  assert.equal(text.match(/\[plugins/g)?.length, 1);
  assert.ok(parseToml(text, 'x').ok);
});
