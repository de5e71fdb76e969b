import type { BundleSources } from '../../src/bundle/create-bundle.ts';
import { bytesOf } from '../../src/content/byte-streams.ts';
import { BlobNotFound } from '../../src/content/errors.ts';
import type { BlobRef } from '../../src/oci/descriptor.ts';
import type { Digest } from '../../src/oci/digest.ts';
import { bytesOfSample, type SampleLock } from './sample-lock.ts';

/** The sample's registries in memory; `asked` lists what was fetched, `missing` is not given out. */
export class SampleSources implements BundleSources {
  readonly asked: string[] = [];
  readonly missing = new Set<Digest>();
  readonly #sample: SampleLock;

  constructor(sample: SampleLock) {
    this.#sample = sample;
  }

  repositoryOf({ registry, repository }: { registry: string; repository: string }) {
    const label = `${registry}/${repository}`;
    const give = (blob: BlobRef) => {
      this.asked.push(`${label} ${blob.digest}`);
      if (this.missing.has(blob.digest)) {
        throw new BlobNotFound({ side: 'source', label, digest: blob.digest });
      }
      return bytesOfSample(this.#sample, blob);
    };
    return {
      label,
      open: async (blob: BlobRef) => bytesOf(give(blob)),
      fetchManifest: async (reference: string) => {
        const digest = reference as Digest; // the Lock asks by digest only
        const bytes = give({ digest, size: 0 });
        return { descriptor: { mediaType: '', digest, size: bytes.length }, bytes };
      },
    };
  }

  async openFile(url: string) {
    this.asked.push(url);
    return bytesOf(this.#sample.fileBytes);
  }
}
