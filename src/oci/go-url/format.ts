import { toBytes } from './bytes.ts';
import { escapePart, unescapePart, writtenPart } from './escape.ts';
import type { GoUrl } from './parse.ts';

/**
 * The URL as Go's URL.String writes it: paths as they were written where that is valid, hosts with escapes,
 * and the login in clear.
 */
export function formatGoUrl(url: GoUrl): string {
  const scheme = url.scheme === '' ? '' : `${url.scheme}:`;
  const query = url.query === undefined ? '' : `?${url.query}`;
  const address = url.opaque === '' ? addressOf(url) : url.opaque;
  return `${scheme}${address}${query}${fragmentOf(url)}`;
}

function addressOf(url: GoUrl): string {
  const authority = authorityOf(url);
  const path = pathOf(url);
  const slash = url.host !== '' && path !== '' && !path.startsWith('/') ? '/' : '';
  // What stands before the first colon would be taken for a scheme.
  const dot = url.scheme === '' && authority === '' && /^[^/]*:/.test(path) ? './' : '';
  return `${authority}${slash}${dot}${path}`;
}

function authorityOf({ scheme, host, login, path, hasAuthority }: GoUrl): string {
  if (host === '' && login === undefined && (scheme === '' || !hasAuthority)) return '';
  if (host === '' && login === undefined && path === '') return '';
  return `//${login === undefined ? '' : `${login.reveal()}@`}${escapePart(toBytes(host), 'host')}`;
}

/** A path that was changed after parsing is written in the usual way. */
function pathOf({ path, writtenPath }: GoUrl): string {
  const bytes = toBytes(path);
  const before = toBytes(writtenPath);
  return writtenPart(unescapePart(before, 'path') === bytes ? before : '', bytes, 'path');
}

function fragmentOf({ writtenFragment }: GoUrl): string {
  const bytes = toBytes(writtenFragment);
  return bytes === '' ? '' : `#${writtenPart(bytes, unescapePart(bytes, 'fragment'), 'fragment')}`;
}
