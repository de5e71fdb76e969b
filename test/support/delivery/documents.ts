import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Release } from '../../../src/release/release.ts';
import type { SourcePolicy } from '../../../src/release/source-policy.ts';
import type { Layout, Site } from '../../../src/site/site.ts';
import { containerdVersion, kubernetesVersion } from '../tools/tool-sets.ts';
import { upstreamChart } from '../tools/upstream-chart.ts';
import { upstreamHosts } from '../tools/upstream-images.ts';
import type { Upstreams } from '../tools/upstreams.ts';

/** The documents that a person would write, typed so that they follow the product's schemas. */

/** Paths of the Release and of the SourcePolicy. */
export interface ReleaseFiles {
  readonly release: string;
  readonly policy: string;
}

/** The proposal's release in small: Kubernetes from the matrix, one component per registry, a chart. */
function releaseDocument(platforms: readonly string[]): Release {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Release',
    metadata: { name: 'openfuyao', version: '26.3.0' },
    spec: {
      kubernetes: kubernetesVersion,
      runtime: { containerd: containerdVersion },
      platforms: [...platforms],
      components: [
        { name: 'kubernetes', from: 'matrix', licence: 'Apache-2.0' },
        component('cluster-api', 'registry.k8s.io/cluster-api/cluster-api-controller:v1.4.3'),
        component('provider-bke', 'cr.openfuyao.cn/openfuyao/cluster-api-provider-bke:latest'),
        component('openssl', 'docker.io/library/openssl:latest'),
        component('busybox', 'docker.io/library/busybox:1.35'),
        component('console', 'hub.oepkgs.net/openfuyao/console-website:v26.03'),
        {
          name: 'metrics-server',
          licence: 'Apache-2.0',
          chart: upstreamChart,
          images: [],
          reason: 'the chart of the scenario has no pods',
        },
      ],
    },
  };
}

function component(name: string, image: string) {
  return { name, licence: 'Apache-2.0', images: [image] };
}

function policyDocument(upstreams: Upstreams): SourcePolicy {
  const registries = Object.fromEntries(
    upstreamHosts.map((host) => [
      host,
      {
        endpoint: `https://${upstreams.registries[host].address}`,
        trust: { ca: upstreams.caFile },
      },
    ]),
  );
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'SourcePolicy',
    metadata: { name: 'openfuyao' },
    spec: {
      classes: {
        'self-built': { registries: ['cr.openfuyao.cn/openfuyao'] },
        redistributable: {
          registries: ['hub.oepkgs.net/openfuyao'],
          licences: { allow: ['Apache-2.0'] },
        },
        'upstream-only': { registries: ['*'], redistribute: 'never' },
      },
      registries,
    },
  };
}

/** Writes `release.yaml` and `policy.yaml` below `folder`. JSON is YAML, and typed documents stay exact. */
export async function writeReleaseFiles(
  folder: string,
  upstreams: Upstreams,
  platforms: readonly string[] = ['linux/amd64', 'linux/arm64'],
): Promise<ReleaseFiles> {
  await mkdir(folder, { recursive: true });
  const files = { release: join(folder, 'release.yaml'), policy: join(folder, 'policy.yaml') };
  await writeDocument(files.release, releaseDocument(platforms));
  await writeDocument(files.policy, policyDocument(upstreams));
  return files;
}

/** Which project each class gets under the layout `projects`. */
const projects = { 'self-built': 'own', redistributable: 'shared', 'upstream-only': 'upstream' };

/** A registry of the Site, as this machine and as nodes see it. */
export interface SitePlace {
  /** `registry.site.example:5000`, the name for nodes. */
  readonly nodes: string;
  /** `10.77.0.1:5000`, the same registry for this machine. */
  readonly machine: string;
  readonly caFile: string;
  readonly publish: readonly Layout[];
}

/** Writes `site.yaml` below `folder` and returns its path: one registry, no way out. */
export async function writeSite(folder: string, place: SitePlace): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'site.yaml');
  const site: Site = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Site',
    metadata: { name: 'plant-7' },
    spec: {
      mode: 'offline',
      sources: 'per-class',
      registries: {
        main: {
          address: `${place.nodes}/platform`,
          seenFrom: { host: place.machine },
          publish: [...place.publish],
          ...(place.publish.includes('projects') && { projects }),
          trust: { ca: place.caFile },
        },
      },
      clusters: { workload: { runtime: 'containerd', method: 'redirect' } },
    },
  };
  await writeDocument(path, site);
  return path;
}

function writeDocument(path: string, document: Release | SourcePolicy | Site): Promise<void> {
  return writeFile(path, `${JSON.stringify(document, undefined, 2)}\n`);
}
