/**
 * Odd TOML, read by the libraries of containerd 1.x and 2.x and by us: what Go refuses we must refuse
 * too, since a node would not read it. Where we are stricter the reading is refused, never believed.
 * Needs Go; run with `node --test test/conformance/go-toml/oracle.test.ts`.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { loadContainerdVersions } from '../../../src/mirrors/containerd/behaviour.ts';
import { decodeGoToml } from '../../../src/mirrors/containerd/go-toml.ts';
import { tempDir } from '../../support/temp-dir.ts';

const caseCount = 20_000;
const seed = 20261130;

const key = fc.constantFrom(
  ...['a', 'b', 'a.b', '"a b"', "'c'", 'a."x.y"', '2026-02-30', '1', '"\\x41"', '"[z]"', 'ä', ''],
);
const scalar = fc.constantFrom(
  ...['1', '01', '1_0', '0xff', '-1', '1.5', '1.', 'inf', 'true', 'True', 'x', '"x"', "'x'"],
  ...[
    '"\\e"',
    '"\\x41"',
    '"\\u00e9"',
    '"\\q"',
    '"\\\\x"',
    '"""x"""',
    '"""x""""',
    "'''x''''",
    '"ä"',
  ],
  ...['"""\nx\n"""', '07:32', '07:32:00', '2026-02-28', '2026-02-30', '2026-02-28T07:32:00Z'],
  ...['2026-02-28t07:32:00z', '2026-02-28 07:32Z', '24:00:00', '"', ''],
);
const value = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc
      .tuple(fc.array(tie('value'), { maxLength: 3 }), fc.constantFrom(',', ', ', ',\n', ' # c\n,'))
      .map(([items, comma]) => `[${items.join(comma)}]`),
    fc
      .tuple(
        fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }),
        fc.constantFrom(', ', ',', ',\n', ' '),
        fc.constantFrom('', ',', ' ', '\n'),
      )
      .map(([items, comma, end]) => `{${items.map(([k, v]) => `${k} = ${v}`).join(comma)}${end}}`),
  ),
})).value;
const line = fc.oneof(
  fc.tuple(key, value).map(([name, text]) => `${name} = ${text}`),
  key.map((name) => `[${name}]`),
  key.map((name) => `[[${name}]]`),
  fc.constantFrom('', '# comment', '# ä', '  ', '#\t', '[a', 'a', '= 1', '[a] x', '\uFEFF'),
);
const text = fc
  .tuple(
    fc.array(line, { maxLength: 5 }),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '', '', '\uFEFF'),
    fc.constantFrom<'utf8' | 'latin1'>('utf8', 'utf8', 'latin1'),
  )
  .map(([lines, end, mark, encoding]) => Buffer.from(mark + lines.join(end) + end, encoding));

test(`of ${caseCount} odd texts we believe none that Go's libraries refuse`, async (t) => {
  const program = join(await tempDir(t), 'oracle');
  const cwd = new URL('.', import.meta.url).pathname;
  execFileSync('go', ['build', '-o', program, '.'], { cwd, stdio: 'inherit' });
  const texts = fc.sample(text, { seed, numRuns: caseCount });
  const input = texts.map((bytes) => `${bytes.toString('base64')}\n`).join('');

  const output = execFileSync(program, { input, encoding: 'utf8', maxBuffer: 2 ** 26 });

  const answers = output.trimEnd().split('\n');
  const versions = await loadContainerdVersions();
  const wrong: string[] = [];
  let agreed = 0;
  for (const [index, bytes] of texts.entries()) {
    // The program writes pairs of booleans.
    const pair = JSON.parse(answers[index] ?? '') as readonly boolean[];
    for (const [at, version] of ['1.7.34', '2.1.9'].entries()) {
      const { ok } = decodeGoToml(bytes, versions.behaviourOf(version));
      if (ok === pair[at]) agreed += 1;
      else if (ok) wrong.push(`${version}: ${JSON.stringify(bytes.toString('latin1'))}`);
    }
  }
  assert.deepEqual(wrong.sort((a, b) => a.length - b.length).slice(0, 10), []);
  assert.ok(agreed > 0.9 * 2 * caseCount, `only ${agreed} of ${2 * caseCount} agree`);
});
