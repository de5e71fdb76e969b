import type { Digest } from '../oci/digest.ts';
import type { LockedSource } from '../release/lock.ts';
import type { Run } from '../shared/run.ts';
import type { ResolvableSource } from './image-reader.ts';

/** Keeps manifests and configs between runs, so that nothing is read twice. */
export interface ManifestCache {
  /** Nothing was kept by an earlier run, so there is nothing that asking for digests could save. */
  readonly isNew: boolean;
  /** The bytes, checked against their digest, or undefined. */
  find(digest: Digest): Promise<Uint8Array | undefined>;
  /** `bytes` were checked against `digest`. */
  keep(digest: Digest, bytes: Uint8Array): Promise<void>;
}

/** The outside world as planning sees it. */
export interface PlanPorts {
  /** The repository that a source names. Connections and logins are shared by registry. */
  sourceOf(source: LockedSource): ResolvableSource;
  /** Size in bytes of a file on a server, without fetching it; undefined if the server does not say. */
  fileSize(url: string, run: Run): Promise<number | undefined>;
  readonly cache: ManifestCache;
}
