import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../shared/ports.ts';
import { redact } from '../../shared/secret.ts';
import type { RequestHandler } from './handler.ts';
import type { RegistryMetrics } from './registry-metrics.ts';
import { WatchedRequest, WatchedResponse } from './watched-message.ts';

/** One line of the access log; it never holds an Authorization header. */
export interface AccessEntry {
  /** When the request arrived, in milliseconds since 1970. */
  readonly timeMs: number;
  readonly remote: string;
  readonly method: string;
  /** Path with query, as it was sent. */
  readonly url: string;
  /** 0 if the client left, or the connection was cut, before an answer began. */
  readonly status: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly durationMs: number;
  /** False if the answer was cut off. */
  readonly isComplete: boolean;
  readonly userAgent: string;
  readonly user: string | undefined;
}

/** Where {@link watchRequests} reports to. */
export interface RequestWatcher {
  readonly metrics: RegistryMetrics;
  readonly clock: Clock;
  readonly onAccess?: (entry: AccessEntry) => void;
}

/**
 * The same handler, with every request counted and reported once its answer has ended. Bytes and
 * users are known if the server uses {@link WatchedRequest} and {@link WatchedResponse}.
 */
export function watchRequests(next: RequestHandler, watcher: RequestWatcher): RequestHandler {
  const { metrics, clock, onAccess } = watcher;
  return (request, response) => {
    const timeMs = clock.now();
    const started = clock.monotonic();
    const remote = request.socket.remoteAddress ?? '';
    metrics.inFlight += 1;
    response.once('close', () => {
      metrics.inFlight -= 1;
      const durationMs = clock.monotonic() - started;
      const entry = { timeMs, remote, durationMs, ...describe(request, response) };
      metrics.add(entry);
      onAccess?.(entry);
    });
    next(request, response);
  };
}

function describe(request: IncomingMessage, response: ServerResponse) {
  const { method = '', url = '', headers } = request;
  const watched = response instanceof WatchedResponse ? response : undefined;
  return {
    method,
    url: redact(url),
    status: response.headersSent ? response.statusCode : 0,
    bytesIn: request instanceof WatchedRequest ? request.bodyBytes : 0,
    bytesOut: watched?.bodyBytes ?? 0,
    isComplete: response.writableFinished,
    userAgent: redact(headers['user-agent'] ?? ''),
    user: watched?.user,
  };
}
