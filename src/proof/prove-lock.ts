import { formatOrigin } from '../mirrors/finding.ts';
import { digestOf } from '../oci/digest.ts';
import { formatLock } from '../release/lock-document.ts';
import { mapBounded } from '../shared/bounded.ts';
import type { Run } from '../shared/run.ts';
import { advise } from './advice.ts';
import { connectionPlaces, hostGate } from './allowed-hosts.ts';
import type { NodeAuthorities } from './node/node-authorities.ts';
import { ProofNotes } from './proof-notes.ts';
import type { ProofLimits, ProofPorts, ProofRequest } from './proof-request.ts';
import { type Proof, proveRepository } from './prove-repository.ts';
import type { ProofReport, ProofResult } from './report.ts';
import { byRepository, type RequiredImage, requiredImages } from './required-images.ts';
import { type MissingSandbox, sandboxOf, withSandboxNeeded } from './sandbox.ts';
import { EndpointTransports } from './wire/endpoint-transports.ts';
import { RequestSender } from './wire/request-sender.ts';

/** A download moves bytes all the time, a question waits most of it. */
const askLimits: ProofLimits = { parallelRepositories: 16, parallelBlobs: 8 };
const deepLimits: ProofLimits = { parallelRepositories: 4, parallelBlobs: 2 };

/**
 * Proves for one node that every image of a Lock can be pulled, by sending what its runtime would
 * send: the tag, the digests, the manifests, every blob. Only images: charts and files are not
 * pulled by nodes.
 *
 * Offline, nothing is sent to a host that the Site does not allow, and an image whose chain can
 * reach one is `falls-open` before anything is asked. All failures are in the report; it rejects
 * only when `run` is aborted, or with PROOF_PLATFORM_INVALID or PROOF_PLATFORM_UNKNOWN. Memory grows with the report, and with
 * `deep` by one line for each distinct blob; never with the size of blobs.
 */
export async function proveLock(
  request: ProofRequest,
  ports: ProofPorts,
  run: Run,
): Promise<ProofReport> {
  const { clock } = ports.client;
  const [startedAt, started] = [clock.now(), clock.monotonic()];
  const { publishedNames = () => [] } = request.site ?? {};
  const images = withSandboxNeeded(ports.rules, requiredImages(request.lock, request.platforms));
  const sandbox = sandboxOf(ports.rules, images, {
    published: ({ locked }) => publishedNames(locked),
    locked: request.lock.spec.sandbox,
  });
  const all = sandbox !== undefined && 'reference' in sandbox ? [...images, sandbox] : images;
  const missing = sandbox !== undefined && 'failure' in sandbox ? [sandbox] : [];
  const notes = new ProofNotes();
  const gate = hostGate(request.site);
  const seenFrom = new Map([...(request.site?.seenFrom ?? []), ...(request.seenFrom ?? [])]);
  const { client, service, rules } = ports;
  const { wire } = rules;
  const plan = { client, service, wire, gate, places: connectionPlaces(seenFrom), notes };
  const transports = new EndpointTransports(plan);
  try {
    const deep = request.deep === true;
    const limits = { ...(deep ? deepLimits : askLimits), ...request.limits };
    const { sleep } = ports.client;
    const sender = new RequestSender({ transports, notes, deep, wire, sleep });
    const proof = { request, ports, limits, gate, sender };
    const results = [...(await proveAll(all, proof, run)), ...sandboxResults(missing, request)];
    warnAbout(request, all, service.authorities, notes);
    return {
      ...headerOf(request, ports),
      startedAt: new Date(startedAt).toISOString(),
      durationMs: Math.round(clock.monotonic() - started),
      totals: { ...countImages(results), requests: transports.sent },
      results,
      logins: notes.logins(),
      warnings: notes.warnings(),
    };
  } finally {
    await transports.close();
  }
}

function headerOf({ lock, node, site, deep }: ProofRequest, { rules, record }: ProofPorts) {
  const { runtime, findings } = rules;
  return {
    apiVersion: 'slipway.dev/v1alpha1' as const,
    kind: 'ProofReport' as const,
    node,
    runtime: `${runtime.name}@${runtime.version}`,
    lock: lock.metadata,
    madeFrom: {
      lock: digestOf(formatLock(lock)),
      ...(site?.digest !== undefined && { site: site.digest }),
      ...(record !== undefined && { node: record.digest() }),
    },
    site: site?.mode ?? ('none' as const),
    deep: deep === true,
    findings: findings.map(({ rule, level, origin, message, fix }) => {
      return { rule, level, message, fix, at: formatOrigin(origin) };
    }),
  };
}

/** Results in the order of the images, whatever the order in which repositories end. */
async function proveAll(
  images: readonly RequiredImage[],
  proof: Proof,
  run: Run,
): Promise<ProofResult[]> {
  run.expect({ items: images.length, bytes: proof.request.deep === true ? bytesOf(images) : 0 });
  const found = new Map<RequiredImage, ProofResult[]>();
  await mapBounded(
    byRepository(images),
    proof.limits.parallelRepositories,
    async (repository) => {
      for await (const [image, results] of proveRepository(repository, proof, run)) {
        found.set(image, results);
        run.advance({ items: 1 });
      }
    },
    run.signal,
  );
  return images.flatMap((image) => found.get(image) ?? []);
}

/** What a deep proof downloads: every blob once. */
function bytesOf(images: readonly RequiredImage[]): number {
  const sizes = new Map<string, number>();
  for (const { platforms } of images) {
    for (const { config, layers, foreignLayers = [] } of platforms) {
      for (const { digest, size } of [config, ...layers, ...foreignLayers]) sizes.set(digest, size);
    }
  }
  return sizes.values().reduce((sum, size) => sum + size, 0);
}

function sandboxResults(
  missing: readonly MissingSandbox[],
  { lock, platforms, commands }: ProofRequest,
): ProofResult[] {
  return missing.map(({ image, failure }) => ({
    image,
    platform: (platforms ?? lock.spec.platforms).join(', '),
    verdict: advise(failure, { name: image, commands }),
  }));
}

/** An image is proven when it is on every platform. */
function countImages(results: readonly ProofResult[]) {
  const images = new Set<string>();
  const failures = new Set<string>();
  for (const { image, verdict } of results) {
    images.add(image);
    if (verdict.kind !== 'proven') failures.add(image);
  }
  const failed = failures.size;
  return { images: images.size, proven: images.size - failed, failed };
}

function warnAbout(
  { site }: ProofRequest,
  images: readonly RequiredImage[],
  { unread }: NodeAuthorities,
  notes: ProofNotes,
): void {
  for (const file of unread) {
    notes.warn(`authorities of the node that were not read, so they do not count here: ${file}`);
  }
  if (site === undefined) {
    notes.warn(
      'no Site was given: no host was forbidden, and upstreams were asked as the node would',
    );
  }
  for (const { name, unwanted } of images) {
    if (unwanted.length > 0) {
      notes.warn(`the Release does not want ${name} for ${unwanted.join(', ')}; not proved`);
    }
  }
}
