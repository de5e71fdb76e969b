import type { Digest } from './digest.ts';

/**
 * An image reference in its full form, as Docker, containerd's CRI plugin and the kubelet read it.
 * `nginx` → `{ domain: 'docker.io', path: 'library/nginx' }`. `domain` is empty for the few names
 * whose first component is no host for the grammar, such as `registry_1.example.com/a`.
 * Source: distribution/reference; vectors in testdata/references.json.
 */
export interface Reference {
  readonly domain: string;
  readonly path: string;
  readonly tag?: string;
  readonly digest?: Digest;
}
