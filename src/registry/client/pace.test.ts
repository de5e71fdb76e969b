import assert from 'node:assert/strict';
import test from 'node:test';
import { sendError, startFakeServer } from '../../../test/support/fake-server.ts';
import { fakeWorld } from '../../../test/support/fake-world.ts';
import { openClient } from '../../../test/support/open-client.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { digestOf } from '../../oci/digest.ts';

/** Takes two requests at a time, answers 429 to more, and shuts out who does not learn from that. */
function impatientRegistry(t: Parameters<typeof startFakeServer>[0], patience: number) {
  let under = 0;
  let refused = 0;
  return startFakeServer(t, async (_request, response) => {
    if (refused > patience) return sendError(response, 403, 'BANNED');
    if (under >= 2) {
      refused += 1;
      return sendError(response, 429, 'TOOMANYREQUESTS');
    }
    under += 1;
    // Long enough that requests which are sent together also arrive together.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    under -= 1;
    return response.writeHead(200, { 'content-length': '4' }).end();
  });
}

test('a registry that takes few requests at a time is asked by few, and all get their answer', async (t) => {
  const requests = 200;
  const server = await impatientRegistry(t, requests / 2);
  const world = fakeWorld();
  const settings = world.settings({ retry: { attempts: 20 } });
  const repository = openClient(t, server.url, { settings }).repository('app');

  const sizes = await Promise.all(
    Array.from({ length: requests }, (_, index) =>
      repository.find(digestOf(String(index)), testRun(t)),
    ),
  );

  assert.ok(sizes.every((size) => size === 4));
});
