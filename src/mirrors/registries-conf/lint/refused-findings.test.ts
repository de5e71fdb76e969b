import assert from 'node:assert/strict';
import test from 'node:test';
import { lintedFile } from './linted-file.ts';
import { refusedFindings } from './refused-findings.ts';

const path = '/etc/containers/registries.conf';
const registry = '[[registry]]\nlocation = "quay.io"\n';
/** What is wrong, and a word of what to do. */
const cases: ReadonlyArray<readonly [text: string, fix: RegExp]> = [
  [`${registry}[registries.block]\nregistries = ["a.io"]\n`, /\[registries\.…\] tables as/],
  ['[[registries]]\nlocation = "quay.io"\n', /without an s/],
  ['[[registry]]\nlocation = "https://quay.io"\n', /host alone/],
  ['[[registry]]\nblocked = true\n', /Add location/],
  [`${registry}[[registry.mirror]]\ninsecure = true\n`, /Give the mirror a location/],
  [`${registry}pull-from-mirror = "all"\n`, /at each mirror/],
  ['short-name-mode = "some"\n', /enforcing, permissive or disabled/],
  ['[aliases]\nbusybox = "https://x"\n', /short name on the left/],
  [`${registry}mirror = ["m.io"]\n`, /\[\[registry\.mirror\]\] table/],
  [`${registry}mirror = "m.io"\n`, /\[\[registry\.mirror\]\] table/],
  ['[[registry]\n', /Correct this place/],
];

for (const [text, fix] of cases) {
  test(`${JSON.stringify(text)} is told how to mend it: ${fix.source}`, () => {
    const entry = { kind: 'file', bytes: Buffer.from(text) } as const;

    const findings = refusedFindings(lintedFile({ path, entry, isDropIn: false }, '1.1'));

    assert.match(findings[0]?.fix ?? '', fix);
  });
}

test('of two formats it is said in words first what is wrong, then as the library does', () => {
  const text = `${registry}[registries.block]\nregistries = ["a.io"]\n`;
  const entry = { kind: 'file', bytes: Buffer.from(text) } as const;

  const [finding] = refusedFindings(lintedFile({ path, entry, isDropIn: false }, '1.1'));

  assert.match(
    finding?.message ?? '',
    /^every pull fails: tables of the old format.*: mixing sysregistry v1\/v2.*tomlConfig\{/,
  );
});
