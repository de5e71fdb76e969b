import type { PullChain } from '../mirrors/pull-chain.ts';
import type { OpenChain } from '../mirrors/pull-walk.ts';
import type { Run } from '../shared/run.ts';
import { advise } from './advice.ts';
import type { HostGate } from './allowed-hosts.ts';
import { pullSecretFor } from './node/node-login.ts';
import type { ProofLimits, ProofPorts, ProofRequest } from './proof-request.ts';
import { type ImageProver, proveImage } from './prove-image.ts';
import type { Failure, ProofResult, Verdict } from './report.ts';
import type { RequiredImage, RequiredRepository } from './required-images.ts';
import { checkChain } from './verdicts/check-chain.ts';
import { failureOfProxies } from './verdicts/check-proxies.ts';
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
 * Proves the images of one repository one after the other; they have one chain and share replies.
 * What the node's files forbid is said without a request.
 */
export async function* proveRepository(
  { name, images }: RequiredRepository,
  proof: Proof,
  run: Run,
): AsyncGenerator<[RequiredImage, ProofResult[]]> {
  const [first] = images;
  if (first === undefined) return;
  const chain = await proof.ports.rules.pullChain(first.name);
  const closed = checkChain(chain, proof.gate) ?? checkProxies(chain, proof);
  const prove =
    closed === undefined && chain.kind === 'endpoints'
      ? await requestsProver(name, chain, proof, run)
      : () => Promise.resolve(closed);
  for (const image of images) {
    run.signal.throwIfAborted();
    const verdicts = new Map<string, Verdict | undefined>();
    for (const platform of image.platforms) {
      verdicts.set(platform.platform, await prove(image, platform));
    }
    for (const platform of image.lacking) {
      verdicts.set(platform, platformMissing(platform, proof.request.lock.spec.platforms));
    }
    yield [image, resultsOf(image, verdicts, chain, proof)];
  }
}

function checkProxies(chain: PullChain, { gate, ports }: Proof): Failure | undefined {
  if (chain.kind !== 'endpoints') return undefined;
  return failureOfProxies(chain, ports.service.environment, gate);
}

type Prove = (
  image: RequiredImage,
  platform: RequiredImage['platforms'][number],
) => Promise<Verdict | undefined>;

async function requestsProver(
  repository: string,
  chain: OpenChain,
  { ports, request, limits, sender }: Proof,
  run: Run,
): Promise<Prove> {
  const pullSecret = await pullSecretFor(repository, ports.pullSecrets, run);
  const requests = { pullSecret, path: chain.repository, replies: new Map() };
  const prover: ImageProver = {
    chain,
    rewritten: request.rewritten ?? new Map(),
    parallelBlobs: limits.parallelBlobs,
    send: (ask, inner) => sender.send(ask, requests, inner),
  };
  return (image, platform) => proveImage(image, platform, prover, run);
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

function resultsOf(
  { name, locked }: RequiredImage,
  verdicts: ReadonlyMap<string, Verdict | undefined>,
  chain: PullChain,
  { request, ports }: Proof,
): ProofResult[] {
  const isIndex = locked.platforms.some(({ manifest }) => manifest.digest !== locked.target.digest);
  const { authorities } = ports.service;
  const adviser = { name, isIndex, chain, authorities, commands: request.commands };
  return Array.from(verdicts).flatMap(([platform, verdict]): ProofResult[] => {
    if (verdict === undefined) return [];
    const isFine = verdict.kind === 'proven';
    return [
      {
        image: name,
        platform,
        verdict: isFine ? verdict : advise(verdict, adviser),
      },
    ];
  });
}
