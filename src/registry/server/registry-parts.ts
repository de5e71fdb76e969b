import type { BlobFinder, BlobIngester, BlobReader, BlobWriter } from '../../content/ports.ts';
import type { Slots } from '../../shared/slots.ts';
import type { LoginRules } from './login-gate.ts';
import type { ManifestCache } from './manifest-cache.ts';
import type { ManifestRoom } from './manifest-room.ts';
import type { RepositoryReader, RepositoryStore } from './ports.ts';
import type { PullRoom } from './pull-room.ts';
import type { TransferLimits, Transfers } from './transfers.ts';
import type { UploadLimits, UploadSessions } from './upload-sessions.ts';

/** A registry that can be pulled from. */
export interface ReadOnlyStorage {
  readonly access: 'read-only';
  readonly content: BlobReader & BlobFinder;
  readonly repositories: RepositoryReader;
}

/** A registry that can be pushed to as well. */
export interface WritableStorage {
  readonly access: 'read-write';
  readonly content: BlobReader & BlobFinder & BlobWriter & BlobIngester;
  readonly repositories: RepositoryStore;
}

/** Where a registry keeps its bytes, and which repository holds which of them. */
export type RegistryStorage = ReadOnlyStorage | WritableStorage;

/** Limits of a registry; {@link defaultLimits} are for sites, tests choose smaller ones. */
export interface RegistryLimits extends TransferLimits, UploadLimits {
  /** Longest request path with query, in characters. */
  readonly maxUrlLength: number;
  /** Names in one page of a list when the client does not say. */
  readonly maxPage: number;
  /** Memory for small manifests that are asked for often. */
  readonly manifestCacheBytes: number;
  /** Memory for the bodies of manifests that are being pushed. */
  readonly manifestRoomBytes: number;
  /** Memory for blobs that are being pulled, as long as there are fewer than four thousand of them. */
  readonly pullRoomBytes: number;
  /** Lists that are made at the same time: each holds all names of a repository in memory. */
  readonly parallelLists: number;
}

/** The limits that hold unless others are given. */
export const defaultLimits: RegistryLimits = {
  maxOpenUploads: 1024,
  uploadIdleMs: 60 * 60 * 1000,
  maxTransfers: 256,
  slowBytesPerSecond: 1024,
  slowAfterMs: 10_000,
  maxUrlLength: 8 * 1024,
  maxPage: 10_000,
  manifestCacheBytes: 64 * 1024 * 1024,
  manifestRoomBytes: 32 * 1024 * 1024,
  pullRoomBytes: 64 * 1024 * 1024,
  parallelLists: 4,
};

/** How a registry behaves. */
export interface RegistryOptions {
  readonly storage: RegistryStorage;
  /** No logins at all unless given. */
  readonly login?: LoginRules;
  /** Refuses writes with this reason, although the storage would take them. */
  readonly readOnlyBecause?: string;
  /** Allows deletes; true unless given. */
  readonly mayDelete?: boolean;
  /** Takes an index whose manifests are not all here (promise P1); true unless given. */
  readonly acceptSparseIndexes?: boolean;
  /** Makes Location headers absolute: `https://registry.site.example`. Relative unless given. */
  readonly externalUrl?: string;
  readonly limits?: Partial<RegistryLimits>;
}

/** What the endpoints work with, made once for a registry. */
export interface RegistryParts {
  readonly content: BlobReader & BlobFinder;
  readonly repositories: RepositoryReader;
  readonly writable:
    | { readonly storage: WritableStorage; readonly uploads: UploadSessions }
    | { readonly refusedBecause: string };
  readonly cache: ManifestCache;
  readonly limits: RegistryLimits;
  readonly mayDelete: boolean;
  readonly acceptSparseIndexes: boolean;
  /** `/v2/app/blobs/…` → the same, or an absolute URL. */
  readonly locate: (path: string) => string;
  readonly transfers: Transfers;
  readonly manifestRoom: ManifestRoom;
  readonly pullRoom: PullRoom;
  readonly lists: Slots;
}
