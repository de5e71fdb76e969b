import assert from 'node:assert/strict';
import test from 'node:test';
import { DocumentInvalid } from '../documents/errors.ts';
import { defineError } from '../shared/errors.ts';
import { Secret } from '../shared/secret.ts';
import { failuresAsJson, formatFailures } from './failure-view.ts';
import { reportFailure } from './failures.ts';

const PullDenied = defineError<{ registry: string }>({
  code: 'PULL_DENIED',
  category: 'denied',
  message: (d) => `${d.registry} (source) wants a login`,
  fix: (d) => `Log in: docker login ${d.registry}`,
  retry: false,
});
const TagGone = defineError<{ name: string }>({
  code: 'TAG_GONE',
  category: 'remote',
  message: (d) => `${d.name} is not there any more`,
  fix: () => 'Choose another tag.',
  retry: false,
});

function show(error: unknown, debug = false): string {
  const report = reportFailure(error);
  return formatFailures(report, { paint: (_look, text) => text, width: 80, debug });
}

test('one failure: what, its code, why, what to do, the exit code', () => {
  const socket = new Error('socket hang up', { cause: new Error('read ECONNRESET') });
  const error = new PullDenied({ registry: 'a.local' }, { cause: socket });

  assert.equal(
    show(error),
    [
      'a.local (source) wants a login  PULL_DENIED',
      '      because  socket hang up',
      '      because  read ECONNRESET',
      '      do       Log in: docker login a.local',
      'exit 77',
    ].join('\n'),
  );
});

test('collected failures: all of them, codes in a column, equal ones once, the worst exit code', () => {
  const error = new AggregateError(
    [
      new TagGone({ name: 'a.local/app:1' }),
      new AggregateError([
        new PullDenied({ registry: 'b.local' }),
        new TagGone({ name: 'a.local/app:1' }),
      ]),
    ],
    '2 of 9 images cannot be copied',
  );

  assert.equal(
    show(error),
    [
      '2 of 9 images cannot be copied',
      'a.local/app:1 is not there any more  TAG_GONE',
      '      do       Choose another tag.',
      'b.local (source) wants a login       PULL_DENIED',
      '      do       Log in: docker login b.local',
      '2 failures · exit 77',
    ].join('\n'),
  );
});

test('problems of documents stand with their places, as ux.md shows them', () => {
  const problems = [
    {
      file: 'release.yaml',
      line: 14,
      column: 9,
      code: 'DOC_UNKNOWN_FIELD',
      message: 'unknown field "image"; did you mean "images"?',
    },
  ];

  assert.equal(
    show(new DocumentInvalid({ problems })),
    [
      'release.yaml:14:9  unknown field "image"; did you mean "images"?  DOC_UNKNOWN_FIELD',
      '1 problem, nothing was written',
      'exit 65',
    ].join('\n'),
  );
});

test('an error that nobody thought of is INTERNAL; its stack is shown under --debug only', () => {
  const error = new TypeError('x is not a function');

  const lines = show(error).split('\n');

  assert.equal(lines[0], 'Slipway itself made a mistake: x is not a function  INTERNAL');
  assert.equal(lines.at(-1), 'exit 70');
  assert.doesNotMatch(show(error), /failure-view\.test/);
  assert.match(show(error, true), /failure-view\.test/);
  assert.match(JSON.stringify(failuresAsJson(reportFailure('text'), true)), /mistake: text/);
});

test('a refusal of the system is no internal fault, and Node gives all addresses of a host', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
  });
  const refused = Object.assign(
    new AggregateError([new Error('connect ECONNREFUSED ::1:1'), new Error('127.0.0.1:1')]),
    { code: 'ECONNREFUSED' },
  );

  assert.match(show(full), /^this machine refused: ENOSPC: no space left.* {2}SYSTEM_REFUSED\n/);
  assert.match(show(full), /exit 74$/);
  const wrapped = show(new TagGone({ name: 'a' }, { cause: refused }));
  assert.match(wrapped, /because {2}connect ECONNREFUSED ::1:1\n {6}because {2}127\.0\.0\.1:1\n/);
});

test('a long message keeps its code behind it, and long advice is wrapped', () => {
  const name = 'n'.repeat(90);

  const [head = '', advice = ''] = show(new TagGone({ name })).split('\n');

  assert.equal(head, `${name} is not there any more  TAG_GONE`);
  assert.ok(advice.length <= 80);
});

test('what looks like a credential is not shown, in no field and not in JSON', () => {
  const cause = new Error(`GET https://u:geheim@a.local/ failed, ${new Secret('geheim')}`);
  const error = new TagGone({ name: 'https://u:geheim@a.local/x' }, { cause });
  const fault = new Error('https://u:geheim@a.local/');

  for (const one of [error, fault, new AggregateError([error, fault], 'Bearer geheimgeheim12')]) {
    const report = reportFailure(one);
    const all = show(one, true) + JSON.stringify(failuresAsJson(report, true));
    assert.doesNotMatch(all, /geheim/);
  }
});

test('what a registry answers cannot move the cursor, and is one line', () => {
  const cause = new Error('first\nsecond \u001b[2J\u0007!');

  const lines = show(new TagGone({ name: 'a\u001b[31m' }, { cause })).split('\n');

  assert.deepEqual(lines.slice(0, 3), [
    'a [31m is not there any more  TAG_GONE',
    '      because  first second  [2J !',
    '      do       Choose another tag.',
  ]);
});

test('as JSON: code, category, message, causes, fix and exit code', () => {
  const report = reportFailure(new TagGone({ name: 'a' }, { cause: new Error('404') }));

  assert.deepEqual(failuresAsJson(report, false), {
    error: {
      exitCode: 69,
      summary: undefined,
      failures: [
        {
          code: 'TAG_GONE',
          category: 'remote',
          message: 'a is not there any more',
          because: ['404'],
          fix: 'Choose another tag.',
        },
      ],
    },
  });
});
