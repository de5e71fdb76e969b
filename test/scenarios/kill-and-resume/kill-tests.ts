import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { killAtEveryEntry, killAtMoments, type Victim } from './kills.ts';

const moments = 20;

/** The two claims that every command keeps, each with upstreams of its own. */
export function killTests(name: string, prepare: (t: TestContext) => Promise<Victim>): void {
  suite(name, { concurrency: 2 }, () => {
    test(`${name}, killed at every entry, goes on and moves nothing twice (P4)`, async (t) => {
      const { kills, transfers } = await killAtEveryEntry(await prepare(t));

      t.diagnostic(`${kills} kills, ${transfers} transfers`);
      // An entry is a name that the command gives for good: a blob, a manifest, a journal record. One transfer
      // is let through at a time and makes at least one; after each kill the next run stops at the next new one,
      // until none is left. Two that are made before the poll (8 ms) or the signal comes are one kill for both.
      assert.ok(kills >= 0.9 * transfers, `${kills} kills for ${transfers} transfers`);
    });

    test(`${name}, killed at any moment, ends the same in the next run (P4, P9)`, async (t) => {
      const inTransfers = await killAtMoments(await prepare(t), moments);

      t.diagnostic(`${inTransfers} of ${moments} kills in transfers`);
      assert.ok(inTransfers >= moments / 2, `only ${inTransfers} of ${moments} kills in transfers`);
    });
  });
}
