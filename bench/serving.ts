/** A blob of 50 MiB from our registry, beside what this machine can do at best. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Row, timed } from './measure.ts';
import { layerBytes, pushBigImage, serveStore } from './sample.ts';

const repeats = 4;
const what = `serve ${repeats} × 50 MiB`;

/** Rows of reading from the registry, from a bare HTTP server, from the disk, and of hashing. */
export async function measureServing(folder: string): Promise<readonly Row[]> {
  const registry = await serveStore(join(folder, 'served'));
  const bytes = Buffer.alloc(layerBytes, 1);
  const file = join(folder, 'plain');
  await writeFile(file, bytes);
  const bare = createServer((_request, response) => void createReadStream(file).pipe(response));
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  try {
    const digest = await pushBigImage(registry.url);
    const address = bare.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const get = (url: string) => repeated(async () => drain(await bodyOf(url)));
    return [
      {
        what,
        who: 'slipway registry serve',
        seconds: await get(`${registry.url}/v2/big/blobs/${digest}`),
      },
      { what, who: 'bare node:http, file piped', seconds: await get(`http://127.0.0.1:${port}/`) },
      {
        what,
        who: 'reading the file',
        seconds: await repeated(() => drain(createReadStream(file, { highWaterMark: 256 * 1024 }))),
      },
      {
        what,
        who: 'SHA-256 of it',
        seconds: await repeated(async () => void createHash('sha256').update(bytes).digest()),
      },
    ];
  } finally {
    registry.process.kill();
    bare.close();
  }
}

function repeated(work: () => Promise<void>): Promise<number> {
  return timed(async () => {
    for (let at = 0; at < repeats; at += 1) await work();
  });
}

async function bodyOf(url: string): Promise<Readable> {
  const answer = await fetch(url);
  if (!answer.ok || answer.body === null) throw new Error(`${url} answered ${answer.status}`);
  // The same stream under its two declarations, of the web and of Node.
  return Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]);
}

async function drain(stream: Readable): Promise<void> {
  for await (const _ of stream);
}
