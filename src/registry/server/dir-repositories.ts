/** A catalogue of repositories on disk, one small file for each thing that a repository holds. */
import { join } from 'node:path';
import { Descriptor } from '../../oci/descriptor.ts';
import { type Digest, isDigest, splitDigest } from '../../oci/digest.ts';
import type { DurableFiles } from '../../shared/durable-files.ts';
import { canonicalJson, compareText } from '../../shared/json.ts';
import { CatalogueFiles } from './catalogue-files.ts';
import { RepositoryStateDamaged } from './errors.ts';
import type { ManifestEntry, RepositoryStore } from './ports.ts';
import { isTag } from './route.ts';
import { TagCache } from './tag-cache.ts';

/** How {@link DirRepositories} is opened. */
export interface DirRepositoriesOptions {
  /** No other process writes here, so tags may be remembered. */
  readonly isExclusive: boolean;
  /** This machine's file system unless given; tests watch it. */
  readonly files?: DurableFiles;
}

/** Where files get their content; no repository's name begins with a dot. */
const writingFolder = '.writing';

/**
 * Repositories below `root`, which need not exist yet:
 *
 *     library/nginx/_tags/latest                     the digest
 *     library/nginx/_manifests/sha256/<hex>          descriptor and subject as JSON
 *     library/nginx/_blobs/sha256/<hex>              empty
 *     library/nginx/_referrers/sha256/<hex>/sha256-<hex>   empty; subject/manifest
 *
 * No component of a repository's name begins with `_`, so nothing collides. Each file is written
 * under a temporary name and renamed (an empty one just made), so a kill leaves the old state or the new one. What a reader
 * finds half done (a referrer whose manifest is not there, a tag without manifest) counts as absent.
 * Rejects with REPOSITORY_STATE_DAMAGED when a file holds what we never wrote.
 */
export class DirRepositories implements RepositoryStore {
  readonly #root: string;
  readonly #files: CatalogueFiles;
  readonly #tagCache: TagCache | undefined;

  constructor(root: string, { isExclusive, files }: DirRepositoriesOptions) {
    this.#root = root;
    this.#files = new CatalogueFiles(join(root, writingFolder), files);
    this.#tagCache = isExclusive ? new TagCache() : undefined;
  }

  async repositories(): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const name of this.#repositoriesBelow(this.#root, '')) found.push(name);
    return found.sort(compareText);
  }

  async tags(repository: string): Promise<readonly string[] | undefined> {
    const names = await this.#files.namesIn(this.#path(repository, '_tags'));
    if (names === undefined && !(await this.#exists(repository))) return undefined;
    return (names ?? []).filter(isTag).sort(compareText);
  }

  async manifests(repository: string): Promise<readonly Descriptor[]> {
    const digests = await this.#digestsIn(this.#path(repository, '_manifests'));
    return this.#descriptors(repository, digests);
  }

  /** The blobs that a repository has a link to, in no order; their bytes may be gone. */
  blobs(repository: string): Promise<readonly Digest[]> {
    return this.#digestsIn(this.#path(repository, '_blobs'));
  }

  async resolve(repository: string, tag: string): Promise<Digest | undefined> {
    const known = this.#tagCache?.get(repository, tag);
    if (known !== undefined) return known;
    // Reading in line with the writes, so that an old answer cannot overtake a new one.
    const path = this.#path(repository, '_tags', tag);
    return this.#files.inLine(path, () => this.#readTag(repository, tag));
  }

  async findManifest(repository: string, digest: Digest): Promise<ManifestEntry | undefined> {
    const path = this.#manifestPath(repository, digest);
    const text = await this.#files.text(path);
    return text === undefined ? undefined : parseEntry(path, text);
  }

  holdsBlob(repository: string, digest: Digest): Promise<boolean> {
    const path = this.#blobPath(repository, digest);
    // In line: a link that can be seen, but lost in a power cut, is no ground to build on.
    return this.#files.inLine(path, () => this.#files.isFile(path));
  }

  async referrers(repository: string, subject: Digest): Promise<readonly Descriptor[]> {
    const folder = this.#path(repository, '_referrers', ...splitPath(subject));
    const names = (await this.#files.namesIn(folder)) ?? [];
    const digests = names.map((name) => name.replace('-', ':')).filter(isDigest);
    return this.#descriptors(repository, digests);
  }

  linkBlob(repository: string, digest: Digest): Promise<void> {
    const path = this.#blobPath(repository, digest);
    return this.#files.inLine(path, async () => {
      if (!(await this.#files.isFile(path))) await this.#files.mark(path);
    });
  }

  unlinkBlob(repository: string, digest: Digest): Promise<boolean> {
    const path = this.#blobPath(repository, digest);
    return this.#files.inLine(path, () => this.#files.remove(path));
  }

  putManifest(
    repository: string,
    entry: ManifestEntry,
    tags: readonly string[] = [],
  ): Promise<void> {
    const { descriptor, subject } = entry;
    const path = this.#manifestPath(repository, descriptor.digest);
    return this.#files.inLine(path, async () => {
      // Before the manifest: once that is there, clients do not send it again.
      if (subject !== undefined) {
        await this.#files.mark(this.#referrerPath(repository, subject, descriptor.digest));
      }
      const text = canonicalJson(entry);
      if ((await this.#files.text(path)) !== text) await this.#files.write(path, text);
      await Promise.all(tags.map((tag) => this.setTag(repository, tag, descriptor.digest)));
    });
  }

  removeManifest(repository: string, digest: Digest): Promise<boolean> {
    const path = this.#manifestPath(repository, digest);
    return this.#files.inLine(path, async () => {
      const entry = await this.findManifest(repository, digest);
      if (entry === undefined) return false;
      for (const tag of (await this.tags(repository)) ?? []) {
        await this.#removeTag(repository, tag, (target) => target === digest);
      }
      if (entry.subject !== undefined) {
        await this.#files.remove(this.#referrerPath(repository, entry.subject, digest));
      }
      return this.#files.remove(path);
    });
  }

  setTag(repository: string, tag: string, digest: Digest): Promise<void> {
    const path = this.#path(repository, '_tags', tag);
    return this.#files.inLine(path, async () => {
      if ((await this.#files.text(path)) !== digest) await this.#files.write(path, digest);
      this.#tagCache?.set(repository, tag, digest);
    });
  }

  removeTag(repository: string, tag: string): Promise<boolean> {
    return this.#removeTag(repository, tag, () => true);
  }

  /** Removes what a killed process was writing; only for whoever holds the store's lock. */
  tidy(): Promise<void> {
    return this.#files.tidy();
  }

  #removeTag(
    repository: string,
    tag: string,
    isMeant: (target: string | undefined) => boolean,
  ): Promise<boolean> {
    const path = this.#path(repository, '_tags', tag);
    return this.#files.inLine(path, async () => {
      if (!isMeant(await this.#files.text(path))) return false;
      this.#tagCache?.forget(repository, tag);
      return this.#files.remove(path);
    });
  }

  async #readTag(repository: string, tag: string): Promise<Digest | undefined> {
    const path = this.#path(repository, '_tags', tag);
    const text = await this.#files.text(path);
    if (text === undefined) return undefined;
    if (!isDigest(text)) throw new RepositoryStateDamaged({ path, reason: 'it holds no digest' });
    this.#tagCache?.set(repository, tag, text);
    return text;
  }

  async #descriptors(repository: string, digests: readonly Digest[]): Promise<Descriptor[]> {
    const found: Descriptor[] = [];
    for (const digest of [...digests].sort(compareText)) {
      const entry = await this.findManifest(repository, digest);
      if (entry !== undefined) found.push(entry.descriptor);
    }
    return found;
  }

  async #exists(repository: string): Promise<boolean> {
    const names = (await this.#files.namesIn(this.#path(repository))) ?? [];
    return names.some((name) => name.startsWith('_'));
  }

  async *#repositoriesBelow(folder: string, name: string): AsyncGenerator<string, void> {
    const entries = (await this.#files.namesIn(folder)) ?? [];
    if (name !== '' && entries.some((entry) => entry.startsWith('_'))) yield name;
    for (const entry of entries) {
      if (/^[_.]/.test(entry)) continue;
      yield* this.#repositoriesBelow(join(folder, entry), name === '' ? entry : `${name}/${entry}`);
    }
  }

  async #digestsIn(folder: string): Promise<readonly Digest[]> {
    const found: Digest[] = [];
    for (const algorithm of (await this.#files.namesIn(folder)) ?? []) {
      const names = (await this.#files.namesIn(join(folder, algorithm))) ?? [];
      found.push(...names.map((hex) => `${algorithm}:${hex}`).filter(isDigest));
    }
    return found;
  }

  #path(repository: string, ...parts: readonly string[]): string {
    return join(this.#root, repository, ...parts);
  }

  #blobPath(repository: string, digest: Digest): string {
    return this.#path(repository, '_blobs', ...splitPath(digest));
  }

  #manifestPath(repository: string, digest: Digest): string {
    return this.#path(repository, '_manifests', ...splitPath(digest));
  }

  #referrerPath(repository: string, subject: Digest, digest: Digest): string {
    const name = digest.replace(':', '-');
    return this.#path(repository, '_referrers', ...splitPath(subject), name);
  }
}

function splitPath(digest: Digest): readonly [string, string] {
  const { algorithm, hex } = splitDigest(digest);
  return [algorithm, hex];
}

function parseEntry(path: string, text: string): ManifestEntry {
  const value = parseJson(path, text);
  const fields = typeof value === 'object' && value !== null ? value : {};
  const descriptor = Descriptor.safeParse('descriptor' in fields ? fields.descriptor : undefined);
  const subject = 'subject' in fields ? fields.subject : undefined;
  const isSubject = typeof subject === 'string' && isDigest(subject);
  if (!descriptor.success || !(subject === undefined || isSubject)) {
    throw new RepositoryStateDamaged({ path, reason: 'it holds no manifest descriptor' });
  }
  return { descriptor: descriptor.data, ...(isSubject && { subject }) };
}

function parseJson(path: string, text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    throw new RepositoryStateDamaged({ path, reason: 'it is not JSON' }, { cause: error });
  }
}
