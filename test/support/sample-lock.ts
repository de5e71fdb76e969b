/** A small Lock with the blobs behind it, built in memory: two images, a chart and a file. */
import { bundleContents } from '../../src/bundle/contents.ts';
import type { BlobRef } from '../../src/oci/descriptor.ts';
import { type Digest, digestOf } from '../../src/oci/digest.ts';
import {
  type BuiltBlob,
  type BuiltImage,
  buildChart,
  buildImage,
  buildIndex,
} from '../../src/oci/image-builder.ts';
import { formatPlatform, type Platform } from '../../src/oci/platform.ts';
import { tarLayer } from '../../src/oci/tar-layer.ts';
import type { Lock, LockedBlob, LockedPlatform } from '../../src/release/lock.ts';
import { canonicalJson } from '../../src/shared/json.ts';

/** The Lock, its text, and every blob that it names by digest. */
export interface SampleLock {
  readonly lock: Lock;
  readonly lockText: string;
  readonly blobs: ReadonlyMap<Digest, Uint8Array>;
  readonly fileBytes: Uint8Array;
}

const amd64: Platform = { os: 'linux', architecture: 'amd64' };
const arm64: Platform = { os: 'linux', architecture: 'arm64' };

/** The same sample every time; `marker` changes the content of one layer, and so the digests. */
export function sampleLock(marker = 'one'): SampleLock {
  const shared = tarLayer([{ path: 'etc/base', content: 'shared by all images\n' }]);
  const imageFor = (platform: Platform, text: string) =>
    buildImage({ platform, layers: [shared, tarLayer([{ path: 'app', content: text }])] });
  const app = buildIndex([imageFor(amd64, `app amd64 ${marker}`), imageFor(arm64, 'app arm64')]);
  const pause = imageFor(amd64, 'pause');
  const chart = buildChart({ name: 'metrics', version: '1.0.0' });
  const fileBytes = Buffer.from('#!/bin/sh\necho helm\n');

  const [chartConfig, ...chartLayers] = chart.blobs.map(locked);
  if (chartConfig === undefined) throw new Error('a chart has a config');
  const blobs = [app, ...app.images.flatMap(withBlobs), ...withBlobs(pause), ...withBlobs(chart)];
  const lock: Lock = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Lock',
    metadata: { name: 'sample', version: '1.0.0' },
    spec: {
      madeFrom: { release: digestOf('sample release') },
      sandbox: 'registry.k8s.io/pause:3.9',
      platforms: ['linux/amd64', 'linux/arm64'],
      totals: { images: 2, charts: 1, files: 1, bytes: 0, uniqueBytes: 0 },
      images: [
        lockedImage('cr.openfuyao.cn/openfuyao/app:v1', app, app.images),
        lockedImage('registry.k8s.io/pause:3.9', pause, [pause]),
      ],
      charts: [
        {
          name: 'hub.oepkgs.net/openfuyao/charts/metrics:1.0.0',
          version: '1.0.0',
          class: 'redistributable',
          redistribution: 'allowed',
          source: {
            registry: 'hub.oepkgs.net',
            repository: 'openfuyao/charts/metrics',
            reference: '1.0.0',
          },
          manifest: locked(chart),
          config: chartConfig,
          layers: chartLayers,
          reasons: [reason('metrics')],
        },
      ],
      files: [
        {
          name: 'helm',
          version: 'v4.3.1',
          platform: 'linux/amd64',
          url: 'https://files.example/helm-amd64',
          mode: '0755',
          blob: {
            digest: digestOf(fileBytes),
            size: fileBytes.length,
            mediaType: 'application/octet-stream',
          },
          reasons: [reason('helm')],
        },
      ],
    },
  };
  return {
    lock,
    lockText: `${canonicalJson(lock, 1)}\n`,
    blobs: new Map(blobs.map(({ descriptor, bytes }) => [descriptor.digest, bytes])),
    fileBytes,
  };
}

/** The bytes of one file of the sample's bundle. */
export function bytesOfSample(sample: SampleLock, file: BlobRef): Uint8Array {
  const known = sample.blobs.get(file.digest);
  if (known !== undefined) return known;
  if (digestOf(sample.fileBytes) === file.digest) return sample.fileBytes;
  throw new Error(`the sample has no ${file.digest}`);
}

/** What the bundle of the sample holds. */
export function sampleContents(sample: SampleLock) {
  const { lock, lockText } = sample;
  return bundleContents({ lock, lockText, purpose: 'redistribution', toolVersion: '0.0.0-test' });
}

function lockedImage(name: string, target: BuiltBlob, images: readonly BuiltImage[]) {
  const [registry = '', ...rest] = name.split('/');
  const [repository = '', reference = ''] = rest.join('/').split(':');
  return {
    name,
    class: 'redistributable',
    redistribution: 'allowed' as const,
    source: { registry, repository, reference },
    movingTag: false,
    target: locked(target),
    sparse: false,
    platforms: images.map(lockedPlatform),
    reasons: [reason('sample')],
  };
}

function lockedPlatform(image: BuiltImage): LockedPlatform {
  const [config, ...layers] = image.blobs.map(locked);
  if (config === undefined) throw new Error('an image has a config');
  const platform = formatPlatform(image.descriptor.platform ?? amd64);
  return { platform, manifest: locked(image), config, layers };
}

function locked({ descriptor: { digest, size, mediaType } }: BuiltBlob): LockedBlob {
  return { digest, size, mediaType };
}

function withBlobs(image: BuiltImage): BuiltBlob[] {
  return [image, ...image.blobs];
}

function reason(component: string) {
  return { component, because: 'listed in images', file: 'release.yaml', line: 1, column: 1 };
}
