import assert from 'node:assert/strict';
import test from 'node:test';
import { platformOfConfig } from './image-config.ts';

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

test('the platform is read without the rest of the configuration', () => {
  const config = { os: 'linux', architecture: 'arm', variant: 'v7', rootfs: { diff_ids: [] } };

  assert.deepEqual(platformOfConfig(bytes(config)), {
    os: 'linux',
    architecture: 'arm',
    variant: 'v7',
  });
});

test('a configuration without an architecture is refused by that name', () => {
  assert.throws(() => platformOfConfig(bytes({ os: 'linux' })), {
    code: 'IMAGE_CONFIG_INVALID',
    message: /architecture/,
  });
});

test('a configuration that is not JSON is refused', () => {
  assert.throws(() => platformOfConfig(Buffer.from('PK')), { code: 'IMAGE_CONFIG_INVALID' });
});
