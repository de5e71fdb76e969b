/** C008: an endpoint whose path leads past the API of the registry. */

import { parseGoUrl } from '../../../oci/go-url/parse.ts';
import { redact } from '../../../shared/secret.ts';
import type { Noticed } from '../../finding.ts';
import type { MirrorEndpoint } from '../read/registries.ts';

/** With overridePath the path takes the place of `/v2`; without it `/v2` comes behind the path. */
export function pathFindings({ url, overridePath, origin }: MirrorEndpoint): readonly Noticed[] {
  const parsed = parseGoUrl(url);
  if (!parsed.ok || !/^https?$/.test(parsed.url.scheme)) return [];
  const { scheme, host } = parsed.url;
  const path = parsed.url.path.replace(/\/+$/, '');
  const words = overridePath
    ? overridden(path, `${scheme}://${host}`)
    : appended(path, `${scheme}://${host}`);
  return words === undefined ? [] : [{ rule: 'C008', origin, ...words }];
}

type Words = Pick<Noticed, 'message' | 'fix'>;

function overridden(path: string, host: string): Words | undefined {
  if (path.split('/').includes('v2')) return undefined;
  const message = `overridePath takes the path as it is: the mirror is asked at ${redact(`${host}${path}`)}, without /v2`;
  const fix =
    path === ''
      ? 'Remove overridePath, or write the path.'
      : `Write ${redact(`${host}/v2${path}`)}, unless the registry answers there without /v2.`;
  return { message, fix };
}

function appended(path: string, host: string): Words | undefined {
  if (!path.startsWith('/v2/') || path.endsWith('/v2')) return undefined;
  const message = `/v2 is appended again: the mirror is asked at ${redact(`${host}${path}`)}/v2`;
  return { message, fix: 'Write overridePath: true.' };
}
