import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { type CommandEntry, defineCommand } from '../command.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { completionPlaces } from './words.ts';
import { zshCompletion } from './zsh.ts';

const create = defineCommand({
  arguments: { lock: { kind: 'file', required: true, summary: "the site's lock" } },
  options: {
    layout: { kind: 'choice', value: 'NAME', choices: ['flat', 'keep-path'], summary: 'names' },
    output: { kind: 'folder', value: 'DIR', short: 'o', summary: 'where to' },
  },
  examples: [],
  run: async () => undefined,
});
const table: readonly CommandEntry[] = [
  { name: 'plan', summary: 'make a plan', load: async () => create },
  { name: 'bundle create', summary: "pack what's needed", load: async () => create },
  { name: 'bundle verify', summary: 'check: all of it', load: async () => create },
];

/** What a real bash offers for a line; the last word is the one being typed. */
async function offered(t: TestContext, line: string): Promise<readonly string[]> {
  const folder = await tempDir(t);
  await writeFile(join(folder, 'a.yaml'), '');
  await writeFile(join(folder, 'script'), bashCompletion(await completionPlaces(table)));
  const words = line.split(' ').map((word) => `'${word}'`);
  const ask = [
    `source ./script; rm script; COMP_WORDS=(slipway ${words.join(' ')})`,
    `COMP_CWORD=${words.length}; _slipway; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ];
  const { stdout } = await promisify(execFile)('bash', ['-c', ask.join('; ')], { cwd: folder });
  return stdout.split('\n').filter((word) => word !== '');
}

const lines: readonly (readonly [string, readonly string[]])[] = [
  ['', ['plan', 'bundle', '--help', '-h']],
  ['b', ['bundle']],
  ['bundle ', ['create', 'verify', '--help', '-h']],
  ['--json bundle create --la', ['--layout']],
  ['bundle create --layout ', ['flat', 'keep-path']],
  ['bundle create --layout k', ['keep-path']],
  ['bundle create a', ['a.yaml']],
  ['plan -o ', []],
];
for (const [line, expected] of lines) {
  test(`bash completes "slipway ${line}" with ${expected.join(' ') || 'nothing'}`, async (t) => {
    assert.deepEqual(await offered(t, line), expected);
  });
}

test('zsh and fish scripts offer each word with what it does, quoted for their shell', async () => {
  const places = await completionPlaces(table);

  const zsh = zshCompletion(places);
  const fish = fishCompletion(places);

  assert.match(zsh, /^#compdef slipway\n/);
  assert.ok(zsh.includes(`'create:pack what'\\''s needed' 'verify:check: all of it'`));
  assert.ok(zsh.includes(`'bundle create:--output'|'bundle create:-o') _files -/; return ;;`));
  assert.ok(fish.includes(`-n '__slipway_at "bundle"' -a 'create' -d 'pack what\\'s needed'`));
  assert.ok(fish.includes(`-l layout -r -a 'flat keep-path' -d 'names'`));
});
