import { HUB, HUB_HOST, HUB_INDEX } from '../../../oci/docker-hub.ts';
import { readCriAuth } from '../../containerd/cri/cri-auth.ts';
import type { ConfiguredLogin } from '../../pull-chain.ts';
import type { K3sBehaviour } from '../behaviour.ts';
import type { Registries } from '../registries-file.ts';

/**
 * The login that registries.yaml holds for the host of an endpoint, as it comes into config.toml under
 * `registry.configs`; newer versions look Docker Hub up under all of its names.
 */
export function k3sLogin(
  { configs }: Registries,
  host: string,
  behaviour: K3sBehaviour,
  file: string,
): ConfiguredLogin | undefined {
  const isHub = host === HUB_HOST && behaviour.has('hub-login-by-any-name');
  for (const name of isHub ? [host, HUB, HUB_INDEX] : [host]) {
    const auth = configs.get(name)?.auth;
    if (auth === undefined) continue;
    const found = readCriAuth(
      {
        username: auth.username,
        password: auth.password.reveal(),
        auth: auth.auth.reveal(),
        identitytoken: auth.identityToken.reveal(),
      },
      host,
    );
    if (found.kind !== 'login') return undefined;
    const { line, column } = auth.at;
    return { ...found.login, origin: { file, line, column } };
  }
  return undefined;
}
