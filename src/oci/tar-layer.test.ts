import assert from 'node:assert/strict';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { decodeHeader } from '../shared/tar-header.ts';
import { gzipLayer, tarLayer } from './tar-layer.ts';

test('the order of the files does not change the archive', () => {
  const [a, b] = [
    { path: 'a', content: '1' },
    { path: 'b', content: '2' },
  ];

  assert.deepEqual(tarLayer([a, b]), tarLayer([b, a]));
});

test('a file stands in the archive with its mode and content', () => {
  const tar = Buffer.from(tarLayer([{ path: 'etc/motd', content: 'hello', mode: 0o600 }]));

  const header = decodeHeader(tar.subarray(0, 512));
  assert.deepEqual(header, { path: 'etc/motd', size: 5, mode: 0o600, type: '0' });
  assert.equal(tar.toString('latin1', 512, 517), 'hello');
  assert.equal(tar.length, 4 * 512);
});

for (const path of ['../x', '/x', '', 'a//b', './a']) {
  test(`the path ${JSON.stringify(path.slice(0, 9))} is refused`, () => {
    assert.throws(() => tarLayer([{ path, content: '' }]), { code: 'LAYER_PATH_INVALID' });
  });
}

test('gzip writes neither time nor system', () => {
  const zipped = gzipLayer(Buffer.from('text'));

  assert.deepEqual([...zipped.subarray(4, 8), zipped[9]], [0, 0, 0, 0, 255]);
  assert.equal(gunzipSync(zipped).toString(), 'text');
});
