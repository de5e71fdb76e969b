import { type FindingRules, loadFindingRules } from '../finding-rules.ts';
import { newerNotes } from '../newer-version.ts';
import type { Reload, RuntimeRules } from '../runtime-rules.ts';
import type { K3sBehaviour } from './behaviour.ts';
import { judgeK3s } from './lint/judge-k3s.ts';
import { openK3sNode } from './node/k3s-node.ts';
import { k3sPaths } from './node/k3s-paths.ts';
import { readK3sState } from './node/k3s-state.ts';
import { compileK3s } from './write/compile-k3s.ts';

/** Everything that k3s or RKE2 of one version knows about rules. */
export function k3sRules(
  behaviour: K3sBehaviour,
  levels: Promise<FindingRules> = loadFindingRules(),
): RuntimeRules {
  const { units } = k3sPaths(behaviour.program);
  return {
    openNode: (tree) => openK3sNode(tree, behaviour, levels),
    compile: (tree, rules, sandboxImage) => compileK3s({ tree, rules, sandboxImage, behaviour }),
    lint: async (tree, site) => {
      const state = await readK3sState(tree, behaviour);
      return (await judgeK3s({ tree, state, behaviour, site }, levels)).findings;
    },
    placeOf: (name) => placeOf(name, behaviour),
    reloadFor: (path) => reloadFor(path, behaviour),
    service: {
      units: units.map((unit) => `${unit}.service`),
      variablePrefix: 'CONTAINERD_',
    },
    notes: notesOf(behaviour),
  };
}

/** Whatever it is called, a file of registries belongs in the one place; so does a file of options. */
function placeOf(name: string, { program }: K3sBehaviour): string | undefined {
  const { folder, config, configFolder } = k3sPaths(program);
  const [parent, file = parent] = name.split('/').slice(-2);
  if (file === undefined) return undefined;
  if (/^registr(?:y|ies)\.ya?ml$/.test(file)) return `${folder}/${file}`;
  if (parent === 'config.yaml.d') return `${configFolder}/${file}`;
  return file === 'config.yaml' ? config : undefined;
}

/** k3s makes its containerd's files once, when it starts; the authorities are read at every pull. */
function reloadFor(path: string, { program }: K3sBehaviour): Reload | undefined {
  if (/\.(?:pem|crt|cert|key)$/.test(path)) return undefined;
  const { units, registries } = k3sPaths(program);
  const [server, agent] = units;
  const what = path === registries ? 'registries.yaml' : 'its configuration';
  return {
    command: `systemctl restart ${server}`,
    because: `${program} reads ${what} only when it starts; on an agent the service is ${agent}, and every node needs it`,
  };
}

function notesOf(behaviour: K3sBehaviour): readonly string[] {
  const { program, version, takenFor, containerd } = behaviour;
  const inside = `${program} ${version} is taken to have containerd ${containerd.version} inside`;
  const bootstrap =
    'RKE2 pulls its own image rancher/rke2-runtime when it starts, by a reader of its own: it takes the same mirrors and rewrites, asks index.docker.io after them whatever disable-default-registry-endpoint says, and finds settings under configs."*" too; without a way out, put the image into /var/lib/rancher/rke2/agent/images';
  return [
    ...newerNotes(`${program} ${version}`, takenFor),
    inside,
    ...(program === 'rke2' ? [bootstrap] : []),
  ];
}
