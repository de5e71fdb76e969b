/** References as `ctr` and containerd's Go client read them: almost any URL, and no defaults. */
import { posix } from 'node:path';
import { ReferenceInvalid } from '../errors.ts';
import { parseGoUrl } from '../go-url/parse.ts';

/** What `ctr` makes of a name. */
export interface CtrReference {
  readonly host: string;
  /** The same as `host` if there is no path. */
  readonly path: string;
  /** A tag, a tag with a digest, or `@digest`; empty if there is none. */
  readonly object: string;
}

/**
 * `quay.io/a:1@sha256:…` → `{ host: 'quay.io', path: 'a', object: '1@sha256:…' }`, and `nginx` →
 * host `nginx`. Throws REFERENCE_INVALID with the text of containerd or of Go's URL parser.
 * Source: containerd v2.3.4, pkg/reference, Parse.
 */
export function parseCtrReference(text: string): CtrReference {
  const refuse = (reason: string) => new ReferenceInvalid({ text, reason });
  if (text.includes('://')) throw refuse('invalid reference');
  const read = parseGoUrl(`dummy://${text}`);
  if (!read.ok) throw refuse(read.reason);
  const { host, path: whole } = read.url;
  if (host === '') throw refuse('hostname required');
  // Bytes that are no UTF-8 cannot be shown.
  const { path, object } = splitObject(whole.toWellFormed());
  const locator = joinPath(host.toWellFormed(), path);
  const slash = locator.indexOf('/');
  if (slash === -1) return { host: locator, path: locator, object };
  return { host: locator.slice(0, slash), path: locator.slice(slash + 1), object };
}

function splitObject(path: string): { path: string; object: string } {
  const at = path.search(/[:@]/);
  if (at === -1) return { path, object: '' };
  // The "@" stays, so that a digest can be told from a tag.
  return { path: path.slice(0, at), object: path.slice(path[at] === ':' ? at + 1 : at) };
}

/** Go's path.Join, which unlike Node's drops a slash at the end. */
function joinPath(host: string, path: string): string {
  const joined = posix.join(host, path);
  return joined.length > 1 && joined.endsWith('/') ? joined.slice(0, -1) : joined;
}
