import { type FindingRules, loadFindingRules } from '../finding-rules.ts';
import { newerNotes } from '../newer-version.ts';
import type { Reload, RuntimeRules } from '../runtime-rules.ts';
import type { TalosBehaviour } from './behaviour.ts';
import { lintTalos } from './lint/lint-talos.ts';
import { MACHINE_CONFIG, REGISTRIES_PATCH } from './read/machine-config.ts';
import { openTalosNode } from './talos-node.ts';
import { compileTalos } from './write/compile-talos.ts';

/** Everything that Talos of one version knows about rules. */
export function talosRules(
  behaviour: TalosBehaviour,
  levels: Promise<FindingRules> = loadFindingRules(),
): RuntimeRules {
  return {
    openNode: (tree) => openTalosNode(tree, behaviour, levels),
    compile: (tree, rules) => compileTalos(tree, rules, behaviour),
    lint: (tree, site) => lintTalos(tree, behaviour, site, levels),
    placeOf: (name) => (/\.ya?ml$/.test(name) ? MACHINE_CONFIG : undefined),
    reloadFor,
    service: undefined,
    notes: notesOf(behaviour),
  };
}

/** A node of Talos has no shell and no files to edit: everything goes through its API. */
function reloadFor(path: string, isGone = false): Reload | undefined {
  // A patch only adds and replaces, so there is none that takes another one back.
  if (path === REGISTRIES_PATCH && isGone) {
    return {
      command: 'talosctl edit machineconfig --nodes NODE',
      because:
        'only the file is gone: where its patch was applied, Talos keeps the mirrors, trust and logins until a person takes them out there (or applies a configuration without them)',
    };
  }
  if (path === REGISTRIES_PATCH) {
    return {
      command: 'talosctl patch machineconfig --nodes NODE --patch @slipway-registries.yaml',
      because:
        'Talos takes changes of its configuration through its API only; a changed login needs a reboot of the node',
    };
  }
  if (path !== MACHINE_CONFIG) return undefined;
  return {
    command: 'talosctl apply-config --nodes NODE --file config.yaml',
    because:
      'Talos takes its configuration through its API only; a changed login needs a reboot of the node',
  };
}

function notesOf({ version, takenFor, containerd }: TalosBehaviour): readonly string[] {
  const shipped = `Talos ${takenFor ?? version} ships containerd ${containerd.version}, which pulls the images of pods; the installer, the kubelet and etcd are pulled by Talos itself, from the same endpoints`;
  return [...newerNotes(`talos ${version}`, takenFor), shipped];
}
