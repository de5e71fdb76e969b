/** How one version of containerd behaves, as data/containerd/behaviour.yaml says. */

import { coerce, satisfies, valid } from 'semver';
import { parseYaml } from '../../documents/yaml-tree.ts';
import { readAsset } from '../../shared/assets.ts';
import { formatRuntimeId, type RuntimeId } from '../../site/runtime-id.ts';
import { MirrorDataInvalid, MirrorRuntimeUnknown } from '../errors.ts';
import type { AnswerRules } from '../pull-chain.ts';

const FILE = 'data/containerd/behaviour.yaml';

const factNames = [
  'default-directory',
  'strict-toml',
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
  'five-attempts',
  'get-after-forbidden',
  'pushes-carry-ns',
  'token-server-gets-headers',
  'transfer-service',
  'default-config-path',
  'default-config-path-excludes-mirrors',
  'images-plugin',
  'config-version-4',
  'merges-plugin-sections',
  'drop-in-not-newer',
  'registry-tls',
] as const;

/** The name of something that differs between versions; the data file says what each one means. */
export type Fact = (typeof factNames)[number];

/** One version's behaviour. */
export interface ContainerdBehaviour {
  /** The version as it was given: `2.1.1-k3s1`. */
  readonly version: string;
  /** The image that pods wait in when the configuration names none. */
  readonly sandboxImage: string;
  has(fact: Fact): boolean;
}

/** The behaviour of every version; see {@link loadContainerdVersions}. */
export interface ContainerdVersions {
  /**
   * `2.1.1`, `v2.1.1` or `2.1.1-k3s1` → the behaviour of 2.1.1. Throws MIRROR_RUNTIME_UNKNOWN for
   * versions before 1.6 and for text that is no version.
   */
  behaviourOf(version: string): ContainerdBehaviour;
}

/** Reads the data file. Throws MIRROR_DATA_INVALID when it is damaged. */
export async function loadContainerdVersions(): Promise<ContainerdVersions> {
  return readVersions(await readAsset(FILE));
}

/**
 * The behaviour of a runtime: `{ name: 'containerd', version: '2.1.1' }`. Rejects with
 * MIRROR_RUNTIME_UNKNOWN for other runtimes and without a version.
 */
export async function behaviourFor(runtime: RuntimeId): Promise<ContainerdBehaviour> {
  if (runtime.name !== 'containerd' || runtime.version === undefined) {
    const known = 'containerd, with its version';
    throw new MirrorRuntimeUnknown({ runtime: formatRuntimeId(runtime), known });
  }
  return (await loadContainerdVersions()).behaviourOf(runtime.version);
}

/** What the runtime does with answers, in the form that every runtime shares. */
export function answerRulesOf(behaviour: ContainerdBehaviour): AnswerRules {
  return {
    attempts: behaviour.has('five-attempts') ? 5 : 6,
    repeatsServerErrorOnLast: behaviour.has('repeats-server-error-on-last'),
    getAfterForbidden: behaviour.has('get-after-forbidden'),
    noBlobsAfterError: behaviour.has('no-blobs-after-error'),
    mostRelevantError: behaviour.has('most-relevant-error'),
    httpAfterConnectionError: behaviour.has('http-after-connection-error'),
    pushesCarryNs: behaviour.has('pushes-carry-ns'),
    tokenServerGetsHeaders: behaviour.has('token-server-gets-headers'),
  };
}

/** The text of a data file → the versions; separate from the reading so that a test can damage it. */
export function readVersions(text: string): ContainerdVersions {
  const { trees } = parseYaml(text, FILE);
  const document = fields(trees[0]?.value);
  const ranges = new Map(
    list(document['facts']).map((fact) => [word(fact, 'name'), word(fact, 'versions')]),
  );
  const missing = factNames.find((name) => !ranges.has(name));
  if (missing !== undefined) damaged(`the fact ${missing} is missing`);
  const images = list(document['sandboxImages']);
  return {
    behaviourOf: (version) => {
      const release = releaseOf(version);
      const image = images.find((item) => satisfies(release, word(item, 'versions')));
      return {
        version,
        sandboxImage: word(image ?? damaged(`no sandbox image for ${release}`), 'image'),
        has: (fact) => satisfies(release, ranges.get(fact) ?? ''),
      };
    },
  };
}

function releaseOf(version: string): string {
  const release = valid(version) === null ? undefined : coerce(version)?.version;
  if (release !== undefined && satisfies(release, '>=1.6.0')) return release;
  throw new MirrorRuntimeUnknown({
    runtime: `containerd@${version}`,
    known: 'containerd from 1.6.0 on, with all three numbers',
  });
}

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) return damaged('a mapping is missing');
  // Every non-null object can be read by key; what comes out is checked where it is used.
  return value as Fields;
}

function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fields) : damaged('a list is missing');
}

function word(item: Fields, key: string): string {
  const value = item[key];
  return typeof value === 'string' ? value : damaged(`${key} is missing or no text`);
}

function damaged(problem: string): never {
  throw new MirrorDataInvalid({ file: FILE, problem });
}
