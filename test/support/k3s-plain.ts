import type { Registries } from '../../src/mirrors/k3s/registries-file.ts';
import { compareText } from '../../src/shared/json.ts';

type Plain = Record<string, unknown>;

/**
 * A decoded registries.yaml as Go's encoding/json writes it: sorted by name, what is empty left out.
 * Secrets are in it.
 */
export function plainRegistries({ mirrors, configs }: Registries): Plain {
  return {
    ...filled({
      mirrors: plainMap(mirrors, ({ endpoints, rewrites }) =>
        filled({
          endpoint: endpoints.map(({ value }) => value),
          rewrite: plainMap(rewrites, ({ value }) => value),
        }),
      ),
      configs: plainMap(configs, ({ auth, tls }) => ({
        ...(auth && {
          auth: filled({
            username: auth.username,
            password: auth.password.reveal(),
            auth: auth.auth.reveal(),
            identity_token: auth.identityToken.reveal(),
          }),
        }),
        ...(tls && {
          tls: filled({
            ca_file: tls.caFile,
            cert_file: tls.certFile,
            key_file: tls.keyFile,
            insecure_skip_verify: tls.skipVerify,
          }),
        }),
      })),
    }),
  };
}

function plainMap<T>(map: ReadonlyMap<string, T>, plain: (value: T) => unknown): Plain {
  const sorted = [...map].sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(sorted.map(([key, value]) => [key, plain(value)]));
}

function filled(record: Plain): Plain {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (value === '' || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
