import type { ConfigTree } from '../config-tree.ts';
import type { ContainerdBehaviour } from '../containerd-version/behaviour.ts';
import { type FindingRules, loadFindingRules } from '../finding-rules.ts';
import { CONTAINERD_CERTS_D, certsDirectory } from '../hosts-toml/write/certs-d.ts';
import type { CompiledRules, Reload, RuntimeRules } from '../runtime-rules.ts';
import { openContainerdNode } from './containerd-node.ts';
import { lintContainerd } from './lint-containerd.ts';
import { newerVersionNote } from './main-config/config-findings.ts';
import { MAIN_CONFIG } from './main-config/main-config.ts';
import { type MainConfigStep, planMainConfig } from './write/main-config-file.ts';

/** Everything that containerd of one version knows about rules. */
export function containerdRules(
  behaviour: ContainerdBehaviour,
  levels: Promise<FindingRules> = loadFindingRules(),
): RuntimeRules {
  const note = newerVersionNote(behaviour);
  return {
    openNode: (tree) => openContainerdNode(tree, behaviour, levels),
    compile: async (tree, rules, sandboxImage) => {
      const files = certsDirectory(rules, behaviour);
      const main = await planMainConfig(tree, behaviour, sandboxImage);
      const existing = await ruleFiles(tree);
      return main.kind === 'keep'
        ? { wanted: files, settled: [main], existing }
        : { wanted: [...files, main.file], settled: [], existing, ...insertOf(main) };
    },
    lint: (tree, site) => lintContainerd(tree, behaviour, site, levels),
    placeOf,
    reloadFor,
    service: { units: ['containerd.service'] },
    notes: note === undefined ? [] : [note],
  };
}

/** hosts.toml is read at every pull; everything outside of the host directories only once. */
function reloadFor(path: string): Reload | undefined {
  if (path !== MAIN_CONFIG && path.startsWith(`${CONTAINERD_CERTS_D}/`)) return undefined;
  return {
    command: 'systemctl restart containerd',
    because: 'containerd reads its main configuration only when it starts',
  };
}

/** `config.toml`, or a file below a folder that is named after its registry. */
function placeOf(name: string): string | undefined {
  const parts = name.split('/');
  if (parts.at(-1) === 'config.toml') return MAIN_CONFIG;
  const [folder, file] = parts.slice(-2);
  return file === undefined ? undefined : `${CONTAINERD_CERTS_D}/${folder}/${file}`;
}

function insertOf(main: MainConfigStep): Pick<CompiledRules, 'insert'> {
  return main.kind === 'edit' ? { insert: { path: main.file.path, lines: main.insert } } : {};
}

async function ruleFiles(tree: ConfigTree): Promise<readonly string[]> {
  return (await tree.list(CONTAINERD_CERTS_D)).flatMap(({ name, isFolder }) => {
    if (name.startsWith('.')) return [];
    if (isFolder) return [`${CONTAINERD_CERTS_D}/${name}/hosts.toml`];
    return /^slipway-.*\.pem$/.test(name) ? [`${CONTAINERD_CERTS_D}/${name}`] : [];
  });
}
