import type { ProblemText, TypedDocument } from '../documents/document-kind.ts';
import type { Problem } from '../documents/problem.ts';
import { RuntimeIdInvalid } from './errors.ts';
import { parseRuntimeId, type RuntimeId } from './runtime-id.ts';
import { defaultPublish, type Layout, type Site, type SiteCluster } from './site.ts';

type SiteDocument = TypedDocument<'Site', Site>;

/** Checks each cluster of a Site: its runtime, and that a registry publishes what it will ask for. */
export function checkClusters(document: SiteDocument): readonly Problem[] {
  const clusters = Object.entries(document.value.spec.clusters ?? {});
  return clusters.flatMap(([name, cluster]) =>
    cluster === undefined
      ? []
      : [...checkRuntime(document, name, cluster), ...checkMethod(document, name, cluster)],
  );
}

function checkRuntime(document: SiteDocument, name: string, cluster: SiteCluster): Problem[] {
  const fault = runtimeFault(cluster.runtime);
  if (fault === undefined) return [];
  const path = ['spec', 'clusters', name, 'runtime'];
  return [document.problemAt(path, { code: 'SITE_RUNTIME_INVALID', ...fault })];
}

function runtimeFault(text: string): Omit<ProblemText, 'code'> | undefined {
  try {
    return versionFault(parseRuntimeId(text));
  } catch (error) {
    if (!(error instanceof RuntimeIdInvalid)) throw error;
    return { message: `"${text}" is not a runtime: ${error.data.reason}` };
  }
}

/** Slipway installs containerd in the version of the Release; everything else is there already. */
function versionFault({ name, version }: RuntimeId): Omit<ProblemText, 'code'> | undefined {
  if (name === 'containerd' || version !== undefined) return undefined;
  const example = name === 'k3s' ? 'k3s@v1.28.8+k3s1' : `${name}@VERSION`;
  return {
    message: `"${name}" needs its version, since the Release does not install it`,
    hint: `write: ${example}`,
  };
}

const layoutsFor: Readonly<Record<'redirect' | 'render', readonly Layout[]>> = {
  redirect: ['keep-path', 'keep-host', 'projects'],
  render: ['flat'],
};

/** R0-51: mirror rules keep an image's path, templates replace it; each needs its own names. */
function checkMethod(document: SiteDocument, name: string, { method }: SiteCluster): Problem[] {
  const registries = Object.values(document.value.spec.registries);
  if (method === undefined || registries.length === 0) return [];
  const published = registries.flatMap(({ publish }) => publish ?? defaultPublish);
  const wanted = layoutsFor[method];
  if (published.some((layout) => wanted.includes(layout))) return [];
  const message = `method: ${method} asks for names that no registry publishes`;
  const hint = `add to "publish" of a registry: ${wanted.join(' or ')}`;
  const path = ['spec', 'clusters', name, 'method'];
  return [document.problemAt(path, { code: 'SITE_METHOD_UNSERVED', message, hint })];
}
