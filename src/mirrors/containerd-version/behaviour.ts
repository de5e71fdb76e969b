/** How one version of containerd behaves, as data/containerd/behaviour.yaml says. */

import { gt, satisfies } from 'semver';
import { z } from 'zod';
import { readData } from '../../documents/read-data.ts';
import { readAsset } from '../../shared/assets.ts';
import { formatRuntimeId, type RuntimeId } from '../../site/runtime-id.ts';
import { MirrorRuntimeUnknown } from '../errors.ts';
import {
  factList,
  factsOf,
  knownRelease,
  VersionRange,
  versionsLookedAt,
} from '../runtime-facts.ts';
import { type ConfigSchema, loadConfigSchema } from './config-schema.ts';

const FILE = 'data/containerd/behaviour.yaml';

const factNames = [
  'default-directory',
  'go-toml-2',
  'toml-1.1',
  'leap-seconds',
  'mirrors-by-header',
  'dotted-flag-panics',
  'needs-host-table',
  'referrers-capability',
  'dial-timeout',
  'dial-timeout-counts-as-tls',
  'https-first',
  'https-first-on-port-80',
  'https-first-without-port',
  'local-scheme-by-port',
  'http-after-connection-error',
  'most-relevant-error',
  'no-blobs-after-error',
  'repeats-server-error-on-last',
  'repeats-broken-on-last',
  'five-attempts',
  'get-after-forbidden',
  'pushes-carry-ns',
  'token-server-gets-headers',
  'transfer-service',
  'default-config-path',
  'default-config-path-excludes-mirrors',
  'split-cri-plugin',
  'config-version-3',
  'config-version-4',
  'merges-plugin-sections',
  'drop-in-not-newer',
  'migrates-each-file',
  'keeps-default-entries',
  'registry-tls',
  'cni-bin-dir',
  'loose-plugin-names',
  'runtime-v1-settings',
  'fetch-accepts-more-codings',
  'fetch-errors-name-the-method',
] as const;

/** The name of something that differs between versions; the data file says what each one means. */
export type Fact = (typeof factNames)[number];

const BehaviourFile = z.strictObject({
  ...versionsLookedAt,
  facts: factList(factNames),
  sandboxImages: z.array(z.strictObject({ versions: VersionRange, image: z.string() })).min(1),
  mainConfigs: z.array(z.strictObject({ versions: VersionRange, file: z.string() })).min(1),
});

/** One version's behaviour. */
export interface ContainerdBehaviour {
  /** The version as it was given: `2.1.1-k3s1`. */
  readonly version: string;
  /** The version that it is taken for, where nobody has looked at it yet: `2.3.4`. */
  readonly takenFor?: string;
  /** The file of data/containerd/main-config for it: `2.1`. */
  readonly mainConfig: string;
  /** What that file says; read once for all nodes of this version. */
  configSchema(): Promise<ConfigSchema>;
  /** The image that pods wait in when the configuration names none. */
  readonly sandboxImage: string;
  has(fact: Fact): boolean;
}

/** The behaviour of every version; see {@link loadContainerdVersions}. */
export interface ContainerdVersions {
  /**
   * `2.1.1`, `v2.1.1` or `2.1.1-k3s1` → the behaviour of 2.1.1. Throws MIRROR_RUNTIME_UNKNOWN for
   * versions before the oldest known one, of a newer major than the newest known one, and for text that is no version.
   */
  behaviourOf(version: string): ContainerdBehaviour;
}

/** Reads the data file. Rejects with DOCUMENT_INVALID, with all places, when it is damaged. */
export async function loadContainerdVersions(): Promise<ContainerdVersions> {
  return readVersions(await readAsset(FILE));
}

/**
 * The behaviour of a runtime: `{ name: 'containerd', version: '2.1.1' }`. Rejects with
 * MIRROR_RUNTIME_UNKNOWN for other runtimes and without a version.
 */
export async function containerdBehaviourFor(runtime: RuntimeId): Promise<ContainerdBehaviour> {
  if (runtime.name !== 'containerd' || runtime.version === undefined) {
    throw new MirrorRuntimeUnknown({ runtime: formatRuntimeId(runtime) });
  }
  return (await loadContainerdVersions()).behaviourOf(runtime.version);
}

/** The containerd inside a release of another program, by the list in `file`, that program's data. */
export async function bundledContainerd(
  release: string,
  entries: ReadonlyArray<{ readonly versions: string; readonly version: string }>,
  file: string,
): Promise<ContainerdBehaviour> {
  const found = entries.find(({ versions }) => satisfies(release, versions));
  if (found === undefined) throw new RangeError(`${file} has no containerd for ${release}`);
  return (await loadContainerdVersions()).behaviourOf(found.version);
}

/** The text of a data file → the versions; separate from the reading so that a test can damage it. */
export function readVersions(text: string): ContainerdVersions {
  const data = readData(text, FILE, BehaviourFile);
  const { facts, sandboxImages, mainConfigs, newest } = data;
  return {
    behaviourOf: (version) => {
      const release = releaseOf(version, data);
      const holding = factsOf(facts, release);
      const mainConfig = entryFor(release, mainConfigs).file;
      let schema: Promise<ConfigSchema> | undefined;
      return {
        version,
        ...(gt(release, newest) && { takenFor: newest }),
        sandboxImage: entryFor(release, sandboxImages).image,
        mainConfig,
        configSchema: () => (schema ??= loadConfigSchema(mainConfig)),
        has: (fact) => holding.has(fact),
      };
    },
  };
}

function entryFor<T extends { readonly versions: string }>(
  release: string,
  entries: readonly T[],
): T {
  const found = entries.find(({ versions }) => satisfies(release, versions));
  if (found !== undefined) return found;
  throw new RangeError(`${FILE} has a list without an entry for containerd ${release}`);
}

function releaseOf(
  version: string,
  known: { readonly oldest: string; readonly newest: string },
): string {
  const release = knownRelease(version, known);
  if (release !== undefined) return release;
  throw new MirrorRuntimeUnknown({ runtime: `containerd@${version}` });
}
