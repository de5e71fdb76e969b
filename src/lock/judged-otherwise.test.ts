import assert from 'node:assert/strict';
import test from 'node:test';
import { sampleLock } from '../../test/support/sample-lock.ts';
import type { Lock } from '../release/lock.ts';
import { policyDigest } from '../release/policy-digest.ts';
import type { SourcePolicy } from '../release/source-policy.ts';
import { judgedOtherwise } from './judged-otherwise.ts';

const { lock } = sampleLock();

function policy(classes: SourcePolicy['spec']['classes']): SourcePolicy {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'SourcePolicy',
    metadata: { name: 'a' },
    spec: { classes },
  };
}

const open = policy({ redistributable: { registries: ['*'] } });
const closed = policy({
  redistributable: { registries: ['cr.openfuyao.cn', 'hub.oepkgs.net'] },
  upstream: { registries: ['*'], redistribute: 'never' },
});

function madeWith(made: SourcePolicy): Lock {
  const { madeFrom, ...spec } = lock.spec;
  return { ...lock, spec: { ...spec, madeFrom: { ...madeFrom, policy: policyDigest(made) } } };
}

test('a policy that has become stricter is named with the artefact and the reason', () => {
  assert.deepEqual(judgedOtherwise(madeWith(open), closed), [
    {
      name: 'registry.k8s.io/pause:3.9',
      before: 'allowed',
      now: 'own-use-only',
      because: 'class upstream is never redistributed',
    },
  ]);
});

test('a policy that decides the same says nothing, however registries are reached', () => {
  const elsewhere = {
    ...open,
    spec: {
      ...open.spec,
      registries: { 'registry.k8s.io': { endpoint: 'http://127.0.0.1:5001' } },
    },
  };

  assert.equal(policyDigest(elsewhere), policyDigest(open));
  assert.deepEqual(judgedOtherwise(madeWith(open), elsewhere), []);
  assert.deepEqual(judgedOtherwise(lock, open), [], 'a Lock without a policy is judged anew');
});

test('what the policy would refuse altogether is named too', () => {
  const licensed = policy({ redistributable: { registries: ['*'], licences: { allow: ['MIT'] } } });
  const [app] = lock.spec.images;
  assert.ok(app);
  const busl = {
    ...lock,
    spec: { ...lock.spec, images: [{ ...app, licence: 'BUSL-1.1' }], charts: [] },
  };

  assert.deepEqual(
    judgedOtherwise(busl, licensed).map(({ now, because }) => [now, because]),
    [['refused', 'BUSL-1.1 may not travel in class "redistributable"']],
  );
});
