import { defineError } from '../shared/errors.ts';

/** A request would have reached a host that the Site does not allow, as the proxy of another or itself. */
export const ProofHostForbidden = defineError<{ host: string; proxyOf?: string }>({
  code: 'PROOF_HOST_FORBIDDEN',
  category: 'refused',
  message: ({ host }) => `${host} is not asked, since the Site does not allow it`,
  fix: ({ host }) =>
    `Serve the content from a registry of the Site, or add ${host} to "allow" in the Site.`,
  retry: false,
});

/** A platform that is not written as os/architecture[/variant]. */
export const ProofPlatformInvalid = defineError<{ platform: string }>({
  code: 'PROOF_PLATFORM_INVALID',
  category: 'usage',
  message: ({ platform }) => `"${platform}" is not a platform`,
  fix: () => 'Write os/architecture, for example linux/arm64.',
  retry: false,
});

/** The Lock was not made for a platform that was asked for. */
export const ProofPlatformUnknown = defineError<{
  platform: string;
  planned: readonly string[];
  hint: string;
}>({
  code: 'PROOF_PLATFORM_UNKNOWN',
  category: 'usage',
  message: ({ platform, planned, hint }) =>
    `the Lock is not for ${platform}, only for ${planned.join(', ')}${hint}`,
  fix: ({ platform }) =>
    `Give a platform of the Lock with --platform; or add ${platform} to "platforms" in the Release and plan again.`,
  retry: false,
});
