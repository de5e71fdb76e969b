import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openFolderSink } from './folder-sink.ts';
import { sinkContract } from './sink.contract.ts';

sinkContract('folder', openFolderSink, async (path) => {
  const hash = createHash('sha256');
  for (const name of (await readdir(path, { recursive: true })).sort()) {
    const { mode } = await stat(join(path, name));
    const content = (mode & 0o170000) === 0o100000 ? await readFile(join(path, name)) : '';
    hash.update(`${name} ${mode}\n`).update(content);
  }
  return hash.digest('hex');
});
