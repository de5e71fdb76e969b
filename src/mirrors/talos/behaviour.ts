/** How one version of Talos behaves, as data/talos/behaviour.yaml says. */

import { gt } from 'semver';
import { z } from 'zod';
import { readData } from '../../documents/read-data.ts';
import { readAsset } from '../../shared/assets.ts';
import { formatRuntimeId, type RuntimeId } from '../../site/runtime-id.ts';
import { bundledContainerd, type ContainerdBehaviour } from '../containerd-version/behaviour.ts';
import { MirrorRuntimeUnknown } from '../errors.ts';
import {
  factList,
  factsOf,
  knownRelease,
  VersionRange,
  versionsLookedAt,
} from '../runtime-facts.ts';

const FILE = 'data/talos/behaviour.yaml';

const factNames = [
  'skip-fallback',
  'registry-documents',
  'partial-trust-documents',
  'split-cri-plugin',
  'local-image-pull',
] as const;

/** The name of something that differs between versions; the data file says what each one means. */
export type TalosFact = (typeof factNames)[number];

const BehaviourFile = z.strictObject({
  ...versionsLookedAt,
  facts: factList(factNames),
  containerd: z.array(z.strictObject({ versions: VersionRange, version: z.string() })).min(1),
});

/** One version's behaviour. */
export interface TalosBehaviour {
  readonly version: string;
  /** The version that it is taken for, where nobody has looked at it yet. */
  readonly takenFor?: string;
  /** The containerd that it ships, which pulls the images of pods. */
  readonly containerd: ContainerdBehaviour;
  has(fact: TalosFact): boolean;
}

/**
 * `{ name: 'talos', version: '1.11.0' }` → how that version behaves. Rejects with
 * MIRROR_RUNTIME_UNKNOWN without a version, for those before the oldest known one and of a newer major. `text` takes the
 * place of the data file, which is refused with DOCUMENT_INVALID when a fact is missing.
 */
export async function talosBehaviourFor(
  runtime: RuntimeId,
  text?: string,
): Promise<TalosBehaviour> {
  const file = readData(text ?? (await readAsset(FILE)), FILE, BehaviourFile);
  const { version } = runtime;
  const release = knownRelease(version, file);
  if (version === undefined || release === undefined) {
    throw new MirrorRuntimeUnknown({ runtime: formatRuntimeId(runtime) });
  }
  const facts = factsOf(file.facts, release);
  return {
    version,
    ...(gt(release, file.newest) && { takenFor: file.newest }),
    containerd: await bundledContainerd(release, file.containerd, FILE),
    has: (fact) => facts.has(fact),
  };
}
