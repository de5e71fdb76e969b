/** Finds out whether a port that did not understand plain HTTP speaks TLS. */
import { connect } from 'node:tls';

/** The words for it, wherever it is noticed. */
export const wantsHttps = {
  reason: 'it speaks HTTPS on this port and was asked in plain HTTP',
  advice:
    'Write https: in the Site take away plainHttp: true, in the policy begin the endpoint with https://.',
} as const;

const answerMs = 3000;
/** A TLS alert: its type, and the version that all of TLS writes there. */
const alert = String.fromCharCode(0x15, 0x03);

/**
 * True if the error of a plain HTTP request is one that TLS servers cause: an alert in place of an answer, or a
 * connection closed before any answer by a peer that then takes a TLS handshake. Which port a name leads to is
 * not looked up again: the very peer is asked. Never rejects; takes at most three seconds.
 */
export async function isTlsRefusal(error: unknown): Promise<boolean> {
  if (!(error instanceof Error)) return false;
  if ('data' in error && typeof error.data === 'string') return error.data.startsWith(alert);
  const peer = 'socket' in error ? unansweredPeer(error.socket) : undefined;
  return peer !== undefined && (await speaksTls(peer));
}

interface Peer {
  readonly host: string;
  readonly port: number;
}

/** The peer as undici notes it in its errors; undefined once it had answered anything. */
function unansweredPeer(socket: unknown): Peer | undefined {
  if (typeof socket !== 'object' || socket === null) return undefined;
  const {
    remoteAddress: host,
    remotePort: port,
    bytesRead,
  }: Record<string, unknown> = {
    ...socket,
  };
  if (typeof host !== 'string' || typeof port !== 'number' || bytesRead !== 0) return undefined;
  return { host, port };
}

function speaksTls(peer: Peer): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  // Nothing is sent over it, so whose certificate it is does not matter.
  const socket = connect({ ...peer, rejectUnauthorized: false });
  socket.setTimeout(answerMs, () => resolve(false));
  socket.on('secureConnect', () => resolve(true));
  socket.on('error', () => resolve(false));
  socket.on('close', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
