import type { LintedSite } from './runtime-rules.ts';

/**
 * Whether nodes of the place may ask a host: `quay.io` offline → false, unless the Site allows it. A host
 * without a port is asked over HTTPS; one that is allowed without a port is so over HTTP too.
 */
export function isInsideSite(site: LintedSite | undefined, host: string): boolean {
  if (site?.mode !== 'offline') return true;
  const asked = hasPort(host) ? host : `${host}:443`;
  return (site.allowedHosts ?? []).some((allowed) =>
    hasPort(allowed) ? allowed === asked : [`${allowed}:443`, `${allowed}:80`].includes(asked),
  );
}

function hasPort(host: string): boolean {
  return /(?:^[^:]+|\]):\d+$/.test(host);
}
