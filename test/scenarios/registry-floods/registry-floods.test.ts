/**
 * Floods against the embedded registry with its usual limits: while they last, somebody else pushes and
 * pulls, and the memory of the registry stays within a bound that does not depend on the flood.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { digestOf } from '../../../src/oci/digest.ts';
import { buildImage } from '../../../src/oci/image-builder.ts';
import { MediaTypes } from '../../../src/oci/media-types.ts';
import { openDirRegistry } from '../../../src/registry/server/dir-registry.ts';
import { pushBlob, pushImage } from '../../support/push-image.ts';
import { sendRequest } from '../../support/send-request.ts';
import { type ServedFolder, serveFolder } from '../../support/served-folder/serve-folder.ts';
import { tempDir } from '../../support/temp-dir.ts';

const mib = 1024 * 1024;
const mostBytes = 300 * mib;
const image = buildImage({ layers: [Buffer.alloc(mib, 'slipway ')] });

async function serve(t: TestContext, folder?: string): Promise<readonly [ServedFolder, string]> {
  const served = await serveFolder(t, folder ?? (await tempDir(t)));
  await assertWorks(served[1]);
  return served;
}

/** Somebody pushes an image and pulls it; told to come back, it does so, as clients do. */
async function assertWorks(url: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    try {
      await pushImage(url, 'honest/app', 'v1', image);
      break;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await wait(500);
    }
  }
  for (const { descriptor, bytes } of image.blobs) {
    const got = await sendRequest(url, { path: `/v2/honest/app/blobs/${descriptor.digest}` });
    assert.ok(got.bytes.equals(bytes));
  }
}

async function assertBounded(
  served: ServedFolder,
  before: number,
  atMost = mostBytes,
): Promise<void> {
  const grown = (await served.peakBytes()) - before;
  console.error(`peak memory grew by ${(grown / mib).toFixed(0)} MiB`);
  assert.ok(grown < atMost, `the memory grew by ${(grown / mib).toFixed(0)} MiB`);
}

/** Connections that send the same beginning and then nothing; those that answer at all are read once. */
async function openMany(t: TestContext, url: string, count: number, text: string) {
  const { port, hostname } = new URL(url);
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let number = 0; number < count; number += 1) {
    const socket = connect(Number(port), hostname).on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(text);
  }
  return sockets;
}

test('two thousand connections that are kept for later keep nobody out', async (t) => {
  const [served, url] = await serve(t);
  const before = await served.peakBytes();

  await openMany(t, url, 2000, 'GET /v2/ HTTP/1.1\r\nhost: x\r\n\r\n');

  await assertWorks(url);
  await assertBounded(served, before);
});

test('ten thousand uploads that are opened and forgotten keep nobody out', async (t) => {
  const [served, url] = await serve(t);
  const before = await served.peakBytes();
  const request = 'POST /v2/flood/blobs/uploads/ HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n';
  for (const socket of await openMany(t, url, 10, request.repeat(1000))) socket.resume();

  await assertWorks(url);
  await assertBounded(served, before);
});

test('six hundred bodies that stop after their first bytes keep nobody out', async (t) => {
  const [served, url] = await serve(t);
  const before = await served.peakBytes();
  const head = `POST /v2/flood/blobs/uploads/?digest=${digestOf('x')} HTTP/1.1\r\nhost: x\r\n`;
  await openMany(t, url, 600, `${head}content-length: 1000000\r\n\r\n${'x'.repeat(1000)}`);

  await assertWorks(url);
  await assertBounded(served, before);
});

test('sixty manifests of 4 MiB at a time are taken or told to come back, and memory stays bounded', async (t) => {
  const [served, url] = await serve(t);
  const entry = { mediaType: MediaTypes.ociManifest, digest: digestOf('x'), size: 1 };
  const manifests = Array.from({ length: 27_500 }, () => entry);
  const body = Buffer.from(
    JSON.stringify({ schemaVersion: 2, mediaType: MediaTypes.ociIndex, manifests }),
  );
  assert.ok(body.length > 3.9 * mib && body.length < 4 * mib, String(body.length));
  const before = await served.peakBytes();
  const head = `PUT /v2/flood/manifests/never HTTP/1.1\r\nhost: x\r\ncontent-length: ${4 * mib}\r\n\r\n`;
  await openMany(t, url, 60, `${head}${'x'.repeat(100_000)}`);

  const headers = { 'content-type': MediaTypes.ociIndex };
  const pushes = Array.from({ length: 60 }, (_, number) =>
    sendRequest(url, { method: 'PUT', path: `/v2/flood/manifests/t${number}`, headers, body }),
  );
  const working = assertWorks(url);
  const statuses = (await Promise.all(pushes)).map(({ status }) => status);
  await working;

  assert.ok(statuses.includes(201), statuses.join(' '));
  assert.ok(statuses.every((status) => status === 201 || status === 429));
  // Reading one such index takes about 160 MiB for a moment; 60 and 240 of them take about 350.
  await assertBounded(served, before, 450 * mib);
});

test('five hundred pulls of a layer of 20 MiB that nobody reads take bounded memory', async (t) => {
  const [served, url] = await serve(t);
  const bytes = Buffer.alloc(20 * mib, 'layer');
  const digest = digestOf(bytes);
  await pushBlob(url, 'flood', {
    descriptor: { mediaType: MediaTypes.ociLayer, digest, size: bytes.length },
    bytes,
  });
  const before = await served.peakBytes();

  await openMany(t, url, 500, `GET /v2/flood/blobs/${digest} HTTP/1.1\r\nhost: x\r\n\r\n`);

  await assertWorks(url);
  await assertBounded(served, before);
});

test('fifty lists of twenty thousand tags at a time are all answered in bounded memory', async (t) => {
  const folder = await tempDir(t);
  // As dir-repositories.ts lays them down; twenty thousand fsyncs are not what is measured.
  await (await openDirRegistry(folder)).close();
  const tags = join(folder, 'repositories/flood/_tags');
  await mkdir(tags, { recursive: true });
  for (let number = 0; number < 20_000; number += 1) {
    await writeFile(join(tags, `release-candidate-${number}`), digestOf('x'));
  }
  const [served, url] = await serve(t, folder);
  const before = await served.peakBytes();

  const lists = Array.from({ length: 50 }, () =>
    sendRequest(url, { path: '/v2/flood/tags/list?n=10' }),
  );
  for (const { text } of await Promise.all(lists)) assert.match(text, /release-candidate-0"/);

  await assertWorks(url);
  await assertBounded(served, before);
});

test('two hundred requests with headers as large as they may be keep nobody out', async (t) => {
  const [served, url] = await serve(t);
  const before = await served.peakBytes();
  const headers = Array.from({ length: 300 }, (_, at) => `x-${at}: ${'y'.repeat(90)}`).join('\r\n');

  await openMany(t, url, 200, `GET /v2/ HTTP/1.1\r\nhost: x\r\n${headers}\r\nx-unfinished`);

  await assertWorks(url);
  await assertBounded(served, before);
});
