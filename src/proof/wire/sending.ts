import type { ContentCoding, WireRules } from '../../mirrors/pull-chain.ts';
import type {
  Transport,
  TransportRequest,
  TransportResponse,
} from '../../registry/client/transport.ts';
import type { Run } from '../../shared/run.ts';
import { headersOf } from './endpoint-headers.ts';
import type { Ask } from './exchange.ts';

/** One ask on its way: how deep to look, and over which transport. */
export interface Sending {
  readonly transport: Transport;
  readonly ask: Ask;
  /** The path of the image itself: tokens are for it, whatever the paths of the endpoint. */
  readonly repository: string;
  /** Download and hash blobs. */
  readonly deep: boolean;
  /** What the runtime does on the wire. */
  readonly wire: WireRules;
  /** The method that went out last, for the report. */
  method: string;
}

/** How one request goes out. */
interface Wire {
  readonly method: 'HEAD' | 'GET';
  readonly accept: string;
  readonly range?: string;
  readonly codings?: readonly ContentCoding[];
  /** False: a redirect is the answer. */
  readonly follow?: boolean;
}

/** Sends it over the transport of the ask, with the headers of its endpoint. Rejects as the transport does. */
export function send(sending: Sending, wire: Wire, run: Run): Promise<TransportResponse> {
  const { method, follow = true, codings, ...headers } = wire;
  sending.method = method;
  const { request } = sending.ask;
  const url = new URL(request.url);
  const own = Array.from(headersOf(request.endpoint), ([name, value]): [string, string] => [
    name,
    value.reveal(),
  ]);
  const wanted: TransportRequest = {
    method,
    url,
    purpose: `proving ${url.pathname}`,
    headers: {
      ...headers,
      ...(codings && { 'accept-encoding': codings.join(', ') }),
      ...Object.fromEntries(own),
    },
    scopes: [{ type: 'repository', name: sending.repository, actions: ['pull'] }],
    authenticate: request.isFromDescriptor !== true,
    followRedirects: follow,
    repeatable: false,
  };
  return sending.transport.request(wanted, run);
}
