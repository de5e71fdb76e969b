#!/usr/bin/env node
// Any Node can parse this file: it finds a Node that can run the rest (docs/adr/0002).
const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 24 || (major === 24 && minor >= 15)) {
  rememberCompiledCode();
  endWithStarter();
  await import('../src/cli/main.ts').catch(explainStart);
} else {
  await startNewerNode();
}

/**
 * Node keeps the code without its types, and compiled, from one start to the next: without it, stripping
 * types costs more than Node's own start. In the user's own folder, since code is loaded from there.
 */
function rememberCompiledCode() {
  const { XDG_CACHE_HOME: cache, HOME: home } = process.env;
  const folder = cache || (home && `${home}/.cache`);
  if (!folder) return;
  // An import of node:module would also load what its getters stand for, 5 ms of it.
  process.getBuiltinModule('node:module').enableCompileCache(`${folder}/slipway/code`);
}

/**
 * An older Node that started us and was killed at once (`kill -9`, out of memory) has no time to end us.
 * Who repeats the command then would find its files held by a program that nobody sees.
 */
function endWithStarter() {
  if (process.channel === undefined) return;
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel.unref();
}

/** Node's own settings can keep it from reading this program; a stack would not say whose they are. */
function explainStart(error) {
  console.error(`slipway cannot start: ${error?.message ?? error}`);
  if (process.env.NODE_OPTIONS) sayNodeOptions();
  else console.error('Check that all files of slipway are there: npm ci in its folder.');
  process.exitCode = 70;
}

function sayNodeOptions() {
  console.error(`NODE_OPTIONS is set to "${process.env.NODE_OPTIONS}"; start without it:`);
  console.error('  NODE_OPTIONS= slipway ...');
}

async function startNewerNode() {
  const [{ spawn }, { existsSync }, { fileURLToPath }] = await Promise.all([
    import('node:child_process'),
    import('node:fs'),
    import('node:url'),
  ]);
  const node = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
  if (!existsSync(node)) {
    console.error(`slipway needs Node 24.15 or newer, this is ${process.versions.node}.`);
    console.error(
      'Run "npm ci" in the folder of slipway (it brings one on Linux), or install Node 24.',
    );
    process.exitCode = 69;
    return;
  }
  const program = fileURLToPath(import.meta.url);
  let child;
  // Before the child is there: a signal that came in between would end us and leave it alone.
  // A Ctrl-C on a terminal reaches the child by itself as well; it takes the two for one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child = spawn(node, [program, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  child.on('error', (error) => {
    console.error(`slipway cannot start ${node}: ${error.message}`);
    process.exit(69);
  });
  child.on('exit', (code, signal) => {
    // 9 is Node's own "invalid argument": options for this Node that the newer one does not take.
    if (code === 9 && process.env.NODE_OPTIONS) sayNodeOptions();
    if (signal === null) process.exit(code === 9 ? 70 : code);
    // Die of what the child died of, so that a shell sees the same.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
