import assert from 'node:assert/strict';
import test from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { FakeOutput } from '../../test/support/fake-host.ts';
import { startRun } from '../shared/run.ts';
import { showProgress } from './progress.ts';
import { openTerminal } from './terminal.ts';

/** A run with its progress on a pretended terminal, and a clock that is moved by hand. */
function openProgress(options: { isTTY: boolean; quiet?: boolean; columns?: number }) {
  const stdout = new FakeOutput(options);
  const stderr = new FakeOutput(options);
  const terminal = openTerminal(
    { stdout, stderr },
    { colour: 'on-terminals', quiet: options.quiet ?? false },
  );
  let nowMs = 0;
  const progress = showProgress(terminal, { now: () => 0, monotonic: () => nowMs });
  const run = startRun({ onProgress: (event) => progress.onProgress(event) });
  const pass = (ms: number) => {
    nowMs += ms;
    progress.tick();
  };
  return { stdout, stderr, terminal, progress, run, pass };
}

const esc = '\u001b';
const pieces = new RegExp(
  [`${esc}\\[\\??\\d*[A-Za-z]`, '\\n', '\\r', `[^${esc}\\n\\r]+`].join('|'),
  'g',
);

/** What a terminal shows in the end: understands the few codes that we send. */
function screenOf(text: string): string[] {
  const lines: string[] = [''];
  let row = 0;
  for (const [piece] of text.matchAll(pieces)) {
    if (piece === '\n') row += 1;
    else if (piece.startsWith(esc) && piece.endsWith('A')) row -= Number(piece.slice(2, -1));
    else if (piece === `${esc}[0J`) lines.length = row;
    else if (!piece.startsWith(esc) && piece !== '\r') lines[row] = (lines[row] ?? '') + piece;
    lines[row] ??= '';
  }
  return lines.filter((line) => line !== '');
}

test('without a terminal: starts, ends, notes and a line every ten seconds', async () => {
  const { run, pass, stderr } = openProgress({ isTTY: false });

  await run.step('plan', async (plan) => {
    plan.note('openssl:latest is a moving tag');
    pass(2000);
  });
  await run.step('copy', async (copy) => {
    copy.expect({ bytes: 2.6e9, items: 68 });
    for (let second = 0; second < 20; second += 1) {
      await copy.step('pause:3.9', async (part) => part.advance({ bytes: 65e6, items: 2 }));
      pass(1000);
    }
  });

  assert.equal(
    stderr.text,
    [
      '  · plan',
      '  ! openssl:latest is a moving tag',
      '  ✔ plan  2.0 s',
      '  · copy',
      '    copy  20 of 68 · 0.7 of 2.6 GB · 65 MB/s · 30 s left',
      '    copy  40 of 68 · 1.3 of 2.6 GB · 60 MB/s · 22 s left',
      '  ✔ copy  1.3 GB · 40 · 20 s',
      '',
    ].join('\n'),
  );
});

test('on a terminal: the running step with its parts, and finished ones stay above', async () => {
  const { run, pass, stderr, progress } = openProgress({ isTTY: true, columns: 70 });
  let seen: string[] = [];

  await run.step('plan', async () => pass(2000));
  await run.step('copy', async (copy) => {
    copy.expect({ bytes: 200e6, items: 9 });
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        copy.step(`registry.k8s.io/image-${index}:v1`, async (part) => {
          part.expect({ bytes: 10e6 });
          part.advance({ bytes: 5e6 });
          await Promise.resolve();
        }),
      ).concat([
        Promise.resolve().then(() => {
          pass(2000);
          seen = screenOf(stderr.text);
        }),
      ]),
    );
  });
  progress.stop();

  assert.deepEqual(seen, [
    '  ✔ plan  2.0 s',
    '  ⠹ copy  0 of 9 · 40 of 280 MB · 20 MB/s · 12 s left',
    '      registry.k8s.io/image-0:v1  5.0 of 10 MB',
    '      registry.k8s.io/image-1:v1  5.0 of 10 MB',
    '      registry.k8s.io/image-2:v1  5.0 of 10 MB',
    '      registry.k8s.io/image-3:v1  5.0 of 10 MB',
    '      registry.k8s.io/image-4:v1  5.0 of 10 MB',
    '      registry.k8s.io/image-5:v1  5.0 of 10 MB',
    '      … and 2 more',
  ]);
  assert.deepEqual(screenOf(stderr.text), ['  ✔ plan  2.0 s', '  ✔ copy  40 MB · 2.0 s']);
  assert.ok(stderr.text.endsWith('\u001b[?25h'), 'the cursor is back');
});

test('what is printed meanwhile stands above the live lines, not in them', async () => {
  const { run, pass, stderr, terminal } = openProgress({ isTTY: true });

  await run.step('serve', async () => {
    pass(100);
    terminal.say('listening on 127.0.0.1:5000');
    pass(100);
    assert.deepEqual(screenOf(stderr.text), ['listening on 127.0.0.1:5000', '  ⠹ serve  0.2 s']);
  });
});

test('a failed step is marked, and the last finished one is known', async () => {
  const { run, stderr, progress } = openProgress({ isTTY: false });

  await run.step('plan', async () => {});
  await assert.rejects(
    run.step('copy', async () => {
      throw new Error('no');
    }),
  );

  assert.match(stderr.text, /✘ copy {2}0\.0 s\n$/);
  assert.equal(progress.lastFinished, 'plan');
});

test('names and notes show neither credentials nor escape codes', async () => {
  const { run, stderr } = openProgress({ isTTY: false });

  await run.step('get https://u:geheim@a.local/', async (step) => step.note('a\u001b[2Jb\nc'));

  assert.doesNotMatch(stderr.text, /geheim/);
  assert.equal(stripVTControlCharacters(stderr.text), stderr.text);
  assert.match(stderr.text, /a \[2Jb c/);
});

test('--quiet shows nothing, and lines never get longer than the terminal', async () => {
  const quiet = openProgress({ isTTY: true, quiet: true });
  const narrow = openProgress({ isTTY: true, columns: 40 });

  for (const { run, pass } of [quiet, narrow]) {
    await run.step('x'.repeat(100), async (step) => {
      await step.step('y'.repeat(100), async () => pass(100));
    });
  }

  assert.equal(quiet.stderr.text, '');
  const drawn = stripVTControlCharacters(narrow.stderr.text).split('\n');
  assert.ok(drawn.some((line) => line.includes('…')));
  assert.ok(drawn.filter((line) => !line.includes('✔')).every((line) => line.length < 40));
});
