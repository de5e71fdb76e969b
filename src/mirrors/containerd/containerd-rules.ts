import type { ConfigTree } from '../config-tree.ts';
import type { CompiledRules, RuntimeRules } from '../runtime-rules.ts';
import type { ContainerdBehaviour } from './behaviour.ts';
import { newerVersionNote } from './config-findings.ts';
import { openContainerdNode } from './containerd-node.ts';
import { MAIN_CONFIG } from './main-config.ts';
import { CERTS_D, certsDirectory } from './write/certs-d.ts';
import { type MainConfigStep, planMainConfig } from './write/main-config-file.ts';

/** Everything that containerd of one version knows about rules. */
export function containerdRules(behaviour: ContainerdBehaviour): RuntimeRules {
  const note = newerVersionNote(behaviour);
  return {
    openNode: (tree) => openContainerdNode(tree, behaviour),
    compile: async (tree, rules, sandboxImage) => {
      const files = certsDirectory(rules, behaviour);
      const main = await planMainConfig(tree, behaviour, sandboxImage);
      const existing = await ruleFiles(tree);
      return main.kind === 'keep'
        ? { wanted: files, settled: [main], existing }
        : { wanted: [...files, main.file], settled: [], existing, ...insertOf(main) };
    },
    // hosts.toml is read at every pull; everything outside of the host directories only once.
    needsRestart: (path) => path === MAIN_CONFIG || !path.startsWith(`${CERTS_D}/`),
    notes: note === undefined ? [] : [note],
  };
}

function insertOf(main: MainConfigStep): Pick<CompiledRules, 'insert'> {
  return main.kind === 'edit' ? { insert: { path: main.file.path, lines: main.insert } } : {};
}

async function ruleFiles(tree: ConfigTree): Promise<readonly string[]> {
  return (await tree.list(CERTS_D)).flatMap(({ name, isFolder }) => {
    if (name.startsWith('.')) return [];
    if (isFolder) return [`${CERTS_D}/${name}/hosts.toml`];
    return /^slipway-.*\.pem$/.test(name) ? [`${CERTS_D}/${name}`] : [];
  });
}
