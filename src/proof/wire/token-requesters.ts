import type { WireRules } from '../../mirrors/pull-chain.ts';
import {
  basicLogin,
  type TokenAsk,
  type TokenRequester,
  type WantedToken,
} from '../../registry/client/token-requester.ts';

/** How runtimes ask for tokens, by {@link WireRules.tokensBy}. */
export function tokenRequesterFor({ tokensBy }: Pick<WireRules, 'tokensBy'>): TokenRequester {
  return tokensBy === 'post' ? containerdTokens : basicTokens;
}

/** Registries that know no POST answer so, and are asked by GET. */
const withoutPost: ReadonlySet<number> = new Set([400, 401, 404, 405]);

/**
 * Tokens as containerd asks for them: with a password or an identity token by POST (OAuth2), and by GET
 * with Basic after some refusals; without a secret by GET. What a POST answers as `token` does not count.
 * Source: core/remotes/docker/authorizer.go and auth/fetch.go, 1.7 to 2.3 alike.
 */
const containerdTokens: TokenRequester = {
  sendsLoginsInClear: true,
  waitsForChallenge: true,
  request: (wanted) => (wanted.credential === undefined ? byGet(wanted) : byPost(wanted)),
  afterRefusal(wanted, status) {
    const { credential } = wanted;
    if (credential === undefined || !withoutPost.has(status)) return undefined;
    const isNamed = credential.kind === 'password';
    return status === 405 && !isNamed ? undefined : byGet(wanted);
  },
};

/**
 * Tokens as CRI-O, podman and Docker ask for them: by GET, with Basic where there is a password; an
 * identity token is sent by POST. Nothing is tried after a refusal.
 * Source: getBearerToken in go.podman.io/image docker/docker_client.go; fetchToken in distribution's
 * client/auth/session.go, which Docker uses.
 */
const basicTokens: TokenRequester = {
  sendsLoginsInClear: true,
  waitsForChallenge: true,
  request(wanted) {
    if (wanted.credential?.kind === 'identity-token') return byPost(wanted);
    return byGet(wanted);
  },
  afterRefusal: () => undefined,
};

function byPost({ realm, service = '', scopes, credential }: WantedToken): TokenAsk {
  const form = new URLSearchParams({
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    service,
    client_id: 'containerd-client',
  });
  if (credential?.kind === 'password') {
    form.set('grant_type', 'password');
    form.set('username', credential.username);
    form.set('password', credential.password.reveal());
  } else if (credential !== undefined) {
    form.set('grant_type', 'refresh_token');
    form.set('refresh_token', credential.token.reveal());
  }
  const type = 'application/x-www-form-urlencoded; charset=utf-8';
  return {
    request: {
      method: 'POST',
      url: realm,
      headers: { 'content-type': type },
      body: Buffer.from(form.toString()),
      authenticate: false,
    },
    fields: ['access_token'],
  };
}

function byGet({ realm, service = '', scopes, credential }: WantedToken): TokenAsk {
  const url = new URL(realm);
  if (service !== '') url.searchParams.append('service', service);
  for (const scope of scopes) url.searchParams.append('scope', scope);
  const login = loginOf(credential);
  return {
    request: {
      method: 'GET',
      url,
      ...(login !== undefined && { headers: { authorization: login } }),
      authenticate: false,
    },
    fields: ['access_token', 'token'],
  };
}

/** An identity token stands for the password of nobody. */
function loginOf(credential: WantedToken['credential']): string | undefined {
  if (credential === undefined) return undefined;
  return credential.kind === 'password'
    ? basicLogin(credential.username, credential.password)
    : basicLogin('', credential.token);
}
