import assert from 'node:assert/strict';
import test from 'node:test';
import { z } from 'zod';
import { loadFindingRules } from '../../finding-rules.ts';
import type { LintFinding } from './lint-finding.ts';
import { sarifLog } from './sarif.ts';

const { all: rules } = await loadFindingRules();
const tool = { version: '0.1.0', rules, cwd: '/srv/my files' };

/** The parts of SARIF 2.1.0 that are used, with the limits of its schema (sections 3.13 to 3.57). */
const Text = z.strictObject({ text: z.string().min(1) });
const Level = z.enum(['none', 'note', 'warning', 'error']);
const Line = z.int().min(1);
const Region = z.strictObject({
  startLine: Line,
  startColumn: Line.optional(),
  endLine: Line.optional(),
  endColumn: Line.optional(),
  snippet: Text.optional(),
});
/** A relative reference or an absolute URI: what RFC 3986 allows, without a fragment. */
const Uri = z.string().regex(/^(?:file:\/\/\/|(?!\/))(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-F]{2})*$/);
const ArtifactLocation = z.strictObject({
  uri: Uri,
  uriBaseId: z.literal('%SRCROOT%').optional(),
});
const Rule = z.strictObject({
  id: z.string(),
  shortDescription: Text,
  fullDescription: Text,
  help: z.strictObject({ text: z.string().min(1), markdown: z.string().min(1) }),
  defaultConfiguration: z.strictObject({ level: Level }),
});
const Result = z.strictObject({
  ruleId: z.string(),
  ruleIndex: z.int().min(0),
  level: Level,
  message: Text,
  locations: z
    .array(
      z.strictObject({
        physicalLocation: z.strictObject({
          artifactLocation: ArtifactLocation,
          region: Region.optional(),
        }),
      }),
    )
    .max(1),
  partialFingerprints: z.record(z.string(), z.string()),
  fixes: z
    .array(
      z.strictObject({
        description: Text,
        artifactChanges: z
          .array(
            z.strictObject({
              artifactLocation: ArtifactLocation,
              replacements: z
                .array(
                  z.strictObject({
                    deletedRegion: Region,
                    insertedContent: z.strictObject({ text: z.string() }).optional(),
                  }),
                )
                .min(1),
            }),
          )
          .min(1),
      }),
    )
    .optional(),
});
const Log = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z
    .array(
      z.strictObject({
        tool: z.strictObject({
          driver: z.strictObject({
            name: z.string(),
            version: z.string(),
            semanticVersion: z.string().regex(/^\d+\.\d+\.\d+$/),
            rules: z.array(Rule),
          }),
        }),
        originalUriBaseIds: z.strictObject({ '%SRCROOT%': z.strictObject({ uri: z.url() }) }),
        columnKind: z.enum(['utf16CodeUnits', 'unicodeCodePoints']),
        results: z.array(Result),
      }),
    )
    .length(1),
});

function found(more: Partial<LintFinding> = {}): LintFinding {
  const file = more.file ?? 'certs.d/docker.io/hosts.toml';
  return {
    ...{ rule: 'C004', level: 'error', about: 'registry rules' },
    ...{ message: 'docker.io is a web site', fix: 'Write another one.' },
    ...{ file, origin: { file, line: 1, column: 10 } },
    source: { text: 'server = "https://docker.io"', mark: { start: 9, end: 28 } },
    ...more,
  };
}

function resultsOf(findings: readonly LintFinding[]) {
  return Log.parse(sarifLog(findings, tool)).runs[0]?.results ?? [];
}

test('a finding has its place, its line and its level', () => {
  const [result] = resultsOf([found()]);

  assert.equal(result?.level, 'error');
  assert.deepEqual(result?.locations[0]?.physicalLocation, {
    artifactLocation: { uri: 'certs.d/docker.io/hosts.toml', uriBaseId: '%SRCROOT%' },
    region: {
      ...{ startLine: 1, startColumn: 10, endLine: 1, endColumn: 29 },
      snippet: { text: 'server = "https://docker.io"' },
    },
  });
});

test('levels are those of SARIF', () => {
  const findings = (['error', 'warn', 'info'] as const).map((level) => found({ level }));

  assert.deepEqual(
    resultsOf(findings).map(({ level }) => level),
    ['error', 'warning', 'note'],
  );
});

test('rules that were broken are described, each once, and results point at them', () => {
  const log = Log.parse(sarifLog([found({ rule: 'C006' }), found(), found()], tool));
  const described = log.runs[0]?.tool.driver.rules ?? [];

  assert.deepEqual(
    described.map(({ id }) => id),
    ['C004', 'C006'],
  );
  assert.match(described[0]?.help.markdown ?? '', /What it means.*\n\n.*What to do.*registry-1/);
  assert.deepEqual(
    log.runs[0]?.results.map(({ ruleIndex }) => ruleIndex),
    [1, 0, 0],
  );
});

test('a finding about a whole file has no region; paths become URIs', () => {
  const file = '/etc/containerd/certs.d/a b/hosts.yaml';
  const [absolute, relative] = resultsOf([
    found({ file, origin: { file } }),
    found({ file: './x/hosts.toml' }),
  ]);

  assert.deepEqual(absolute?.locations[0]?.physicalLocation, {
    artifactLocation: { uri: 'file:///etc/containerd/certs.d/a%20b/hosts.yaml' },
  });
  assert.equal(relative?.locations[0]?.physicalLocation.artifactLocation.uri, 'x/hosts.toml');
});

const uris: ReadonlyArray<readonly [file: string, uri: string]> = [
  ['certs.d/a b/hosts.toml', 'certs.d/a%20b/hosts.toml'],
  ['./x#1?/hosts.toml', 'x%231%3F/hosts.toml'],
  ['/srv/my files/x/hosts.toml', 'x/hosts.toml'],
  ['../other/[x]^.toml', 'file:///srv/other/%5Bx%5D%5E.toml'],
  ['x/../../../etc/hosts.toml', 'file:///etc/hosts.toml'],
  ['..x/hosts.toml', '..x/hosts.toml'],
  ['/', 'file:///'],
];

for (const [file, uri] of uris) {
  test(`${file} is ${uri}, relative only below the working directory`, () => {
    const [result] = resultsOf([found({ file, origin: { file } })]);
    const location = result?.locations[0]?.physicalLocation.artifactLocation;

    assert.equal(location?.uri, uri);
    assert.equal(location?.uriBaseId, uri.startsWith('file:') ? undefined : '%SRCROOT%');
  });
}

test('the working directory is named once, and what no file says has no place', () => {
  const log = Log.parse(sarifLog([found({ origin: { builtIn: true } })], tool));

  assert.equal(log.runs[0]?.originalUriBaseIds['%SRCROOT%'].uri, 'file:///srv/my%20files/');
  assert.deepEqual(log.runs[0]?.results[0]?.locations, []);
});

test('a fingerprint stays when lines are added above, and tells equal lines apart', () => {
  const moved = { file: 'certs.d/docker.io/hosts.toml', line: 7, column: 10 };
  const fingerprints = (findings: readonly LintFinding[]) =>
    resultsOf(findings).map((one) => one.partialFingerprints['slipwayFinding/v1']);

  assert.deepEqual(fingerprints([found({ origin: moved })]), fingerprints([found()]));
  assert.equal(new Set(fingerprints([found(), found({ origin: moved })])).size, 2);
  assert.equal(new Set(fingerprints([found(), found({ rule: 'C006' })])).size, 2);
});

test('a safe change is a fix that an editor can make', () => {
  const at = (line: number, column: number) => ({ line, column });
  const replacements = [{ from: at(1, 10), to: at(1, 29), text: '"https://m"' }];
  const removal = [{ from: at(2, 1), to: at(3, 1), text: '' }];
  const [changed, removed, none] = resultsOf([
    found({ replacements }),
    found({ replacements: removal }),
    found(),
  ]);

  assert.deepEqual(changed?.fixes?.[0]?.artifactChanges[0]?.replacements, [
    {
      deletedRegion: { startLine: 1, startColumn: 10, endLine: 1, endColumn: 29 },
      insertedContent: { text: '"https://m"' },
    },
  ]);
  assert.equal(
    removed?.fixes?.[0]?.artifactChanges[0]?.replacements[0]?.insertedContent,
    undefined,
  );
  assert.equal(none?.fixes, undefined);
});

test('the message says for which versions it holds, and what to do', () => {
  const [result] = resultsOf([found({ onlyOn: 'containerd 1.6' })]);

  assert.equal(
    result?.message.text,
    'docker.io is a web site (only containerd 1.6). Write another one.',
  );
});

test('nothing found is a log without results', () => {
  assert.deepEqual(resultsOf([]), []);
});
