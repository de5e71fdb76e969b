import type { PullChain } from '../mirrors/pull-chain.ts';
import { upstreamHost } from '../oci/docker-hub.ts';
import type { Run } from '../shared/run.ts';
import { advise } from './advice.ts';
import type { HostGate } from './allowed-hosts.ts';
import { pullSecretFor } from './node/node-login.ts';
import type { ProofLimits, ProofPorts, ProofRequest } from './proof-request.ts';
import { type ImageProver, proveImage } from './prove-image.ts';
import type { Failure, ProofResult, Verdict } from './report.ts';
import type { RequiredImage, RequiredPlatform, RequiredRepository } from './required-images.ts';
import { checkChain } from './verdicts/check-chain.ts';
import { failureOfProxies } from './verdicts/check-proxies.ts';
import { RepositoryWays, type WayToAsk } from './ways-to-ask.ts';
import type { RequestSender } from './wire/request-sender.ts';

/** What all images of one proof share. */
export interface Proof {
  readonly request: ProofRequest;
  readonly ports: ProofPorts;
  readonly limits: ProofLimits;
  readonly gate: HostGate;
  readonly sender: RequestSender;
}

/**
 * Proves the images of one repository one after the other; they share replies. What the node's files
 * forbid is said without a request.
 */
export async function* proveRepository(
  { name, images }: RequiredRepository,
  proof: Proof,
  run: Run,
): AsyncGenerator<[RequiredImage, ProofResult[]]> {
  const ways = new RepositoryWays(proof.ports.rules);
  const provers = new ProverOfChains(name, proof);
  for (const image of images) {
    run.signal.throwIfAborted();
    const asked = await ways.of(image);
    const results: ProofResult[] = [];
    for (const platform of image.platforms) {
      results.push(await proveEveryWay(asked, platform, provers, run));
    }
    for (const platform of image.lacking) {
      const failure = platformMissing(platform, proof.request.lock.spec.platforms);
      results.push(resultOf(failure, { image, platform, chain: asked[0]?.chain }, proof));
    }
    yield [image, results];
  }
}

/** Proven when it is in every way; else the first failure. */
async function proveEveryWay(
  ways: readonly WayToAsk[],
  platform: RequiredPlatform,
  provers: ProverOfChains,
  run: Run,
): Promise<ProofResult> {
  const results: ProofResult[] = [];
  for (const way of ways) {
    const result = await provers.prove(way, platform, run);
    if (result.verdict.kind !== 'proven') return result;
    results.push(result);
  }
  const [first, ...others] = results;
  if (first?.verdict.kind !== 'proven') throw new TypeError('an image is asked for in some way');
  const proven = others.flatMap(({ verdict }) => (verdict.kind === 'proven' ? [verdict] : []));
  const { verdict } = first;
  const by = new Set([...verdict.by, ...proven.flatMap((one) => one.by)]);
  const requests = proven.reduce((sum, one) => sum + one.requests, verdict.requests);
  return { ...first, verdict: { ...verdict, by: [...by], requests } };
}

/** Proves along the chains of one repository; each chain is looked at once. */
class ProverOfChains {
  readonly #repository: string;
  readonly #proof: Proof;
  readonly #known = new Map<PullChain, Promise<Failure | ImageProver>>();

  constructor(repository: string, proof: Proof) {
    this.#repository = repository;
    this.#proof = proof;
  }

  async prove({ image, chain, how }: WayToAsk, platform: RequiredPlatform, run: Run) {
    const prover = this.#known.get(chain) ?? this.#proverOf(chain, run);
    this.#known.set(chain, prover);
    const ready = await prover;
    const verdict = 'kind' in ready ? ready : await proveImage(image, platform, ready, run);
    const place = { image, platform: platform.platform, chain };
    return resultOf(how === undefined ? verdict : asAsked(verdict, how), place, this.#proof);
  }

  async #proverOf(chain: PullChain, run: Run): Promise<Failure | ImageProver> {
    const { gate, ports, request, limits, sender } = this.#proof;
    const closed = checkChain(chain, gate) ?? checkProxies(chain, this.#proof);
    if (closed !== undefined) return closed;
    if (chain.kind === 'refused') throw new TypeError('a refused chain is a failure');
    const secret = {
      pullSecret: await pullSecretFor(this.#repository, ports.pullSecrets, run),
      registryHost: upstreamHost(chain.registry),
      goesTo: chain.wire.pullSecretGoesTo,
    };
    const requests = { secret, path: chain.repository, replies: new Map() };
    return {
      chain,
      rewritten: request.rewritten ?? new Map(),
      parallelBlobs: limits.parallelBlobs,
      send: (ask, inner) => sender.send(ask, requests, inner),
    };
  }
}

function asAsked(verdict: Verdict, how: NonNullable<WayToAsk['how']>): Verdict {
  if (verdict.kind === 'proven') return verdict;
  return { ...verdict, summary: `${verdict.summary} when a pod asks for it ${how}` };
}

function checkProxies(chain: PullChain, { gate, ports }: Proof): Failure | undefined {
  if (chain.kind !== 'endpoints') return undefined;
  return failureOfProxies(chain, ports.service.environment, gate);
}

function platformMissing(platform: string, planned: readonly string[]): Failure {
  const step = `let the Release want it for ${platform}, since every pod there needs it`;
  return {
    kind: 'platform-missing',
    summary: `the Lock does not have it for ${platform}`,
    asked: [],
    because: [`the Lock was planned for ${planned.join(', ')}`],
    do: [step],
  };
}

interface ResultPlace {
  readonly image: RequiredImage;
  readonly platform: string;
  readonly chain: PullChain | undefined;
}

function resultOf(
  verdict: Verdict,
  { image: { name, locked }, platform, chain }: ResultPlace,
  { request, ports }: Proof,
): ProofResult {
  if (verdict.kind === 'proven') return { image: name, platform, verdict };
  const isIndex = locked.platforms.some(({ manifest }) => manifest.digest !== locked.target.digest);
  const { authorities } = ports.service;
  const known = chain === undefined ? {} : { chain };
  const adviser = { name, isIndex, ...known, authorities, commands: request.commands };
  return { image: name, platform, verdict: advise(verdict, adviser) };
}
