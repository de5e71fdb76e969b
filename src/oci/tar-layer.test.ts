import assert from 'node:assert/strict';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { gzipLayer, tarLayer } from './tar-layer.ts';

test('the order of the files does not change the archive', () => {
  const [a, b] = [
    { path: 'a', content: '1' },
    { path: 'b', content: '2' },
  ];

  assert.deepEqual(tarLayer([a, b]), tarLayer([b, a]));
});

test('a header carries name, mode, size and a checksum over itself', () => {
  const tar = Buffer.from(tarLayer([{ path: 'etc/motd', content: 'hello', mode: 0o600 }]));

  const text = (from: number, to: number) => tar.toString('latin1', from, to).replace(/\0.*/, '');
  assert.equal(text(0, 100), 'etc/motd');
  assert.equal(text(100, 108), '0000600');
  assert.equal(text(124, 136), '00000000005');
  assert.equal(tar.toString('latin1', 512, 517), 'hello');
  assert.equal(tar.length % 512, 0);
  const sum = [...tar.subarray(0, 148), ...Buffer.alloc(8, ' '), ...tar.subarray(156, 512)];
  assert.equal(
    Number.parseInt(text(148, 156), 8),
    sum.reduce((all, byte) => all + byte, 0),
  );
});

test('a long path is split at a slash', () => {
  const folder = 'd'.repeat(90);
  const tar = Buffer.from(tarLayer([{ path: `${folder}/${folder}`, content: '' }]));

  assert.equal(tar.toString('latin1', 0, 91), `${folder}\0`);
  assert.equal(tar.toString('latin1', 345, 345 + 91), `${folder}\0`);
});

for (const path of ['../x', '/x', '', 'a//b', './a', 'x'.repeat(101)]) {
  test(`the path ${JSON.stringify(path.slice(0, 9))} is refused`, () => {
    assert.throws(() => tarLayer([{ path, content: '' }]), { code: 'LAYER_PATH_INVALID' });
  });
}

test('gzip writes neither time nor system', () => {
  const zipped = gzipLayer(Buffer.from('text'));

  assert.deepEqual([...zipped.subarray(4, 8), zipped[9]], [0, 0, 0, 0, 255]);
  assert.equal(gunzipSync(zipped).toString(), 'text');
});
