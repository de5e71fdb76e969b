import assert from 'node:assert/strict';
import test from 'node:test';
import type { LintFinding } from '../../mirrors/lint/report/lint-finding.ts';
import { fitLines } from '../fit-lines.ts';
import type { LintedReport, LintReport } from './lint-report.ts';
import { formatLint } from './lint-view.ts';

function finding(more: Partial<LintFinding> = {}, line = 1): LintFinding {
  const file = 'certs.d/docker.io/hosts.toml';
  return {
    ...{ rule: 'C004', level: 'error', about: 'registry rules', file },
    ...{ message: 'docker.io is a web site', fix: 'Write another one.' },
    origin: { file: '/etc/containerd/certs.d/docker.io/hosts.toml', line, column: 10 },
    source: { text: 'server = "https://docker.io"', mark: { start: 9, end: 28 } },
    ...more,
  };
}

function view(
  findings: readonly LintFinding[],
  more: Partial<LintReport> = {},
  width = 80,
  rules: LintedReport['rules'] = [],
): string {
  const files = [...new Set(findings.map(({ file }) => file))].map((file) => ({ file }));
  const report = { files, findings, notSeen: [], notes: [], next: undefined, ...more };
  const look = { paint: (_: unknown, text: string) => text, width };
  return formatLint({ report, rules, site: { mode: 'online' } }, look);
}

test('a finding is place, level and rule, message, line with its mark, remedy, versions', () => {
  assert.equal(
    view([finding({ onlyOn: 'containerd 1.6' })]),
    [
      '1 file, 1 error',
      '',
      'certs.d/docker.io/hosts.toml:1:10  error C004',
      '  docker.io is a web site',
      '    1 | server = "https://docker.io"',
      '      |          ^^^^^^^^^^^^^^^^^^^',
      '  do    Write another one.',
      '  only  containerd 1.6',
    ].join('\n'),
  );
});

test('of a message in which a library prints a whole file only the beginning is shown', () => {
  const message = `every pull fails: two formats: ${'Registry{Prefix:"", Location:"quay.io"} '.repeat(20)}`;

  const shown = view([finding({ message })]).split('\n')[3] ?? '';

  assert.match(
    shown,
    /^ {2}every pull fails: two formats: Registry.* … \(the whole text: --json\)$/,
  );
  assert.ok(shown.length < 260);
});

const long = `  key = "${'x'.repeat(60)}", "https://docker.io/${'y'.repeat(60)}"`;

test('of a long line the part around its mark is shown, and no line is wider than the terminal', () => {
  const start = long.indexOf('"https');
  const mark = { start, end: start + 20 };
  const text = view([finding({ source: { text: long, mark } })], {}, 60);

  const [shown = '', marked = ''] = text.split('\n').slice(4, 6);
  assert.ok([shown, marked].every((line) => line.length <= 60));
  assert.equal(
    shown.slice(marked.indexOf('^'), marked.lastIndexOf('^') + 1),
    long.slice(start, start + 20),
  );
});

test('on a narrow terminal text is broken, lines of files are not', () => {
  const message =
    'docker.io is a web site, not the registry of Docker Hub, so nothing is pulled from it';
  const source = { text: long, mark: { start: 2, end: 5 } };

  const lines = fitLines(view([finding({ message, source })], {}, 60), 60).split('\n');

  assert.ok(lines.every((line) => line.length <= 60));
  assert.equal(lines.filter((line) => /^ +\d* \|/.test(line)).length, 2);
});

test('of one rule ten findings are shown whole and the others by their places', () => {
  const many = Array.from({ length: 13 }, (_, index) => finding({}, index + 1));

  const text = view([...many, finding({ rule: 'C005' }, 20)]);

  assert.equal(text.match(/error C004/g)?.length, 10);
  assert.match(text, /error C005/);
  assert.match(
    text,
    /\n\nC004 in 3 more places\n(?: {2}certs\.d\/docker\.io\/hosts\.toml:1[123]:10(?:\n|$)){3}/,
  );
});

test('what could not be seen is named, and only the first three of it', () => {
  const notSeen = ['/a.pem', '/b.pem', '/c.pem', '/d.pem'];

  assert.match(view([], { notSeen }), /\nnote: \/a\.pem, \/b\.pem, \/c\.pem and 1 more must be on/);
});

test('nothing found is one line', () => {
  assert.equal(view([], { files: [{ file: 'a' }, { file: 'b' }] }), '2 files, nothing wrong');
});

test('control characters of a file reach the terminal in no part', () => {
  const text = view([
    finding({ file: 'a\u001b[2J/hosts.toml', message: 'x\u001b[2Jy', fix: 'z\u001b[2J' }),
  ]);

  assert.ok(!text.includes('\u001b'));
});

test('a fix that finds nothing to change says so', () => {
  const fix = {
    dryRun: false,
    changes: [],
    mended: [],
    links: [],
    reloads: [],
    found: [],
    left: [finding()],
  };

  assert.match(view([finding()], { fix }), /\n\nnothing was changed: nothing that is found here/);
});

const mend = { kind: 'rename', path: 'a', to: 'b' } as const;
const fixed = {
  dryRun: false,
  links: [],
  changes: [{ do: 'change', file: 'daemon.json', rules: 'D004' }],
  reloads: [{ command: 'systemctl reload docker', because: 'daemon.json changed' }],
} as const;

test('a fix that leaves an error that stops all pulls asks for its mend and for no reload', () => {
  const found = [finding({ mend })];
  const fix = { ...fixed, found, mended: found, left: [finding()] };
  const rules: LintedReport['rules'] = [
    {
      ...{ id: 'C004', level: 'error', means: '', fix: '' },
      ...{ basis: 'own', effect: 'stops all pulls' },
    },
  ];

  const stopped = view([finding()], { fix }, 80, rules);
  const other = view([finding()], { fix });

  assert.match(stopped, /next: mend the error below, first certs\.d.*: nothing can be pulled/);
  assert.doesNotMatch(stopped, /systemctl/);
  assert.match(other, /next: mend the error.*\non the node, afterwards: systemctl reload docker/);
});

test('a fix says how many of its findings no lint could count before it', () => {
  const found = [finding({ mend })];
  const more = view([], { fix: { ...fixed, found, mended: [...found, finding()], left: [] } });
  const same = view([], { fix: { ...fixed, found, mended: found, left: [] } });

  assert.match(more, /^2 findings mended: {3}\(1 of them only showed once others were mended\)$/m);
  assert.match(same, /^1 finding mended:$/m);
  assert.match(same, /on the node, now: systemctl/);
});

test('a mark left of the text that is shown is left out', () => {
  const source = { text: '   server', mark: { start: 0, end: 1 } };

  assert.match(view([finding({ source })]), / 1 \| server\n {2}do/);
});
