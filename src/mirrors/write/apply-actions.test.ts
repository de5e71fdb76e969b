import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { nodeWith } from '../../../test/support/mirror-node.ts';
import { applyActions } from './apply-actions.ts';
import { whileLocked } from './node-lock.ts';

for (const folder of ['a folder that is there', 'a new folder']) {
  test(`a file with a login is for no other user's eyes, also in ${folder}`, async (t) => {
    const files = folder === 'a new folder' ? {} : { '/etc/x/old': 'public' };
    const root = await nodeWith(t, { '/etc/y': '', ...files });
    const action = { do: 'write', path: '/etc/x/login', content: 'p', because: '' } as const;

    await whileLocked(root, (lock) => applyActions(lock, [{ ...action, isPrivate: true }]));

    assert.equal((await stat(join(root, 'etc/x/login'))).mode & 0o777, 0o600);
  });
}
