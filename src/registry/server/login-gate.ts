import type { IncomingMessage } from 'node:http';
import { Secret } from '../../shared/secret.ts';
import { Refusal, tooMany } from './refusal.ts';

/** Says whether a user's password is right; `trust/login-verifier.ts` does it for htpasswd files. */
export interface LoginVerifier {
  verify(username: string, password: Secret): Promise<boolean>;
}

/** Who may do what. */
export interface LoginRules {
  readonly logins: LoginVerifier;
  /** Reads need no login; writes always do. */
  readonly anonymousRead?: boolean;
  /**
   * With `anonymousRead`: `/v2/` still asks for a login. Docker looks for a login there only, so
   * without this it cannot push, and with it it cannot pull without one. Others can do both.
   */
  readonly challengeOnPing?: boolean;
  /** Shown by clients that ask a person for the password; `slipway` unless given. */
  readonly realm?: string;
}

/** What a request wants to do. */
export type Access = 'read' | 'write' | 'ping';

const maxPendingLogins = 64;

/**
 * Lets requests pass that may. `admit` resolves with the user's name, or undefined for anonymous
 * ones, and throws a refusal with UNAUTHORIZED, or TOOMANYREQUESTS when too many logins are being
 * checked at the same time (a bcrypt costs 50 ms of processor time and more).
 */
export class LoginGate {
  readonly #rules: LoginRules | undefined;
  #pending = 0;

  constructor(rules: LoginRules | undefined) {
    this.#rules = rules;
  }

  /** The challenge that anonymous answers to `/v2/` carry, so that clients know of the login. */
  get challenge(): Readonly<Record<string, string>> {
    if (this.#rules === undefined) return {};
    const realm = (this.#rules.realm ?? 'slipway').replaceAll(/["\\\p{Cc}]/gu, '');
    return { 'www-authenticate': `Basic realm="${realm}", charset="UTF-8"` };
  }

  async admit(request: IncomingMessage, access: Access): Promise<string | undefined> {
    if (this.#rules === undefined) return undefined;
    const header = request.headers.authorization;
    const login = header === undefined ? undefined : parseBasic(header);
    if (login === undefined && (header === undefined || isEmptyLogin(header))) {
      if (this.#mayBeAnonymous(this.#rules, access)) return undefined;
      throw this.#unauthorized('this registry asks for a user and a password');
    }
    if (login === undefined) throw this.#unauthorized('this registry takes basic logins only');
    if (await this.#verify(this.#rules, login)) return login.username;
    throw this.#unauthorized('wrong user or password');
  }

  #mayBeAnonymous(rules: LoginRules, access: Access): boolean {
    if (rules.anonymousRead !== true) return false;
    return access === 'read' || (access === 'ping' && rules.challengeOnPing !== true);
  }

  async #verify(rules: LoginRules, { username, password }: BasicLogin): Promise<boolean> {
    if (this.#pending >= maxPendingLogins) throw tooMany('too many logins at the same time', 1);
    this.#pending += 1;
    try {
      return await rules.logins.verify(username, password);
    } finally {
      this.#pending -= 1;
    }
  }

  #unauthorized(message: string): Refusal {
    return new Refusal(401, [{ code: 'UNAUTHORIZED', message }], this.challenge);
  }
}

interface BasicLogin {
  readonly username: string;
  readonly password: Secret;
}

/** https://www.rfc-editor.org/rfc/rfc7617; a password may hold colons, a user name may not. */
function parseBasic(header: string): BasicLogin | undefined {
  const encoded = /^basic +([a-z0-9+/=_-]+) *$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  return { username: text.slice(0, colon), password: new Secret(text.slice(colon + 1)) };
}

/** skopeo and podman send an empty user and password when they have none. */
function isEmptyLogin(header: string): boolean {
  return /^basic +Og== *$/i.test(header);
}
