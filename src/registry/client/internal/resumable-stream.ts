import type { ByteStream } from '../../../content/ports.ts';
import type { BlobRef } from '../../../oci/descriptor.ts';

/** Progress that makes earlier breaks forgotten: a long download over a bad line may break often. */
const forgetAfterBytes = 1024 * 1024;

/** How to begin, how to go on, and when to give up. */
export interface ResumablePlan {
  readonly blob: BlobRef;
  readonly fromByte: number;
  readonly first: OpenBody;
  /** Opens the rest of the blob from byte `at`. */
  readonly again: (at: number) => Promise<OpenBody>;
  readonly mayResume: (error: unknown) => boolean;
  /** Waits before try number `tries`. */
  readonly wait: (tries: number) => Promise<void>;
  readonly resumes: number;
  /** The error for `gotBytes` instead of the blob's size. */
  readonly mismatch: (gotBytes: number) => Error;
}

/** A body under way, and how to let go of it when nobody has begun to read. */
export interface OpenBody {
  readonly bytes: ByteStream;
  discard(): Promise<void>;
}

/**
 * One stream over as many connections as it takes. It fails with what broke it last when `resumes` tries
 * in a row brought less than 1 MiB; with `mismatch` when more bytes come than the blob has, or when the sender
 * ends early every time.
 */
export function resumableStream(plan: ResumablePlan): ByteStream {
  const bytes = continued(plan);
  let isBegun = false;
  const iterator: AsyncIterator<Uint8Array, void, undefined> = {
    next: () => {
      isBegun = true;
      return bytes.next();
    },
    return: async () => {
      // A generator that never ran has no `finally` to run either: its connection would stay taken.
      if (!isBegun) await plan.first.discard();
      return bytes.return();
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

async function* continued(plan: ResumablePlan): AsyncGenerator<Uint8Array, void, undefined> {
  const place: Place = { at: plan.fromByte };
  const mayTryAgain = budget(plan);
  let body = plan.first.bytes;
  for (;;) {
    let problem: unknown;
    try {
      yield* counted(body, place, plan);
      return;
    } catch (error) {
      problem = error;
    }
    const tries = mayTryAgain(problem, place);
    if (tries === undefined)
      throw problem instanceof EndedEarly ? plan.mismatch(place.at) : problem;
    await plan.wait(tries);
    body = (await plan.again(place.at)).bytes;
  }
}

interface Place {
  at: number;
}

/** The body ended cleanly, but too early: another connection may bring the rest. */
class EndedEarly extends Error {}

async function* counted(
  body: ByteStream,
  place: Place,
  { blob, mismatch }: ResumablePlan,
): ByteStream {
  for await (const chunk of body) {
    if (place.at + chunk.length > blob.size) throw mismatch(place.at + chunk.length);
    place.at += chunk.length;
    yield chunk;
  }
  if (place.at === blob.size) return;
  throw new EndedEarly();
}

/** Counts tries; undefined: give up. */
function budget(plan: ResumablePlan): (problem: unknown, place: Place) => number | undefined {
  let tries = 0;
  let countedFrom = plan.fromByte;
  return (problem, { at }) => {
    if (!(problem instanceof EndedEarly || plan.mayResume(problem))) return undefined;
    if (at - countedFrom >= forgetAfterBytes) tries = 0;
    countedFrom = at;
    tries += 1;
    return tries > plan.resumes ? undefined : tries;
  };
}
