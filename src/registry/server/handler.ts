/** The embedded registry as a plain `node:http` request handler. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../shared/ports.ts';
import type { Run } from '../../shared/run.ts';
import { Slots } from '../../shared/slots.ts';
import { type Answered, answerError } from './answer-error.ts';
import { deleteBlob, deleteManifest } from './endpoints/deletes.ts';
import { listRepositories, listTags } from './endpoints/lists.ts';
import { pullBlob } from './endpoints/pull-blob.ts';
import { pullManifest } from './endpoints/pull-manifest.ts';
import { pushManifest } from './endpoints/push-manifest.ts';
import { listReferrers } from './endpoints/referrers.ts';
import {
  cancelUpload,
  continueUpload,
  finishUpload,
  startUpload,
  uploadStatus,
} from './endpoints/uploads.ts';
import { type Exchange, sendJson } from './exchange.ts';
import { type Access, LoginGate } from './login-gate.ts';
import { ManifestCache } from './manifest-cache.ts';
import { ManifestRoom } from './manifest-room.ts';
import { PullRoom } from './pull-room.ts';
import { Refusal, refuse } from './refusal.ts';
import { defaultLimits, type RegistryOptions, type RegistryParts } from './registry-parts.ts';
import { parseRoute, type Route } from './route.ts';
import { Transfers } from './transfers.ts';
import { UploadSessions } from './upload-sessions.ts';
import { noteUser } from './watched-message.ts';

/** What `http.createServer` takes. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** A registry that answers requests, with what its owner needs to look after it. */
export interface Registry {
  readonly handle: RequestHandler;
  /** Uploads that are open now. */
  openUploads(): number;
  /** Gives up uploads that nobody touched for `uploadIdleMs`; call it now and then. */
  expireUploads(): Promise<number>;
  /** Waits for the requests under way, then gives up every upload; no new ones may come. */
  close(): Promise<void>;
}

/**
 * Makes a registry: `http.createServer(createRegistry(options, run, clock).handle)`. It can be mounted in
 * any server, keeps no timers, and speaks the OCI distribution specification v1.1 under `/v2/`.
 * Source: https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md
 */
export function createRegistry(options: RegistryOptions, run: Run, clock: Clock): Registry {
  const parts = partsFor(options, clock);
  const gate = new LoginGate(options.login);
  const uploads = 'uploads' in parts.writable ? parts.writable.uploads : undefined;
  const active = new ActiveCount();
  return {
    handle: (request, response) => {
      active.add(1);
      void serve(parts, gate, { request, response, run }).finally(() => active.add(-1));
    },
    openUploads: () => uploads?.openCount ?? 0,
    expireUploads: async () => (await uploads?.expire()) ?? 0,
    close: async () => {
      await active.none();
      await uploads?.closeAll();
    },
  };
}

/** How many requests are being worked on, and a promise for none. */
class ActiveCount {
  #count = 0;
  #waiting: (() => void)[] = [];

  add(difference: 1 | -1): void {
    this.#count += difference;
    if (this.#count === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async none(): Promise<void> {
    if (this.#count === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await promise;
  }
}

function partsFor(options: RegistryOptions, clock: Clock): RegistryParts {
  const limits = { ...defaultLimits, ...options.limits };
  const { storage } = options;
  const base = options.externalUrl?.replace(/\/+$/, '') ?? '';
  return {
    content: storage.content,
    repositories: storage.repositories,
    writable: writableFor(options, clock),
    cache: new ManifestCache(limits.manifestCacheBytes),
    limits,
    mayDelete: options.mayDelete ?? true,
    acceptSparseIndexes: options.acceptSparseIndexes ?? true,
    locate: (path) => `${base}${path}`,
    transfers: new Transfers(limits, clock),
    manifestRoom: new ManifestRoom(limits.manifestRoomBytes),
    pullRoom: new PullRoom(limits.pullRoomBytes),
    lists: new Slots(limits.parallelLists),
  };
}

function writableFor(
  { storage, readOnlyBecause, limits }: RegistryOptions,
  clock: Clock,
): RegistryParts['writable'] {
  if (readOnlyBecause !== undefined) return { refusedBecause: readOnlyBecause };
  if (storage.access === 'read-only') return { refusedBecause: 'its content is fixed' };
  const uploads = new UploadSessions(storage.content, { ...defaultLimits, ...limits }, clock);
  return { storage, uploads };
}

async function serve(parts: RegistryParts, gate: LoginGate, message: Answered): Promise<void> {
  try {
    const { request, response, run } = message;
    const url = request.url ?? '';
    if (url.length > parts.limits.maxUrlLength) throw tooLong(parts.limits.maxUrlLength);
    const [path = '', query = ''] = splitOnce(url);
    const access = accessOf(request, path);
    noteUser(response, await gate.admit(request, access));
    const exchange = { request, response, run, query: new URLSearchParams(query) };
    await dispatch(parts, gate, { exchange, path });
  } catch (error) {
    answerError(message, error);
  }
}

function splitOnce(url: string): readonly string[] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url] : [url.slice(0, mark), url.slice(mark + 1)];
}

function accessOf({ method }: IncomingMessage, path: string): Access {
  if (path === '/v2/' || path === '/v2') return 'ping';
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}

function tooLong(limit: number): Refusal {
  return refuse(414, 'UNSUPPORTED', `the URL is longer than ${limit} characters`);
}

type Endpoint = (exchange: Exchange) => Promise<void> | void;

async function dispatch(
  parts: RegistryParts,
  gate: LoginGate,
  { exchange, path }: { readonly exchange: Exchange; readonly path: string },
): Promise<void> {
  const route = parseRoute(path);
  if (route === undefined) throw refuse(404, 'UNSUPPORTED', `there is nothing at ${path}`);
  const endpoints = endpointsOf(parts, gate, route);
  const { method = '' } = exchange.request;
  const endpoint = endpoints[method === 'HEAD' && endpoints['HEAD'] === undefined ? 'GET' : method];
  if (endpoint === undefined) throw wrongMethod(method, Object.keys(endpoints));
  await endpoint(exchange);
}

function wrongMethod(method: string, known: readonly string[]): Refusal {
  const allow = known.includes('GET') ? ['HEAD', ...known] : known;
  const message = `${method} is not possible here; possible are ${allow.join(', ')}`;
  return new Refusal(405, [{ code: 'UNSUPPORTED', message }], { allow: allow.join(', ') });
}

function endpointsOf(
  parts: RegistryParts,
  gate: LoginGate,
  route: Route,
): Readonly<Record<string, Endpoint>> {
  switch (route.kind) {
    case 'base':
      return { GET: (exchange) => sendJson(exchange, 200, {}, gate.challenge) };
    case 'catalogue':
      return { GET: (exchange) => parts.lists.run(() => listRepositories(parts, exchange)) };
    case 'tags':
      return { GET: (exchange) => parts.lists.run(() => listTags(parts, exchange, route)) };
    case 'referrers':
      return { GET: (exchange) => parts.lists.run(() => listReferrers(parts, exchange, route)) };
    case 'manifest':
      return {
        GET: (exchange) => pullManifest(parts, exchange, route),
        PUT: (exchange) => pushManifest(parts, exchange, route),
        DELETE: (exchange) => deleteManifest(parts, exchange, route),
      };
    case 'blob':
      return {
        GET: (exchange) => pullBlob(parts, exchange, route),
        DELETE: (exchange) => deleteBlob(parts, exchange, route),
      };
    case 'uploads':
      return { POST: (exchange) => startUpload(parts, exchange, route) };
    case 'upload':
      return {
        GET: (exchange) => uploadStatus(parts, exchange, route),
        PATCH: (exchange) => continueUpload(parts, exchange, route),
        PUT: (exchange) => finishUpload(parts, exchange, route),
        DELETE: (exchange) => cancelUpload(parts, exchange, route),
      };
  }
}
