import { join } from 'node:path';
import type { CredentialHelper } from './credential-helper.ts';
import { dockerConfigCredentials } from './docker-config.ts';
import type { CredentialSource } from './ports.ts';

/** Where login files may lie, from the environment; read by the composition root. */
export interface LoginFilePlaces {
  readonly home?: string | undefined;
  /** REGISTRY_AUTH_FILE: then no other place counts. */
  readonly registryAuthFile?: string | undefined;
  /** DOCKER_CONFIG: the folder with `config.json`. */
  readonly dockerConfig?: string | undefined;
  readonly xdgRuntimeDir?: string | undefined;
  readonly xdgConfigHome?: string | undefined;
}

/** No login for anybody. */
export const anonymous: CredentialSource = { credentialFor: () => Promise.resolve(undefined) };

/**
 * The login files of this user in the order in which they are asked: docker's, then podman's.
 * `{ home: '/home/a' }` → `/home/a/.docker/config.json`, `/home/a/.config/containers/auth.json`.
 */
export function loginFiles(places: LoginFilePlaces): readonly string[] {
  const { home, registryAuthFile, dockerConfig, xdgRuntimeDir, xdgConfigHome } = places;
  if (registryAuthFile) return [registryAuthFile];
  const docker = dockerConfig || (home && join(home, '.docker'));
  const config = xdgConfigHome || (home && join(home, '.config'));
  return [
    ...(docker ? [join(docker, 'config.json')] : []),
    ...(xdgRuntimeDir ? [join(xdgRuntimeDir, 'containers', 'auth.json')] : []),
    ...(config ? [join(config, 'containers', 'auth.json')] : []),
  ];
}

/** The logins of this user; a file named by REGISTRY_AUTH_FILE must exist. */
export function userCredentials(
  places: LoginFilePlaces,
  helper: CredentialHelper,
): CredentialSource {
  const required = Boolean(places.registryAuthFile);
  const files = loginFiles(places);
  return firstOf(files.map((path) => dockerConfigCredentials(path, helper, { required })));
}

/** Asks the sources in order until one has a login. */
function firstOf(sources: readonly CredentialSource[]): CredentialSource {
  return {
    async credentialFor(registry, run) {
      for (const source of sources) {
        const found = await source.credentialFor(registry, run);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}
