/** A catalogue of repositories on disk, one small file for each thing that a repository holds. */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Descriptor } from '../../oci/descriptor.ts';
import { type Digest, isDigest, splitDigest } from '../../oci/digest.ts';
import { syncFolder, writeFileAtomic } from '../../shared/atomic-file.ts';
import { systemCode } from '../../shared/errors.ts';
import { canonicalJson, compareText } from '../../shared/json.ts';
import { RepositoryStateDamaged } from './errors.ts';
import type { ManifestEntry, RepositoryStore } from './ports.ts';
import { isTag } from './route.ts';
import { SerialByKey } from './serial-by-key.ts';
import { TagCache } from './tag-cache.ts';

/** How {@link DirRepositories} is opened. */
export interface DirRepositoriesOptions {
  /** No other process writes here, so tags may be remembered. */
  readonly isExclusive: boolean;
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
 * under a temporary name and renamed, so a kill leaves the old state or the new one. What a reader
 * finds half done (a referrer whose manifest is not there, a tag without manifest) counts as absent.
 * Rejects with REPOSITORY_STATE_DAMAGED when a file holds what we never wrote.
 */
export class DirRepositories implements RepositoryStore {
  readonly #root: string;
  readonly #tagCache: TagCache | undefined;
  readonly #serial = new SerialByKey();

  constructor(root: string, { isExclusive }: DirRepositoriesOptions) {
    this.#root = root;
    this.#tagCache = isExclusive ? new TagCache() : undefined;
  }

  async repositories(): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const name of repositoriesBelow(this.#root, '')) found.push(name);
    return found.sort(compareText);
  }

  async tags(repository: string): Promise<readonly string[] | undefined> {
    const names = await namesIn(this.#path(repository, '_tags'));
    if (names === undefined && !(await this.#exists(repository))) return undefined;
    return (names ?? []).filter(isTag).sort(compareText);
  }

  async manifests(repository: string): Promise<readonly Descriptor[]> {
    const digests = await digestsIn(this.#path(repository, '_manifests'));
    return this.#descriptors(repository, digests);
  }

  async resolve(repository: string, tag: string): Promise<Digest | undefined> {
    const known = this.#tagCache?.get(repository, tag);
    // Reading in line with the writes, so that an old answer cannot overtake a new one.
    return known ?? this.#serial.run(repository, () => this.#readTag(repository, tag));
  }

  async findManifest(repository: string, digest: Digest): Promise<ManifestEntry | undefined> {
    const path = this.#manifestPath(repository, digest);
    const text = await textOf(path);
    return text === undefined ? undefined : parseEntry(path, text);
  }

  async holdsBlob(repository: string, digest: Digest): Promise<boolean> {
    return isFile(this.#path(repository, '_blobs', ...splitPath(digest)));
  }

  async referrers(repository: string, subject: Digest): Promise<readonly Descriptor[]> {
    const folder = this.#path(repository, '_referrers', ...splitPath(subject));
    const names = (await namesIn(folder)) ?? [];
    const digests = names.map((name) => name.replace('-', ':')).filter(isDigest);
    return this.#descriptors(repository, digests);
  }

  async linkBlob(repository: string, digest: Digest): Promise<void> {
    const path = this.#path(repository, '_blobs', ...splitPath(digest));
    if (!(await isFile(path))) await this.#write(path, '');
  }

  unlinkBlob(repository: string, digest: Digest): Promise<boolean> {
    return removed(this.#path(repository, '_blobs', ...splitPath(digest)));
  }

  async putManifest(repository: string, entry: ManifestEntry): Promise<void> {
    const { digest } = entry.descriptor;
    const path = this.#manifestPath(repository, digest);
    // Before the manifest: once that is there, clients do not send it again.
    if (entry.subject !== undefined) {
      await this.#write(this.#referrerPath(repository, entry.subject, digest), '');
    }
    await this.#write(path, canonicalJson(entry));
  }

  removeManifest(repository: string, digest: Digest): Promise<boolean> {
    return this.#serial.run(repository, async () => {
      const entry = await this.findManifest(repository, digest);
      if (entry === undefined) return false;
      await this.#removeTagsOf(repository, digest);
      if (entry.subject !== undefined) {
        await removed(this.#referrerPath(repository, entry.subject, digest));
      }
      return removed(this.#manifestPath(repository, digest));
    });
  }

  setTag(repository: string, tag: string, digest: Digest): Promise<void> {
    return this.#serial.run(repository, async () => {
      const path = this.#path(repository, '_tags', tag);
      if ((await textOf(path)) !== digest) await this.#write(path, digest);
      this.#tagCache?.set(repository, tag, digest);
    });
  }

  removeTag(repository: string, tag: string): Promise<boolean> {
    return this.#serial.run(repository, () => {
      this.#tagCache?.forget(repository, tag);
      return removed(this.#path(repository, '_tags', tag));
    });
  }

  /** Removes what a killed process was writing; only for whoever holds the store's lock. */
  async tidy(): Promise<void> {
    await rm(join(this.#root, writingFolder), { recursive: true, force: true });
  }

  #write(path: string, text: string): Promise<void> {
    return writeFileAtomic(path, text, 0o644, join(this.#root, writingFolder));
  }

  async #removeTagsOf(repository: string, digest: Digest): Promise<void> {
    for (const tag of (await this.tags(repository)) ?? []) {
      if ((await this.#readTag(repository, tag)) !== digest) continue;
      this.#tagCache?.forget(repository, tag);
      await removed(this.#path(repository, '_tags', tag));
    }
  }

  async #readTag(repository: string, tag: string): Promise<Digest | undefined> {
    const path = this.#path(repository, '_tags', tag);
    const text = await textOf(path);
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
    const names = (await namesIn(this.#path(repository))) ?? [];
    return names.some((name) => name.startsWith('_'));
  }

  #path(repository: string, ...parts: readonly string[]): string {
    return join(this.#root, repository, ...parts);
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

async function* repositoriesBelow(folder: string, name: string): AsyncGenerator<string, void> {
  const entries = (await namesIn(folder)) ?? [];
  if (name !== '' && entries.some((entry) => entry.startsWith('_'))) yield name;
  for (const entry of entries) {
    if (/^[_.]/.test(entry)) continue;
    yield* repositoriesBelow(join(folder, entry), name === '' ? entry : `${name}/${entry}`);
  }
}

async function digestsIn(folder: string): Promise<readonly Digest[]> {
  const found: Digest[] = [];
  for (const algorithm of (await namesIn(folder)) ?? []) {
    const names = (await namesIn(join(folder, algorithm))) ?? [];
    found.push(...names.map((hex) => `${algorithm}:${hex}`).filter(isDigest));
  }
  return found;
}

const absent: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR']);

async function orAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (absent.has(systemCode(error))) return undefined;
    throw error;
  }
}

function namesIn(folder: string): Promise<readonly string[] | undefined> {
  return orAbsent(readdir(folder));
}

function textOf(path: string): Promise<string | undefined> {
  return orAbsent(readFile(path, 'utf8'));
}

async function isFile(path: string): Promise<boolean> {
  return (await orAbsent(stat(path)))?.isFile() ?? false;
}

async function removed(path: string): Promise<boolean> {
  if ((await orAbsent(rm(path).then(() => true))) === undefined) return false;
  await orAbsent(syncFolder(join(path, '..')));
  return true;
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
