/** A registry, or what stands before it, that takes content without saying that it is kept. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeServer } from '../../../test/support/fake-server.ts';
import { openClient } from '../../../test/support/open-client.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { bytesOf } from '../../content/byte-streams.ts';
import { digestOf } from '../../oci/digest.ts';
import { MediaTypes } from '../../oci/media-types.ts';

const blob = Buffer.from('layer');
const manifest = Buffer.from('{"schemaVersion":2}');
const described = {
  bytes: manifest,
  descriptor: {
    mediaType: MediaTypes.ociManifest,
    digest: digestOf(manifest),
    size: manifest.length,
  },
};

for (const status of [200, 202, 204]) {
  test(`a blob or manifest that is answered with ${status} does not count as stored`, async (t) => {
    const server = await startFakeServer(t, async (request, response) => {
      await request.body();
      if (request.method === 'HEAD') response.writeHead(404).end();
      else if (request.method === 'POST') response.writeHead(202, { location: '/u/1' }).end();
      else response.writeHead(status).end();
    });
    const repository = openClient(t, server.url).repository('app');
    const run = testRun(t);
    const refusal = { code: 'REGISTRY_ANSWER_INVALID', message: new RegExp(`${status} where 201`) };

    const stored = repository.put(
      { digest: digestOf(blob), size: blob.length },
      bytesOf(blob),
      run,
    );
    await assert.rejects(stored, refusal);
    await assert.rejects(repository.putManifest(described, 'v1', run), refusal);
  });
}
