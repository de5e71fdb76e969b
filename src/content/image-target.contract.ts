/** What every image target keeps to, be it a layout or a registry's repository. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { buildArtifact } from '../../test/support/build-artifact.ts';
import { testRun } from '../../test/support/test-run.ts';
import { type Digest, digestOf } from '../oci/digest.ts';
import { type BuiltImage, buildImage, buildIndex } from '../oci/image-builder.ts';
import { tarLayer } from '../oci/tar-layer.ts';
import { type Run, withSignal } from '../shared/run.ts';
import { bytesOf, collectBytes } from './byte-streams.ts';
import type { ImageSource, ImageTarget } from './ports.ts';

/** A target, and a source that reads what was put into it. */
export interface TargetUnderTest {
  readonly target: ImageTarget;
  readonly source: ImageSource;
}

/** Registers the suite: `imageTargetContract('layout', async (t) => ({ target, source }))`. */
export function imageTargetContract(
  name: string,
  open: (t: TestContext) => Promise<TargetUnderTest>,
): void {
  const claim = (text: string, body: (under: TargetUnderTest, run: Run) => Promise<void>) =>
    void test(`${name}: ${text}`, async (t) => body(await open(t), testRun(t)));

  claim('an image that was put can be read back by tag and by digest', async (under, run) => {
    const image = sampleImage('one');

    await putBlobs(under.target, image, run);
    await under.target.putManifest(image, 'v1', run);

    for (const reference of ['v1', image.descriptor.digest]) {
      assert.equal(await under.target.findManifest(reference, run), image.descriptor.digest);
      const fetched = await under.source.fetchManifest(reference, run);
      assert.deepEqual(Buffer.from(fetched.bytes), image.bytes);
      assert.equal(fetched.descriptor.digest, image.descriptor.digest);
      assert.equal(fetched.descriptor.mediaType, image.descriptor.mediaType);
      assert.equal(fetched.descriptor.size, image.bytes.length);
    }
    for (const { descriptor, bytes } of image.blobs) {
      assert.equal(await under.target.find(descriptor.digest, run), bytes.length);
      const read = await collectBytes(await under.source.open(descriptor, run));
      assert.deepEqual(Buffer.from(read), bytes);
    }
  });

  claim('Docker manifests and artefacts keep their types', async (under, run) => {
    const docker = sampleImage('docker', 'docker');
    const artifactType = 'application/vnd.example.note';
    const layers = [{ mediaType: 'text/plain', bytes: Buffer.from('note') }];
    const artefact = buildArtifact({ artifactType, layers });

    for (const image of [docker, artefact]) {
      await putBlobs(under.target, image, run);
      await under.target.putManifest(image, 'v1', run);

      const fetched = await under.source.fetchManifest('v1', run);
      assert.equal(fetched.descriptor.mediaType, image.descriptor.mediaType);
    }
  });

  claim('an index is kept byte for byte once its images are there', async (under, run) => {
    const images = [sampleImage('amd64'), sampleImage('arm64')];
    const index = buildIndex(images);
    for (const image of images) {
      await putBlobs(under.target, image, run);
      await under.target.putManifest(image, undefined, run);
    }

    await under.target.putManifest(index, 'latest', run);

    const fetched = await under.source.fetchManifest('latest', run);
    assert.deepEqual(Buffer.from(fetched.bytes), index.bytes);
  });

  claim('a manifest without a tag is found by its digest only', async (under, run) => {
    const image = sampleImage('untagged');
    await putBlobs(under.target, image, run);

    await under.target.putManifest(image, undefined, run);

    const { digest } = image.descriptor;
    assert.equal(await under.target.findManifest(digest, run), digest);
    assert.equal(await under.target.findManifest('v1', run), undefined);
  });

  claim(
    'a tag moves to what was put last, and the old image stays by digest',
    async (under, run) => {
      const [before, after] = [sampleImage('before'), sampleImage('after')];
      for (const image of [before, after]) {
        await putBlobs(under.target, image, run);
        await under.target.putManifest(image, 'v1', run);
      }

      assert.equal(await under.target.findManifest('v1', run), after.descriptor.digest);
      const { digest } = before.descriptor;
      assert.equal(await under.target.findManifest(digest, run), digest);
    },
  );

  claim('what was never put is not found', async (under, run) => {
    const absent = sampleImage('absent').descriptor;

    assert.equal(await under.target.find(absent.digest, run), undefined);
    assert.equal(await under.target.findManifest(absent.digest, run), undefined);
    assert.equal(await under.target.findManifest('v1', run), undefined);
    const notFound = { code: 'MANIFEST_NOT_FOUND' };
    await assert.rejects(under.source.fetchManifest('v1', run), notFound);
    await assert.rejects(under.source.fetchManifest(absent.digest, run), notFound);
  });

  claim('a blob is read from any byte on', async (under, run) => {
    const blob = blobOf('hello world');
    await under.target.put(blob, bytesOf(blob.bytes), run);

    const tail = await collectBytes(await under.source.open(blob, run, 6));

    assert.equal(Buffer.from(tail).toString(), 'world');
  });

  for (const [what, sent, code] of [
    ['a truncated blob', 'hell', 'BLOB_SIZE_MISMATCH'],
    ['a blob that is too long', 'hello!', 'BLOB_SIZE_MISMATCH'],
    ['a blob with a wrong digest', 'hullo', 'BLOB_DIGEST_MISMATCH'],
  ] as const) {
    claim(`${what} leaves nothing behind`, async (under, run) => {
      const blob = blobOf('hello');

      const putting = under.target.put(blob, bytesOf(Buffer.from(sent)), run);

      await assert.rejects(putting, { code });
      assert.equal(await under.target.find(blob.digest, run), undefined);
    });
  }

  claim('a source that fails half-way leaves nothing behind', async (under, run) => {
    const blob = blobOf('hello');
    async function* failing() {
      yield Buffer.from('he');
      throw new Error('line cut');
    }

    await assert.rejects(under.target.put(blob, failing(), run), /line cut/);

    assert.equal(await under.target.find(blob.digest, run), undefined);
  });

  claim('a put that is aborted leaves nothing behind', async (under, run) => {
    const blob = blobOf('hello');
    const abort = new AbortController();
    async function* aborting() {
      yield Buffer.from('he');
      abort.abort(new Error('stopped by the test'));
      yield Buffer.from('llo');
    }

    const putting = under.target.put(blob, aborting(), withSignal(run, abort.signal));

    await assert.rejects(putting, /stopped by the test/);
    assert.equal(await under.target.find(blob.digest, run), undefined);
  });

  claim('putting what is there succeeds without reading the bytes', async (under, run) => {
    const blob = blobOf('hello');
    await under.target.put(blob, bytesOf(blob.bytes), run);
    let isRead = false;
    async function* watched() {
      isRead = true;
      yield blob.bytes;
    }

    await under.target.put(blob, watched(), run);

    assert.equal(isRead, false);
  });
}

function sampleImage(text: string, flavour: 'oci' | 'docker' = 'oci'): BuiltImage {
  return buildImage({ layers: [tarLayer([{ path: text, content: text }])], flavour });
}

function blobOf(text: string): { digest: Digest; size: number; bytes: Uint8Array } {
  const bytes = Buffer.from(text);
  return { digest: digestOf(bytes), size: bytes.length, bytes };
}

async function putBlobs(target: ImageTarget, image: BuiltImage, run: Run): Promise<void> {
  for (const { descriptor, bytes } of image.blobs) {
    await target.put(descriptor, bytesOf(bytes), run);
  }
}
