/** A server that sends just enough to be no silence is given up all the same, whatever is read from it. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import { startFakeServer } from '../../../test/support/fake-server.ts';
import { startFakeTokenRegistry } from '../../../test/support/fake-token-registry.ts';
import { fakeWorld } from '../../../test/support/fake-world.ts';
import { openClient, passwordOf } from '../../../test/support/open-client.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { collectBytes } from '../../content/byte-streams.ts';
import { digestOf } from '../../oci/digest.ts';
import { type Clock, systemClock } from '../../shared/ports.ts';
import type { Run } from '../../shared/run.ts';
import type { Repository } from './repository.ts';

/** Servers are really waited for, unless the test has a clock of its own. */
const settings = (timeouts = { stallMs: 100, stallBytes: 1000 }, clock: Clock = systemClock) =>
  fakeWorld().settings({ clock, timeouts, retry: { attempts: 1 }, limits: { downloadResumes: 0 } });
const stuck = { code: 'REGISTRY_TIMEOUT', message: /more than 100 ms for a body that moves$/ };

/** Writes `piece` again and again until the client has gone. */
function drip(response: ServerResponse | Socket, piece: string | Buffer, everyMs = 5): void {
  const timer = setInterval(() => response.write(piece), everyMs);
  response.on('close', () => clearInterval(timer));
}

const digest = digestOf('x');
const reads: Readonly<Record<string, (repository: Repository, run: Run) => Promise<unknown>>> = {
  'a manifest': (repository, run) => repository.fetchManifest('1', run),
  'a list of tags': async (repository, run) => {
    for await (const _ of repository.listTags(run));
  },
  'a list of referrers': (repository, run) => repository.referrers(digest, run),
  'a blob': async (repository, run) =>
    collectBytes(await repository.open({ digest, size: 1_000_000 }, run)),
};

for (const [what, read] of Object.entries(reads)) {
  test(`${what} that comes byte by byte is given up`, async (t) => {
    const server = await startFakeServer(t, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      drip(response, ' ');
    });
    const repository = openClient(t, server.url, { settings: settings() }).repository('app');

    await assert.rejects(read(repository, testRun(t)), stuck);
  });
}

test('a token that comes byte by byte is given up, and names the token server', async (t) => {
  const { registry, tokens } = await startFakeTokenRegistry(t, {
    refuseToken: (_, response) => {
      response.writeHead(200);
      drip(response, ' ');
      return true;
    },
  });
  const credential = passwordOf('ann', 'secret');
  const client = openClient(t, registry.url, { settings: settings(), credential });

  const asking = client.repository('app').find(digest, testRun(t));

  await assert.rejects(asking, stuck);
  await assert.rejects(asking, { message: new RegExp(`at ${tokens.host} kept`) });
});

test('a blob that moves is not given up, however long it takes', async (t) => {
  const piece = Buffer.alloc(600, 'x');
  const bytes = Buffer.concat(Array.from({ length: 60 }, () => piece));
  const server = await startFakeServer(t, (_, response) => {
    response.writeHead(200, { 'content-length': bytes.length });
    let sent = 0;
    const timer = setInterval(() => {
      response.write(piece);
      sent += piece.length;
      if (sent === bytes.length) clearInterval(timer);
    }, 5);
  });
  const slow = settings({ stallMs: 200, stallBytes: 1000 });
  const repository = openClient(t, server.url, { settings: slow }).repository('app');
  const blob = { digest: digestOf(bytes), size: bytes.length };

  const read = await collectBytes(await repository.open(blob, testRun(t)));

  assert.equal(read.length, bytes.length);
});

test('a reader that takes its time is no fault of the server', async (t) => {
  const bytes = Buffer.alloc(3000, 'x');
  const server = await startFakeServer(t, (_, response) => {
    response.writeHead(200, { 'content-length': bytes.length });
    response.write(bytes.subarray(0, 500));
    setImmediate(() => response.end(bytes.subarray(500)));
  });
  const { clock, advance } = fakeWorld();
  const impatient = settings({ stallMs: 100, stallBytes: 10_000 }, clock);
  const repository = openClient(t, server.url, { settings: impatient }).repository('app');
  let read = 0;

  for await (const chunk of await repository.open(
    { digest: digestOf(bytes), size: bytes.length },
    testRun(t),
  )) {
    read += chunk.length;
    advance(150);
  }

  assert.equal(read, bytes.length);
});

test('an answer whose head comes byte by byte is given up', async (t) => {
  const url = await startDrippingHead(t);
  const hasty = fakeWorld().settings({ timeouts: { headersMs: 300 }, retry: { attempts: 1 } });
  const repository = openClient(t, url, { settings: hasty }).repository('app');

  await assert.rejects(repository.fetchManifest('1', testRun(t)), { code: 'REGISTRY_TIMEOUT' });
});

async function startDrippingHead(t: TestContext): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      drip(socket, 'x', 20);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}
