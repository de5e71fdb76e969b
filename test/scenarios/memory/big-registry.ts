/**
 * The process that memory.test.ts reads from and writes to: a registry whose image has big layers that
 * are made while they are sent, and which takes uploads and forgets them. Prints its URL.
 *
 * `node big-registry.ts LAYER_BYTES`
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const [, , layerBytes = '0'] = process.argv;
const size = Number(layerBytes);
const block = Buffer.alloc(1024 * 1024);
const ociManifest = 'application/vnd.oci.image.manifest.v1+json';

interface Content {
  readonly size: number;
  chunks(): Iterable<Buffer>;
}

/** The same bytes for the same number, without keeping them. */
function* layerChunks(number: number): Generator<Buffer> {
  const chunk = Buffer.from(block.fill(number + 1));
  for (let left = size; left > 0; left -= chunk.length) {
    chunk.writeDoubleLE(left, 0);
    yield Buffer.from(chunk.subarray(0, Math.min(left, chunk.length)));
  }
}

function digestOf({ chunks }: Content): string {
  const hash = createHash('sha256');
  for (const chunk of chunks()) hash.update(chunk);
  return `sha256:${hash.digest('hex')}`;
}

const text = (value: unknown): Content => {
  const bytes = Buffer.from(JSON.stringify(value));
  return { size: bytes.length, chunks: () => [bytes] };
};

const contents = new Map<string, Content>();
const add = (content: Content, mediaType: string) => {
  const digest = digestOf(content);
  contents.set(digest, content);
  return { mediaType, digest, size: content.size };
};

const platform = { os: 'linux', architecture: 'amd64' };
const layers = (size === 0 ? [] : [0, 1]).map((number) =>
  add({ size, chunks: () => layerChunks(number) }, 'application/vnd.oci.image.layer.v1.tar'),
);
const config = add(
  text({
    ...platform,
    config: {},
    rootfs: { type: 'layers', diff_ids: layers.map((layer) => layer.digest) },
  }),
  'application/vnd.oci.image.config.v1+json',
);
const manifest = add(
  text({ schemaVersion: 2, mediaType: ociManifest, config, layers }),
  ociManifest,
);

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '' } = request;
  if (method === 'GET' || method === 'HEAD') return give(url, method, response);
  let takenBytes = 0;
  for await (const chunk of request) takenBytes += (chunk as Buffer).length; // no encoding is set
  const isBegun = method === 'POST' && !url.includes('digest=');
  response.writeHead(isBegun || method === 'PATCH' ? 202 : 201, {
    location: `${url.split('?')[0]}${method === 'POST' ? 'session' : ''}`,
    range: `0-${Math.max(0, takenBytes - 1)}`,
  });
  response.end();
}

async function give(url: string, method: string, response: ServerResponse): Promise<void> {
  if (url === '/v2/') return void response.end('{}');
  // What comes in below another name is forgotten, so it is never there.
  const wanted = url.startsWith('/v2/big/') ? (url.split('/').at(-1) ?? '') : '';
  const digest = wanted === 'v1' ? manifest.digest : wanted;
  const content = contents.get(digest);
  if (content === undefined) return void response.writeHead(404).end();
  response.writeHead(200, {
    'content-type': url.includes('/manifests/') ? ociManifest : 'application/octet-stream',
    'content-length': content.size,
    'docker-content-digest': digest,
  });
  if (method === 'HEAD') return void response.end();
  for (const chunk of content.chunks()) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await drained(response);
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => {
    response.off('drain', done).off('close', done);
    resolve();
  };
  response.on('drain', done).on('close', done);
  return promise;
}
