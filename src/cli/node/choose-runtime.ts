import type { Lock } from '../../release/lock.ts';
import { formatRuntimeId, parseRuntimeId, type RuntimeId } from '../../site/runtime-id.ts';
import type { Site } from '../../site/site.ts';
import { RuntimeUndecided } from '../errors.ts';

/** The kinds of clusters that a Site describes. */
export type ClusterName = keyof NonNullable<Site['spec']['clusters']>;

/** What is known about the runtime of a node. */
export interface RuntimeFacts {
  /** `name` or `name@version`, as the user typed it; wins over everything. */
  readonly typed: string | undefined;
  readonly cluster: ClusterName | undefined;
  readonly site: Site | undefined;
  readonly lock: Lock;
}

/**
 * The runtime of a node with its version: what was typed, else that of the Site's cluster, else the
 * one of the Lock. A version that is not said comes from the Lock, which has the Release's.
 *
 * Site `management: {runtime: containerd}` and Lock `containerd: v2.1.1` → `containerd@2.1.1`.
 * RUNTIME_ID_INVALID; RUNTIME_UNDECIDED where several runtimes, or none, would fit.
 */
export function chooseRuntime(facts: RuntimeFacts): RuntimeId {
  if (facts.typed !== undefined) return withVersion(facts.typed, facts);
  const found = new Map(candidates(facts).map((text) => [text, withVersion(text, facts)]));
  const distinct = new Map([...found.values()].map((id) => [formatRuntimeId(id), id]));
  const [only, second] = distinct.values();
  if (only !== undefined && second === undefined) return only;
  throw new RuntimeUndecided({
    because: whyUndecided(facts, [...distinct.keys()]),
    hasCluster: true,
  });
}

function candidates({ cluster, site, lock }: RuntimeFacts): readonly string[] {
  const clusters = site?.spec.clusters ?? {};
  if (cluster !== undefined) {
    const runtime = clusters[cluster]?.runtime;
    return runtime === undefined ? [] : [runtime];
  }
  const described = Object.values(clusters).flatMap((one) => (one ? [one.runtime] : []));
  return described.length > 0 ? described : Object.keys(lock.spec.runtime ?? {});
}

function withVersion(text: string, { lock }: RuntimeFacts): RuntimeId {
  const id = parseRuntimeId(text);
  if (id.version !== undefined) return id;
  const version = lock.spec.runtime?.[id.name];
  if (version !== undefined) return parseRuntimeId(`${id.name}@${version}`);
  const because = `the Lock ${lock.metadata.name} does not say which version of ${id.name} is installed`;
  throw new RuntimeUndecided({ because, hasCluster: true });
}

function whyUndecided({ cluster, site, lock }: RuntimeFacts, found: readonly string[]): string {
  if (found.length > 1) return `it could be ${found.join(' or ')}`;
  if (cluster === undefined) {
    return `neither a Site nor the Lock ${lock.metadata.name} says which one runs there`;
  }
  return site === undefined
    ? `without a Site nobody knows what the ${cluster} cluster runs`
    : `the Site ${site.metadata.name} does not describe its ${cluster} cluster`;
}
