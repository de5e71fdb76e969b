/** Writes, single rules more and less, switchings off, undos and edits of others in any order: nothing of theirs is lost, nothing of ours stays. */

import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import fc from 'fast-check';
import { filesIn, harbor, nodeWith } from '../../../test/support/mirror-node.ts';
import { nodeFingerprint } from '../../../test/support/node-fingerprint.ts';
import { SlipwayError } from '../../shared/errors.ts';
import { startRun } from '../../shared/run.ts';
import { parseRuntimeId } from '../../site/runtime-id.ts';
import { directoryTree } from '../directory-tree.ts';
import type { MirrorRule } from '../mirror-rule.ts';
import { authorOf } from '../own-text.ts';
import { undoLastChange } from './change-node.ts';
import { withoutRules, withRule } from './edit-rules.ts';
import { readNodeRecord } from './node-record.ts';
import { rulesWithLogins } from './remembered-logins.ts';
import { writeMirrors } from './write-mirrors.ts';

const hub: MirrorRule = { registry: 'docker.io', targets: [harbor], fallback: false };
const quay: MirrorRule = { registry: 'quay.io', targets: [harbor], fallback: false };
const ruleSets: readonly (readonly MirrorRule[])[] = [[hub], [hub, quay], [quay]];

/** One step of whoever works on the node. */
type Step =
  | { readonly do: 'write'; readonly rules: number; readonly replace: boolean }
  | { readonly do: 'off'; readonly replace: boolean }
  | { readonly do: 'add' | 'remove'; readonly rule: number; readonly replace: boolean }
  | { readonly do: 'undo' }
  | {
      readonly do: 'append' | 'overwrite' | 'delete';
      readonly file: number;
      readonly isCopy: boolean;
    };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('write' as const),
      rules: fc.nat(ruleSets.length - 1),
      replace: fc.boolean(),
    }),
    fc.record({ do: fc.constant('off' as const), replace: fc.boolean() }),
    fc.record({
      do: fc.constantFrom('add' as const, 'remove' as const),
      rule: fc.nat(1),
      replace: fc.boolean(),
    }),
    fc.record({ do: fc.constant('undo' as const) }),
    fc.record({
      do: fc.constantFrom('append' as const, 'overwrite' as const, 'delete' as const),
      file: fc.nat(7),
      isCopy: fc.boolean(),
    }),
  ),
  { minLength: 2, maxLength: 8 },
);

/** Where people edit by hand, and how a file of their own begins. */
interface Place {
  readonly runtime: string;
  readonly files: readonly [string, ...string[]];
  readonly head: string;
}

const certs = '/etc/containerd/certs.d';
const places: readonly Place[] = [
  {
    runtime: 'containerd@2.1.9',
    files: [
      '/etc/containerd/config.toml',
      `${certs}/docker.io/hosts.toml`,
      `${certs}/x/hosts.toml`,
    ],
    head: '',
  },
  { runtime: 'containerd@1.7.28', files: ['/etc/containerd/config.toml'], head: 'version = 2\n' },
  { runtime: 'k3s@v1.28.8+k3s1', files: ['/etc/rancher/k3s/registries.yaml'], head: '' },
  { runtime: 'cri-o@1.31.0', files: ['/etc/containers/registries.conf'], head: '' },
];

/** Refusals that leave everything as it is and say what to do. */
const refusals = new Set([
  'MIRROR_FILE_FOREIGN',
  'MIRROR_EDITED_SINCE',
  'MIRROR_NOTHING_TO_UNDO',
  'MIRROR_CONFIG_BROKEN',
  'MIRROR_CONFIG_NOT_EDITABLE',
  'MIRROR_READBACK_FAILED',
]);

/** A node with what must be true of it, whatever happened. */
class Worked {
  readonly #root: string;
  readonly #place: Place;
  /** Lines of others that they have not removed themselves. */
  #theirs: readonly string[] = [];
  #count = 0;
  /** How the node was before our first file; undefined since others changed it meanwhile. */
  #without: readonly string[] | undefined;
  /** How it was before the last change of ours; undefined since others changed it. */
  #before: readonly string[] | undefined;
  #isOn = false;
  #lastWasRefused = false;

  constructor(root: string, place: Place) {
    this.#root = root;
    this.#place = place;
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'write':
        return this.#write(ruleSets[step.rules] ?? [], step.replace);
      case 'off':
        return this.#write([], step.replace);
      case 'add':
      case 'remove':
        return this.#changeOne(step);
      case 'undo':
        return this.#undo();
      case 'append':
      case 'overwrite':
      case 'delete':
        return this.#edit(step);
    }
  }

  /** As `slipway mirrors add` and `remove` do, from what the node remembers. */
  async #changeOne({ do: how, rule, replace }: Extract<Step, { rule: number }>): Promise<void> {
    const tree = directoryTree(this.#root);
    const known = await readNodeRecord(tree);
    const one = rule === 0 ? hub : quay;
    const has = known?.rules.some(({ registry }) => registry === one.registry) ?? false;
    if (how === 'remove' && !has) return;
    const rules = known?.rules ?? [];
    const wanted = how === 'add' ? withRule(rules, one) : withoutRules(rules, [one], this.#root);
    await this.#write(await rulesWithLogins(tree, known?.runtime, wanted, this.#root), replace);
    if (this.#lastWasRefused) return;
    const now = (await readNodeRecord(tree))?.rules.map(({ registry }) => registry) ?? [];
    assert.deepEqual(
      now,
      wanted.map(({ registry }) => registry),
      'that rule only',
    );
  }

  /** The way out that is always there. */
  async end(): Promise<void> {
    await this.#write([], true);
    const texts = Object.entries(await filesIn(this.#root));
    const ours = texts.filter(([, text]) => authorOf(Buffer.from(text)) === 'slipway');
    assert.deepEqual(ours, [], 'off leaves no file of ours');
    assert.equal(this.#isOn, false, 'off with --replace is never refused');
  }

  async #write(rules: readonly MirrorRule[], replaceForeign: boolean): Promise<void> {
    const runtime = parseRuntimeId(this.#place.runtime);
    const order = { root: this.#root, runtime, rules, replaceForeign, dryRun: false };
    const before = await nodeFingerprint(this.#root);
    if (!(await this.#succeeds(() => writeMirrors(order, startRun())))) return;
    const after = await nodeFingerprint(this.#root);
    if (rules.length > 0 && !this.#isOn) this.#without = before;
    this.#isOn = rules.length > 0;
    if (after.join() !== before.join()) this.#before = before;
    if (!this.#isOn && this.#without) assert.deepEqual(after, this.#without, 'off as it was');
  }

  async #undo(): Promise<void> {
    if (!(await this.#succeeds(() => undoLastChange(this.#root)))) return;
    const after = await nodeFingerprint(this.#root);
    if (this.#before) assert.deepEqual(after, this.#before, 'undone to the last byte');
    this.#before = undefined;
    this.#without = undefined;
    const record = join(this.#root, 'var/lib/slipway/mirrors/rules.json');
    this.#isOn = await readFile(record).then(
      () => true,
      () => false,
    );
  }

  async #succeeds(work: () => Promise<unknown>): Promise<boolean> {
    const before = await nodeFingerprint(this.#root);
    const failure = await work().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure !== undefined) {
      assert.ok(failure instanceof SlipwayError && refusals.has(failure.code), failure as Error);
      assert.deepEqual(await nodeFingerprint(this.#root), before, 'a refusal changes nothing');
    }
    await this.#nothingIsLost();
    this.#lastWasRefused = failure !== undefined;
    return failure === undefined;
  }

  async #nothingIsLost(): Promise<void> {
    const all = Object.values(await filesIn(this.#root)).join('\n');
    for (const line of this.#theirs) assert.ok(all.includes(line), `${line} is lost`);
  }

  async #edit({ do: how, file, isCopy }: Extract<Step, { file: number }>): Promise<void> {
    const { files, head } = this.#place;
    const path = files[file % files.length] ?? files[0];
    const place = join(this.#root, isCopy ? `${path}.before-slipway` : path);
    this.#count += 1;
    const line = `# line ${this.#count} of others;\n`;
    const now = await readFile(place, 'utf8').catch(() => head);
    await mkdir(dirname(place), { recursive: true });
    if (how === 'delete') await rm(place, { force: true });
    else await writeFile(place, how === 'append' ? `${now}${line}` : `${head}${line}`);
    const all = Object.values(await filesIn(this.#root)).join('\n');
    this.#theirs = [...this.#theirs, line].filter((one) => all.includes(one));
    this.#without = undefined;
    this.#before = undefined;
  }
}

async function work(t: TestContext, place: Place, todo: readonly Step[]): Promise<void> {
  const node = new Worked(await nodeWith(t), place);
  for (const step of todo) await node.take(step);
  await node.end();
}

/** The copy of a main configuration is all that an off puts back: it must not be taken for it unseen. */
const lostCopy: readonly Step[] = [
  { do: 'append', file: 0, isCopy: false },
  { do: 'write', rules: 0, replace: true },
  { do: 'overwrite', file: 0, isCopy: true },
  { do: 'off', replace: false },
];

for (const place of places) {
  test(`${place.runtime}: in any order nothing of others is lost, and off removes exactly what was written`, async (t) => {
    await fc.assert(
      fc.asyncProperty(steps, (todo) => work(t, place, todo)),
      { numRuns: 12, seed: 7, examples: [[lostCopy]] },
    );
  });
}
