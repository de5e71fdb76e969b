/** One request to a token server. Source: distribution, docs/spec/auth/token and /oauth. */
import { z } from 'zod';
import type { KnownSecrets } from '../../../shared/known-secrets.ts';
import { Secret } from '../../../shared/secret.ts';
import type { Credential } from '../../../trust/ports.ts';
import {
  RegistryAuthUnusable,
  RegistryFailed,
  RegistryRateLimited,
  RegistryUnauthorized,
} from '../errors.ts';
import { basicLogin, type TokenAsk } from '../token-requester.ts';
import type { BufferedResponse, Scope, TransportRequest } from '../transport.ts';
import { errorText } from './error-document.ts';
import { formatScope } from './scopes.ts';
import type { About } from './target.ts';

/** Where tokens come from, as the registry's challenge named it. */
export interface TokenServer {
  readonly realm: URL;
  readonly service: string | undefined;
}

/** A bearer token and for how many seconds it was given. */
export interface GrantedToken {
  readonly token: Secret;
  readonly lifetimeSeconds: number | undefined;
}

/** Who asked for a token, what for, and what must not be shown of the answer. */
interface Asked {
  /** Where the token is looked for, in this order. */
  readonly fields?: TokenAsk['fields'] | undefined;
  readonly credential: Credential | undefined;
  readonly about: About;
  readonly secrets: KnownSecrets;
}

/** Both names are in use; servers that send both send the same value. */
const TokenAnswer = z.looseObject({
  token: z.string().optional(),
  access_token: z.string().optional(),
  expires_in: z.number().optional(),
});

/**
 * How to ask for a token: GET with Basic credentials or none, POST with an identity token.
 * `scope` is repeated for GET and joined with spaces for POST, as the two specifications say.
 */
export function tokenRequest(
  server: TokenServer,
  scopes: readonly Scope[],
  credential: Credential | undefined,
  userAgent: string,
): TransportRequest {
  const words = scopes.map(formatScope);
  if (credential?.kind === 'identity-token') {
    const form = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: userAgent.split('/')[0] ?? userAgent,
      refresh_token: credential.token.reveal(),
      ...(server.service === undefined ? {} : { service: server.service }),
      ...(words.length === 0 ? {} : { scope: words.join(' ') }),
    });
    return {
      method: 'POST',
      url: server.realm,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(form.toString()),
      authenticate: false,
      repeatable: true,
    };
  }
  const url = new URL(server.realm);
  if (server.service !== undefined) url.searchParams.append('service', server.service);
  for (const word of words) url.searchParams.append('scope', word);
  if (credential === undefined) return { method: 'GET', url, authenticate: false };
  const { username, password } = credential;
  url.searchParams.append('account', username);
  const headers = { authorization: basicLogin(username, password) };
  return { method: 'GET', url, headers, authenticate: false };
}

/** Who a credential is for, as messages name it. */
export function userOf(credential: Credential | undefined): string | undefined {
  if (credential === undefined) return undefined;
  return credential.kind === 'password' ? `user ${credential.username}` : 'the identity token';
}

/**
 * Reads the token server's answer. REGISTRY_UNAUTHORIZED, REGISTRY_RATE_LIMITED, REGISTRY_FAILED,
 * REGISTRY_AUTH_UNUSABLE for an answer without a token.
 */
export function grantedToken(answer: BufferedResponse, asked: Asked): GrantedToken {
  const { about } = asked;
  const { status, bytes } = answer;
  if (status !== 200) throw refusal(answer, asked);
  const parsed = TokenAnswer.safeParse(jsonOf(bytes));
  const { fields = ['token', 'access_token'] } = asked;
  const token = fields.map((field) => parsed.data?.[field]).find(Boolean) ?? '';
  if (token === '') {
    const reason = `${answer.url.host} answers without a token`;
    throw new RegistryAuthUnusable({ ...about, reason });
  }
  return { token: new Secret(token), lifetimeSeconds: parsed.data?.expires_in };
}

function refusal(answer: BufferedResponse, { credential, about, secrets }: Asked) {
  const { status } = answer;
  const tokenServer = answer.url.host;
  const text = errorText(answer.bytes, secrets);
  // OAuth2 servers say 400 invalid_grant for a token that is no longer good.
  const isRefusedGrant = status === 400 && credential?.kind === 'identity-token';
  if (status === 401 || status === 403 || isRefusedGrant) {
    return new RegistryUnauthorized({ ...about, user: userOf(credential), tokenServer, text });
  }
  const said = `token server ${tokenServer}: ${text}`;
  if (status === 429) return new RegistryRateLimited({ ...about, status, text: said });
  if (status >= 500) return new RegistryFailed({ ...about, status, text: said });
  const reason = `${secrets.redact(answer.url.href)} answers with status ${status}`;
  return new RegistryAuthUnusable({ ...about, reason });
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return value;
  } catch {
    return undefined;
  }
}
