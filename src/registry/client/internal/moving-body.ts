import type { Readable } from 'node:stream';
import type { ByteStream } from '../../../content/ports.ts';
import type { Clock } from '../../../shared/ports.ts';
import type { ClientTimeouts } from '../settings.ts';

/** How fast a body has to come, by which clock. */
interface MovingLimits {
  readonly timeouts: Pick<ClientTimeouts, 'stallMs' | 'stallBytes'>;
  readonly clock: Clock;
}

/**
 * The chunks of a body as long as it moves: within `stallMs` of waiting for it, `stallBytes` must come. Who
 * sends a byte now and then would else be waited for without end, since no pause is long enough
 * to be a silence. Only time that is spent waiting counts, not that of a slow reader.
 *
 * Fails with what `stalled` makes; the body itself ends silence (`idleBodyMs`).
 */
export async function* movingBody(
  body: Readable,
  { timeouts, clock }: MovingLimits,
  stalled: () => Error,
): ByteStream {
  const { stallMs, stallBytes } = timeouts;
  // undici gives Buffers, since no encoding was set.
  const chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  let waitedMs = 0;
  let gotBytes = 0;
  try {
    for (;;) {
      const before = clock.monotonic();
      const next = await chunks.next();
      if (next.done === true) return;
      waitedMs += clock.monotonic() - before;
      gotBytes += next.value.length;
      if (gotBytes >= stallBytes) {
        waitedMs = 0;
        gotBytes = 0;
      } else if (waitedMs > stallMs) throw stalled();
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}
