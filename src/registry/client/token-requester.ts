import type { Secret } from '../../shared/secret.ts';
import type { Credential } from '../../trust/ports.ts';
import type { TransportRequest } from './transport.ts';

/** A token as it is wanted of a token server; `scopes` as they are written: `repository:a/b:pull`. */
export interface WantedToken {
  readonly realm: URL;
  readonly service: string | undefined;
  readonly scopes: readonly string[];
  readonly credential: Credential | undefined;
}

/** One request for a token, and the field of the answer that holds it; the first that is there counts. */
export interface TokenAsk {
  readonly request: TransportRequest;
  readonly fields: readonly ('token' | 'access_token')[];
}

/** `Basic dXNlcjpwYXNz`: a login as HTTP writes it. */
export function basicLogin(username: string, password: Secret): string {
  return `Basic ${Buffer.from(`${username}:${password.reveal()}`).toString('base64')}`;
}

/** How another program asks for tokens, for whoever finds out on its behalf what it would get. */
export interface TokenRequester {
  /** Sends a login to a token server without TLS even where the registry has TLS. */
  readonly sendsLoginsInClear: boolean;
  /** Asks for no token before the registry has said what it must allow. */
  readonly waitsForChallenge: boolean;
  request(wanted: WantedToken): TokenAsk;
  /** What it tries after the first request was refused with a status of 400 or more; undefined: nothing. */
  afterRefusal(wanted: WantedToken, status: number): TokenAsk | undefined;
}
