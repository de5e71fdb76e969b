import type { Descriptor } from '../../../oci/descriptor.ts';
import type { Amount, CopyCounts, Rewrite, TagChange } from './copy-job.ts';

/** Collects what happens while an image is copied. */
export class Tally {
  readonly copied = { blobs: 0, bytes: 0 };
  readonly mounted = { blobs: 0, bytes: 0 };
  readonly present = { blobs: 0, bytes: 0 };
  manifestsPut = 0;
  readonly tagChanges: TagChange[] = [];
  readonly rewrites: Rewrite[] = [];
  readonly #foreignLayers = new Map<string, Descriptor>();

  count(what: 'copied' | 'mounted' | 'present', sizeBytes: number): void {
    this[what].blobs += 1;
    this[what].bytes += sizeBytes;
  }

  leaveOut(layer: Descriptor): void {
    this.#foreignLayers.set(layer.digest, layer);
  }

  get foreignLayers(): readonly Descriptor[] {
    return [...this.#foreignLayers.values()];
  }

  get counts(): CopyCounts {
    const { copied, mounted, present, manifestsPut } = this;
    return { copied, mounted, present, manifestsPut };
  }
}

/** The sum of the counts of several images. */
export function sumOf(all: readonly CopyCounts[]): CopyCounts {
  return {
    copied: sumOfAmounts(all.map((counts) => counts.copied)),
    mounted: sumOfAmounts(all.map((counts) => counts.mounted)),
    present: sumOfAmounts(all.map((counts) => counts.present)),
    manifestsPut: all.reduce((sum, counts) => sum + counts.manifestsPut, 0),
  };
}

function sumOfAmounts(amounts: readonly Amount[]): Amount {
  return {
    blobs: amounts.reduce((sum, amount) => sum + amount.blobs, 0),
    bytes: amounts.reduce((sum, amount) => sum + amount.bytes, 0),
  };
}
