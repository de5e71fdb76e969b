import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tempDir } from '../../test/support/temp-dir.ts';
import { readVersion } from './version.ts';

const bin = fileURLToPath(new URL('../../bin/slipway.mjs', import.meta.url));
const hanging = fileURLToPath(new URL('../../test/support/hanging-program.ts', import.meta.url));

/**
 * Makes a Node believe that it is version 20, as far as bin/slipway.mjs looks; SET_FOR_THE_CHILD are
 * options that such a Node would take and the newer one does not.
 */
const pretendOldNode = `--import=data:text/javascript,${encodeURIComponent(
  `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } });
   const { SET_FOR_THE_CHILD: options } = process.env;
   if (options) process.env.NODE_OPTIONS = options;`,
)}`;
/** Tells on standard error which files of the project and which built-in modules were loaded. */
const listModules = `--import=data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from 'node:module';
   const before = new Set(process.moduleLoadList);
   const files = [];
   registerHooks({ load(url, context, next) { files.push(url); return next(url, context); } });
   process.on('exit', () => {
     const native = process.moduleLoadList.filter((name) => !before.has(name));
     process.stderr.write(JSON.stringify({ files, native }));
   });`,
)}`;

async function start(t: TestContext, args: readonly string[], env: Record<string, string> = {}) {
  const home = await tempDir(t);
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], HOME: home, ...env },
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

async function finish(child: ChildProcess) {
  const [stdout, stderr] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
    once(child, 'close'),
  ]);
  return { code: child.exitCode, signal: child.signalCode, stdout, stderr };
}

test('--version starts with few files, no package and no module that it does not need', async (t) => {
  const child = await start(t, [listModules, bin, '--version']);

  const { code, stdout, stderr } = await finish(child);

  assert.deepEqual([code, stdout], [0, `${await readVersion()}\n`]);
  const parsed: unknown = JSON.parse(stderr);
  const { files, native } = parsed as { files: string[]; native: string[] };
  const own = files.filter((url) => url.endsWith('.ts'));
  assert.ok(own.length <= 16, `each costs 0.7 ms: ${own.join(' ')}`);
  assert.deepEqual(
    files.filter((url) => url.includes('node_modules')),
    [],
  );
  assert.ok(!native.includes('NativeModule fs/promises'), 'reads one small file without it');
});

test('an older Node hands over to the one that came with npm ci, exit code included', async (t) => {
  const good = await finish(await start(t, [pretendOldNode, bin, '--version']));
  const bad = await finish(await start(t, [pretendOldNode, bin, 'nonsense']));

  assert.deepEqual([good.code, good.stdout], [0, `${await readVersion()}\n`]);
  assert.equal(bad.code, 64);
  assert.match(bad.stderr, /COMMAND_UNKNOWN/);
});

test('an older Node passes signals on and dies of what its child died of', async (t) => {
  // Nobody ever writes to its input, so it waits for the document.
  const child = await start(t, [pretendOldNode, bin, 'plan', '-']);
  const ended = finish(child);
  const again = setInterval(() => child.kill('SIGTERM'), 300);
  t.after(() => clearInterval(again));

  const { code, signal } = await ended;

  // Before the child listens it dies of the signal itself, later it ends with its exit code.
  assert.ok(signal === 'SIGTERM' || code === 143, `${code} ${signal}`);
});

test('what an older Node started ends with it, also when that is killed at once (P4)', async (t) => {
  const store = await tempDir(t);
  const serve = ['registry', 'serve', '--store', store, '--listen', '127.0.0.1:0'];
  const child = await start(t, [pretendOldNode, bin, ...serve]);
  child.stdout.once('data', () => child.kill('SIGKILL'));

  // The pipes close only when nobody holds them any more.
  const { signal } = await finish(child);

  assert.equal(signal, 'SIGKILL');
});

test('settings of Node that keep it from starting are named, not shown as a stack', async (t) => {
  const NODE_OPTIONS = '--no-experimental-strip-types';
  const child = await start(t, [bin, '--version'], { NODE_OPTIONS });

  const { code, stderr } = await finish(child);

  assert.equal(code, 70);
  assert.match(stderr, /^slipway cannot start: .*\.ts/);
  assert.match(stderr, /NODE_OPTIONS is set to "--no-experimental-strip-types"; start without it:/);
  assert.doesNotMatch(stderr, /^ +at /m);
});

test('settings for an older Node that the newer one refuses are named', async (t) => {
  const child = await start(t, [pretendOldNode, bin, '--version'], { SET_FOR_THE_CHILD: '--bad' });

  const { code, stderr } = await finish(child);

  assert.equal(code, 70);
  assert.match(stderr, /--bad is not allowed in NODE_OPTIONS/);
  assert.match(stderr, /NODE_OPTIONS is set to "--bad"; start without it:/);
});

test('a real Ctrl-C ends with 130 and says how to go on', async (t) => {
  const child = await start(t, [hanging, 'hang']);
  child.stdout.once('data', () => child.kill('SIGINT'));

  const { code, stderr } = await finish(child);

  assert.equal(code, 130);
  assert.match(stderr, /stopped after "first"; go on: slipway hang\n$/);
});

test('a reader that goes away ends the program without a word', async (t) => {
  const child = await start(t, [hanging, 'hang', '--quiet']);
  child.stdout.once('data', () => child.stdout.destroy());

  await once(child, 'exit');

  assert.equal(child.exitCode, 141);
  assert.equal(await text(child.stderr), '');
});
