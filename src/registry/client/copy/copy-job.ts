/** What to copy, how, and what came of it. */
import type { ImageSource, ImageTarget, Side } from '../../../content/ports.ts';
import type { Descriptor } from '../../../oci/descriptor.ts';
import type { Digest } from '../../../oci/digest.ts';
import type { Random } from '../../../shared/ports.ts';
import type { RetryPolicy } from '../../../shared/retry.ts';

/** One image from one place to another. */
export interface CopyJob {
  readonly source: ImageSource;
  /** Tag or digest at the source. */
  readonly reference: string;
  readonly target: ImageTarget;
  /** Names to give it at the target; none: it can be had there by digest only. */
  readonly tags: readonly string[];
  /**
   * Only these entries of an index and of indexes inside it, by digest, as a Lock names them: its bytes
   * stay the same, it becomes sparse (promise P1). The index's own digest may be among them; an image
   * that is no index is copied as it is.
   */
  readonly manifests?: ReadonlySet<Digest>;
  /**
   * Which repository of the target's registry is to hold a blob that several of them need; the
   * others mount it from there. So a run that was killed is continued without sending it again.
   */
  readonly homeOf?: (digest: Digest) => ImageTarget | undefined;
}

/** How to copy; all but the chance has a default. */
export interface CopyOptions {
  /** Spreads the repeats of broken transfers. */
  readonly random: Random;
  /** Images under way at the same time; 8. */
  readonly parallelImages?: number;
  /** Blobs moved or asked about at the same time, over all images; 8. */
  readonly parallelBlobs?: number;
  /**
   * When the target takes no sparse index: `fail` (the default) ends that image with
   * INDEX_SPARSE_REFUSED; `rewrite` makes an index of what is there, which has another digest.
   */
  readonly onSparseRefused?: 'fail' | 'rewrite';
  /**
   * Asks for every blob of an image even if its manifest is there. Needed to repair a target that
   * lost blobs; otherwise a manifest that is there stands for what it names.
   */
  readonly recheckBlobs?: boolean;
  /** For transfers that break after bytes have moved, which the layers below cannot repeat. */
  readonly retry?: RetryPolicy;
}

/** How many blobs, and their bytes. */
export interface Amount {
  readonly blobs: number;
  readonly bytes: number;
}

/** What happened to the blobs and manifests of an image or of a run. */
export interface CopyCounts {
  readonly copied: Amount;
  readonly mounted: Amount;
  /** Asked about and found at the target. Blobs known from earlier in the run are not asked about. */
  readonly present: Amount;
  /** Manifests and indexes that were put; a tag that is set counts as one. */
  readonly manifestsPut: number;
}

/** A tag that was set: it was not there or, with `before`, it named another image. */
export interface TagChange {
  readonly tag: string;
  readonly before?: Digest;
  readonly now: Digest;
}

/** An index that was written anew, since the target refused the sparse one. */
export interface Rewrite {
  readonly from: Digest;
  readonly to: Digest;
}

/** One thing that went wrong: at which end, at which repository, with which blob or manifest. */
export interface CopyFailure {
  readonly side: Side;
  readonly label: string;
  /** A tag or digest. */
  readonly object: string;
  readonly error: unknown;
}

interface OutcomeBase {
  readonly job: CopyJob;
  readonly counts: CopyCounts;
  /** Layers that were left out since their publisher does not let others redistribute them. */
  readonly foreignLayers: readonly Descriptor[];
}

/** How one image ended. */
export type CopyOutcome =
  | (OutcomeBase & {
      readonly kind: 'done';
      /** What the tags name at the target now. */
      readonly root: Descriptor;
      /** False if all of it was there before. */
      readonly isChanged: boolean;
      readonly tagChanges: readonly TagChange[];
      readonly rewrites: readonly Rewrite[];
    })
  | (OutcomeBase & { readonly kind: 'failed'; readonly failures: readonly CopyFailure[] });

/** All images in the order of the jobs. */
export interface CopyResult {
  readonly images: readonly CopyOutcome[];
  readonly totals: CopyCounts & { readonly done: number; readonly failed: number };
}
