import type { RegistryRequest } from '../tools/running-registry.ts';

/** What a registry's log says about uploads. */
export interface Uploads {
  /** Digests of blobs that were sent whole, with repetitions. */
  readonly digests: readonly string[];
  /** Uploads that were opened and never finished. */
  readonly abandoned: number;
  /** Blobs that another repository gave without a byte moving. */
  readonly mounts: number;
}

const upload = /^\/v2\/.+\/blobs\/uploads\//;

/**
 * Reads uploads out of a log. `PUT .../uploads/5f0c?digest=sha256%3Aab... 201` ends one that
 * `POST .../uploads/ 202` began; `POST .../uploads/?mount=...&from=... 201` is a mount.
 */
export function readUploads(requests: readonly RegistryRequest[]): Uploads {
  const relevant = requests.filter(({ path }) => upload.test(path));
  const ended = relevant.filter(({ method, status }) => method === 'PUT' && status === 201);
  const begun = relevant.filter(({ method, status }) => method === 'POST' && status === 202);
  const mounts = relevant.filter(({ method, status }) => method === 'POST' && status === 201);
  return {
    digests: ended.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('digest') ?? ''),
    abandoned: begun.length - ended.length,
    mounts: mounts.length,
  };
}
