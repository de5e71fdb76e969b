import { splitDigest } from '../../oci/digest.ts';
import { readGoContent, readGoImage, runtimeKind } from '../../oci/go-json/image-documents.ts';
import { GoJsonError } from '../../oci/go-json/tree.ts';
import { maxManifestBytes } from '../../oci/manifest.ts';
import { acceptedManifestTypes, isImageConfigType } from '../../oci/media-types.ts';
import type { TransportResponse } from '../../registry/client/transport.ts';
import type { LockedBlob } from '../../release/lock.ts';
import type { Run } from '../../shared/run.ts';
import { ownCodings } from './decoded-body.ts';
import type { Answered, RuntimeContent } from './exchange.ts';
import { readBody, readHead } from './read-answer.ts';
import { type Sending, send } from './sending.ts';

/** Sends one request of a runtime and reads of the answer what matters. Rejects as the transport does. */
export async function sendAsk(sending: Sending, run: Run): Promise<Answered> {
  const { operation, request } = sending.ask;
  const { largestResolvedBytes } = sending.wire;
  // Whatever it stands before: what comes back is no part of the image.
  if (request.isPing) return readHead(await send(sending, { method: 'GET', accept: '*/*' }, run));
  switch (operation.kind) {
    case 'resolve': {
      const accept = [...acceptedManifestTypes, '*/*'].join(', ');
      if (request.method === 'HEAD')
        return readHead(await send(sending, { method: 'HEAD', accept }, run));
      const { algorithm } = splitDigest(operation.want);
      const limits = { algorithm, maxBytes: largestResolvedBytes, codings: ownCodings };
      const response = await send(sending, { method: 'GET', accept, codings: ownCodings }, run);
      return readBody(response, limits);
    }
    case 'manifest':
      return readDocument(sending, operation.blob, maxManifestBytes, run);
    case 'blob': {
      const isDocument = operation.what === 'config' && operation.blob.size <= maxManifestBytes;
      if (isDocument && isImageConfigType(operation.blob.mediaType)) {
        return readDocument(sending, operation.blob, operation.blob.size, run);
      }
      if (sending.deep) return download(sending, operation.blob, run);
      return probe(sending, operation.blob, run);
    }
  }
}

/** A small document is read whole, and then as the runtime reads it. */
async function readDocument(
  sending: Sending,
  blob: LockedBlob,
  maxBytes: number,
  run: Run,
): Promise<Answered> {
  const chunks: Uint8Array[] = [];
  const keeper = {
    start: () => void chunks.splice(0),
    take: (chunk: Uint8Array) => void chunks.push(chunk),
  };
  const answer = await download(sending, { ...blob, size: maxBytes }, run, keeper);
  if (answer.status >= 300 || answer.digest !== blob.digest) return answer;
  return { ...answer, content: readContent(Buffer.concat(chunks), blob.mediaType) };
}

function readContent(bytes: Uint8Array, mediaType: string): RuntimeContent | undefined {
  try {
    if (isImageConfigType(mediaType)) {
      return { kind: 'config', diffIds: readGoImage(bytes).diffIds.length };
    }
    const kind = runtimeKind(mediaType);
    return kind === undefined ? undefined : readGoContent(bytes, kind);
  } catch (error) {
    if (!(error instanceof GoJsonError)) throw error;
    return { kind: 'unreadable', reason: error.message };
  }
}

/**
 * Is the blob there? HEAD is believed only when it says yes with the right size, since no runtime asks
 * that way: registries and proxies answer it wrongly without anybody noticing. Else the first byte is
 * asked for, and where that does not tell either, all of them.
 */
async function probe(sending: Sending, blob: LockedBlob, run: Run): Promise<Answered> {
  const accept = acceptOf(blob);
  const head = await readHead(await send(sending, { method: 'HEAD', accept, follow: false }, run));
  const isThrottled = head.status === 408 || head.status === 429;
  if (isThrottled || isWhole(head, blob)) return head;
  const response = await send(sending, { method: 'GET', accept, range: 'bytes=0-0' }, run);
  const first = await withTarget(sending, response, readHead);
  const isTold = first.status < 300 && first.sizeBytes !== undefined && !isEncoded(first);
  if (isTold || (first.status >= 300 && first.status !== 416)) return first;
  return download(sending, blob, run);
}

function isWhole(answer: Answered, { size }: LockedBlob): boolean {
  return answer.status < 300 && answer.sizeBytes === size && !isEncoded(answer);
}

function isEncoded({ encoding = 'identity' }: Answered): boolean {
  return encoding.toLowerCase() !== 'identity';
}

/** Keeps what passes by; `start` when it begins anew. */
interface Keeper {
  start(): void;
  take(chunk: Uint8Array): void;
}

/** Reads all of it; a broken connection is tried once more, as runtimes do. */
async function download(
  sending: Sending,
  blob: LockedBlob,
  run: Run,
  keeper?: Keeper,
): Promise<Answered> {
  const { deep, ask } = sending;
  const { fetchCodings: codings } = sending.wire;
  const { algorithm } = splitDigest(blob.digest);
  const isCounted = deep && ask.operation.kind === 'blob';
  const onBytes = (chunk: Uint8Array) => {
    if (isCounted) run.advance({ bytes: chunk.length });
    keeper?.take(chunk);
  };
  const limits = { algorithm, maxBytes: blob.size, codings, onBytes };
  const once = async () => {
    keeper?.start();
    const wire = { method: 'GET', accept: acceptOf(blob), codings } as const;
    const response = await send(sending, wire, run);
    return withTarget(sending, response, (whole) => readBody(whole, limits));
  };
  const answer = await once();
  return answer.isCut === true ? once() : answer;
}

function acceptOf({ mediaType }: LockedBlob): string {
  return `${mediaType}, */*`;
}

async function withTarget(
  { ask }: Sending,
  response: TransportResponse,
  read: (response: TransportResponse) => Promise<Answered>,
): Promise<Answered> {
  const answer = await read(response);
  const isElsewhere = response.url.origin !== new URL(ask.request.url).origin;
  return isElsewhere ? { ...answer, redirectedTo: response.url.host } : answer;
}
