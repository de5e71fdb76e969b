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
      const sample = { ...measure(request, response), durationMs: clock.monotonic() - started };
      metrics.add(sample);
      // Redacting costs more than all the rest, so only for those who look.
      onAccess?.({ timeMs, remote, ...sample, ...describe(request, response) });
    });
    next(request, response);
  };
}

function measure(request: IncomingMessage, response: ServerResponse) {
  return {
    method: request.method ?? '',
    status: response.headersSent ? response.statusCode : 0,
    bytesIn: request instanceof WatchedRequest ? request.bodyBytes : 0,
    bytesOut: response instanceof WatchedResponse ? response.bodyBytes : 0,
  };
}

function describe(request: IncomingMessage, response: ServerResponse) {
  return {
    url: redact(request.url ?? ''),
    isComplete: response.writableFinished,
    userAgent: redact(request.headers['user-agent'] ?? ''),
    user: response instanceof WatchedResponse ? response.user : undefined,
  };
}
