import assert from 'node:assert/strict';
import test from 'node:test';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { digestOf } from '../../oci/digest.ts';
import type { Lock } from '../../release/lock.ts';
import { changeNotes } from './change-notes.ts';

const { lock } = sampleLock();

/** The sample, made from other documents. */
function madeFrom(release: string, policy: string, spec: Partial<Lock['spec']> = {}): Lock {
  const documents = { release: digestOf(release), policy: digestOf(policy) };
  return { ...lock, spec: { ...lock.spec, ...spec, madeFrom: documents } };
}

const earlier = madeFrom('r1', 'p1');
const [app, pause] = lock.spec.images;
assert.ok(app && pause);

test('the same documents, or no earlier Lock, are nothing to know', () => {
  assert.deepEqual(changeNotes(madeFrom('r1', 'p1'), earlier), []);
  assert.deepEqual(changeNotes(earlier, undefined), []);
});

test('another Release is named with what is new and what is gone', () => {
  const other = { ...pause, name: 'registry.k8s.io/pause:3.10' };

  assert.deepEqual(changeNotes(madeFrom('r2', 'p1', { images: [app, other] }), earlier), [
    {
      kind: 'release-changed',
      text: 'the Release has changed since the earlier Lock: new registry.k8s.io/pause:3.10; gone registry.k8s.io/pause:3.9',
    },
  ]);
});

test('another policy is named with what it judges otherwise', () => {
  const kept = { ...pause, redistribution: 'own-use-only' as const };

  assert.deepEqual(
    changeNotes(madeFrom('r2', 'p2', { images: [app, kept] }), earlier).map(({ text }) => text),
    [
      'the Release has changed since the earlier Lock: no artefact is another for it',
      'the SourcePolicy has changed since the earlier Lock: registry.k8s.io/pause:3.9 allowed → own-use-only',
    ],
  );
});
