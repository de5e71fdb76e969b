/** A registry client for a test, closed when the test ends. */
import type { TestContext } from 'node:test';
import { openRegistry } from '../../src/registry/client/open-registry.ts';
import type { Registry } from '../../src/registry/client/registry.ts';
import type { ClientSettings, RegistryEndpoint } from '../../src/registry/client/settings.ts';
import { Secret } from '../../src/shared/secret.ts';
import type { Credential, CredentialSource } from '../../src/trust/ports.ts';
import { fakeWorld } from './fake-world.ts';

/** How the endpoint differs from an anonymous one without special trust. */
export type ClientOptions = Partial<Omit<RegistryEndpoint, 'url' | 'credentials'>> & {
  readonly credential?: Credential;
  readonly settings?: ClientSettings;
};

/** `openClient(t, server.url, { credential: passwordOf('ann', 'secret') })`; named `reg.test` unless given. */
export function openClient(t: TestContext, url: string, options: ClientOptions = {}): Registry {
  const { credential, settings, ...endpoint } = options;
  const credentials: CredentialSource = { credentialFor: async () => credential };
  const registry = openRegistry(
    { name: 'reg.test', trust: {}, ...endpoint, url, credentials },
    settings ?? fakeWorld().settings(),
  );
  t.after(() => registry.close());
  return registry;
}

/** A password credential. */
export function passwordOf(username: string, password: string): Credential {
  return { kind: 'password', username, password: new Secret(password) };
}
