import { SingleFlight } from '../../../shared/bounded.ts';
import type { KnownSecrets } from '../../../shared/known-secrets.ts';
import type { Run } from '../../../shared/run.ts';
import { Secret } from '../../../shared/secret.ts';
import type { Credential } from '../../../trust/ports.ts';
import { RegistryAuthUnsafe, RegistryAuthUnusable } from '../errors.ts';
import type { ClientSettings, RegistryEndpoint } from '../settings.ts';
import { basicLogin, type TokenAsk } from '../token-requester.ts';
import type { BufferedResponse, Scope, TransportRequest } from '../transport.ts';
import { type Challenge, parseChallenges } from './challenge.ts';
import { formatScope, mergeScopes, parseScopes } from './scopes.ts';
import type { About } from './target.ts';
import { TokenCache } from './token-cache.ts';
import { grantedToken, type TokenServer, tokenRequest, userOf } from './token-request.ts';

/** How the registry wants to know us, once it has said so. */
type Scheme =
  | { readonly kind: 'basic' }
  | { readonly kind: 'bearer'; readonly server: TokenServer };

/** The request that needs an Authorization header. */
interface Need {
  readonly scopes: readonly Scope[];
  readonly about: About;
  readonly run: Run;
}

/** What an authorizer works with beside its registry. */
export interface AuthorizerWorld extends Pick<ClientSettings, 'clock' | 'userAgent'> {
  /** Whether the registry is spoken to over TLS. */
  readonly isTls: boolean;
  /** Told of every login and token before it is sent. */
  readonly secrets: KnownSecrets;
}

/** The one who fetched a token for all gave up; that is no reason for the others to do so. */
class Abandoned extends Error {}

/**
 * Knows what to send as Authorization. The first challenge of a registry is remembered, so that every
 * later request carries its proof at once; tokens are kept per scope and fetched once for all who wait.
 */
export class Authorizer {
  readonly #endpoint: RegistryEndpoint;
  readonly #world: AuthorizerWorld;
  readonly #tokens: TokenCache;
  readonly #flights = new SingleFlight<Secret>();
  readonly #credentials = new Map<string, Promise<Credential | undefined>>();
  readonly #ask: (request: TransportRequest, run: Run) => Promise<BufferedResponse>;
  #scheme: Scheme | undefined;

  constructor(
    endpoint: RegistryEndpoint,
    world: AuthorizerWorld,
    ask: (request: TransportRequest, run: Run) => Promise<BufferedResponse>,
  ) {
    this.#endpoint = endpoint;
    this.#world = world;
    this.#tokens = new TokenCache(world.clock);
    this.#ask = ask;
  }

  /** What to send with a request before the registry has asked; undefined: nothing. */
  async prepare(need: Need): Promise<Secret | undefined> {
    const scheme = this.#scheme;
    if (scheme === undefined) return undefined;
    if (scheme.kind === 'basic') return this.#basic(need);
    // Without known scopes a token would allow nothing; the challenge will name them.
    if (need.scopes.length === 0) return undefined;
    if (this.#endpoint.tokenRequester?.waitsForChallenge) return this.#tokens.find(need.scopes);
    return this.#bearer(scheme.server, need);
  }

  /** What to send instead of `sent` after a 401 with `challenge`; undefined if there is nothing better. */
  async answer(
    challenge: string | undefined,
    sent: Secret | undefined,
    need: Need,
  ): Promise<Secret | undefined> {
    const challenges = parseChallenges(challenge ?? '');
    const chosen = this.#choose(challenges, need.about);
    if (chosen === undefined) return undefined;
    this.#scheme = chosen.scheme;
    if (chosen.scheme.kind === 'basic') return this.#basicAgain(sent, need);
    const scopes = mergeScopes(need.scopes, parseScopes(chosen.parameters['scope'] ?? ''));
    if (sent !== undefined) this.#tokens.drop(sent);
    return this.#bearer(chosen.scheme.server, { ...need, scopes });
  }

  /** Who the registry knows us as, for messages. */
  async user(need: Need): Promise<string | undefined> {
    return userOf(await this.#credential(need));
  }

  /** Bearer is preferred: it keeps the password away from the registry's own access log. */
  #choose(
    challenges: readonly Challenge[],
    about: About,
  ): { scheme: Scheme; parameters: Challenge['parameters'] } | undefined {
    const bearer = challenges.find(({ scheme }) => scheme === 'bearer');
    if (bearer !== undefined) {
      const server = tokenServer(bearer.parameters, about, this.#world.secrets);
      return { scheme: { kind: 'bearer', server }, parameters: bearer.parameters };
    }
    const isBasic = challenges.some(({ scheme }) => scheme === 'basic');
    if (isBasic) return { scheme: { kind: 'basic' }, parameters: {} };
    const [other] = challenges;
    if (other === undefined) return undefined;
    const scheme = this.#world.secrets.redact(other.scheme);
    const reason = `it wants the scheme ${scheme}; Slipway speaks Basic and Bearer`;
    throw new RegistryAuthUnusable({ ...about, reason });
  }

  async #basic(need: Need): Promise<Secret | undefined> {
    const credential = await this.#credential(need);
    if (credential?.kind !== 'password') return undefined;
    return new Secret(basicLogin(credential.username, credential.password));
  }

  /** The same password again would be refused again, unless a credential helper has a newer one. */
  async #basicAgain(sent: Secret | undefined, need: Need): Promise<Secret | undefined> {
    if (sent !== undefined) this.#credentials.delete(credentialKey(this.#endpoint, need));
    const header = await this.#basic(need);
    return header?.reveal() === sent?.reveal() ? undefined : header;
  }

  async #bearer(server: TokenServer, need: Need): Promise<Secret> {
    const known = this.#tokens.find(need.scopes);
    if (known !== undefined) return known;
    const key = need.scopes.map(formatScope).join(' ');
    for (;;) {
      try {
        return await this.#flights.run(key, () => this.#fetchForAll(server, need));
      } catch (error) {
        need.run.signal.throwIfAborted();
        if (!(error instanceof Abandoned)) throw error;
      }
    }
  }

  async #fetchForAll(server: TokenServer, need: Need): Promise<Secret> {
    try {
      return await this.#fetch(server, need);
    } catch (error) {
      throw need.run.signal.aborted ? new Abandoned() : error;
    }
  }

  async #fetch(server: TokenServer, need: Need): Promise<Secret> {
    const { scopes, about } = need;
    const credential = await this.#credential(need);
    const isPlain = server.realm.protocol === 'http:';
    const isSafe = !isPlain || this.#endpoint.tokenRequester?.sendsLoginsInClear === true;
    if (!isSafe && this.#world.isTls && credential !== undefined) {
      throw new RegistryAuthUnsafe({ ...about, realm: server.realm.origin });
    }
    const { answer, fields } = await this.#askForToken(server, credential, need);
    const { secrets } = this.#world;
    const granted = grantedToken(answer, { credential, about, secrets, fields });
    secrets.add(granted.token);
    const header = new Secret(`Bearer ${granted.token.reveal()}`);
    this.#tokens.keep(scopes, header, granted.lifetimeSeconds);
    return header;
  }

  async #askForToken(server: TokenServer, credential: Credential | undefined, need: Need) {
    const { scopes, about, run } = need;
    const purpose = `getting a token for ${about.purpose}`;
    const send = ({ request, fields }: Partial<TokenAsk> & Pick<TokenAsk, 'request'>) => {
      const headers = { ...this.#tokenHeaders(), ...request.headers };
      return this.#ask({ ...request, headers, purpose }, run).then((answer) => ({
        answer,
        fields,
      }));
    };
    const { tokenRequester } = this.#endpoint;
    if (tokenRequester === undefined) {
      return send({ request: tokenRequest(server, scopes, credential, this.#world.userAgent) });
    }
    const wanted = { ...server, scopes: scopes.map(formatScope), credential };
    const first = await send(tokenRequester.request(wanted));
    const { status } = first.answer;
    const next = status < 400 ? undefined : tokenRequester.afterRefusal(wanted, status);
    return next === undefined ? first : send(next);
  }

  /** A login in the token request itself wins over a header of the same name. */
  #tokenHeaders(): Record<string, string> {
    const headers = [...(this.#endpoint.tokenHeaders ?? [])];
    for (const [, value] of headers) this.#world.secrets.add(value);
    return Object.fromEntries(headers.map(([name, value]) => [name, value.reveal()]));
  }

  /** Asked once per repository: a source may start a credential helper for each answer. */
  #credential(need: Need): Promise<Credential | undefined> {
    const key = credentialKey(this.#endpoint, need);
    const known = this.#credentials.get(key);
    if (known !== undefined) return known;
    const asked = this.#learn(key, need.run);
    this.#credentials.set(key, asked);
    asked.catch(() => this.#credentials.delete(key));
    return asked;
  }

  async #learn(key: string, run: Run): Promise<Credential | undefined> {
    const credential = await this.#endpoint.credentials?.credentialFor(key, run);
    if (credential?.kind === 'password') {
      this.#world.secrets.add(credential.password, credential.username);
    } else if (credential !== undefined) this.#world.secrets.add(credential.token);
    return credential;
  }
}

/** `quay.io/team/app`: the repository that is written to, or the first that is read. */
function credentialKey(endpoint: RegistryEndpoint, { scopes }: Need): string {
  const repositories = scopes.filter(({ type }) => type === 'repository');
  const main = repositories.find(({ actions }) => actions.includes('push')) ?? repositories[0];
  return main === undefined ? endpoint.name : `${endpoint.name}/${main.name}`;
}

function tokenServer(
  parameters: Challenge['parameters'],
  about: About,
  secrets: KnownSecrets,
): TokenServer {
  const text = parameters['realm'] ?? '';
  const realm = URL.parse(text);
  if (realm === null || !/^https?:$/.test(realm.protocol)) {
    const reason = `the realm ${JSON.stringify(secrets.redact(text))} of its challenge is no http or https URL`;
    throw new RegistryAuthUnusable({ ...about, reason });
  }
  return { realm, service: parameters['service'] };
}
