/**
 * Generated files of CRI-O's own configuration, read by its package `pkg/config` and by us: the same settings, or the
 * same error. Needs Go; a fixed seed unless SLIPWAY_SEED and SLIPWAY_RUNS say otherwise.
 */

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { memoryTree } from '../../../src/mirrors/memory-tree.ts';
import { readCrioConfig } from '../../../src/mirrors/registries-conf/crio-config.ts';
import { toolPath } from '../../support/tools/build-tools.ts';
import { runProgram } from '../../support/tools/run-program.ts';
import { runOptions } from '../containerd/run-options.ts';
import { crioFiles } from './generate-config.ts';

/** An answer of program/main.go; what is not set is left out. */
interface CrioAnswer {
  readonly error?: string;
  readonly auth?: string;
  readonly pause?: string;
}

const { seed, count, isUsual } = runOptions({ count: 1000 });
const nodes = fc.sample(crioFiles, { seed, numRuns: count });

test(`of ${count} nodes (seed ${seed}) we read what CRI-O reads in crio.conf and crio.conf.d`, async (t) => {
  const theirs = await crioAnswers();

  const found: string[] = [];
  for (const [at, files] of nodes.entries()) {
    const [want, got] = [shown(theirs[at] ?? {}), shown(await ours(files))];
    if (want !== got) found.push(`${JSON.stringify(files)}\nCRI-O: ${want}\nours:  ${got}`);
  }
  assert.equal(found.slice(0, 3).join('\n\n'), '', `${found.length} differences`);

  const rows = {
    'no setting': theirs.filter((one) => Object.keys(one).length === 0),
    'an auth file': theirs.filter(({ auth }) => auth !== undefined),
    'a pause image': theirs.filter(({ pause }) => pause !== undefined),
    'refused: main file': theirs.filter(({ error }) => error?.startsWith('update config') === true),
    'refused: drop-in': theirs.filter(({ error }) => error?.startsWith('walk path') === true),
    'refused: wrong type': theirs.filter(({ error }) => /incompatible types/.test(error ?? '')),
  };
  for (const [what, { length }] of Object.entries(rows)) {
    t.diagnostic(`${String(length).padStart(6)} ${what}`);
    if (isUsual) assert.notEqual(length, 0, what);
  }
});

async function crioAnswers(): Promise<readonly CrioAnswer[]> {
  const input = nodes.map((files) => `${JSON.stringify(files)}\n`).join('');
  const program = await toolPath('cri-o', 'oracle');
  const { stdout } = await runProgram([program], { input, timeoutMs: 300_000 });
  const answers = stdout.trimEnd().split('\n');
  return answers.map((line) => JSON.parse(line) as CrioAnswer); // written by program/main.go
}

async function ours(files: Readonly<Record<string, string>>): Promise<CrioAnswer> {
  const read = await readCrioConfig(memoryTree(files), '1.0');
  if (read.kind === 'refused') return { error: read.error };
  const { globalAuthFile, pauseImage } = read;
  return {
    ...(globalAuthFile && { auth: globalAuthFile.value }),
    ...(pauseImage && { pause: pauseImage.value }),
  };
}

/** Without the words about a text that is no TOML, which are the library's own, and the names of Go types of tables. */
function shown({ error, auth, pause }: CrioAnswer): string {
  const syntax = /(toml: )line \d+(?: \(last key "[^"]*"\))?: (?!incompatible|type mismatch).*$/s;
  return JSON.stringify({
    error: error
      ?.replace(syntax, '$1no TOML')
      .replace(/mismatch for .*: expected/, 'mismatch: expected'),
    auth,
    pause,
  });
}
