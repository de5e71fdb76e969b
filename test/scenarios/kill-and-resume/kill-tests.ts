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
      // Each transfer makes an entry; two of them can end while the signal is on its way.
      assert.ok(kills >= 0.9 * transfers, `${kills} kills for ${transfers} transfers`);
    });

    test(`${name}, killed at any moment, ends the same in the next run (P4, P9)`, async (t) => {
      const inTransfers = await killAtMoments(await prepare(t), moments);

      t.diagnostic(`${inTransfers} of ${moments} kills in transfers`);
      assert.ok(inTransfers >= moments / 2, `only ${inTransfers} of ${moments} kills in transfers`);
    });
  });
}
