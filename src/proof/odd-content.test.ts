/** Images whose bytes are all there, and which a runtime reads otherwise or not at all. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { fillRegistry } from '../../test/support/fill-registry.ts';
import {
  offlineSite,
  proveSample,
  rulesTo,
  sampleImages,
  verdictOn,
} from '../../test/support/prove-sample.ts';
import { type SampleLock, sampleLock } from '../../test/support/sample-lock.ts';
import { startRegistry } from '../../test/support/start-registry.ts';
import { digestOf } from '../oci/digest.ts';
import type { LockedBlob, LockedImage } from '../release/lock.ts';

/** The sample with other bytes for the manifest of pause, or for its config. */
function respelled(
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

async function verdictOf(t: TestContext, sample: SampleLock) {
  const registry = await startRegistry(t);
  await fillRegistry(registry, sample);
  const report = await proveSample(t, {
    lock: sample.lock,
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
  });
  return { verdict: verdictOn(report, sampleImages.pause), registry };
}

const unreadable: ReadonlyArray<readonly [string, SampleLock, RegExp]> = [
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
];

for (const [name, sample, summary] of unreadable) {
  test(`unreadable: ${name}, which a runtime does not read as the Lock does`, async (t) => {
    const { verdict } = await verdictOf(t, sample);

    assert.equal(verdict.kind, 'unreadable');
    assert.match(verdict.kind === 'unreadable' ? verdict.summary : '', summary);
  });
}

test('proven: fields that no runtime reads may be written as they like', async (t) => {
  const { verdict } = await verdictOf(
    t,
    respelled((text) => text.replace('{', '{"x":1,"X":[],')),
  );

  assert.equal(verdict.kind, 'proven');
});

test('proven: a configuration that the manifest embeds is not asked for', async (t) => {
  let data = '';
  const sample = respelled(
    (text) => text.replace(/("config":\{)/, `$1"data":"${data}",`),
    (config) => {
      data = Buffer.from(config).toString('base64');
      return config;
    },
  );
  const config = sample.lock.spec.images[1]?.platforms[0]?.config.digest ?? '';

  const { verdict, registry } = await verdictOf(t, sample);

  assert.equal(verdict.kind, 'proven');
  assert.ok(registry.log.every(({ url }) => !url.includes(config)));
});
