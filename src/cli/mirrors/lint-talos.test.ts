import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

/** A machine configuration with these lines below `mirrors`. */
function machine(...lines: readonly string[]): string {
  return ['machine:', '  registries:', '    mirrors:', ...lines, ''].join('\n');
}

async function lint(t: TestContext, text: string, ...options: readonly string[]) {
  const folder = await tempDir(t);
  await writeFile(join(folder, 'machine.yaml'), text);
  const run = await runCli(folder, 'mirrors', 'lint', ...options, 'machine.yaml');
  return { ...run, text: await readFile(join(folder, 'machine.yaml'), 'utf8') };
}

const sealed = machine(
  '      c.example:',
  '        endpoints: [https://m.example]',
  '        skipFallback: true',
);
const document = [
  'apiVersion: v1alpha1',
  'kind: RegistryMirrorConfig',
  'name: c.example',
  'endpoints:',
  '  - url: https://m.example',
  'skipFallback: true',
  '',
].join('\n');

test('what only newer versions know is a note until an older one is named (T004)', async (t) => {
  for (const text of [sealed, document]) {
    const any = await lint(t, text);
    const old = await lint(t, text, '--runtime', 'talos@1.8.4');

    assert.equal(any.exitCode, 0, any.stdout);
    assert.match(any.stdout, /info T004/);
    assert.equal(old.exitCode, 1, old.stdout);
    assert.match(old.stdout, /error T004/);
  }
});

test('a version without skipFallback is not told to write it (T003)', async (t) => {
  const open = sealed.replace('        skipFallback: true\n', '');

  const { stdout } = await lint(t, open, '--runtime', 'talos@1.8.4');

  assert.match(stdout, /do {4}Use Talos 1\.9 or later/);
});

test('a key is mended where nothing else has the name and no path says more (T006)', async (t) => {
  const mirror = '        endpoints: [https://m.example]\n        skipFallback: true';
  const keys = ['"https://quay.io"', 'gcr.io/x', 'index.docker.io', 'docker.io'];
  const wrong = machine(...keys.flatMap((key) => [`      ${key}:`, mirror]));

  const { text, exitCode } = await lint(t, wrong, '--runtime', 'talos@1.11.6', '--fix');

  assert.equal(text, wrong.replace('https://quay.io', 'quay.io'));
  assert.equal(exitCode, 1);
});

test('two keys that mean one registry are both left to a person (T006)', async (t) => {
  const mirror = '        endpoints: [https://m.example]\n        skipFallback: true';
  const wrong = machine('      https://quay.io:', mirror, '      http://quay.io:', mirror);

  const { text } = await lint(t, wrong, '--runtime', 'talos@1.11.6', '--fix');

  assert.equal(text, wrong);
});
