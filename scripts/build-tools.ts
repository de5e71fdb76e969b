/** Installs and builds everything that `npm run test:e2e` needs, and says how long each part took. */
import { buildTools } from '../test/support/tools/build-tools.ts';
import { installDebianPackages } from '../test/support/tools/debian-packages.ts';
import { type ToolSetName, toolSets } from '../test/support/tools/tool-sets.ts';

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  console.error(`${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

await timed('Debian packages', installDebianPackages);
// The keys of a constant object are its names; TypeScript types them as string.
for (const name of Object.keys(toolSets) as ToolSetName[]) {
  await timed(name, () => buildTools(name));
}
await timed('pause for arm64', () => buildTools('pause', 'arm64'));
