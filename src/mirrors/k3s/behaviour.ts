/** How one version of k3s or RKE2 behaves, as data/k3s/behaviour.yaml says. */

import { coerce, compare, gt, gte, major, minor, valid } from 'semver';
import { z } from 'zod';
import { readData } from '../../documents/read-data.ts';
import { readAsset } from '../../shared/assets.ts';
import { formatRuntimeId, type RuntimeId } from '../../site/runtime-id.ts';
import {
  type ContainerdBehaviour,
  loadContainerdVersions,
} from '../containerd-version/behaviour.ts';
import { MirrorRuntimeUnknown } from '../errors.ts';
import { factList, factsOf } from '../runtime-facts.ts';

const FILE = 'data/k3s/behaviour.yaml';
const factNames = ['hosts-toml', 'hub-login-by-any-name'] as const;

/** The name of something that differs between versions; the data file says what each one means. */
export type K3sFact = (typeof factNames)[number];

/** The two programs that share registries.yaml. */
export type K3sProgram = 'k3s' | 'rke2';

const Version = z.string().refine((text) => valid(text) !== null, 'is no version such as 1.28.8');

const BehaviourFile = z.strictObject({
  source: z.string(),
  checked: z.iso.date().describe('the day on which a person compared it with its source'),
  newest: Version.describe('the newest version that was looked at'),
  facts: factList(factNames),
  containerd: z.strictObject({
    source: z.string(),
    releases: z
      .array(
        z.strictObject({
          from: Version,
          containerd: Version,
          program: z.enum(['k3s', 'rke2']).optional(),
        }),
      )
      .min(1),
  }),
});

/** One version's behaviour. */
export interface K3sBehaviour {
  readonly program: K3sProgram;
  /** As it was given: `v1.28.8+k3s1`. */
  readonly version: string;
  /** The version that it is taken for, where nobody has looked at it yet. */
  readonly takenFor?: string;
  /** What its own containerd does; the version is the one inside. */
  readonly containerd: ContainerdBehaviour;
  has(fact: K3sFact): boolean;
}

/**
 * The behaviour of `{ name: 'k3s', version: 'v1.28.8+k3s1' }` or of an RKE2. Rejects with
 * MIRROR_RUNTIME_UNKNOWN for others, without a version, for one that is older than the data and of a newer
 * major. `text` takes the place of the data file, which is refused with DOCUMENT_INVALID when a fact is missing.
 */
export async function k3sBehaviourFor(runtime: RuntimeId, text?: string): Promise<K3sBehaviour> {
  const { name, version } = runtime;
  const release = version === undefined ? undefined : coerce(version)?.version;
  if ((name !== 'k3s' && name !== 'rke2') || version === undefined || release === undefined) {
    throw new MirrorRuntimeUnknown({ runtime: formatRuntimeId(runtime) });
  }
  const data = readData(text ?? (await readAsset(FILE)), FILE, BehaviourFile);
  const inside = containerdIn(data.containerd.releases, name, release);
  if (inside === undefined || major(release) > major(data.newest))
    throw new MirrorRuntimeUnknown({ runtime: formatRuntimeId(runtime) });
  const facts = factsOf(data.facts, release);
  const versions = await loadContainerdVersions();
  return {
    program: name,
    version,
    ...(gt(release, data.newest) && { takenFor: `v${data.newest}` }),
    containerd: versions.behaviourOf(inside),
    has: (fact) => facts.has(fact),
  };
}

type Releases = z.infer<typeof BehaviourFile>['containerd']['releases'];

/** The last entry of its line that is not newer; the first one of the line, or the newest of all, where there is none. */
export function containerdIn(
  releases: Releases,
  program: K3sProgram,
  release: string,
): string | undefined {
  const own = releases
    .filter((one) => (one.program ?? program) === program)
    .sort((a, b) => compare(a.from, b.from));
  const ofLine = own.filter(({ from }) => minor(from) === minor(release));
  const older = (entries: Releases) => entries.filter(({ from }) => gte(release, from)).at(-1);
  return (older(ofLine) ?? ofLine[0] ?? older(own))?.containerd;
}
