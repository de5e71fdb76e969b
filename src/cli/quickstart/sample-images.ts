import { createHash } from 'node:crypto';
import {
  type BuiltImage,
  type BuiltIndex,
  buildChart,
  buildImage,
  buildIndex,
} from '../../oci/image-builder.ts';
import { tarLayer } from '../../oci/tar-layer.ts';

/** One registry that the sample release takes from: tags by `repository:tag`, and a plain file. */
export interface SampleRegistry {
  readonly host: string;
  readonly images: ReadonlyMap<string, BuiltIndex>;
  readonly charts: ReadonlyMap<string, BuiltImage>;
}

const platforms = ['amd64', 'arm64'] as const;

/** Sizes in kB of what each image has on its own; everything else is in the layers they share. */
const images: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'cr.openfuyao.cn': {
    'openfuyao/cluster-api-provider-bke:v26.3.0': 420,
    'openfuyao/bke-agent:latest': 260,
    'openfuyao/console-website:v26.03': 540,
  },
  'hub.oepkgs.net': {
    'openfuyao/metrics-server:v0.7.2': 300,
    'openfuyao/kube-state-metrics:v2.13.0': 280,
  },
  'registry.k8s.io': {
    'kube-apiserver:v1.28.8': 640,
    'etcd:3.5.12-0': 480,
    'coredns/coredns:v1.10.1': 220,
    'pause:3.9': 8,
  },
};

/**
 * The registries of the sample: nine images for two platforms over shared layers, and a chart; 9 MB.
 * The names are those of real images, the content is made up, and always the same.
 */
export function sampleRegistries(): readonly SampleRegistry[] {
  const bases = new Map(platforms.map((platform) => [platform, layer(`base ${platform}`, 600)]));
  return Object.entries(images).map(([host, sizes]) => ({
    host,
    images: new Map(
      Object.entries(sizes).map(([name, kilobytes]) => [
        name,
        buildIndex(
          platforms.map((architecture) =>
            buildImage({
              platform: { os: 'linux', architecture },
              gzip: true,
              layers: [
                bases.get(architecture) ?? new Uint8Array(),
                layer(`${name} ${architecture}`, kilobytes),
              ],
            }),
          ),
        ),
      ]),
    ),
    charts: host === 'hub.oepkgs.net' ? new Map([chart()]) : new Map(),
  }));
}

/** A program that the release brings to its nodes as a plain file. */
export const sampleFile = Buffer.from('#!/bin/sh\necho "this node was set up by slipway"\n');

function chart(): readonly [string, BuiltImage] {
  const template = 'image: {{ .Values.repo }}/metrics-server:v0.7.2\n';
  const files = [{ path: 'templates/deployment.yaml', content: template }];
  const built = buildChart({ name: 'metrics-server', version: '3.12.2', files });
  return ['openfuyao/charts/metrics-server:3.12.2', built];
}

/** A layer with one file of bytes that look random, and are the same at each run. */
function layer(seed: string, kilobytes: number): Uint8Array {
  const outputLength = kilobytes * 1000;
  const content = createHash('shake256', { outputLength }).update(seed).digest();
  return tarLayer([{ path: `usr/share/${seed.replaceAll(/\W+/g, '-')}`, content }]);
}
