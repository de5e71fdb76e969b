/** One machine that is every registry of the cases: on ports 443, 80 and 5000, with and without TLS. */

import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { systemClock } from '../../../../src/shared/ports.ts';
import { type CertifiedKey, issueServerCertificate } from '../../../../src/trust/authority.ts';
import type { SentRequest } from '../answers.ts';
import type { Pki } from '../pki.ts';
import { natures } from '../world/names.ts';
import { type Nature, type Reply, type World, WorldServer } from '../world/world.ts';

const ports = [443, 80, 5000] as const;
/** The first byte of a TLS greeting. */
const tlsHandshake = 0x16;

/** What one client does in one case. */
export interface Recording {
  readonly server: WorldServer;
  readonly requests: SentRequest[];
}

export interface Recorder extends AsyncDisposable {
  /** From now on the node at this address is answered by this world; → what it sends. */
  watch(client: string, world: World): Recording;
}

/** Listens on `address`. */
export async function startRecorder(address: string, pki: Pki): Promise<Recorder> {
  const watched = new Map<string, Recording>();
  const secure = await secureContexts(pki);
  const http = createHttpServer((request, response) => answer(request, response, watched));
  const open = new Set<Socket>();
  const servers = ports.map((port) => {
    const server = createServer((socket) => {
      open.add(socket.on('close', () => open.delete(socket)));
      accept(socket, http, secure);
    });
    return server.listen(port, address);
  });
  await Promise.all(servers.map((server) => once(server, 'listening')));
  return {
    watch: (client, world) => {
      const recording = { server: new WorldServer(world), requests: [] };
      watched.set(client, recording);
      return recording;
    },
    [Symbol.asyncDispose]: () => stop(servers, open),
  };
}

/** A node that is gone never closes its side. */
async function stop(servers: readonly Server[], open: ReadonlySet<Socket>): Promise<void> {
  const closed = servers.map((server) => once(server, 'close'));
  for (const server of servers) server.close();
  for (const socket of open) socket.destroy();
  await Promise.all(closed);
}

/** The first byte tells TLS from HTTP; a host that speaks no TLS answers a greeting in HTTP. */
function accept(
  socket: Socket,
  http: ReturnType<typeof createHttpServer>,
  secure: ReadonlyMap<string, SecureContext>,
): void {
  socket.on('error', () => socket.destroy());
  socket.once('data', (first: Buffer) => {
    socket.pause();
    socket.unshift(first);
    if (first[0] !== tlsHandshake) {
      http.emit('connection', socket);
      return void process.nextTick(() => socket.resume()); // it was read from before
    }
    if (first.includes('plain.example')) {
      return void socket.end('HTTP/1.0 400 Bad Request\r\n\r\nClient sent TLS.\n');
    }
    const tls = new TLSSocket(socket, {
      isServer: true,
      requestCert: true,
      rejectUnauthorized: false,
      SNICallback: (name, done) => done(null, secure.get(name)),
      ALPNProtocols: ['http/1.1'],
    });
    tls.on('error', () => socket.destroy());
    return void http.emit('connection', tls);
  });
}

async function secureContexts(pki: Pki): Promise<ReadonlyMap<string, SecureContext>> {
  const signers: Partial<Record<Nature, CertifiedKey>> = { site: pki.site, foreign: pki.foreign };
  const contexts = new Map<string, SecureContext>();
  for (const [host, nature] of Object.entries(natures)) {
    const request = { hosts: [host], validDays: 1 };
    const signer = signers[nature] ?? pki.system;
    const { certificate, key } = await issueServerCertificate(request, signer, systemClock);
    contexts.set(host, createSecureContext({ cert: certificate, key: key.reveal() }));
  }
  return contexts;
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  watched: ReadonlyMap<string, Recording>,
): void {
  const recording = watched.get(request.socket.remoteAddress ?? '');
  if (recording === undefined) return void request.socket.destroy();
  const { method = '', url = '', headers } = request;
  const { host = '', authorization } = headers;
  const isCut = recording.server.natureOf(host) === 'cut';
  const [path = ''] = url.split('?');
  const reply = recording.server.reply({ method, host, path, authorization });
  recording.requests.push({
    ...describe(request, host),
    answer: isCut ? 'cut' : `${reply.status}`,
  });
  if (isCut) return void request.socket.destroy();
  send(response, reply);
}

function describe(request: IncomingMessage, host: string): Omit<SentRequest, 'answer'> {
  const { method = '', url = '', headers, rawHeaders, socket } = request;
  const { authorization } = headers;
  const marks = rawHeaders.filter((_, at) => rawHeaders[at - 1]?.toLowerCase() === 'x-mark');
  const isTls = socket instanceof TLSSocket;
  const hasClient = isTls && Object.keys(socket.getPeerCertificate()).length > 0;
  return {
    method,
    url: `${isTls ? 'https' : 'http'}://${host}${url}`,
    ...(authorization !== undefined && { authorization }),
    ...(marks.length > 0 && { marks }),
    ...(hasClient && { clients: 1 }),
  };
}

function send(response: ServerResponse, { status, content, location, asksForLogin }: Reply): void {
  const body = Buffer.from(content?.base64 ?? '', 'base64');
  response.writeHead(status, {
    'content-length': body.length,
    ...(content && { 'docker-content-digest': content.digest, 'content-type': content.mediaType }),
    ...(location && { location }),
    ...(asksForLogin && { 'www-authenticate': 'Basic realm="oracle"' }),
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
