import { formatOrigin } from '../../mirrors/finding.ts';
import type { PullEndpoint, WireRules } from '../../mirrors/pull-chain.ts';
import type { Run } from '../../shared/run.ts';
import { Secret } from '../../shared/secret.ts';
import type { Credential, CredentialSource } from '../../trust/ports.ts';

/** How a node logs in somewhere, and where that is written. */
export interface NodeLogin {
  readonly credential: Credential;
  /** `the pull secret for registry.k8s.io/pause`, `/etc/containerd/config.toml:12`. */
  readonly from: string;
}

/**
 * The pull secret with which the kubelet asks for an image. It is chosen by the name of the image,
 * not by the host of the mirror; whether a mirror is offered it differs by runtime.
 * Source: the kubelet's keyring; ParseAuth of containerd's CRI plugin.
 */
export async function pullSecretFor(
  repository: string,
  secrets: CredentialSource | undefined,
  run: Run,
): Promise<NodeLogin | undefined> {
  const credential = await secrets?.credentialFor(repository, run);
  if (credential === undefined) return undefined;
  return { credential, from: `the pull secret for ${repository}` };
}

/** The pull secret of an image, and to whom the runtime gives it. */
export interface OfferedSecret {
  readonly pullSecret: NodeLogin | undefined;
  /** `registry-1.docker.io` for docker.io. */
  readonly registryHost: string;
  readonly goesTo: WireRules['pullSecretGoesTo'];
}

/**
 * The login for one endpoint: with a pull secret that it is offered, the runtime does not look at its
 * own files.
 */
export function loginAt(
  { login, host }: PullEndpoint,
  { pullSecret, registryHost, goesTo }: OfferedSecret,
): NodeLogin | undefined {
  const isOffered = goesTo === 'every endpoint' || host === registryHost;
  if (pullSecret !== undefined && isOffered) return isEmpty(pullSecret) ? undefined : pullSecret;
  if (login === undefined || login.secret.equals(new Secret(''))) return undefined;
  const { username, secret, origin } = login;
  const credential: Credential =
    username === ''
      ? { kind: 'identity-token', token: secret }
      : { kind: 'password', username, password: secret };
  return { credential, from: formatOrigin(origin) };
}

/** Without a secret the runtime asks like anybody. */
function isEmpty({ credential }: NodeLogin): boolean {
  const secret = credential.kind === 'password' ? credential.password : credential.token;
  return secret.equals(new Secret(''));
}

/** The name that a login has for the registry. */
export function userOf({ credential }: NodeLogin): string {
  return credential.kind === 'password' ? credential.username : 'an identity token';
}

/** True when both give the registry the same. */
export function isSameCredential(a: Credential, b: Credential): boolean {
  if (a.kind === 'password') {
    return b.kind === 'password' && a.username === b.username && a.password.equals(b.password);
  }
  return b.kind === 'identity-token' && a.token.equals(b.token);
}
