/** How one version of Docker behaves, as data/docker/behaviour.yaml says. */

import { gt, satisfies } from 'semver';
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

const FILE = 'data/docker/behaviour.yaml';

const factNames = [
  'containerd-store-by-default',
  'hosts-toml',
  'loopback-of-ipv6',
  'referrers-from-mirrors',
  'scheme-said-apart',
] as const;

/** The name of something that differs between versions; the data file says what each one means. */
export type DockerFact = (typeof factNames)[number];

const optionKinds = [
  ...(['boolean', 'text', 'number', 'list', 'objects', 'object', 'any'] as const),
  ...(['address-texts', 'addresses', 'netip-addresses'] as const),
] as const;

/**
 * What the value of a key must be: `list` of texts, `objects` a list of those, `any` of several forms;
 * `addresses` a list of what Go's package net takes, `netip-addresses` of what net/netip takes, and
 * `address-texts` of texts that are looked at later.
 */
export type OptionKind = (typeof optionKinds)[number];

const BehaviourFile = z.strictObject({
  ...versionsLookedAt,
  facts: factList(factNames),
  containerd: z.array(z.strictObject({ versions: VersionRange, version: z.string() })).min(1),
  options: z.array(
    z.strictObject({
      name: z.string(),
      holds: z.enum(optionKinds),
      versions: VersionRange.optional(),
    }),
  ),
  ignored: z.array(z.strictObject({ name: z.string(), means: z.string().optional() })),
});

/** One version's behaviour. */
export interface DockerBehaviour {
  readonly version: string;
  /** The version that it is taken for, where nobody has looked at it yet. */
  readonly takenFor?: string;
  /** The library with which the containerd image store pulls. */
  readonly containerd: ContainerdBehaviour;
  /** The keys of daemon.json and what their values must be. */
  readonly options: ReadonlyMap<string, OptionKind>;
  /** Keys that are let through without any effect, and the key that has one. */
  readonly ignored: ReadonlyMap<string, string | undefined>;
  has(fact: DockerFact): boolean;
}

/**
 * `{ name: 'docker', version: '28.0.1' }` → how that version behaves. Rejects with
 * MIRROR_RUNTIME_UNKNOWN without a version, for those before the oldest known one and of a newer major than the
 * newest known one. `text` takes the place of the data file, which is refused with DOCUMENT_INVALID
 * when a fact is missing.
 */
export async function dockerBehaviourFor(
  runtime: RuntimeId,
  text?: string,
): Promise<DockerBehaviour> {
  const file = readData(text ?? (await readAsset(FILE)), FILE, BehaviourFile);
  const { version } = runtime;
  const release = knownRelease(version, file);
  if (version === undefined || release === undefined) {
    throw new MirrorRuntimeUnknown({ runtime: formatRuntimeId(runtime) });
  }
  const facts = factsOf(file.facts, release);
  const known = file.options.filter(({ versions = '*' }) => satisfies(release, versions));
  return {
    version,
    ...(gt(release, file.newest) && { takenFor: file.newest }),
    containerd: await bundledContainerd(release, file.containerd, FILE),
    options: new Map(known.map(({ name, holds }) => [name, holds])),
    ignored: new Map(file.ignored.map(({ name, means }) => [name, means])),
    has: (fact) => facts.has(fact),
  };
}
