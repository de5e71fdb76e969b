import assert from 'node:assert/strict';
import test from 'node:test';
import { describeServed } from './serve-view.ts';

const served = {
  url: 'http://127.0.0.1:5000',
  host: '127.0.0.1',
  label: 'store',
  access: 'read-write',
  repositories: 1,
  caFile: undefined,
  hasMetrics: false,
} as const;

test('the command to look with has a user where reads need a login', () => {
  const look = (login: 'none' | 'required' | 'for-pushes') =>
    /look +(.*)/.exec(describeServed({ ...served, login }).text ?? '')?.[1];

  assert.equal(look('required'), 'curl -u NAME http://127.0.0.1:5000/v2/_catalog');
  assert.equal(look('for-pushes'), 'curl http://127.0.0.1:5000/v2/_catalog');
  assert.equal(look('none'), 'curl http://127.0.0.1:5000/v2/_catalog');
});
