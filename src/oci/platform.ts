import { z } from 'zod';

/**
 * What an image runs on, as an index writes it.
 * Source: https://github.com/opencontainers/image-spec/blob/main/image-index.md
 */
export const Platform = z.looseObject({
  os: z.string(),
  architecture: z.string(),
  variant: z.string().optional(),
  'os.version': z.string().optional(),
  'os.features': z.array(z.string()).optional(),
});
export type Platform = z.infer<typeof Platform>;

/** `{ os: 'linux', architecture: 'arm', variant: 'v7' }` → `linux/arm/v7`. */
export function formatPlatform(platform: Platform): string {
  const parts = [platform.os, platform.architecture];
  if (platform.variant !== undefined && platform.variant !== '') parts.push(platform.variant);
  return parts.join('/');
}

/** `linux/arm64` → `{ os, architecture }`; undefined for text that is not os/architecture[/variant]. */
export function parsePlatform(text: string): Platform | undefined {
  const match = /^([a-z0-9]+)\/([a-z0-9_]+)(?:\/([a-z0-9]+(?:\.[a-z0-9]+)*))?$/.exec(text);
  if (match === null) return undefined;
  const [, os = '', architecture = '', variant] = match;
  return variant === undefined ? { os, architecture } : { os, architecture, variant };
}

/** A platform as documents write it: `linux/arm64`, which {@link parsePlatform} reads. */
export const PlatformText = z
  .string()
  // Not .regex(): the pattern would fill the JSON Schema and the reference without helping anybody.
  .refine((text) => parsePlatform(text) !== undefined, {
    error: 'is not a platform',
    params: { code: 'PLATFORM_INVALID', hint: 'write os/architecture, e.g. linux/amd64' },
  });

/**
 * True when a node of platform `wanted` runs an image made for `offered`. `linux/arm64` and
 * `linux/arm64/v8` are the same machine; for other architectures the variant must be equal if
 * both name one. Source: containerd platforms, normalised forms.
 */
export function platformMatches(wanted: Platform, offered: Platform): boolean {
  if (wanted.os !== offered.os || wanted.architecture !== offered.architecture) return false;
  const [want, offer] = [variantOf(wanted), variantOf(offered)];
  return want === undefined || offer === undefined || want === offer;
}

/** True for two spellings of one platform: `linux/arm64` and `linux/arm64/v8`, not `linux/arm` and `linux/arm/v7`. */
export function isSamePlatform(a: Platform, b: Platform): boolean {
  return a.os === b.os && a.architecture === b.architecture && variantOf(a) === variantOf(b);
}

function variantOf(platform: Platform): string | undefined {
  if (platform.architecture === 'arm64') return platform.variant ?? 'v8';
  return platform.variant === '' ? undefined : platform.variant;
}
