/** The grammar of image references, in the two dialects that container runtimes use. */
import { isDigest } from './digest.ts';
import { ReferenceInvalid } from './errors.ts';
import type { Reference } from './reference.ts';

const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const hostName = `${label}(?:\\.${label})*`;
const ipv6 = '\\[[a-fA-F0-9:]+\\]';
const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const path = `${component}(?:/${component})*`;
const tag = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}';
// Wider than a digest, so that a wrong one gets an error about the digest.
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';

/** Where the parsers of two families of runtimes part ways. */
export interface Grammar {
  readonly host: string;
  readonly pattern: RegExp;
  /** The part that may have at most 255 characters. */
  readonly limited: (reference: Reference) => string;
}

function grammar(host: string, limited: Grammar['limited']): Grammar {
  const domain = `(?:${host})(?::[0-9]+)?`;
  const pattern = new RegExp(`^(?:(${domain})/)?(${path})(?::(${tag}))?(?:@(${digest}))?$`);
  return { host, pattern, limited };
}

/** Docker, containerd's CRI plugin, kubelet. Source: distribution/reference at 0965666. */
export const dockerGrammar = grammar(`${hostName}|${ipv6}`, (reference) => reference.path);

/** podman, CRI-O, skopeo. Source: containers/image v5.38.0, docker/reference. */
export const podmanGrammar = grammar(hostName, (reference) =>
  reference.domain === '' ? reference.path : `${reference.domain}/${reference.path}`,
);

const domainPattern = new RegExp(`^(?:${dockerGrammar.host})(?::[0-9]+)?$`);

/** True when `text` may stand before the first `/`: `test.com:5000` and `[::1]`, not `a_b.com`. */
export function isDomain(text: string): boolean {
  return domainPattern.test(text);
}

/** True for 64 hex digits, which Docker reads as the id of a local image. */
export function isImageId(text: string): boolean {
  return /^[a-f0-9]{64}$/.test(text);
}

/**
 * Reads a reference as it stands, without any default: `nginx` → `{ domain: '', path: 'nginx' }`.
 * Throws REFERENCE_INVALID about `written` (what the user wrote, if `text` was made from it), with
 * the reason in the words of the parser that is imitated.
 */
export function matchReference(text: string, by: Grammar, written = text): Reference {
  const refuse = (reason: string) => new ReferenceInvalid({ text: written, reason });
  const match = by.pattern.exec(text);
  if (match === null) throw refuse(mismatch(text, by));
  const [, domain = '', path = '', tag, digest] = match;
  const name = { domain, path };
  if (by.limited(name).length > 255) {
    throw refuse('repository name must not be more than 255 characters');
  }
  const tagged = tag === undefined ? name : { ...name, tag };
  if (digest === undefined) return tagged;
  if (!isDigest(digest)) throw refuse(wrongDigest(digest));
  return { ...tagged, digest };
}

function mismatch(text: string, by: Grammar): string {
  if (text === '') return 'repository name must have at least one component';
  if (by.pattern.test(text.toLowerCase())) return 'repository name must be lowercase';
  return 'invalid reference format';
}

const hexLength: ReadonlyMap<string, number> = new Map([
  ['sha256', 64],
  ['sha512', 128],
]);

/** Source: opencontainers/go-digest, Digest.Validate. */
function wrongDigest(text: string): string {
  const [algorithm = '', hex = ''] = text.split(':');
  const length = hexLength.get(algorithm);
  if (length !== undefined && hex.length !== length) return 'invalid checksum digest length';
  const wellFormed = /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*$/.test(algorithm);
  if (length !== undefined || !wellFormed) return 'invalid checksum digest format';
  return 'unsupported digest algorithm';
}
