/** The embedded registry as a service of its own: socket, TLS, probes, metrics, access log. */
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { describeError } from '../../shared/errors.ts';
import { type Clock, systemClock } from '../../shared/ports.ts';
import { type Run, withSignal } from '../../shared/run.ts';
import type { Secret } from '../../shared/secret.ts';
import type { Service } from '../../shared/service.ts';
import { answerBrokenRequest } from './broken-requests.ts';
import { RegistryTlsInvalid } from './errors.ts';
import { createRegistry, type Registry, type RequestHandler } from './handler.ts';
import { listenOn } from './listen.ts';
import { probesBeside } from './probes.ts';
import { RegistryMetrics } from './registry-metrics.ts';
import type { RegistryOptions } from './registry-parts.ts';
import { type AccessEntry, watchRequests } from './watch-requests.ts';
import { WatchedRequest, WatchedResponse } from './watched-message.ts';

/** Certificate chain and private key, PEM. */
export interface ServerTls {
  readonly cert: string;
  readonly key: Secret;
}

/** How the server listens and how long it waits; times in milliseconds. */
export interface RegistryServerOptions extends RegistryOptions {
  /** 127.0.0.1 unless given. */
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly tls?: ServerTls;
  readonly onAccess?: (entry: AccessEntry) => void;
  /** Answers `/metrics`, without a login; true unless given. */
  readonly hasMetrics?: boolean;
  /** This machine's unless given. */
  readonly clock?: Clock;
  /** Wraps the registry's handler; for tests that need faults. */
  readonly intercept?: (next: RequestHandler) => RequestHandler;
  /** A client must have sent its headers by then; 15 s. */
  readonly headersTimeoutMs?: number;
  /** A connection on which nothing moves for so long is cut; 300 s. */
  readonly idleTimeoutMs?: number;
  /** More than this at a time are cut at once, after the idle ones have been closed; 8192. */
  readonly maxConnections?: number;
  /** Requests under way may go on for so long after `stop`; 8 s, at most 9. */
  readonly stopGraceMs?: number;
}

const maxHeaderBytes = 32 * 1024;
const usualMaxConnections = 8192;
const keepAliveMs = 75_000;
const expireEveryMs = 5 * 60 * 1000;
const longestGraceMs = 9_000;
const longestCleanUpMs = 900;
const sweepEveryMs = 50;

/**
 * Starts a registry and waits until it answers: `await using registry = await
 * startRegistryServer({ storage }, run)`; then `registry.url` is `http://127.0.0.1:40123`.
 * Stops when `run.signal` aborts. Rejects with REGISTRY_LISTEN_FAILED, REGISTRY_TLS_INVALID.
 */
export async function startRegistryServer(
  options: RegistryServerOptions,
  run: Run,
): Promise<RegistryServer> {
  const server = new RegistryServer(options);
  await server.start(run);
  await server.ready();
  return server;
}

/** See {@link startRegistryServer} and {@link Service}. */
export class RegistryServer implements Service {
  readonly #options: RegistryServerOptions;
  #running: Running | undefined;
  #starting: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: RegistryServerOptions) {
    this.#options = options;
  }

  /** `http://127.0.0.1:40123`, once it is ready. */
  get url(): string {
    const { host = '127.0.0.1', tls } = this.#options;
    const name = host.includes(':') ? `[${host}]` : host;
    return `${tls === undefined ? 'http' : 'https'}://${name}:${this.port}`;
  }

  /** The port it listens on, once it is ready. */
  get port(): number {
    return this.#running?.port ?? this.#options.port ?? 0;
  }

  start(run: Run): Promise<void> {
    this.#starting ??= this.#start(run);
    return this.#starting;
  }

  async ready(): Promise<void> {
    await this.#starting;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Uses another certificate for new connections; throws REGISTRY_TLS_INVALID and keeps the old. */
  reloadTls(tls: ServerTls): void {
    const server = this.#running?.server;
    if (server === undefined || !('setSecureContext' in server)) return;
    withTlsErrors(() => server.setSecureContext({ cert: tls.cert, key: tls.key.reveal() }));
  }

  async #start(run: Run): Promise<void> {
    run.signal.throwIfAborted();
    const running = await open(this.#options, run, () => this.#stopping !== undefined);
    this.#running = running;
    const onAbort = () => void this.stop();
    run.signal.addEventListener('abort', onAbort, { once: true });
    running.server.once('close', () => run.signal.removeEventListener('abort', onAbort));
    if (run.signal.aborted) await this.stop();
  }

  async #stop(): Promise<void> {
    // A start that fails has left nothing to stop; who started it hears of it.
    await this.#starting?.catch(() => {});
    const running = this.#running;
    if (running === undefined) return;
    const grace = Math.min(this.#options.stopGraceMs ?? 8_000, longestGraceMs);
    await running.close(grace);
  }
}

type AnyServer =
  | Server<typeof WatchedRequest, typeof WatchedResponse>
  | TlsServer<typeof WatchedRequest, typeof WatchedResponse>;

interface Running {
  readonly server: AnyServer;
  readonly port: number;
  close(graceMs: number): Promise<void>;
}

async function open(
  options: RegistryServerOptions,
  run: Run,
  isStopping: () => boolean,
): Promise<Running> {
  const clock = options.clock ?? systemClock;
  // Requests under way outlive the run's abort, which only begins the stop, by the grace.
  const work = new AbortController();
  const registry = createRegistry(options, withSignal(run, work.signal), clock);
  const metrics = new RegistryMetrics();
  const inner = options.intercept?.(registry.handle) ?? registry.handle;
  const { onAccess } = options;
  const watcher = { metrics, clock, ...(onAccess && { onAccess }) };
  const watched = watchRequests(inner, watcher);
  const handler = probesBeside(watched, {
    registry,
    isStopping,
    ...(options.hasMetrics !== false && { metrics }),
  });
  const server = createFor(options, handler);
  const port = await listenOn(server, options.host ?? '127.0.0.1', options.port ?? 0);
  const timer = setInterval(() => void expire(registry, run), expireEveryMs).unref();
  const close = async (graceMs: number) => {
    clearInterval(timer);
    await closeServer(server, graceMs);
    work.abort(new Error('the registry has stopped'));
    await atMost(registry.close(), longestCleanUpMs);
  };
  return { server, port, close };
}

async function expire(registry: Registry, run: Run): Promise<void> {
  try {
    await registry.expireUploads();
  } catch (error) {
    run.log.warn('idle uploads could not be removed', { error: describeError(error) });
  }
}

function createFor(options: RegistryServerOptions, handler: RequestHandler): AnyServer {
  const headersTimeout = options.headersTimeoutMs ?? 15_000;
  const settings = {
    IncomingMessage: WatchedRequest,
    ServerResponse: WatchedResponse,
    maxHeaderSize: maxHeaderBytes,
    headersTimeout,
    connectionsCheckingInterval: Math.min(headersTimeout, 5_000),
    // A blob may take hours; the idle timeout finds those that do not move at all.
    requestTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    noDelay: true,
  };
  const { tls } = options;
  const server =
    tls === undefined
      ? createServer(settings)
      : withTlsErrors(() =>
          createTlsServer({
            ...settings,
            cert: tls.cert,
            key: tls.key.reveal(),
            minVersion: 'TLSv1.2',
          }),
        );
  server.on('request', handler);
  // The body is asked for only once the request has passed the login and its headers are checked.
  server.on('checkContinue', handler);
  server.on('clientError', answerBrokenRequest);
  server.maxConnections = options.maxConnections ?? usualMaxConnections;
  // Clients keep connections for later; those that do nothing may not keep others out.
  server.on('drop', () => server.closeIdleConnections());
  server.setTimeout(options.idleTimeoutMs ?? 300_000);
  return server;
}

function withTlsErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new RegistryTlsInvalid({ reason: describeError(error) }, { cause: error });
  }
}

async function closeServer(server: AnyServer, graceMs: number): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeIdleConnections();
  // A connection becomes idle when its last answer has ended; nothing tells us when that is.
  const sweeper = setInterval(() => server.closeIdleConnections(), sweepEveryMs);
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweeper);
  clearTimeout(timer);
}

/** What hangs, a check of a login for example, must not hold up the stop: it is left behind. */
async function atMost(work: Promise<void>, limitMs: number): Promise<void> {
  const { promise: expired, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  await Promise.race([work, expired]);
  clearTimeout(timer);
}
