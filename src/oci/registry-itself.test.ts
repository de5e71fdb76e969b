import assert from 'node:assert/strict';
import test from 'node:test';
import { isRegistryItself } from './registry-itself.ts';

test('a registry is known in every spelling of its own host', () => {
  const spellings = ['quay.io', 'QUAY.io', 'quay.io.', 'quay.io:', 'quay.io:443', 'quay.io.:443'];
  const ports = ['quay.io:80', 'quay.io:0443', 'quay.io:00443', 'quay.io:5000'];

  for (const host of [...spellings, ...ports]) assert.ok(isRegistryItself('quay.io', host), host);
  for (const host of ['m.quay.io', 'quay.io.example', 'quay.i', 'quay.io:x', '']) {
    assert.ok(!isRegistryItself('quay.io', host), host);
  }
});

test('Docker Hub is known by all of its names', () => {
  const hosts = [
    'docker.io',
    'index.docker.io',
    'registry-1.docker.io.',
    'REGISTRY.HUB.docker.com',
  ];

  for (const host of [...hosts, 'hub.docker.com:443']) {
    assert.ok(isRegistryItself('docker.io', host), host);
    assert.ok(!isRegistryItself('quay.io', host), host);
  }
});

test('a registry with a port of its own is one of several on its host', () => {
  assert.ok(isRegistryItself('h.example:5000', 'h.example.:05000'));
  assert.ok(isRegistryItself('[fd00::1]:5000', '[fd00::1]:5000'));
  assert.ok(!isRegistryItself('h.example:5000', 'h.example:6000'));
  assert.ok(!isRegistryItself('h.example:5000', 'h.example'));
  assert.ok(isRegistryItself('h.example:443', 'h.example'));
});
