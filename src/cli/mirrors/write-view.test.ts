import assert from 'node:assert/strict';
import test from 'node:test';
import { formatWrite } from './write-view.ts';

test('many kept files of one reason are counted, and every change has its line', () => {
  const keep = (because: string) => (_: unknown, at: number) =>
    ({ do: 'keep', path: `/${because}/${at}`, because }) as const;
  const actions = [
    { do: 'write', path: '/w', content: '', because: 'wanted' } as const,
    ...Array.from({ length: 20_000 }, keep('foreign')),
    ...Array.from({ length: 5 }, keep('settled')),
  ];

  const text = formatWrite({
    report: { actions, reloads: [], warnings: [], notes: [] },
    order: { root: 'node', dryRun: false },
    runtime: 'containerd@2.1.1',
    next: 'slipway prove',
  });

  assert.equal(text.match(/^ {2}keep/gm)?.length, 11);
  assert.match(text, /^ {2}write +\/w +wanted$/m);
  assert.match(text, /^ {2}keep +and 19995 more files +foreign$/m);
  assert.doesNotMatch(text, /more files +settled/);
});
