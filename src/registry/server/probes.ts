import type { ServerResponse } from 'node:http';
import type { Registry, RequestHandler } from './handler.ts';
import type { RegistryMetrics } from './registry-metrics.ts';

/** What the probes tell about. */
export interface ProbedServer {
  readonly registry: Registry;
  /** Without them `/metrics` is as unknown as any other path. */
  readonly metrics?: RegistryMetrics;
  readonly isStopping: () => boolean;
}

/**
 * Answers `/healthz` (alive), `/readyz` (503 once it is stopping) and `/metrics` beside the
 * registry. They need no login and are not in the access log, which they would drown.
 */
export function probesBeside(next: RequestHandler, server: ProbedServer): RequestHandler {
  const { registry, metrics, isStopping } = server;
  return (request, response) => {
    const url = request.url ?? '';
    if (url === '/metrics' && metrics !== undefined) {
      return sendText(response, 200, metrics.render(registry.openUploads()));
    }
    switch (url) {
      case '/healthz':
        return sendText(response, 200, 'ok\n');
      case '/readyz':
        return isStopping()
          ? sendText(response, 503, 'stopping\n')
          : sendText(response, 200, 'ok\n');
      default:
        // Clients that keep their connection would hold up the stop.
        if (isStopping()) response.setHeader('connection', 'close');
        return next(request, response);
    }
  };
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
