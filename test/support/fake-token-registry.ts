/** A fake registry that refuses whoever has no token of its fake token server. */
import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import {
  type FakeHandler,
  type FakeRequest,
  type FakeServer,
  sendError,
  sendJson,
  startFakeServer,
} from './fake-server.ts';

/** How the pair behaves; by default tokens live 300 s and `ann` with `secret` may do everything. */
export interface FakeTokenOptions {
  /** What is served to who has a token. */
  readonly inner?: FakeHandler;
  readonly lifetimeSeconds?: number;
  /** Name of the field with the token. */
  readonly field?: 'token' | 'access_token';
  /** Anonymous users get tokens, too. */
  readonly anonymous?: boolean;
  /** Who gets tokens; `ann:secret` unless given. */
  readonly login?: string;
  /** Answers before the usual token answer; true: it has answered. */
  readonly refuseToken?: (request: FakeRequest, response: ServerResponse) => boolean;
  /** The scope that the challenge of a request names. */
  readonly scopeOf?: (request: FakeRequest) => string;
  /** More challenges, written before ours. */
  readonly otherChallenges?: string;
}

/** The two servers, and what the token server gave out. */
export interface FakeTokenRegistry {
  readonly registry: FakeServer;
  readonly tokens: FakeServer;
  /** The scopes of each token, in order. */
  readonly granted: string[][];
  /** Makes the registry refuse all tokens that were given out so far. */
  revoke(): void;
}

/** Starts both; a token serves only the scopes it was given for. */
export async function startFakeTokenRegistry(
  t: TestContext,
  options: FakeTokenOptions = {},
): Promise<FakeTokenRegistry> {
  const granted: string[][] = [];
  let valid = new Map<string, string[]>();
  const tokens = await startFakeServer(t, async (request, response) => {
    if (options.refuseToken?.(request, response) === true) return;
    const scopes = await scopesOf(request, options);
    if (scopes === undefined) return sendError(response, 401, 'UNAUTHORIZED');
    const token = `token-${granted.length + 1}`;
    granted.push(scopes);
    valid.set(token, scopes);
    const life = options.lifetimeSeconds ?? 300;
    sendJson(response, 200, { [options.field ?? 'token']: token, expires_in: life });
  });
  const registry = await startFakeServer(t, async (request, response) => {
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const wanted = (options.scopeOf ?? repositoryScope)(request);
    if (!allows(valid.get(token) ?? [], wanted)) {
      const ours = `Bearer realm="${tokens.url}/token",service="fake, registry",scope="${wanted}"`;
      const challenge = [options.otherChallenges, ours].filter(Boolean).join(', ');
      return sendError(response, 401, 'UNAUTHORIZED', { 'www-authenticate': challenge });
    }
    if (options.inner !== undefined) return options.inner(request, response);
    response.writeHead(200, { 'content-length': '2' }).end(request.method === 'HEAD' ? '' : '{}');
  });
  const revoke = () => {
    valid = new Map();
  };
  return { registry, tokens, granted, revoke };
}

/** The scopes asked for, or undefined if the user is not accepted. */
async function scopesOf(
  request: FakeRequest,
  { anonymous = false, login = 'ann:secret' }: FakeTokenOptions,
): Promise<string[] | undefined> {
  const basic = `Basic ${Buffer.from(login).toString('base64')}`;
  if (request.method === 'POST') {
    const form = new URLSearchParams((await request.body()).toString());
    const isFine = form.get('refresh_token') === 'identity' && form.get('service') !== null;
    if (!isFine || form.get('grant_type') !== 'refresh_token') return undefined;
    return form.get('scope')?.split(' ') ?? [];
  }
  const url = new URL(request.path, 'http://tokens');
  const isKnown = request.headers.authorization === basic;
  const isAnonymous = anonymous && request.headers.authorization === undefined;
  if (url.searchParams.get('service') !== 'fake, registry') return undefined;
  return isKnown || isAnonymous ? url.searchParams.getAll('scope') : undefined;
}

/** `pull` for reading, `pull,push` for writing; a mount also needs the other repository. */
function repositoryScope({ method, path }: FakeRequest): string {
  const name = /^\/v2\/(.+?)\/(?:manifests|blobs|tags|referrers)\//.exec(path)?.[1];
  if (name === undefined) return '';
  const own = `repository:${name}:${method === 'GET' || method === 'HEAD' ? 'pull' : 'pull,push'}`;
  const from = new URL(path, 'http://registry').searchParams.get('from');
  return from === null ? own : `${own} repository:${from}:pull`;
}

function allows(granted: readonly string[], wanted: string): boolean {
  return wanted.split(' ').every((scope) => {
    const [, object = '', actions = ''] = /^(.*):([^:]*)$/.exec(scope) ?? [];
    return granted.some((grant) => {
      const [, name, given = ''] = /^(.*):([^:]*)$/.exec(grant) ?? [];
      return (
        name === object && actions.split(',').every((action) => given.split(',').includes(action))
      );
    });
  });
}
