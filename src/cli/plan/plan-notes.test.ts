import assert from 'node:assert/strict';
import test from 'node:test';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { planNotes } from './plan-notes.ts';

test('what may not be given to others is named with the reason', () => {
  const { lock } = sampleLock();
  const [app, pause] = lock.spec.images;
  assert.ok(app && pause);
  const because = 'its licence is not stated';
  const kept = { ...pause, redistribution: 'review' as const, redistributionBecause: because };

  const notes = planNotes({ ...lock, spec: { ...lock.spec, images: [app, kept] } }, undefined);

  assert.deepEqual(
    notes.map(({ kind, artefacts }) => ({ kind, artefacts })),
    [
      {
        kind: 'not-for-others',
        artefacts: [{ name: pause.name, redistribution: 'review', because }],
      },
    ],
  );
});

test('a Lock without a sandbox image says what nodes will want, before anything is carried', () => {
  const { lock } = sampleLock();
  const { sandbox: _, ...spec } = lock.spec;
  const kindsOf = (of: typeof lock) => planNotes(of, undefined).map(({ kind }) => kind);

  assert.ok(kindsOf({ ...lock, spec }).includes('no-sandbox'));
  assert.ok(!kindsOf(lock).includes('no-sandbox'));
});
