/** Rules to write on a node, and a node on disk to write them on. */

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { EVERY_OTHER, type MirrorRule, type MirrorTarget } from '../../src/mirrors/mirror-rule.ts';
import type { MirrorsRequest } from '../../src/mirrors/write/write-mirrors.ts';
import { tempDir } from './temp-dir.ts';

/** A registry behind a project, and one without. */
export const harbor: MirrorTarget = {
  scheme: 'https',
  host: 'harbor.example:5000',
  prefix: 'platform',
};
/** The one without. */
export const backup: MirrorTarget = { scheme: 'https', host: 'backup.example', prefix: '' };
/** Rules that leave no way out of the site. */
export const offline: readonly MirrorRule[] = [
  { registry: 'docker.io', targets: [backup, harbor], fallback: false },
  { registry: 'reg.example:5000', targets: [harbor], fallback: false },
  { registry: EVERY_OTHER, targets: [harbor], fallback: false },
];

/** The order to write {@link offline} below a root for containerd 2.1.1, or what differs from that. */
export function mirrorsRequest(root: string, more: Partial<MirrorsRequest> = {}): MirrorsRequest {
  const runtime = { name: 'containerd', version: '2.1.1' } as const;
  return { root, runtime, rules: offline, replaceForeign: false, dryRun: false, ...more };
}

/** The root of a node that has these files, by their paths there. */
export async function nodeWith(
  t: TestContext,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const root = await tempDir(t);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}

/** Every file below the root with its text, by its path there; without what Slipway keeps for itself. */
export async function filesIn(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(join(root, 'var/lib/slipway')));
  const texts: Record<string, string> = {};
  for (const file of files.sort()) texts[file.slice(root.length)] = await readFile(file, 'utf8');
  return texts;
}
