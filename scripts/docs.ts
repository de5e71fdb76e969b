import { readFile, writeFile } from 'node:fs/promises';
import { generatedPages } from './reference/pages.ts';

/** `npm run docs`: writes the pages of the reference that are made from the code. */
for (const { path, render } of await generatedPages()) {
  const before = await readFile(path, 'utf8').catch(() => '');
  const after = render(before);
  if (after === before) continue;
  await writeFile(path, after);
  console.log(`written ${path}`);
}
