import { formatReference } from '../../../oci/reference.ts';
import type { Capability, PullEndpoint } from '../../pull-chain.ts';
import type { Answer, PullRequest, PullWalk, WalkOutcome } from '../../pull-walk.ts';
import { pathOf } from '../../request-url.ts';
import { type Answered, AskSession, grants, type Result, unexpected } from './ask-session.ts';
import type { AskedChain } from './asked-chain.ts';

/**
 * A larger manifest counts as not there when its name is resolved: 4 393 216 bytes, which was meant
 * to be 4 MiB. Source: MaxManifestSize in containerd core/remotes/docker/resolver.go, 1.7 to 2.3.
 */
export const largestResolvedBytes = 4 * 1048 * 1048;

interface Failure {
  /** How far the request came: 1 nothing came back, 2 not found, 3 another status, 4 too large. */
  readonly weight: 1 | 2 | 3 | 4;
  readonly text: string;
}

/**
 * Finding out what the reference is. A tag is asked of endpoints that pull and resolve, a digest of
 * those that pull, among the manifests first and then among the blobs. `name` is how the image was
 * asked for, for the text of the error.
 */
export function* resolveRequests(
  chain: AskedChain,
  name = formatReference(chain.reference),
): PullWalk {
  const { digest } = chain.reference;
  const needed: readonly Capability[] = digest === undefined ? ['pull', 'resolve'] : ['pull'];
  const endpoints = chain.endpoints.filter((endpoint) => grants(endpoint, needed));
  if (endpoints.length === 0) return { kind: 'failed', error: 'no resolve hosts: not found' };
  const lookup = new Lookup(chain, endpoints, name);
  const found = yield* lookup.among('manifests');
  if (found !== undefined) return found;
  if (digest !== undefined && lookup.mayAskForBlobs()) {
    const blob = yield* lookup.among('blobs');
    if (blob !== undefined) return blob;
  }
  return { kind: 'failed', error: lookup.error() };
}

class Lookup {
  readonly #chain: AskedChain;
  readonly #endpoints: readonly PullEndpoint[];
  readonly #name: string;
  readonly #session: AskSession;
  readonly #failures: Failure[] = [];

  constructor(chain: AskedChain, endpoints: readonly PullEndpoint[], name: string) {
    this.#chain = chain;
    this.#endpoints = endpoints;
    this.#name = name;
    this.#session = new AskSession(chain);
  }

  /** Asks all endpoints; undefined when every one of them failed. */
  *among(kind: 'manifests' | 'blobs'): Generator<PullRequest, WalkOutcome | undefined, Answer> {
    const { digest, tag = 'latest' } = this.#chain.reference;
    for (const endpoint of this.#endpoints) {
      const isLast = endpoint === this.#endpoints.at(-1);
      const target = pathOf(endpoint.repository, kind, digest ?? tag);
      const outcome = this.#judge(
        yield* this.#session.head(endpoint, target, { isLast, carriesNs: true }),
      );
      if (outcome !== undefined) return outcome;
    }
    return undefined;
  }

  mayAskForBlobs(): boolean {
    const hasError = this.#failures.some(({ weight }) => weight >= 3);
    return !(hasError && this.#chain.answers.noBlobsAfterError);
  }

  error(): string {
    return shownError(this.#failures, this.#chain) ?? `${this.#name}: not found`;
  }

  #judge(result: Result): WalkOutcome | undefined {
    if (result.kind === 'error') this.#failures.push({ weight: 1, text: resolveError(result) });
    else if (result.status < 300) return this.#judgeSize(result);
    else if (result.status < 400) return { kind: 'failed', error: unexpected(result) };
    else if (result.status === 404) {
      this.#failures.push({ weight: 2, text: `${this.#name}: not found` });
    } else this.#failures.push({ weight: 3, text: unexpected(result) });
    return undefined;
  }

  #judgeSize({ request, sizeBytes = 0 }: Answered): WalkOutcome | undefined {
    if (sizeBytes <= largestResolvedBytes) return { kind: 'served', by: request };
    const text = `rejecting ${sizeBytes} byte manifest for ${this.#name}: not found`;
    this.#failures.push({ weight: 4, text });
    return undefined;
  }
}

function resolveError({ text, why }: Extract<Result, { kind: 'error' }>): string {
  if (why !== 'login') return text;
  return `pull access denied, repository does not exist or may require authorization: ${text}`;
}

function shownError(failures: readonly Failure[], chain: AskedChain): string | undefined {
  if (!chain.answers.mostRelevantError) return failures.find(({ weight }) => weight !== 2)?.text;
  const heaviest = Math.max(...failures.map(({ weight }) => weight));
  return failures.find(({ weight }) => weight === heaviest)?.text;
}
