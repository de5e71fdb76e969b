import assert from 'node:assert/strict';
import test from 'node:test';
import { isInsideSite } from './inside-site.ts';

test('offline only the hosts that are allowed are inside, each with its port', () => {
  const site = {
    mode: 'offline',
    allowedHosts: ['reg.example', 'h.example:5000', '[fd00::1]:5000'],
  } as const;
  const hosts = ['reg.example', 'reg.example:443', 'reg.example:80', 'h.example:5000'];

  for (const host of [...hosts, '[fd00::1]:5000']) assert.ok(isInsideSite(site, host), host);
  for (const host of ['quay.io', 'reg.example:5000', 'h.example', '[fd00::1]']) {
    assert.ok(!isInsideSite(site, host), host);
  }
});

test('online every host is inside', () => {
  assert.ok(isInsideSite({ mode: 'online' }, 'quay.io'));
  assert.ok(isInsideSite(undefined, 'quay.io'));
});
