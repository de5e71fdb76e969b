import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { coversScopes, formatScope, mergeScopes, parseScopes } from './scopes.ts';

const pull = { type: 'repository', name: 'a/b', actions: ['pull'] };
const push = { type: 'repository', name: 'a/b', actions: ['push', 'pull'] };

test('a scope is written with sorted actions, so that equal needs give equal text', () => {
  assert.equal(formatScope(push), 'repository:a/b:pull,push');
});

test('a name with a port keeps its colon', () => {
  assert.deepEqual(parseScopes('repository:host:5000/a:pull registry:catalog:*'), [
    { type: 'repository', name: 'host:5000/a', actions: ['pull'] },
    { type: 'registry', name: 'catalog', actions: ['*'] },
  ]);
});

test('a token to push also serves who pulls, and not the other way round', () => {
  assert.equal(coversScopes([push], [pull]), true);
  assert.equal(coversScopes([pull], [push]), false);
  assert.equal(coversScopes([push], [{ ...pull, name: 'a' }]), false);
});

test('merging joins the actions of one object and keeps the order of names', () => {
  const other = { type: 'repository', name: 'a/a', actions: ['pull'] };

  assert.deepEqual(mergeScopes([pull, other], [push]).map(formatScope), [
    'repository:a/a:pull',
    'repository:a/b:pull,push',
  ]);
});

test('what is formatted parses to the same scope', () => {
  const name = fc.stringMatching(/^[a-z0-9/._-]{1,20}$/);
  const actions = fc.uniqueArray(fc.constantFrom('delete', 'pull', 'push'), { minLength: 1 });

  fc.assert(
    fc.property(name, actions, (path, wanted) => {
      const scope = { type: 'repository', name: path, actions: wanted.sort() };
      assert.deepEqual(parseScopes(formatScope(scope)), [scope]);
    }),
  );
});
