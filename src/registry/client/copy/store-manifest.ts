/** Puts a manifest under its tags once everything it names is in the repository. */
import type { ManifestContent } from '../../../content/ports.ts';
import type { Descriptor } from '../../../oci/descriptor.ts';
import type { Digest } from '../../../oci/digest.ts';
import { ManifestIncomplete, RegistryRefused } from '../errors.ts';
import { IndexSparseRefused } from './errors.ts';
import { at, CopyFailures, type Place, placed } from './failures.ts';
import type { ImageCopy } from './image-copy.ts';

/** A manifest that may be put now: all that is to be there of what it names is there. */
export interface ReadyManifest {
  readonly content: ManifestContent;
  /** For an index with images left out: how many, and what to put if the target refuses that. */
  readonly sparse?: { readonly leftOut: number; readonly rewritten: ManifestContent };
}

/** What the target had before: what each tag names, and whether the digest is there. */
export interface TargetState {
  readonly digest: Digest;
  readonly tags: ReadonlyMap<string, Digest | undefined>;
  readonly hasDigest: boolean;
}

/** Asks the target; a tag that names the digest already answers for the digest too. */
export async function targetState(
  copy: ImageCopy,
  digest: Digest,
  tags: readonly string[],
): Promise<TargetState> {
  const named = new Map<string, Digest | undefined>();
  for (const tag of tags) named.set(tag, await findManifest(copy, tag));
  const isTagged = [...named.values()].includes(digest);
  const hasDigest = isTagged || (await findManifest(copy, digest)) === digest;
  return { digest, tags: named, hasDigest };
}

/**
 * Puts what is missing and moves the tags that name something else; returns what the tags name
 * now. A sparse index that the target refuses ends with INDEX_SPARSE_REFUSED or is rewritten.
 */
export async function storeManifest(
  copy: ImageCopy,
  ready: ReadyManifest,
  before: TargetState,
): Promise<Descriptor> {
  const { sparse, content } = ready;
  const state = await stateOf(copy, content.descriptor.digest, before);
  if (sparse === undefined || state.hasDigest) return put(copy, content, state);
  const isKnown = copy.memory.refusesSparse || (await wasRewritten(copy, sparse.rewritten, state));
  if (mayRewrite(copy) && isKnown) return putRewritten(copy, content, sparse.rewritten, state);
  try {
    return await put(copy, content, state);
  } catch (error) {
    if (!isSparseRefusal(error)) throw error;
    copy.memory.refusesSparse = true;
    if (mayRewrite(copy)) return putRewritten(copy, content, sparse.rewritten, state);
    const { digest } = content.descriptor;
    const { label } = copy.job.target;
    const refused = { label, digest, missing: sparse.leftOut };
    throw placed(new IndexSparseRefused(refused, { cause: causeOf(error) }), place(copy, digest));
  }
}

/** What was asked before, unless it was about the digest that an index had before its rewriting. */
function stateOf(copy: ImageCopy, digest: Digest, before: TargetState): Promise<TargetState> {
  if (before.digest === digest) return Promise.resolve(before);
  return targetState(copy, digest, [...before.tags.keys()]);
}

async function put(
  copy: ImageCopy,
  content: ManifestContent,
  state: TargetState,
): Promise<Descriptor> {
  const { digest } = content.descriptor;
  const stale = [...state.tags].filter(([, before]) => before !== digest);
  if (state.tags.size === 0 && !state.hasDigest) await putOnce(copy, content, undefined);
  for (const [tag, before] of stale) {
    await putOnce(copy, content, tag);
    copy.tally.tagChanges.push({ tag, now: digest, ...(before === undefined ? {} : { before }) });
  }
  return content.descriptor;
}

async function putRewritten(
  copy: ImageCopy,
  original: ManifestContent,
  rewritten: ManifestContent,
  state: TargetState,
): Promise<Descriptor> {
  const [from, to] = [original.descriptor.digest, rewritten.descriptor.digest];
  copy.tally.rewrites.push({ from, to });
  const isTagged = [...state.tags.values()].includes(to);
  const hasDigest = isTagged || (await findManifest(copy, to)) === to;
  return put(copy, rewritten, { ...state, hasDigest });
}

async function putOnce(
  copy: ImageCopy,
  content: ManifestContent,
  tag: string | undefined,
): Promise<void> {
  await at(place(copy, tag ?? content.descriptor.digest), () => {
    copy.run.signal.throwIfAborted();
    return copy.job.target.putManifest(content, tag, copy.run);
  });
  copy.tally.manifestsPut += 1;
}

function findManifest(copy: ImageCopy, reference: string): Promise<Digest | undefined> {
  return at(place(copy, reference), () => {
    copy.run.signal.throwIfAborted();
    return copy.job.target.findManifest(reference, copy.run);
  });
}

/** An earlier run may have learnt that the target takes no sparse index, and done the same. */
async function wasRewritten(
  copy: ImageCopy,
  { descriptor: { digest } }: ManifestContent,
  { tags }: TargetState,
): Promise<boolean> {
  if (!mayRewrite(copy)) return false;
  if (tags.size > 0) return [...tags.values()].every((named) => named === digest);
  return (await findManifest(copy, digest)) === digest;
}

function mayRewrite(copy: ImageCopy): boolean {
  return copy.setting.options.onSparseRefused === 'rewrite';
}

/**
 * Registries answer in different words (distribution MANIFEST_BLOB_UNKNOWN, others MANIFEST_INVALID
 * or nothing): a refusal of an index with images left out is taken for one because of that.
 */
function isSparseRefusal(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof ManifestIncomplete || cause instanceof RegistryRefused;
}

function causeOf(error: unknown): unknown {
  return error instanceof CopyFailures ? error.failures[0]?.error : error;
}

function place({ job }: ImageCopy, object: string): Place {
  return { side: 'target', label: job.target.label, object };
}
