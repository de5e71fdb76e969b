/** Which endpoint a request path names. Repository names hold slashes, so it is read from its end. */
import { type Digest, isDigest } from '../../oci/digest.ts';
import { type Refusal, refuse } from './refusal.ts';

/** A manifest's name within its repository. `invalid` can never exist, but may be asked for. */
export type ManifestReference =
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'digest'; readonly digest: Digest }
  | { readonly kind: 'invalid'; readonly text: string };

/** An endpoint with its parameters, all of them checked. */
export type Route =
  | { readonly kind: 'base' }
  | { readonly kind: 'catalogue' }
  | { readonly kind: 'tags'; readonly repository: string }
  | {
      readonly kind: 'manifest';
      readonly repository: string;
      readonly reference: ManifestReference;
    }
  | { readonly kind: 'blob'; readonly repository: string; readonly digest: Digest }
  | { readonly kind: 'uploads'; readonly repository: string }
  | { readonly kind: 'upload'; readonly repository: string; readonly id: string }
  | { readonly kind: 'referrers'; readonly repository: string; readonly digest: Digest };

const namePattern =
  /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const tagPattern = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;
const maxNameLength = 255;

/** True for `library/nginx`: the specification's grammar, at most 255 characters. */
export function isRepositoryName(text: string): boolean {
  return text.length <= maxNameLength && namePattern.test(text);
}

/** True for `v1.2_3`: the specification's grammar, at most 128 characters. */
export function isTag(text: string): boolean {
  return tagPattern.test(text);
}

/**
 * `/v2/library/nginx/manifests/latest` → `{ kind: 'manifest', repository: 'library/nginx', … }`.
 *
 * `path` is without its query. Undefined: no such endpoint. Throws a {@link Refusal} with
 * NAME_INVALID or DIGEST_INVALID.
 * Source: https://github.com/opencontainers/distribution-spec/blob/main/spec.md#endpoints
 */
export function parseRoute(path: string): Route | undefined {
  if (path === '/v2/' || path === '/v2') return { kind: 'base' };
  if (!path.startsWith('/v2/')) return undefined;
  const parts = decoded(path.slice('/v2/'.length)).split('/');
  if (parts.length === 1) return parts[0] === '_catalog' ? { kind: 'catalogue' } : undefined;
  return uploadRoute(parts) ?? contentRoute(parts);
}

function uploadRoute(parts: readonly string[]): Route | undefined {
  const [third, second, last] = [parts.at(-3), parts.at(-2), parts.at(-1) ?? ''];
  if (second === 'blobs' && last === 'uploads') {
    return { kind: 'uploads', repository: nameBefore(parts, 2) };
  }
  if (third !== 'blobs' || second !== 'uploads') return undefined;
  const repository = nameBefore(parts, 3);
  return last === '' ? { kind: 'uploads', repository } : { kind: 'upload', repository, id: last };
}

function contentRoute(parts: readonly string[]): Route | undefined {
  const last = parts.at(-1) ?? '';
  switch (parts.at(-2) ?? '') {
    case 'manifests':
      return { kind: 'manifest', repository: nameBefore(parts, 2), reference: referenceOf(last) };
    case 'blobs':
      return { kind: 'blob', repository: nameBefore(parts, 2), digest: digestParameter(last) };
    case 'referrers':
      return { kind: 'referrers', repository: nameBefore(parts, 2), digest: digestParameter(last) };
    case 'tags':
      return last === 'list' ? { kind: 'tags', repository: nameBefore(parts, 2) } : undefined;
    default:
      return undefined;
  }
}

function nameBefore(parts: readonly string[], count: number): string {
  const name = parts.slice(0, -count).join('/');
  if (isRepositoryName(name)) return name;
  throw refuse(400, 'NAME_INVALID', `${JSON.stringify(name)} is not a repository name`, { name });
}

function referenceOf(text: string): ManifestReference {
  if (isTag(text)) return { kind: 'tag', tag: text };
  if (text.includes(':')) return { kind: 'digest', digest: digestParameter(text) };
  return { kind: 'invalid', text };
}

/** A digest from a path or query; throws a {@link Refusal} with DIGEST_INVALID. */
export function digestParameter(text: string): Digest {
  if (isDigest(text)) return text;
  throw refuse(400, 'DIGEST_INVALID', `${JSON.stringify(text)} is not a sha256 or sha512 digest`, {
    digest: text,
  });
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw badEscape();
  }
}

function badEscape(): Refusal {
  return refuse(400, 'NAME_INVALID', 'the path has a % that is not followed by an escape');
}
