import assert from 'node:assert/strict';
import test from 'node:test';
import { readRegistries } from './registries-file.ts';
import { wharfiePull } from './wharfie.ts';

function pull(image: string, text: string) {
  const file = readRegistries(text);
  assert.ok(file.kind === 'read');
  return wharfiePull(image, file.registries);
}

function urls(image: string, text: string): readonly string[] {
  return pull(image, text).endpoints.map(({ url }) => url);
}

test('Docker Hub is index.docker.io, looked up under both names, and always asked last', () => {
  const mirror = (name: string) => `mirrors: {${name}: {endpoint: [m.example]}}\n`;

  assert.deepEqual(urls('busybox', ''), ['https://index.docker.io/v2']);
  for (const name of ['docker.io', 'index.docker.io', '"*"']) {
    assert.deepEqual(urls('busybox', mirror(name)), [
      'https://m.example/v2',
      'https://index.docker.io/v2',
    ]);
  }
});

test('a registry without a port is also looked up with those of HTTPS and HTTP', () => {
  const text = 'mirrors: {"a.example:80": {endpoint: ["http://m.example/x//y/"]}}\n';

  assert.deepEqual(urls('a.example/b:1', text), ['http://m.example/x/y', 'https://a.example/v2']);
  assert.deepEqual(urls('a.example:5000/b:1', text), ['https://a.example:5000/v2']);
});

test('the first key that is there decides, with or without endpoints', () => {
  const text = 'mirrors: {a.example: {}, "*": {endpoint: [m.example]}}\n';

  assert.deepEqual(urls('a.example/b:1', text), ['https://a.example/v2']);
});

test('endpoints that are no address are left out', () => {
  const text =
    'mirrors: {a.example: {endpoint: ["https://u:p{@m.example", "/v2", "localhost:5000"]}}\n';

  assert.deepEqual(urls('a.example/b:1', text), [
    'http://localhost:5000/v2',
    'https://a.example/v2',
  ]);
});

test('settings of * are for every endpoint that has none of its own', () => {
  const text =
    'configs:\n  "*": {auth: {username: u}, tls: {insecure_skip_verify: true}}\n  b.example: {}\n';

  assert.deepEqual(pull('a.example/b:1', text).endpoints, [
    { url: 'https://a.example/v2', username: 'u', skipVerify: true },
  ]);
  assert.deepEqual(pull('b.example/b:1', text).endpoints, [
    { url: 'https://b.example/v2', skipVerify: false },
  ]);
});

test('a rewrite holds for all endpoints, the registry too, unless it makes no name', () => {
  const text = (replacement: string) =>
    `mirrors: {a.example: {rewrite: {"^b/": "${replacement}"}}}\n`;

  assert.equal(pull('a.example/b/c:1', text('x/')).image, 'a.example/x/c:1');
  assert.equal(pull('a.example/b/c:1', text('X ')).image, 'a.example/b/c:1');
});
