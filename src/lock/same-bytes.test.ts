/** The Lock is the same bytes in whatever order registries answer (P9); test/scenarios/same-bytes has the rest. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { both, images, plan, World } from '../../test/support/plan-world.ts';
import type { LockedSource } from '../release/lock.ts';
import { formatLock } from '../release/lock-document.ts';
import type { ResolvableSource } from './image-reader.ts';

/** More than are asked for at the same time, in no order. */
const names = Array.from({ length: 20 }, (_, index) => `quay.io/a/app-${(index * 7) % 20}`);
const content = new Map(names.map((name) => [name, both(name)]));

/** A world whose answers each wait for so many turns of the event loop. */
class SlowWorld extends World {
  readonly #turns: readonly number[];
  #asked = 0;

  constructor(turns: readonly number[]) {
    super();
    this.#turns = turns;
  }

  override ports() {
    const ports = super.ports();
    return { ...ports, sourceOf: (source: LockedSource) => this.#slow(ports.sourceOf(source)) };
  }

  #slow(source: ResolvableSource): ResolvableSource {
    const later = async <T>(ask: () => Promise<T>) => {
      await this.#wait();
      return ask();
    };
    return {
      label: source.label,
      resolve: (...args) => later(() => source.resolve(...args)),
      fetchManifest: (...args) => later(() => source.fetchManifest(...args)),
      open: (...args) => later(() => source.open(...args)),
    };
  }

  async #wait(): Promise<void> {
    const turns = this.#turns[this.#asked++ % this.#turns.length] ?? 0;
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
  }
}

test('the Lock is the same bytes in whatever order the answers come (P9)', async (t) => {
  const planned = async (turns: readonly number[]) => {
    const world = new SlowWorld(turns);
    for (const [name, image] of content) await world.at(name).push('v1', image);
    return formatLock(await plan(t, images(...names.map((name) => `${name}:v1`)), world));
  };
  const expected = await planned([0]);

  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(6), { minLength: 2, maxLength: 40 }), async (turns) => {
      assert.equal(await planned(turns), expected);
    }),
    { numRuns: 8 },
  );
});
