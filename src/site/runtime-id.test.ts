import assert from 'node:assert/strict';
import test from 'node:test';
import { formatRuntimeId, parseRuntimeId } from './runtime-id.ts';

const right: ReadonlyArray<readonly [text: string, formatted: string]> = [
  ['containerd', 'containerd'],
  ['containerd@2.1.1', 'containerd@2.1.1'],
  ['containerd@v2.1.1', 'containerd@2.1.1'],
  ['k3s@v1.28.8+k3s1', 'k3s@v1.28.8+k3s1'],
  ['k3s@1.28.8+k3s1', 'k3s@v1.28.8+k3s1'],
  ['rke2@v1.30.1+rke2r2', 'rke2@v1.30.1+rke2r2'],
  ['cri-o@1.28.4', 'cri-o@1.28.4'],
  ['docker@20.10.24', 'docker@20.10.24'],
];

for (const [text, formatted] of right) {
  test(`${text} is read and written as ${formatted}`, () => {
    assert.equal(formatRuntimeId(parseRuntimeId(text)), formatted);
  });
}

test('a mistyped runtime names the one that is meant', () => {
  assert.throws(() => parseRuntimeId('crio@1.33.5'), { message: /did you mean "cri-o"\?/ });
});

for (const text of [
  '',
  'containerd@',
  'containerd@2.1',
  'containerd@latest',
  'runc@1.0.0',
  '@1.0.0',
  'k3s v1',
]) {
  test(`"${text}" is not a runtime`, () => {
    assert.throws(() => parseRuntimeId(text), { code: 'RUNTIME_ID_INVALID' });
  });
}
