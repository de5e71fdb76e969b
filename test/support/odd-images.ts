/**
 * Images whose bytes are all there, and which a runtime refuses or reads otherwise than the Lock does:
 * test/oracles/containerd/pulls asks a real containerd.
 */
import assert from 'node:assert/strict';
import { digestOf } from '../../src/oci/digest.ts';
import type { LockedBlob, LockedImage, LockedPlatform } from '../../src/release/lock.ts';
import { type SampleLock, sampleLock } from './sample-lock.ts';

/** The sample with other bytes for the manifest of pause, or for its config. */
export function respelled(
  edit: (manifest: string) => string | Buffer,
  editConfig: (config: string) => string = (text) => text,
): SampleLock {
  const sample = sampleLock();
  const [app, pause] = sample.lock.spec.images;
  const [platform] = pause?.platforms ?? [];
  assert.ok(app !== undefined && pause !== undefined && platform !== undefined);
  const blobs = new Map(sample.blobs);
  const put = (blob: LockedBlob, bytes: Buffer): LockedBlob => {
    const digest = digestOf(bytes);
    blobs.set(digest, bytes);
    return { ...blob, digest, size: bytes.length };
  };
  const textOf = ({ digest }: LockedBlob) => Buffer.from(blobs.get(digest) ?? []).toString();
  const config = put(platform.config, Buffer.from(editConfig(textOf(platform.config))));
  const text = textOf(pause.target)
    .replace(platform.config.digest, config.digest)
    .replace(`"size":${platform.config.size}`, `"size":${config.size}`);
  const manifest = put(pause.target, Buffer.from(edit(text) as Buffer));
  const image: LockedImage = {
    ...{ ...pause, target: manifest },
    platforms: [{ ...platform, manifest, config }],
  };
  const spec = { ...sample.lock.spec, images: [app, image] };
  return { ...sample, blobs, lock: { ...sample.lock, spec } };
}

/** Each with a part of what the proof says. */
export const unreadableImages: ReadonlyArray<readonly [string, SampleLock, RegExp]> = [
  [
    'a byte order mark before the manifest',
    respelled((text) => `\ufeff${text}`),
    /byte order mark/,
  ],
  [
    'layers once more in other letters',
    respelled((text) => text.replace(/\}$/, ',"Layers":[]}')),
    /reads other content in its manifest/,
  ],
  [
    'layers once more with a long s',
    respelled((text) => text.replace(/\}$/, ',"layer\u017f":[]}')),
    /reads other content in its manifest/,
  ],
  [
    'a size once more in capitals',
    respelled((text) => text.replace(/"size":(\d+)/, '"size":$1,"SIZE":1')),
    /reads other content in its manifest/,
  ],
  [
    'a size with a point',
    respelled((text) => text.replace(/"size":(\d+)/, '"size":$1.0')),
    /not an integer/,
  ],
  [
    'a manifest with a list of manifests',
    respelled((text) => text.replace('{', '{"manifests":[],')),
    /an index/,
  ],
  [
    'a byte order mark before the configuration',
    respelled(
      (text) => text,
      (config) => `\ufeff${config}`,
    ),
    /cannot read its config: it begins with a byte order mark/,
  ],
  [
    'a time in the configuration that is none',
    respelled(
      (text) => text,
      (config) => config.replace('{', '{"created":"",'),
    ),
    /not a time/,
  ],
  [
    'a configuration with one layer less',
    respelled(
      (text) => text,
      (config) => config.replace(/("diff_ids":\[)"[^"]*",/, '$1'),
    ),
    /its manifest has 2 layers, its config 1/,
  ],
  [
    'a layer of no kind that a runtime unpacks',
    respelled((text) =>
      text.replace(/(.*)"application\/vnd\.oci\.image\.layer[^"]*"/, '$1"application/zip"'),
    ),
    /reads other content in its manifest/,
  ],
];

/** The sample where content names an address of its own: of pause, or of the app's amd64 manifest. */
export function withUrls(
  where: 'layer' | 'config' | 'foreign layer' | 'manifest',
  url: string,
): SampleLock {
  const urls = `"urls":[${JSON.stringify(url)}],`;
  if (where === 'manifest')
    return withIndex((text) => text.replace(/("manifests":\[\{)/, `$1${urls}`));
  const before = where === 'config' ? /("config":\{)/ : /("layers":\[\{)/;
  const named = (text: string) => text.replace(before, `$1${urls}`);
  if (where !== 'foreign layer') return respelled(named);
  const foreign = (text: string) =>
    text.replace('image.layer.v1', 'image.layer.nondistributable.v1');
  const sample = respelled((text) => foreign(named(text)));
  return withPause(sample, (platform) => {
    const [layer, ...layers] = platform.layers;
    assert.ok(layer !== undefined);
    return {
      ...platform,
      layers,
      foreignLayers: [{ ...layer, mediaType: foreign(layer.mediaType), urls: [url] }],
    };
  });
}

function withIndex(edit: (index: string) => string): SampleLock {
  const sample = sampleLock();
  const [app, ...others] = sample.lock.spec.images;
  assert.ok(app !== undefined);
  const bytes = Buffer.from(
    edit(Buffer.from(sample.blobs.get(app.target.digest) ?? []).toString()),
  );
  const target = { ...app.target, digest: digestOf(bytes), size: bytes.length };
  const spec = { ...sample.lock.spec, images: [{ ...app, target }, ...others] };
  const blobs = new Map([...sample.blobs, [target.digest, bytes] as const]);
  return { ...sample, blobs, lock: { ...sample.lock, spec } };
}

function withPause(
  sample: SampleLock,
  edit: (platform: LockedPlatform) => LockedPlatform,
): SampleLock {
  const [app, pause] = sample.lock.spec.images;
  assert.ok(app !== undefined && pause !== undefined);
  const image = { ...pause, platforms: pause.platforms.map(edit) };
  return {
    ...sample,
    lock: { ...sample.lock, spec: { ...sample.lock.spec, images: [app, image] } },
  };
}
