/** Which mirror URLs dockerd takes; with another one in the list it does not start. */

import { quoteGo } from '../../../oci/dialects/go-quote.ts';
import { parseGoUrl } from '../../../oci/go-url/parse.ts';
import type { DockerBehaviour } from '../behaviour.ts';

/** Why a URL is refused. */
export type MirrorUrlFault = 'no-scheme' | 'no-url' | 'other-scheme' | 'query' | 'login';

/** The URL as it is used, with a slash at its end, or the daemon's reason against it. */
export type MirrorUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly fault: MirrorUrlFault; readonly reason: string };

/**
 * `https://m.example` → `https://m.example/`; `m.example` → `invalid mirror: no scheme specified …`.
 * Source: moby/moby daemon/pkg/registry/config.go, ValidateMirror.
 */
export function validateMirror(text: string, behaviour: Pick<DockerBehaviour, 'has'>): MirrorUrl {
  const refuse = (fault: MirrorUrlFault, reason: string): MirrorUrl => ({
    ok: false,
    fault,
    reason: `invalid mirror: ${reason}`,
  });
  const isApart = behaviour.has('scheme-said-apart');
  const must = isApart ? ": must use either 'https://' or 'http://'" : '';
  const hasScheme = text.indexOf('://') > 0;
  if (!hasScheme && isApart) {
    return refuse('no-scheme', `no scheme specified for ${quoteGo(text)}${must}`);
  }
  const parsed = parseGoUrl(text);
  if (!parsed.ok) {
    const fault = hasScheme ? 'no-url' : 'no-scheme';
    return refuse(fault, `${quoteGo(text)} is not a valid URI: ${parsed.reason}`);
  }
  const { scheme, login } = parsed.url;
  if (scheme !== 'http' && scheme !== 'https') {
    const fault = hasScheme ? 'other-scheme' : 'no-scheme';
    return refuse(fault, `unsupported scheme ${quoteGo(scheme)} in ${quoteGo(text)}${must}`);
  }
  if (/\?[^#]|#./.test(text)) {
    return refuse('query', `query or fragment at end of the URI ${quoteGo(text)}`);
  }
  if (login !== undefined) {
    const shown = text.replace(/\/\/([^:@/]*)(?::[^@/]*)?@/, '//$1:xxxxx@');
    return refuse('login', `username/password not allowed in URI ${quoteGo(shown)}`);
  }
  return { ok: true, url: `${text.replace(/\/$/, '')}/` };
}
