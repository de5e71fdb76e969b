import assert from 'node:assert/strict';
import test from 'node:test';
import { memoryTree } from '../memory-tree.ts';
import { openRuntime } from '../open-runtime.ts';

const files = { '/etc/docker/daemon.json': '{"registry-mirrors": ["https://m.example"]}' };

/** Numbers of what is found offline, where these hosts may be asked. */
async function rulesFound(allowedHosts: readonly string[]): Promise<readonly string[]> {
  const docker = await openRuntime({ name: 'docker', version: '27.5.1' });
  const found = await docker.lint(memoryTree(files), { mode: 'offline', allowedHosts });
  return found.map(({ rule }) => rule);
}

test('Docker Hub after the mirrors leaves an offline site, unless the Site allows it (D006)', async () => {
  assert.deepEqual(await rulesFound([]), ['D006']);
  assert.deepEqual(await rulesFound(['registry-1.docker.io']), []);
});
