/** What src/mirrors/talos says about a configuration, in the shape of the Go program's answer. */

import { memoryTree } from '../../../src/mirrors/memory-tree.ts';
import { talosBehaviourFor } from '../../../src/mirrors/talos/behaviour.ts';
import { criRegistriesPart } from '../../../src/mirrors/talos/convert/cri-config.ts';
import { generateHosts } from '../../../src/mirrors/talos/convert/generate-hosts.ts';
import {
  MACHINE_CONFIG,
  readMachineConfig,
} from '../../../src/mirrors/talos/read/machine-config.ts';

/** What Talos makes of one configuration: nothing, for one reason, or files. */
export interface TalosAnswer {
  readonly refused?: string;
  readonly notMade?: string;
  /** Below /etc/cri/conf.d/hosts, by path. */
  readonly hosts?: Readonly<Record<string, string>>;
  readonly part?: string;
}

/** Ours for one version. */
export async function ourAnswer(text: string, version: string): Promise<TalosAnswer> {
  const behaviour = await talosBehaviourFor({ name: 'talos', version });
  const { registries, faults } = await readMachineConfig(
    memoryTree({ [MACHINE_CONFIG]: text }),
    behaviour,
  );
  if (faults.length > 0) return { refused: faults.map(({ reason }) => reason).join('\n') };
  const made = generateHosts(registries);
  if (!made.ok) return { notMade: made.error };
  const hosts = Object.fromEntries(made.files);
  return { hosts, part: criRegistriesPart(registries.auths, behaviour) };
}
