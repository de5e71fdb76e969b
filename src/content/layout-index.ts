/** The `index.json` of an OCI image layout: which names its images have. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Descriptor } from '../oci/descriptor.ts';
import { MediaTypes } from '../oci/media-types.ts';
import { writeFileAtomic } from '../shared/atomic-file.ts';
import { systemCode } from '../shared/errors.ts';
import { canonicalJson, compareText } from '../shared/json.ts';
import { LayoutInvalid } from './errors.ts';

/** The annotation that names an image in a layout. */
const refName = 'org.opencontainers.image.ref.name';

/**
 * Names → descriptors, plus images without a name. The same content is written as the same bytes,
 * in whatever order it was entered (promise P9).
 * Source: https://github.com/opencontainers/image-spec/blob/main/image-layout.md#indexjson-file
 */
export class LayoutIndex {
  readonly #named = new Map<string, Descriptor>();
  readonly #unnamed = new Map<string, Descriptor>();

  get(name: string): Descriptor | undefined {
    return this.#named.get(name);
  }

  /** Gives `name` to an image; returns what had it before. */
  set(name: string, descriptor: Descriptor): Descriptor | undefined {
    const before = this.#named.get(name);
    const annotations = { ...descriptor.annotations, [refName]: name };
    this.#named.set(name, { ...descriptor, annotations });
    return before;
  }

  /** Keeps an image that has no name, such as one that is known by its digest only. */
  add(descriptor: Descriptor): void {
    this.#unnamed.set(descriptor.digest, descriptor);
  }

  /** Takes the name away; the image's blobs stay until garbage is collected. */
  remove(name: string): void {
    this.#named.delete(name);
  }

  /** The names in use, sorted. */
  names(): readonly string[] {
    return [...this.#named.keys()].sort(compareText);
  }

  /** All images, named ones first, sorted: the roots of garbage collection. */
  roots(): readonly Descriptor[] {
    const named = this.names().flatMap((name) => this.#named.get(name) ?? []);
    const unnamed = [...this.#unnamed.values()];
    return [...named, ...unnamed.sort((a, b) => compareText(a.digest, b.digest))];
  }

  /** The content of `index.json`: keys and images sorted, no indent, no line break at the end. */
  toJson(): string {
    const manifests = this.roots();
    return canonicalJson({ schemaVersion: 2, mediaType: MediaTypes.ociIndex, manifests });
  }
}

/**
 * Reads `index.json` in the folder `root`; a missing one is an empty one. Entries of other tools
 * survive with all their fields. Rejects with LAYOUT_INVALID.
 */
export async function readLayoutIndex(root: string): Promise<LayoutIndex> {
  const path = join(root, 'index.json');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return new LayoutIndex();
    throw error;
  }
  return parseLayoutIndex(text, path);
}

/** Writes `index.json` so that a reader sees the old one or the new one, never a part of it. */
export async function writeLayoutIndex(root: string, index: LayoutIndex): Promise<void> {
  await writeFileAtomic(join(root, 'index.json'), index.toJson());
}

/** The text of an `index.json`; `path` is for messages. Throws LAYOUT_INVALID. */
export function parseLayoutIndex(text: string, path: string): LayoutIndex {
  const index = new LayoutIndex();
  for (const [at, entry] of entriesIn(text, path).entries()) {
    const parsed = Descriptor.safeParse(entry);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const place = ['manifests', at, ...(issue?.path ?? [])].join('.');
      throw new LayoutInvalid({ path, reason: `${place}: ${issue?.message}` });
    }
    enter(index, parsed.data, path);
  }
  return index;
}

function enter(index: LayoutIndex, descriptor: Descriptor, path: string): void {
  const name = descriptor.annotations?.[refName];
  if (name === undefined) {
    index.add(descriptor);
    return;
  }
  const before = index.set(name, descriptor);
  if (before !== undefined && before.digest !== descriptor.digest) {
    const reason = `two images have the name ${name}: ${before.digest} and ${descriptor.digest}`;
    throw new LayoutInvalid({ path, reason });
  }
}

function entriesIn(text: string, path: string): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new LayoutInvalid({ path, reason: 'it is not JSON' }, { cause: error });
  }
  const manifests: unknown =
    typeof value === 'object' && value !== null && 'manifests' in value ? value.manifests : value;
  if (Array.isArray(manifests) && manifests !== value) return manifests;
  throw new LayoutInvalid({ path, reason: 'it has no list of manifests' });
}
