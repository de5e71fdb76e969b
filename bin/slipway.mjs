#!/usr/bin/env node
// Any Node can parse this file: it finds a Node that can run the rest (docs/adr/0002).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 24 || (major === 24 && minor >= 15)) {
  await import('../src/cli/main.ts');
} else {
  const node = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
  if (existsSync(node)) {
    const program = fileURLToPath(import.meta.url);
    const result = spawnSync(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
    if (result.signal) process.kill(process.pid, result.signal);
    process.exitCode = result.status ?? 70;
  } else {
    console.error(`slipway needs Node 24.15 or newer, this is ${process.versions.node}.`);
    console.error(
      'Run "npm ci" in the folder of slipway (it brings one on Linux), or install Node 24.',
    );
    process.exitCode = 69;
  }
}
