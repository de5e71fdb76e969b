import type { BlobStore } from '../content/ports.ts';
import type { LockedSource } from '../release/lock.ts';
import type { Run } from '../shared/run.ts';
import type { ResolvableSource } from './image-reader.ts';

/** The outside world as planning sees it. */
export interface PlanPorts {
  /** The repository that a source names. Connections and logins are shared by registry. */
  sourceOf(source: LockedSource): ResolvableSource;
  /** Size in bytes of a file on a server, without fetching it; undefined if the server does not say. */
  fileSize(url: string, run: Run): Promise<number | undefined>;
  /** Keeps manifests and configs between runs, so that nothing is read twice. */
  readonly cache: BlobStore;
}
