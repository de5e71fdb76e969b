import type { TalosBehaviour } from '../behaviour.ts';
import type { Shape } from './check-shape.ts';

const auth = { username: 'text', password: 'text', auth: 'text', identityToken: 'text' } as const;
const head = { apiVersion: 'text', kind: 'text', name: 'text' } as const;

/**
 * `machine.registries` of the v1alpha1 configuration.
 * Source: siderolabs/talos pkg/machinery/config/types/v1alpha1/v1alpha1_types.go, RegistriesConfig.
 */
export function registriesShape(behaviour: Pick<TalosBehaviour, 'has'>): Shape {
  const mirror: Record<string, Shape> = { endpoints: { list: 'text' }, overridePath: 'flag' };
  if (behaviour.has('skip-fallback')) mirror['skipFallback'] = 'flag';
  const identity: Shape = { keys: { crt: 'base64', key: 'base64' } };
  const tls: Shape = {
    keys: { clientIdentity: identity, ca: 'base64', insecureSkipVerify: 'flag' },
  };
  return {
    keys: {
      mirrors: { each: { keys: mirror } },
      config: { each: { keys: { tls, auth: { keys: auth } } } },
    },
  };
}

/**
 * The documents about registries, by their kind.
 * Source: siderolabs/talos pkg/machinery/config/types/cri/registry_*.go.
 */
export const documentShapes: Readonly<Record<string, Shape>> = {
  RegistryMirrorConfig: {
    keys: {
      ...head,
      endpoints: { list: { keys: { url: 'text', overridePath: 'flag' } } },
      skipFallback: 'flag',
    },
  },
  RegistryAuthConfig: { keys: { ...head, ...auth } },
  RegistryTLSConfig: {
    keys: {
      ...head,
      clientIdentity: { keys: { cert: 'text', key: 'text' } },
      ca: 'text',
      insecureSkipVerify: 'flag',
    },
  },
};
