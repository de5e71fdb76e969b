/**
 * The main configuration that Slipway writes, loaded by the real containerd of each line: its own
 * `config dump` must show our settings in force. Needs Go; run with
 * `node --test test/oracles/containerd/main-config/written.test.ts`.
 */

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { planMainConfig } from '../../../../src/mirrors/containerd/write/main-config-file.ts';
import { loadContainerdVersions } from '../../../../src/mirrors/containerd-version/behaviour.ts';
import { memoryTree } from '../../../../src/mirrors/memory-tree.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { buildTools } from '../../../support/tools/build-tools.ts';
import { runProgram } from '../../../support/tools/run-program.ts';
import { lines } from '../lines.ts';

const main = '/etc/containerd/config.toml';
const pause = 'harbor.example/pause:3.10';
const imports = 'imports = ["conf.d/*.toml"]\n';
const list = 'config_path = "/etc/mine:/etc/theirs"\n';
const old = '[plugins."io.containerd.grpc.v1.cri".registry]\n';
const images = '[plugins."io.containerd.cri.v1.images".registry]\n';

for (const { daemon, version, configVersion: newest } of lines) {
  const table = newest === 2 ? old : images;
  const cases: ReadonlyArray<readonly [what: string, files: Readonly<Record<string, string>>]> = [
    ['no main file', {}],
    ['a main file that imports a folder', { [main]: `version = ${newest}\n${imports}` }],
    ['one of version 2 that does', { [main]: `version = 2\n${imports}` }],
    ['a list of directories', { [main]: `version = ${newest}\n${table}${list}` }],
    ['a list in a file of version 2', { [main]: `version = 2\n${old}${list}` }],
  ];
  for (const [what, files] of cases) {
    test(`containerd ${version} has our settings in force beside ${what}`, async (t) => {
      const behaviour = (await loadContainerdVersions()).behaviourOf(version);
      const step = await planMainConfig(memoryTree(files), behaviour, pause);
      assert.ok(step.kind !== 'keep');
      const root = await tempDir(t);
      for (const [path, text] of Object.entries({
        ...files,
        [step.file.path]: step.file.content,
      })) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), text);
      }

      const { stdout: dump } = await runProgram([
        join(await buildTools(daemon), 'containerd'),
        ...['--config', join(root, main), 'config', 'dump'],
      ]);

      const others = what.includes('list') ? ':/etc/mine:/etc/theirs' : '';
      const inForce = (setting: string) =>
        assert.match(dump.replaceAll("'", '"'), new RegExp(`^\\s*${setting}$`, 'm'));
      inForce(`config_path = "/etc/containerd/certs.d${others}"`);
      inForce(`${newest === 2 ? 'sandbox_image' : 'sandbox'} = "${pause}"`);
      if (/^2\.[1-9]/.test(version)) inForce(`use_local_image_pull = ${others !== ''}`);
    });
  }
}
