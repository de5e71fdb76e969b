import assert from 'node:assert/strict';
import test from 'node:test';
import { FakeHost } from '../../test/support/fake-host.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import {
  type CommandDefinition,
  type CommandEntry,
  defineCommand,
  globalOptions,
  type OptionSpec,
} from './command.ts';
import { commandTable } from './command-table.ts';
import { reportFault, runProgram } from './program.ts';

const plain = { arguments: {}, options: {}, examples: [] };

function tableOf(commands: Readonly<Record<string, CommandDefinition>>): readonly CommandEntry[] {
  return Object.entries(commands).map(([name, definition]) => ({
    name,
    summary: `does ${name}`,
    load: async () => definition,
  }));
}

const answering = defineCommand({
  ...plain,
  run: async ({ run }) => {
    await run.step('look', async (step) => step.note('one thing to know'));
    return { json: { answer: 42 }, text: 'the answer is 42' };
  },
});

test('data goes to standard output, progress and notes to standard error', async () => {
  const host = new FakeHost(['ask']);

  const exitCode = await runProgram(host, tableOf({ ask: answering }));

  assert.equal(exitCode, 0);
  assert.equal(host.stdout.text, 'the answer is 42\n');
  assert.match(host.stderr.text, /^ {2}· look\n {2}! one thing to know\n {2}✔ look/);
});

test('--json prints one document, --quiet drops progress and notes', async () => {
  const host = new FakeHost(['--json', 'ask', '-q']);

  await runProgram(host, tableOf({ ask: answering }));

  assert.deepEqual(JSON.parse(host.stdout.text), { answer: 42 });
  assert.equal(host.stderr.text, '');
});

test('colours and cursor codes are for terminals, and NO_COLOR is heeded there', async () => {
  const table = tableOf({
    ask: defineCommand({
      ...plain,
      run: async ({ run, terminal }) => {
        await run.step('look', async () => {});
        return { json: null, text: terminal.paint('red', 'text') };
      },
    }),
  });
  const onTerminal = new FakeHost(['ask'], { isTTY: true });
  const noColour = new FakeHost(['ask'], { isTTY: true, env: { NO_COLOR: '1' } });
  const piped = new FakeHost(['ask']);

  for (const host of [onTerminal, noColour, piped]) await runProgram(host, table);

  assert.ok(onTerminal.stdout.text.includes('\u001b[31mtext'));
  assert.ok(onTerminal.stderr.text.includes('\u001b[?25h'));
  assert.ok(!(noColour.stdout.text + noColour.stderr.text).includes('\u001b'));
  assert.ok(!(piped.stdout.text + piped.stderr.text).includes('\u001b'));
});

test('an answer that is no ends with 1, and is data all the same', async () => {
  const no = defineCommand({
    ...plain,
    run: async () => ({ json: false, text: 'no', negative: true }),
  });
  const host = new FakeHost(['prove']);

  assert.equal(await runProgram(host, tableOf({ prove: no })), 1);
  assert.equal(host.stdout.text, 'no\n');
});

test('a wrong command line ends with 64, as text or as JSON', async () => {
  const text = new FakeHost(['askk']);
  const json = new FakeHost(['ask', '--wrong', '--json']);

  assert.equal(await runProgram(text, tableOf({ ask: answering })), 64);
  assert.equal(await runProgram(json, tableOf({ ask: answering })), 64);

  assert.equal(text.stdout.text, '');
  assert.match(text.stderr.text, /no command "askk"; did you mean "ask"\?/);
  assert.equal(json.stderr.text, '');
  assert.match(json.stdout.text, /"code": "OPTION_UNKNOWN"/);
});

test('a flag that is given a value is explained as JSON where JSON is wanted', async () => {
  for (const args of [
    ['ask', '--json=1'],
    ['--json=1', 'ask'],
    ['--json=true', 'ask', '-q'],
  ]) {
    const host = new FakeHost(args);

    assert.equal(await runProgram(host, tableOf({ ask: answering })), 64);

    assert.match(host.stdout.text, /"message": "--json takes no value"/);
    assert.equal(host.stderr.text, '');
  }
});

test('--help shows a command that cannot even run, and --help --json describes it', async () => {
  const text = new FakeHost(['ask', '--help']);
  const json = new FakeHost(['ask', '--help', '--json']);
  const table = tableOf({ ask: { ...plain, run: () => assert.fail('must not run') } });

  assert.equal(await runProgram(text, table), 0);
  await runProgram(json, table);

  assert.match(text.stdout.text, /^slipway ask \[options\]\ndoes ask\n/);
  assert.match(json.stdout.text, /"name": "ask"/);
});

const hanging = defineCommand({
  arguments: { file: { kind: 'file', summary: 'a file' } },
  options: {},
  examples: [],
  run: async ({ run }) => {
    await run.step('first', async () => {});
    await run.step('second', async ({ signal }) => {
      const { promise, reject } = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => reject(signal.reason));
      await promise;
    });
    return undefined;
  },
});

async function interrupted(args: readonly string[], signals: readonly string[]) {
  const host = new FakeHost(args);
  const ending = runProgram(host, tableOf({ load: hanging }));
  while (!host.stderr.text.includes('second')) await new Promise(setImmediate);
  for (const signal of signals) host.emit(signal, signal);
  return { host, exitCode: await ending };
}

test('Ctrl-C stops the work, prints the command that goes on, and ends as shells expect', async () => {
  const { host, exitCode } = await interrupted(['load', "it's here"], ['SIGINT']);
  const terminated = await interrupted(['load', '--json'], ['SIGTERM']);

  assert.equal(exitCode, 130);
  assert.match(host.stderr.text, /stopped after "first"; go on: slipway load 'it'\\''s here'\n$/);
  assert.deepEqual(host.exits, []);
  assert.equal(terminated.exitCode, 143);
  assert.deepEqual(JSON.parse(terminated.host.stdout.text), {
    error: { exitCode: 143, stoppedBy: 'SIGTERM', after: 'first', goOn: 'slipway load --json' },
  });
});

test('a second signal ends the program at once; one Ctrl-C that comes twice does not', async () => {
  const twice = await interrupted(['load'], ['SIGINT', 'SIGINT']);
  const different = await interrupted(['load'], ['SIGINT', 'SIGTERM']);

  assert.deepEqual(twice.host.exits, []);
  assert.deepEqual(different.host.exits, [143]);
});

test('who waits after Ctrl-C is told that it was heard', async () => {
  const host = new FakeHost(['load']);
  const slow = defineCommand({
    ...plain,
    run: async ({ run }) => {
      host.emit('SIGINT', 'SIGINT');
      const isTold = () => host.stderr.text.includes('a second Ctrl-C ends at once');
      await waitUntil(isTold, { what: 'the hint' });
      return run.signal.throwIfAborted() ?? undefined;
    },
  });

  assert.equal(await runProgram(host, tableOf({ load: slow })), 130);
});

test('no listener is left behind', async () => {
  const { host } = await interrupted(['load'], ['SIGINT']);

  assert.deepEqual(
    ['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => host.listenerCount(name)),
    [0, 0, 0],
  );
});

test('when the reader has gone the work is told to stop and nothing more is said', async () => {
  const host = new FakeHost(['load']);
  const ending = runProgram(host, tableOf({ load: hanging }));
  while (!host.stderr.text.includes('second')) await new Promise(setImmediate);
  const said = host.stderr.text;

  host.stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));

  assert.equal(await ending, 141);
  assert.equal(host.stderr.text.replace(/ {2}✘ second.*\n/, ''), said);
});

test('an error that nobody caught is reported as INTERNAL with 70', async () => {
  const host = new FakeHost(['load']);

  await reportFault(host, new RangeError('too far'));

  assert.equal(host.exitCode, 70);
  assert.match(host.stderr.text, /too far {2}INTERNAL/);
});

function wordsOf([name, spec]: readonly [string, OptionSpec]): readonly string[] {
  return spec.short === undefined ? [name] : [name, spec.short];
}

test('every command of the table loads, has examples, and its options do not collide', async () => {
  for (const entry of commandTable) {
    const definition = await entry.load();

    assert.notEqual(definition.examples.length, 0, `${entry.name} has an example`);
    for (const { run } of definition.examples) assert.match(run, /\bslipway /);
    const taken = Object.entries(globalOptions).flatMap(wordsOf);
    const own = Object.entries(definition.options).flatMap(wordsOf);
    assert.deepEqual(
      own.filter((word, index) => [...taken, ...own.slice(0, index)].includes(word)),
      [],
    );
    const many = Object.values(definition.arguments).findIndex((spec) => spec.many);
    const last = Object.keys(definition.arguments).length - 1;
    assert.ok(many === -1 || many === last, `${entry.name}: only the last argument may repeat`);
  }
});
