/** References read without completing them, or as something that may also be an image id. */
import { isDigest } from '../digest.ts';
import { formatReference, parseReference, type Reference } from '../reference.ts';
import { dockerGrammar, isImageId, matchReference } from '../reference-grammar.ts';

/**
 * Reads a reference without docker.io, library/ or latest: `nginx` → `{ domain: '', path: 'nginx' }`.
 * Throws REFERENCE_INVALID. Source: distribution/reference, Parse.
 */
export function parseWithoutDefaults(text: string): Reference {
  return matchReference(text, dockerGrammar);
}

/**
 * The full text of a reference, or the digest if `text` is the id of a local image: 64 hex digits
 * or a digest. `sha256:…` → itself, where parseReference sees an image called sha256.
 * Throws REFERENCE_INVALID. Source: distribution/reference, ParseAnyReference.
 */
export function parseAnyReference(text: string): string {
  if (isImageId(text)) return `sha256:${text}`;
  return isDigest(text) ? text : formatReference(parseReference(text));
}
