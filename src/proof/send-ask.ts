import type { BlobRef } from '../oci/descriptor.ts';
import { splitDigest } from '../oci/digest.ts';
import { maxManifestBytes } from '../oci/manifest.ts';
import { acceptedManifestTypes } from '../oci/media-types.ts';
import type {
  Scope,
  Transport,
  TransportRequest,
  TransportResponse,
} from '../registry/client/transport.ts';
import type { Run } from '../shared/run.ts';
import type { Answered, Ask } from './exchange.ts';
import { readBody, readHead } from './read-answer.ts';

/** One ask on its way: how deep to look, and over which transport. */
export interface Sending {
  readonly transport: Transport;
  readonly ask: Ask;
  /** Download and hash blobs. */
  readonly deep: boolean;
  /** The method that went out last, for the report. */
  method: string;
}

/** Sends one request of a runtime and reads of the answer what matters. Rejects as the transport does. */
export async function sendAsk(sending: Sending, run: Run): Promise<Answered> {
  const { operation, request } = sending.ask;
  switch (operation.kind) {
    case 'resolve': {
      const accept = [...acceptedManifestTypes, '*/*'].join(', ');
      if (request.method === 'HEAD')
        return readHead(await send(sending, { method: 'HEAD', accept }, run));
      const { algorithm } = splitDigest(operation.want);
      const limits = { algorithm, maxBytes: maxManifestBytes };
      return readBody(await send(sending, { method: 'GET', accept }, run), limits);
    }
    case 'manifest': {
      const accept = `${operation.blob.mediaType}, */*`;
      const { algorithm } = splitDigest(operation.blob.digest);
      const limits = { algorithm, maxBytes: maxManifestBytes };
      return readBody(await send(sending, { method: 'GET', accept }, run), limits);
    }
    case 'blob': {
      const accept = `${operation.blob.mediaType}, */*`;
      if (sending.deep) return download(sending, operation.blob, accept, run);
      return probe(sending, operation.blob, accept, run);
    }
  }
}

/**
 * Is the blob there? HEAD, and where the registry sends the client elsewhere, the first byte from
 * there: a signed URL is good for the method it was asked with, so the GET starts at the registry.
 */
async function probe(sending: Sending, blob: BlobRef, accept: string, run: Run): Promise<Answered> {
  const head = await send(sending, { method: 'HEAD', accept, follow: false }, run);
  const answer = await readHead(head);
  const isElsewhere = answer.status >= 300 && answer.status < 400;
  if (!isElsewhere && answer.status !== 405 && answer.status !== 501) return answer;
  // An empty blob has no first byte.
  const range = blob.size === 0 ? {} : { range: 'bytes=0-0' };
  const first = await send(sending, { method: 'GET', accept, ...range }, run);
  return withTarget(sending, first, readHead);
}

/** Reads all of it; a broken connection is tried once more, as runtimes do. */
async function download(
  sending: Sending,
  blob: BlobRef,
  accept: string,
  run: Run,
): Promise<Answered> {
  const { algorithm } = splitDigest(blob.digest);
  const onBytes = (bytes: number) => run.advance({ bytes });
  const limits = { algorithm, maxBytes: blob.size, onBytes };
  const once = async () => {
    const response = await send(sending, { method: 'GET', accept }, run);
    return withTarget(sending, response, (whole) => readBody(whole, limits));
  };
  const answer = await once();
  return answer.isCut === true ? once() : answer;
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

/** How one request goes out. */
interface Wire {
  readonly method: 'HEAD' | 'GET';
  readonly accept: string;
  readonly range?: string;
  /** False: a redirect is the answer. */
  readonly follow?: boolean;
}

function send(sending: Sending, wire: Wire, run: Run): Promise<TransportResponse> {
  const { method, follow = true, ...headers } = wire;
  sending.method = method;
  const { request } = sending.ask;
  const url = new URL(request.url);
  const own = Array.from(request.endpoint.headers, ([name, values]): [string, string] => [
    name.toLowerCase(),
    values.map((value) => value.reveal()).join(', '),
  ]);
  const wanted: TransportRequest = {
    method,
    url,
    purpose: `proving ${url.pathname}`,
    headers: { ...headers, ...Object.fromEntries(own) },
    scopes: scopesOf(url),
    followRedirects: follow,
    repeatable: false,
  };
  return sending.transport.request(wanted, run);
}

/** `/v2/platform/pause/manifests/3.9` → the right to pull `platform/pause`. */
function scopesOf({ pathname }: URL): readonly Scope[] {
  const name = /^\/v2\/(.+)\/(?:manifests|blobs)\/[^/]+$/.exec(pathname)?.[1];
  return name === undefined ? [] : [{ type: 'repository', name, actions: ['pull'] }];
}
