import type { OpenChain } from '../mirrors/pull-walk.ts';
import type { Digest } from '../oci/digest.ts';
import type { GoDescriptor } from '../oci/go-json/image-documents.ts';
import { mapBounded } from '../shared/bounded.ts';
import type { Run } from '../shared/run.ts';
import { type Operation, operationsFor } from './operations.ts';
import type { Failure, Verdict } from './report.ts';
import type { RequiredImage, RequiredPlatform } from './required-images.ts';
import { judge, type Subject } from './verdicts/judge.ts';
import { judgeBlobs } from './verdicts/judge-blobs.ts';
import { type FetchHints, type Walked, walkOperation } from './walk-operation.ts';
import type { Ask, Reply, RuntimeContent } from './wire/exchange.ts';

/** How requests of one image are sent, and what bounds them. */
export interface ImageProver {
  readonly chain: OpenChain;
  readonly rewritten: ReadonlyMap<string, Digest>;
  readonly parallelBlobs: number;
  send(ask: Ask, run: Run): Promise<Reply>;
}

/** Sends all requests of one image for one platform, as far as they go, and says what they mean. */
export async function proveImage(
  image: RequiredImage,
  platform: RequiredPlatform,
  prover: ImageProver,
  run: Run,
): Promise<Verdict> {
  const { inOrder, blobs } = operationsFor(image, platform, prover.rewritten);
  const isIndex = platform.manifest.digest !== image.locked.target.digest;
  const subject: Subject = { platform, isIndex };
  const walks: Walked[] = [];
  for (const operation of inOrder) {
    const walked = await follow(operation, hintsFor(walks, operation), prover, run);
    const failure = judge(operation, walked, subject);
    if (failure !== undefined) return failure;
    walks.push(walked);
  }
  const embedded = embeddedIn(walks);
  const walkedBlobs = await mapBounded(
    blobs.filter(({ blob }) => !embedded.has(blob.digest)),
    prover.parallelBlobs,
    async (operation) => {
      const hints = hintsFor(walks, operation);
      return { operation, walked: await follow(operation, hints, prover, run) };
    },
    run.signal,
  );
  const failure = judgeBlobs(walkedBlobs, subject);
  if (failure !== undefined) return failure;
  walks.push(...walkedBlobs.map(({ walked }) => walked));
  const unpacking = judgeUnpacking(contentsOf(walks));
  if (unpacking !== undefined) return unpacking;
  return {
    kind: 'proven',
    by: servedBy(walks, prover.chain),
    digest: platform.manifest.digest,
    requests: walks.reduce((sum, { trail }) => sum + trail.length, 0),
  };
}

/** Source: containerd core/unpack; one of `rootfs.diff_ids` belongs to each layer. */
function judgeUnpacking(contents: readonly RuntimeContent[]): Failure | undefined {
  const layers = contents.findLast((content) => content.kind === 'manifest')?.layers;
  const diffIds = contents.findLast((content) => content.kind === 'config')?.diffIds;
  const count = layers?.filter(({ mediaType }) => layerType.test(mediaType)).length;
  if (count === undefined || diffIds === undefined || count === diffIds) return undefined;
  return {
    kind: 'unreadable',
    summary: `the runtime cannot unpack it: its manifest has ${count} layers, its config ${diffIds}`,
    asked: [],
    because: [],
    do: [],
  };
}

const layerType = /^application\/vnd\.(?:oci\.image\.layer\.|docker\.image\.rootfs\.)/;

function contentsOf(walks: readonly Walked[]): RuntimeContent[] {
  return walks.flatMap((walk) => (walk.kind === 'served' && walk.reply.content) || []);
}

/** Content that a descriptor embeds whole is not asked for. Source: containerd core/remotes/handlers.go. */
function embeddedIn(walks: readonly Walked[]): ReadonlySet<string> {
  const descriptors = contentsOf(walks).flatMap((content) =>
    content.kind === 'manifest' ? [content.config, ...content.layers] : [],
  );
  const whole = descriptors.filter(
    ({ data, size }) => data !== '' && BigInt(Buffer.byteLength(data, 'base64')) === size,
  );
  return new Set(whole.map(({ digest }) => digest));
}

/** What the documents and endpoints so far say about where an operation fetches from. */
function hintsFor(walks: readonly Walked[], operation: Operation): FetchHints {
  const urls = urlsIn(walks, operation);
  const last = walks.findLast(
    (walk) => walk.kind === 'served' && walk.by.isFromDescriptor !== true,
  );
  return last?.kind === 'served' ? { urls, from: last.by.endpoint } : { urls };
}

/** The addresses that the documents read so far name for what an operation fetches. */
function urlsIn(walks: readonly Walked[], operation: Operation): readonly string[] {
  if (operation.kind === 'resolve') return [];
  const descriptors = contentsOf(walks).flatMap(descriptorsIn);
  const own = descriptors.filter(({ digest }) => digest === operation.blob.digest);
  return [...new Set(own.flatMap(({ urls }) => urls))];
}

function descriptorsIn(content: RuntimeContent): readonly GoDescriptor[] {
  switch (content.kind) {
    case 'index':
      return content.manifests;
    case 'manifest':
      return [content.config, ...content.layers];
    case 'config':
    case 'unreadable':
      return [];
  }
}

/** Lets an operation walk with real replies. */
async function follow(
  operation: Operation,
  hints: FetchHints,
  prover: ImageProver,
  run: Run,
): Promise<Walked> {
  const walk = walkOperation(operation, prover.chain, hints);
  let step = walk.next();
  while (!step.done) step = walk.next(await prover.send(step.value, run));
  return step.value;
}

function servedBy(walks: readonly Walked[], chain: OpenChain): string[] {
  const used = new Set(walks.flatMap((walk) => (walk.kind === 'served' ? [walk.by.endpoint] : [])));
  return [...new Set(chain.endpoints.filter((one) => used.has(one)).map(({ base }) => base))];
}
