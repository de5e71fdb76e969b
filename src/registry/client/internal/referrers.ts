import { z } from 'zod';
import { ManifestNotFound } from '../../../content/errors.ts';
import { Descriptor } from '../../../oci/descriptor.ts';
import type { Digest } from '../../../oci/digest.ts';
import { parseManifest } from '../../../oci/manifest.ts';
import { referrersIndex, referrersTag } from '../../../oci/referrers.ts';
import type { Run } from '../../../shared/run.ts';
import type { BufferedResponse } from '../transport.ts';
import { isWebPage } from './failure.ts';
import type { ManifestReader } from './manifest-reader.ts';
import type { ManifestWriter, UnlistedReferrer } from './manifest-writer.ts';
import { pages } from './pages.ts';
import type { RepositoryApi } from './repository-api.ts';

const ReferrerPage = z.looseObject({ manifests: z.array(Descriptor).nullish() });

/**
 * What names an image as its subject, from the referrers API or, in registries without it, from an index
 * under a tag made of the digest, which clients keep up to date themselves.
 * Source: distribution-spec, "Listing Referrers" and "Unavailable Referrers API".
 */
export class Referrers {
  readonly #api: RepositoryApi;
  readonly #reader: ManifestReader;
  readonly #writer: ManifestWriter;
  /** Per tag the last change under way: two at once would each lose the other's entry. */
  readonly #changes = new Map<string, Promise<void>>();

  constructor(api: RepositoryApi, reader: ManifestReader, writer: ManifestWriter) {
    this.#api = api;
    this.#reader = reader;
    this.#writer = writer;
  }

  async list(subject: Digest, run: Run, artifactType?: string): Promise<readonly Descriptor[]> {
    const found =
      (await this.#fromApi(subject, run, artifactType)) ?? (await this.#fromTag(subject, run));
    // Registries may ignore the filter, and the tag knows none.
    return artifactType === undefined
      ? found
      : found.filter((referrer) => referrer.artifactType === artifactType);
  }

  /** Adds an artefact to the fallback tag, after changes of the same tag that are under way here. */
  async add({ subject, descriptor }: UnlistedReferrer, run: Run): Promise<void> {
    await this.#oneByOne(referrersTag(subject), async () => {
      const known = await this.#fromTag(subject, run);
      if (known.some(({ digest }) => digest === descriptor.digest)) return;
      await this.#writer.put(referrersIndex([...known, descriptor]), referrersTag(subject), run);
    });
  }

  /** Undefined if the registry has no such API. */
  async #fromApi(
    subject: Digest,
    run: Run,
    artifactType: string | undefined,
  ): Promise<readonly Descriptor[] | undefined> {
    const url = this.#api.url(`referrers/${subject}`);
    if (artifactType !== undefined) url.searchParams.set('artifactType', artifactType);
    const purpose = `listing what is about ${subject} in ${this.#api.label}`;
    let isMissing = false;
    const list = {
      request: this.#api.ask('GET', url, 'pull', purpose),
      schema: ReferrerPage,
      otherwise: (response: BufferedResponse) => {
        isMissing = isUnavailable(response);
        return isMissing ? ('empty' as const) : undefined;
      },
    };
    const found: Descriptor[] = [];
    for await (const page of pages(this.#api.transport, list, run)) {
      found.push(...(page.manifests ?? []));
    }
    return isMissing ? undefined : found;
  }

  async #fromTag(subject: Digest, run: Run): Promise<readonly Descriptor[]> {
    try {
      const { bytes, descriptor } = await this.#reader.fetch(referrersTag(subject), run);
      const manifest = parseManifest(bytes, descriptor.mediaType);
      return manifest.kind === 'index' ? manifest.content.manifests : [];
    } catch (error) {
      if (error instanceof ManifestNotFound) return [];
      throw error;
    }
  }

  async #oneByOne(key: string, change: () => Promise<void>): Promise<void> {
    const before = this.#changes.get(key) ?? Promise.resolve();
    const mine = before.catch(() => {}).then(change);
    this.#changes.set(key, mine);
    try {
      await mine;
    } finally {
      if (this.#changes.get(key) === mine) this.#changes.delete(key);
    }
  }
}

/** 404 by the specification; older registries also answer other 4xx, or with their web page. */
function isUnavailable({ status, headers }: BufferedResponse): boolean {
  const isRefusal = status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
  return isRefusal || status === 501 || (status === 200 && isWebPage(headers));
}
