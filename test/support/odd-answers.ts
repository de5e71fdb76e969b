/**
 * Answers that a runtime takes otherwise than one would think, and the verdict on the image `pause` of the
 * sample that agrees with containerd: test/oracles/containerd/pulls asks a real one.
 */
import assert from 'node:assert/strict';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { MediaTypes } from '../../src/oci/media-types.ts';
import type { Verdict } from '../../src/proof/report.ts';
import { answer, type Fault } from './faults.ts';
import { sampleLock } from './sample-lock.ts';

const sample = sampleLock();
const pause = sample.lock.spec.images[1];
const [platform] = pause?.platforms ?? [];
assert.ok(pause !== undefined && platform !== undefined);
const { digest, size, mediaType } = pause.target;
const manifest = Buffer.from(sample.blobs.get(digest) ?? []);
const [, layer] = platform.layers;
assert.ok(layer !== undefined);

const byTag = /\/v2\/pause\/manifests\/3\.9/;
const byDigest = /\/v2\/pause\/manifests\/sha256/;
const usual = { 'content-type': mediaType, 'docker-content-digest': digest };
const blobs = /\/v2\/pause\/blobs\//;

function heading(path: RegExp, headers: Readonly<Record<string, string>>): Fault {
  return answer({ method: 'HEAD', path, status: 200, headers });
}

function sending(path: RegExp, body: Uint8Array, headers: Readonly<Record<string, string>>): Fault {
  return answer({ method: 'GET', path, status: 200, body, headers: { ...usual, ...headers } });
}

const length = { 'content-length': `${size}` };

/** All of them. */
export const oddAnswers: ReadonlyArray<
  readonly [name: string, kind: Verdict['kind'], faults: readonly Fault[]]
> = [
  [
    'HEAD of the manifest says another size, which the runtime then waits for',
    'wrong-size',
    [heading(byTag, { ...usual, 'content-length': `${size + 1}` })],
  ],
  [
    'HEAD of the manifest says no bytes',
    'wrong-size',
    [heading(byTag, { ...usual, 'content-length': '0' })],
  ],
  [
    'HEAD by digest says another size',
    'wrong-size',
    [heading(byDigest, { ...usual, 'content-length': '7' })],
  ],
  ['HEAD says no size, so the manifest is read', 'proven', [heading(byTag, usual)]],
  [
    'HEAD says no digest, so the manifest is read',
    'proven',
    [heading(byTag, { 'content-type': mediaType, ...length })],
  ],
  [
    'the digest in the answer is none',
    'strange-answer',
    [heading(byTag, { ...usual, ...length, 'docker-content-digest': 'sha256:abc' })],
  ],
  [
    'the digest in the answer is another, but nobody asked for a name',
    'proven',
    [
      heading(byDigest, {
        ...usual,
        ...length,
        'docker-content-digest': `sha256:${'0'.repeat(64)}`,
      }),
    ],
  ],
  [
    'the image is called an index',
    'strange-answer',
    [heading(byTag, { ...usual, ...length, 'content-type': MediaTypes.ociIndex })],
  ],
  [
    'the image is called one of Docker, which is read alike',
    'proven',
    [
      heading(byTag, {
        ...usual,
        ...length,
        'content-type': `${MediaTypes.dockerManifest}; charset=utf-8`,
      }),
    ],
  ],
  [
    'the image is called plain text, which stands for schema 1',
    'strange-answer',
    [heading(byTag, { ...usual, ...length, 'content-type': 'text/plain' })],
  ],
  [
    'the image is called JSON',
    'strange-answer',
    [heading(byTag, { ...usual, ...length, 'content-type': 'application/json' })],
  ],
  [
    'the manifest is compressed with gzip',
    'proven',
    [sending(byDigest, gzipSync(manifest), { 'content-encoding': 'gzip' })],
  ],
  [
    'the manifest is compressed with zstd',
    'proven',
    [sending(byDigest, zstdCompressSync(manifest), { 'content-encoding': 'zstd' })],
  ],
  [
    'the manifest is compressed twice',
    'proven',
    [sending(byDigest, gzipSync(gzipSync(manifest)), { 'content-encoding': 'gzip, gzip' })],
  ],
  [
    'the manifest is compressed in a way that nobody asked for',
    'cut-short',
    [sending(byDigest, brotliCompressSync(manifest), { 'content-encoding': 'br' })],
  ],
  [
    'the manifest is not compressed though it says so',
    'cut-short',
    [sending(byDigest, manifest, { 'content-encoding': 'gzip' })],
  ],
  [
    'HEAD says the compressed size',
    'wrong-size',
    [heading(byTag, { ...usual, 'content-encoding': 'gzip', 'content-length': '99' })],
  ],
  [
    'HEAD of every blob is a web page without a size, and GET says that they are gone',
    'incomplete',
    [
      heading(blobs, { 'content-type': 'text/html' }),
      answer({ method: 'GET', path: blobs, status: 404 }),
    ],
  ],
  [
    'HEAD of every blob is a web page, and GET gives the blobs',
    'proven',
    [heading(blobs, { 'content-type': 'text/html' })],
  ],
  [
    'HEAD of every blob is refused, and GET gives the blobs',
    'proven',
    [answer({ method: 'HEAD', path: blobs, status: 403 })],
  ],
  [
    'HEAD of every blob says 404, and GET gives the blobs',
    'proven',
    [answer({ method: 'HEAD', path: blobs, status: 404 })],
  ],
  [
    'HEAD of a blob says another size than GET',
    'proven',
    [heading(blobs, { 'content-length': '1' })],
  ],
  [
    'a blob comes without a size, and is a web page',
    'strange-answer',
    [
      heading(blobs, { 'content-type': 'text/html' }),
      answer({
        ...{ method: 'GET', path: new RegExp(layer.digest), status: 200, body: '<html>' },
        headers: { 'content-type': 'text/html', 'transfer-encoding': 'chunked' },
      }),
    ],
  ],
];
