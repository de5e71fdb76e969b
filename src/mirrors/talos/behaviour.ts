/** How one version of Talos behaves, as data/talos/behaviour.yaml says. */

import { coerce, gt, major, satisfies, valid, validRange } from 'semver';
import { z } from 'zod';
import { readData } from '../../documents/read-data.ts';
import { readAsset } from '../../shared/assets.ts';
import { formatRuntimeId, type RuntimeId } from '../../site/runtime-id.ts';
import { type ContainerdBehaviour, loadContainerdVersions } from '../containerd/behaviour.ts';
import { MirrorRuntimeUnknown } from '../errors.ts';

const FILE = 'data/talos/behaviour.yaml';

const factNames = [
  'skip-fallback',
  'registry-documents',
  'split-cri-plugin',
  'local-image-pull',
] as const;

/** The name of something that differs between versions; the data file says what each one means. */
export type TalosFact = (typeof factNames)[number];

const Versions = z
  .string()
  .refine((range) => validRange(range) !== null, 'is no range of versions such as >=1.9.0');

const BehaviourFile = z.strictObject({
  source: z.string(),
  checked: z.iso.date().describe('the day on which a person compared it with its source'),
  newest: z.string().describe('the newest version that was looked at'),
  facts: z.array(
    z.strictObject({
      name: z.enum(factNames),
      versions: Versions,
      means: z.string(),
      source: z.string(),
    }),
  ),
  containerd: z.array(z.strictObject({ versions: Versions, version: z.string() })).min(1),
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
 * MIRROR_RUNTIME_UNKNOWN without a version, for those before 1.6 and of a newer major.
 */
export async function talosBehaviourFor(runtime: RuntimeId): Promise<TalosBehaviour> {
  const file = readData(await readAsset(FILE), FILE, BehaviourFile);
  const { version } = runtime;
  const release = releaseOf(version, file.newest);
  if (version === undefined || release === undefined) {
    throw new MirrorRuntimeUnknown({ runtime: formatRuntimeId(runtime) });
  }
  const ranges = new Map(file.facts.map((fact) => [fact.name, fact.versions]));
  return {
    version,
    ...(gt(release, file.newest) && { takenFor: file.newest }),
    containerd: await containerdOf(release, file.containerd),
    has: (fact) => satisfies(release, ranges.get(fact) ?? ''),
  };
}

async function containerdOf(
  release: string,
  entries: z.infer<typeof BehaviourFile>['containerd'],
): Promise<ContainerdBehaviour> {
  const found = entries.find(({ versions }) => satisfies(release, versions));
  if (found === undefined) throw new RangeError(`${FILE} has no containerd for ${release}`);
  return (await loadContainerdVersions()).behaviourOf(found.version);
}

function releaseOf(version: string | undefined, newest: string): string | undefined {
  const release = valid(version) === null ? undefined : coerce(version)?.version;
  if (release === undefined || !satisfies(release, '>=1.6.0')) return undefined;
  return major(release) <= major(newest) ? release : undefined;
}
