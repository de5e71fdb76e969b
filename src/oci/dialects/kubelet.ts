import { parseReference, repositoryName } from '../reference.ts';

/** An image as the kubelet passes it on: both tag and digest are kept. */
export interface KubeletImage {
  readonly repo: string;
  /** Empty if there is only a digest. */
  readonly tag: string;
  /** Empty if there is none. */
  readonly digest: string;
}

/**
 * `nginx` → `{ repo: 'docker.io/library/nginx', tag: 'latest', digest: '' }`.
 * Throws REFERENCE_INVALID. Source: kubernetes pkg/util/parsers, ParseImageName.
 */
export function parseKubeletImage(text: string): KubeletImage {
  const reference = parseReference(text);
  const digest = reference.digest ?? '';
  const tag = reference.tag ?? (digest === '' ? 'latest' : '');
  return { repo: repositoryName(reference), tag, digest };
}
