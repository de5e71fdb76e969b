import { defineError } from '../../shared/errors.ts';

/** The server could not get the address it was told to listen on. */
export const RegistryListenFailed = defineError<{
  host: string;
  port: number;
  reason: string;
  /** What the system calls it, such as EADDRINUSE. */
  system?: string | undefined;
}>({
  code: 'REGISTRY_LISTEN_FAILED',
  category: 'local',
  message: (d) => `the registry cannot listen on ${d.host}:${d.port}: ${d.reason}`,
  fix: (d) => {
    if (d.system === 'EACCES') {
      return 'Choose a port from 1024 up, such as 5000, or give this user the right to the lower ones (CAP_NET_BIND_SERVICE).';
    }
    if (d.system === 'EADDRNOTAVAIL') {
      return 'See the addresses of this machine with `ip address`; 0.0.0.0 means every one of them.';
    }
    return `See who holds the port with \`ss -ltnp 'sport = :${d.port}'\`, or choose another one; port 0 takes any free one.`;
  },
  retry: false,
});

/** The certificate or key that the server was given does not work. */
export const RegistryTlsInvalid = defineError<{ reason: string }>({
  code: 'REGISTRY_TLS_INVALID',
  category: 'input',
  message: (d) => `the registry cannot use its certificate and key: ${d.reason}`,
  fix: () =>
    'Both must be PEM text and belong together: compare `openssl x509 -noout -pubkey -in CERT` with `openssl pkey -pubout -in KEY`.',
  retry: false,
});

/** A file of the repository catalogue holds something else than we wrote. */
export const RepositoryStateDamaged = defineError<{ path: string; reason: string }>({
  code: 'REPOSITORY_STATE_DAMAGED',
  category: 'local',
  message: (d) => `the registry's file ${d.path} is damaged: ${d.reason}`,
  fix: (d) =>
    `Remove it (rm ${d.path}) and load the image again: slipway load sends what is missing.`,
  retry: false,
});

/** What a static registry was told to serve is not in the content it was given. */
export const StaticContentMissing = defineError<{ repository: string; digest: string }>({
  code: 'STATIC_CONTENT_MISSING',
  category: 'input',
  message: (d) => `the manifest ${d.digest} of ${d.repository} is not in the content to serve`,
  fix: () => 'The bundle is incomplete: slipway bundle verify names what is missing or changed.',
  retry: false,
});
