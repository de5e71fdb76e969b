/** How one version of CRI-O or podman behaves, as data/registries-conf/behaviour.yaml says. */

import { gte, lt, valid } from 'semver';
import { z } from 'zod';
import { readData } from '../../documents/read-data.ts';
import { readAsset } from '../../shared/assets.ts';
import { formatRuntimeId, type RuntimeId } from '../../site/runtime-id.ts';
import { MirrorRuntimeUnknown } from '../errors.ts';
import type { TomlVersion } from '../go/toml/burnt-sushi-tables.ts';
import type { RuntimeVersion } from '../pull-chain.ts';

const FILE = 'data/registries-conf/behaviour.yaml';

const Version = z.string().refine((text) => valid(text) !== null, 'is no version such as 1.30.0');

const Program = z.strictObject({
  oldest: Version.describe('older ones are refused'),
  newest: Version.describe('the newest that was looked at'),
  refusedFrom: Version.describe('these and newer ones are refused, as nobody knows them'),
  newerToml: Version,
  enforcesShortNames: Version.optional(),
  pauseImages: z.array(z.strictObject({ from: Version, image: z.string() })),
});

const BehaviourFile = z.strictObject({
  checked: z.iso.date().describe('the day on which a person compared it with its sources'),
  programs: z.strictObject({ 'cri-o': Program, podman: Program }),
  officialImages: z
    .array(z.string())
    .describe('images of Docker Hub that are named library/… there'),
});

/** One program in one version. */
export interface RegistriesConfBehaviour {
  readonly runtime: RuntimeVersion & { readonly name: 'cri-o' | 'podman' };
  readonly toml: TomlVersion;
  /** What CRI-O does with short names where its own configuration says nothing; podman reads registries.conf. */
  readonly shortNames: 'enforcing' | 'disabled' | 'by registries.conf';
  readonly pauseImage: string | undefined;
  /** `busybox`: images that are named `docker.io/library/…`. */
  readonly officialImages: ReadonlySet<string>;
  /** The newest version that was looked at, when this one came out later. */
  readonly knownUpTo: string | undefined;
}

/** `cri-o@1.30.0` → its behaviour. Rejects with MIRROR_RUNTIME_UNKNOWN for others, older ones, those of a major that nobody knows, and without a version. */
export async function registriesConfBehaviourFor(
  runtime: RuntimeId,
): Promise<RegistriesConfBehaviour> {
  const { name, version } = runtime;
  const { programs, officialImages } = readData(await readAsset(FILE), FILE, BehaviourFile);
  if ((name !== 'cri-o' && name !== 'podman') || version === undefined) {
    throw new MirrorRuntimeUnknown({ runtime: formatRuntimeId(runtime) });
  }
  const facts = programs[name];
  if (lt(version, facts.oldest) || gte(version, facts.refusedFrom)) {
    throw new MirrorRuntimeUnknown({ runtime: formatRuntimeId(runtime) });
  }
  return {
    runtime: { name, version },
    toml: gte(version, facts.newerToml) ? '1.1' : '1.0',
    shortNames: shortNamesOf(facts.enforcesShortNames, runtime),
    pauseImage: facts.pauseImages.findLast(({ from }) => gte(version, from))?.image,
    officialImages: new Set(officialImages),
    knownUpTo: gte(facts.newest, version) ? undefined : facts.newest,
  };
}

function shortNamesOf(
  enforcedFrom: string | undefined,
  { name, version = '' }: RuntimeId,
): RegistriesConfBehaviour['shortNames'] {
  if (name === 'podman') return 'by registries.conf';
  return enforcedFrom !== undefined && gte(version, enforcedFrom) ? 'enforcing' : 'disabled';
}
