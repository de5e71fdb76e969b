import assert from 'node:assert/strict';
import test from 'node:test';
import { fakeWorld } from '../../../../test/support/fake-world.ts';
import { Secret } from '../../../shared/secret.ts';
import { TokenCache } from './token-cache.ts';

const pull = [{ type: 'repository', name: 'app', actions: ['pull'] }];

test('a token is used until shortly before its end', () => {
  const world = fakeWorld();
  const cache = new TokenCache(world.clock);
  const token = new Secret('t');
  cache.keep(pull, token, 300);

  world.advance(289_000);
  assert.equal(cache.find(pull), token);
  world.advance(2_000);
  assert.equal(cache.find(pull), undefined);
});

test('a token that does not say its lifetime is good for a minute at most', () => {
  const world = fakeWorld();
  const cache = new TokenCache(world.clock);
  cache.keep(pull, new Secret('t'));

  world.advance(60_000);

  assert.equal(cache.find(pull), undefined);
});

test('a token with a very short life is still used once', () => {
  const cache = new TokenCache(fakeWorld().clock);

  cache.keep(pull, new Secret('t'), 1);

  assert.notEqual(cache.find(pull), undefined);
});

test('a dropped token is not given out again', () => {
  const cache = new TokenCache(fakeWorld().clock);
  const token = new Secret('t');
  cache.keep(pull, token, 300);

  cache.drop(token);

  assert.equal(cache.find(pull), undefined);
});
