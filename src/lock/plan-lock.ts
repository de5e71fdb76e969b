import { API_VERSION, type TypedDocument } from '../documents/document-kind.ts';
import { sortProblems } from '../documents/format-problems.ts';
import type { Problem } from '../documents/problem.ts';
import { digestOf } from '../oci/digest.ts';
import { fileIdentity } from '../release/file-fields.ts';
import type { Lock } from '../release/lock.ts';
import { type Matrix, matrixFor } from '../release/matrix.ts';
import { policyDigest } from '../release/policy-digest.ts';
import { identityOf } from '../release/references.ts';
import type { Release } from '../release/release.ts';
import type { SourcePolicy } from '../release/source-policy.ts';
import { sandboxReference } from '../release/wanted-images.ts';
import { mapBounded } from '../shared/bounded.ts';
import { mostSerious } from '../shared/errors.ts';
import { canonicalJson, compareText } from '../shared/json.ts';
import type { Run } from '../shared/run.ts';
import { PlanRefused, PlanUnresolved } from './errors.ts';
import { offlineResolver, onlineResolver } from './item-resolver.ts';
import type { PlannedItems } from './planned-items.ts';
import type { PlanPorts } from './ports.ts';
import type { Resolution } from './resolution.ts';
import { totalsOf } from './totals.ts';

/** What a Lock is made from. */
export interface PlanRequest {
  readonly release: TypedDocument<'Release', Release>;
  readonly policy: TypedDocument<'SourcePolicy', SourcePolicy> | undefined;
  readonly matrix: Matrix;
  /** What `planItems` made of these three. */
  readonly items: PlannedItems;
  /** The Lock of an earlier plan: what it knows and what has not changed is not read again. */
  readonly earlier: Lock | undefined;
}

/** Enough to keep several registries busy; each of them has its own limit in the client. */
const parallelItems = 16;

/**
 * Resolves a Release to a Lock: every artefact by digest for every wanted platform.
 *
 * Without `ports` from the earlier Lock alone (`plan --offline`). Everything that is forbidden,
 * missing or unreachable is reported at once, each with its place in the Release: PLAN_REFUSED if a
 * document has to change, else PLAN_UNRESOLVED.
 */
export async function planLock(
  request: PlanRequest,
  ports: PlanPorts | undefined,
  run: Run,
): Promise<Lock> {
  const { items } = request;
  const { platforms } = request.release.value.spec;
  const resolver =
    ports === undefined
      ? offlineResolver(platforms, request.earlier)
      : onlineResolver(platforms, request.earlier, ports);
  run.expect({ items: items.images.length + items.charts.length + items.files.length });
  const images = await resolveAll(items.images, resolver.image, run);
  const charts = await resolveAll(items.charts, resolver.chart, run);
  const files = await resolveAll(items.files, resolver.file, run);
  failOnAny(items.problems, [...images, ...charts, ...files]);
  return assemble(request, {
    images: valuesOf(images).sort((a, b) => compareText(a.name, b.name)),
    charts: valuesOf(charts).sort((a, b) => compareText(a.name, b.name)),
    files: valuesOf(files).sort((a, b) => compareText(fileIdentity(a), fileIdentity(b))),
  });
}

async function resolveAll<Item, T>(
  items: readonly Item[],
  resolve: (item: Item, run: Run) => Promise<Resolution<T>>,
  run: Run,
): Promise<Resolution<T>[]> {
  const work = async (item: Item) => {
    const resolution = await resolve(item, run);
    run.advance({ items: 1 });
    return resolution;
  };
  return mapBounded(items, parallelItems, work, run.signal);
}

function valuesOf<T>(resolutions: readonly Resolution<T>[]): T[] {
  return resolutions.flatMap((found) => (found.kind === 'resolved' ? [found.value] : []));
}

function failOnAny(known: readonly Problem[], found: readonly Resolution<unknown>[]): void {
  const failed = found.filter((resolution) => resolution.kind === 'failed');
  const problems = sortProblems([...known, ...failed.flatMap((resolution) => resolution.problems)]);
  if (problems.length === 0) return;
  const categories = new Set(failed.map((resolution) => resolution.category));
  if (known.length > 0) categories.add('input');
  const category = mostSerious([...categories]);
  throw categories.has('input')
    ? new PlanRefused({ problems, category })
    : new PlanUnresolved({ problems, category });
}

/** The name under which the sandbox image is locked; the checks made sure that it is among the images. */
function sandboxOf({ release, matrix, items }: PlanRequest): string | undefined {
  const reference = sandboxReference(release.value, matrix);
  if (reference === undefined) return undefined;
  const identity = identityOf(reference);
  return items.images.find(({ wanted }) => identityOf(wanted.reference) === identity)?.wanted.name;
}

function assemble(
  request: PlanRequest,
  locked: Pick<Lock['spec'], 'images' | 'charts' | 'files'>,
): Lock {
  const { release, policy, matrix } = request;
  const { metadata, spec } = release.value;
  const usesMatrix = spec.components?.some((component) => component.from === 'matrix') ?? false;
  const line = usesMatrix ? matrixFor(matrix, spec.kubernetes ?? '') : undefined;
  const sandbox = sandboxOf(request);
  return {
    apiVersion: API_VERSION,
    kind: 'Lock',
    metadata: { name: metadata.name, version: metadata.version },
    spec: {
      madeFrom: {
        release: digestOf(canonicalJson(release.value)),
        ...(policy !== undefined && { policy: policyDigest(policy.value) }),
      },
      ...(spec.kubernetes !== undefined && { kubernetes: spec.kubernetes }),
      ...(line !== undefined && { matrix: { version: line.version, digest: line.digest } }),
      ...(spec.runtime !== undefined && { runtime: spec.runtime }),
      ...(sandbox !== undefined && { sandbox }),
      platforms: [...spec.platforms].sort(compareText),
      totals: totalsOf(locked),
      ...locked,
    },
  };
}
