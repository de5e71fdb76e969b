/**
 * Builds program/main.go inside a copy of Docker's module: Go lets no file below its module cache be overlaid,
 * and Docker's own RegistryHosts and flags are reached from inside only. Nothing of the copy is kept.
 */

import { chmod, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../../support/tools/run-program.ts';
import type { DockerLine } from './lines.ts';

const source = new URL('program/main.go', import.meta.url);
const env = { CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' } as const;

/** The program for one line, in a folder. Needs Go; downloads the module if it is not there. */
export async function buildDocker(line: DockerLine, folder: string): Promise<string> {
  const tree = join(folder, 'tree');
  await copyModule(line, tree);
  const oracle = join(tree, 'daemon/slipway-oracle');
  await mkdir(oracle);
  await writeFile(join(oracle, 'main.go'), withPackages(await readFile(source, 'utf8'), line));
  for (const name of ['config.go', 'config_unix.go', 'options.go']) {
    const text = await readFile(join(tree, line.command, name), 'utf8');
    await writeFile(join(oracle, name), asMain(text));
  }
  if (line.hosts !== undefined) {
    const text = await readFile(join(tree, line.hosts), 'utf8');
    await writeFile(join(oracle, 'hosts.go'), hostsOf(text));
  }
  await writeFile(join(oracle, 'more.go'), await more(line, join(tree, line.registry)));
  const lookup = 'func LookupForOracle(with func(string) ([]net.IP, error)) { lookupIP = with }';
  const opened = `package registry\n\nimport "net"\n\n${lookup}\n`;
  await writeFile(join(tree, line.registry, 'slipway.go'), opened);
  const program = join(folder, `docker-${line.version}`);
  const flags = ['-trimpath', '-buildvcs=false', '-mod=mod', '-ldflags=-s -w'];
  const build = ['nice', 'go', 'build', ...flags, '-o', program, './daemon/slipway-oracle'];
  await runProgram(build, { cwd: tree, env, timeoutMs: 600_000 });
  return program;
}

async function copyModule({ module, moduleVersion }: DockerLine, tree: string): Promise<void> {
  const asked = ['go', 'mod', 'download', '-json', `${module}@${moduleVersion}`];
  const { stdout } = await runProgram(asked, { cwd: '/', env, timeoutMs: 600_000 });
  // Printed by the go command, with this field for every module that it has.
  const { Dir: from } = JSON.parse(stdout) as { Dir: string };
  await cp(from, tree, { recursive: true, filter: isNeeded });
  await makeWritable(tree);
  // Before it was a module, Docker kept the list of its dependencies under another name.
  for (const end of ['mod', 'sum']) {
    const kept = await readFile(join(tree, `vendor.${end}`), 'utf8').catch(() => undefined);
    if (kept !== undefined) await writeFile(join(tree, `go.${end}`), kept);
  }
}

function isNeeded(path: string): boolean {
  return !/\/(?:vendor|integration|integration-cli|testdata|contrib|docs)$|_test\.go$/.test(path);
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const { name, isDirectory } of await entriesOf(folder)) {
    if (isDirectory) await makeWritable(join(folder, name));
    else await chmod(join(folder, name), 0o644);
  }
}

async function entriesOf(folder: string) {
  const names = await readdir(folder, { withFileTypes: true });
  return names.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
}

function withPackages(text: string, line: DockerLine): string {
  return text
    .replace('MODULE_REMOTES', line.remotes)
    .replace('MODULE_CONFIG', `${line.module}/daemon/config`)
    .replace('MODULE_REGISTRY', `${line.module}/${line.registry}`);
}

function asMain(text: string): string {
  return text.replace(/^package \w+.*$/m, 'package main');
}

/** Of the whole daemon before 28 only this method, with the imports that it uses. */
function hostsOf(text: string): string {
  const method = /^func \(daemon \*Daemon\) RegistryHosts[\s\S]*?^}$/m.exec(text)?.[0] ?? '';
  if (text.includes('mergeLegacyConfig')) return asMain(text);
  const [, imports = ''] = /^import \(([\s\S]*?)^\)/m.exec(text) ?? [];
  const used = imports.split('\n').filter((line) => {
    const [, alias, path] = /^\s*(\w+ )?"([^"]+)"$/.exec(line) ?? [];
    if (path === undefined) return false;
    const name =
      alias?.trim() ??
      path
        .replace(/\/v\d+$/, '')
        .split('/')
        .at(-1);
    return new RegExp(`\\b${name}\\.`).test(method);
  });
  return `package main\n\nimport (\n${used.join('\n')}\n)\n\n${method}\n`;
}

/** What not all versions have: a setter for the folder of certificates, and a default that is not used here. */
async function more(line: DockerLine, registry: string): Promise<string> {
  const has = (await readFile(join(registry, 'config.go'), 'utf8')).includes('func SetCertsDir');
  const set = has ? 'registry.SetCertsDir(path)' : '';
  const uses = has ? `"${line.module}/${line.registry}"` : '';
  const file = 'func getDefaultDaemonConfigFile() string { return "" }\n';
  return `package main\n\nimport (\n\t${uses}\n)\n\nfunc setCertsDir(path string) { ${set} }\n${file}`;
}
