import { formatOrigin } from '../../mirrors/finding.ts';
import type { PullEndpoint } from '../../mirrors/pull-chain.ts';
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
 * not by the host of the mirror, and then offered to whichever endpoint wants a login.
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

/** The login for one endpoint: with a pull secret, the runtime does not look at its own files. */
export function loginAt(
  { login }: PullEndpoint,
  pullSecret: NodeLogin | undefined,
): NodeLogin | undefined {
  if (pullSecret !== undefined) return isEmpty(pullSecret) ? undefined : pullSecret;
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
