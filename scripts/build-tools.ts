/**
 * Installs and builds everything that `npm run test:e2e` needs, or only the sets that are named
 * (`npm run test:e2e:tools -- crane helm`; `differential` names
 * what `npm run test:differential` needs), and says how long each part took.
 */
import { buildTools } from '../test/support/tools/build-tools.ts';
import { installDebianPackages } from '../test/support/tools/debian-packages.ts';
import { type ToolSetName, toolSets } from '../test/support/tools/tool-sets.ts';

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  console.error(`${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

function isToolSet(name: string): name is ToolSetName {
  return Object.hasOwn(toolSets, name);
}

function setsOf(name: string): readonly ToolSetName[] {
  const all = Object.keys(toolSets).filter(isToolSet);
  if (name === 'differential')
    return all.filter((set) => /^(?:containerd|k3s|registries-conf)/.test(set));
  if (isToolSet(name)) return [name];
  throw new Error(
    `no set of programs is named ${name}; there are: differential, ${all.join(', ')}`,
  );
}

const asked = process.argv.slice(2);
const wanted = asked.length === 0 ? Object.keys(toolSets) : asked;

await timed('Debian packages', installDebianPackages);
for (const name of wanted.flatMap(setsOf)) {
  await timed(name, () => buildTools(name));
}
if (asked.length === 0) await timed('pause for arm64', () => buildTools('pause', 'arm64'));
