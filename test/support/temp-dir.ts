import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A new empty folder that is removed after the test: `const dir = await tempDir(t)`. */
export async function tempDir(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'slipway-test-'));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}
