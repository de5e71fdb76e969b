import type { Digest } from '../../oci/digest.ts';

const maxTags = 50_000;

/** The digests of the tags asked for last; the newest {@link maxTags}, about 10 MB. */
export class TagCache {
  readonly #digests = new Map<string, Digest>();

  get(repository: string, tag: string): Digest | undefined {
    return this.#digests.get(`${repository}:${tag}`);
  }

  set(repository: string, tag: string, digest: Digest): void {
    const key = `${repository}:${tag}`;
    this.#digests.delete(key);
    this.#digests.set(key, digest);
    const [oldest] = this.#digests.keys();
    if (this.#digests.size > maxTags && oldest !== undefined) this.#digests.delete(oldest);
  }

  forget(repository: string, tag: string): void {
    this.#digests.delete(`${repository}:${tag}`);
  }
}
