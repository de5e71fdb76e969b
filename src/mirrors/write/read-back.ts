/** Reads written rules as the runtime reads them, and compares what it then asks with what they are for. */

import { digestOf } from '../../oci/digest.ts';
import { upstreamHost } from '../../oci/docker-hub.ts';
import { formatOrigin } from '../finding.ts';
import { isLocalHost } from '../go/host-port.ts';
import { EVERY_OTHER, type MirrorRule, type MirrorTarget, subjectOf } from '../mirror-rule.ts';
import type { NodeRules, PullChain, PullEndpoint } from '../pull-chain.ts';
import type { OpenChain, PullWalk } from '../pull-walk.ts';
import { type AnswerTo, nothingThere, simulate } from '../simulate.ts';

/** A name that nobody has, for the rule of every other registry. RFC 2606 keeps it free. */
const UNLISTED = 'registry.not-listed.invalid';
/** An image that nobody has. */
const PROBE = 'slipway/read-back';
const sampleBlob = digestOf('a blob that stands for all');

/** What differs, one line each; empty when every rule does what it says. */
export async function readBack(
  node: NodeRules,
  rules: readonly MirrorRule[],
  sandboxImage: string | undefined,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const rule of rules) problems.push(...(await readBackRule(node, rule)));
  const { sandboxImage: sandbox } = node;
  if (sandboxImage !== undefined && sandbox !== undefined && sandbox.image !== sandboxImage) {
    problems.push(
      `pods wait in ${sandbox.image} (${formatOrigin(sandbox.origin)}), not in ${sandboxImage}`,
    );
  }
  return [...new Set(problems)];
}

/** An image that nobody has and that the rule is for: `quay.io/slipway/read-back:1`. */
export function probeOf({ registry, path }: Pick<MirrorRule, 'registry' | 'path'>): string {
  const host = registry === EVERY_OTHER ? UNLISTED : registry;
  return [host, ...(path === undefined ? [] : [path]), `${PROBE}:1`].join('/');
}

async function readBackRule(node: NodeRules, rule: MirrorRule): Promise<readonly string[]> {
  const registry = rule.registry === EVERY_OTHER ? UNLISTED : rule.registry;
  const below = rule.path === undefined ? '' : `${rule.path}/`;
  const chain = await node.pullChain(probeOf(rule));
  const name = subjectOf(rule);
  if (chain.kind === 'refused') {
    const whose = chain.scope === 'node' ? 'the node' : name;
    return [`${whose}: ${chain.error} (${formatOrigin(chain.origin)})`];
  }
  const asked = askedPlaces(chain.requests.resolve(chain.reference), rule.targets);
  const got = asked.map(({ place }) => place);
  const upstream = upstreamPlace(registry, `${below}${PROBE}`, got);
  const wanted = wantedPlaces(rule, upstream);
  if (wanted.join(' ') !== got.join(' ')) {
    const places = got.length === 0 ? 'nowhere' : got.join(', then ');
    return [
      `${name} would be pulled from ${places}, not from ${wanted.join(', then ')}${because(chain)}`,
    ];
  }
  return [
    ...rule.targets.flatMap((target, index) =>
      targetProblems(target, asked[index]?.endpoint, name),
    ),
    ...contentProblems(chain, rule, wanted, name),
    ...pushProblems(chain, rule, registry, name),
  ];
}

/** The first error that the reader noticed says best why the result is another one. */
function because(chain: PullChain): string {
  const error = chain.findings.find(({ level }) => level === 'error');
  return error === undefined ? '' : `: ${error.message} (${formatOrigin(error.origin)})`;
}

/** `https://harbor.example/v2/platform/slipway/read-back`: where the rule wants the image to be found. */
function wantedPlaces(rule: MirrorRule, upstream: string): readonly string[] {
  const places = rule.targets.map(({ scheme, host, prefix }) =>
    [`${scheme}://${host}/v2`, ...(prefix === '' ? [] : [prefix]), PROBE].join('/'),
  );
  return rule.fallback ? [...places, upstream] : places;
}

/** Over HTTPS; some runtimes ask a registry of the node itself without TLS, and no network sees that. */
function upstreamPlace(registry: string, repository: string, got: readonly string[]): string {
  const place = `//${upstreamHost(registry)}/v2/${repository}`;
  return isLocalHost(registry) && got.at(-1) === `http:${place}`
    ? `http:${place}`
    : `https:${place}`;
}

interface AskedPlace {
  readonly place: string;
  readonly endpoint: PullEndpoint;
}

/**
 * Where a walk looks if nobody has anything, each place once. A host that a rule asks over HTTP answers
 * so when it is asked over HTTPS: some runtimes try that first.
 */
function askedPlaces(walk: PullWalk, targets: readonly MirrorTarget[]): readonly AskedPlace[] {
  const plain = new Set(targets.flatMap(({ scheme, host }) => (scheme === 'http' ? [host] : [])));
  const answerTo: AnswerTo = (request) =>
    request.url.startsWith('https:') && plain.has(request.endpoint.host)
      ? { kind: 'plain-http' }
      : nothingThere(request);
  const places = new Map<string, AskedPlace>();
  for (const { request, answer } of simulate(walk, answerTo).steps) {
    const place = /^[^?]*(?=\/(?:manifests|blobs)\/)/.exec(request.url)?.[0];
    if (place === undefined || answer.kind === 'plain-http') continue;
    places.set(place, { place, endpoint: request.endpoint });
  }
  return [...places.values()];
}

/** Content comes from the same places, whichever of them had the name. */
function contentProblems(
  chain: OpenChain,
  { targets }: MirrorRule,
  wanted: readonly string[],
  name: string,
): readonly string[] {
  const walks = chain.endpoints.map((from) =>
    chain.requests.fetch({ digest: sampleBlob, kind: 'blobs', urls: [], from }),
  );
  const asked = walks.flatMap((walk) => askedPlaces(walk, targets));
  const others = asked.filter(({ place }) => !wanted.includes(place));
  return others.map(
    ({ place, endpoint }) =>
      `${name}: blobs would come from ${place} (${formatOrigin(endpoint.origin)})`,
  );
}

/** What is pushed under the registry's name must not end in a mirror. */
function pushProblems(
  chain: OpenChain,
  { targets }: MirrorRule,
  registry: string,
  name: string,
): readonly string[] {
  const { steps } = simulate(chain.requests.push(sampleBlob), nothingThere);
  const takers = steps.map(({ request }) => request.endpoint);
  const mirrors = takers.filter(
    ({ host }) => host !== registry && targets.some((target) => target.host === host),
  );
  return mirrors.map(
    ({ host, origin }) => `${name}: ${host} takes pushes (${formatOrigin(origin)})`,
  );
}

function targetProblems(
  target: MirrorTarget,
  endpoint: PullEndpoint | undefined,
  registry: string,
): readonly string[] {
  if (endpoint === undefined) return [];
  const problems = [...(target.scheme === 'https' ? trustProblems(target, endpoint) : [])];
  const { login } = endpoint;
  const isLogin =
    target.login === undefined ||
    (login?.username === target.login.username && login.secret.equals(target.login.password));
  if (!isLogin) problems.push(`is not asked with the login of ${target.login?.username}`);
  return problems.map(
    (problem) => `${registry}: ${endpoint.host} ${problem} (${formatOrigin(endpoint.origin)})`,
  );
}

function trustProblems(target: MirrorTarget, { trust }: PullEndpoint): readonly string[] {
  const problems: string[] = [];
  if (trust.skipVerify !== (target.skipVerify === true)) {
    problems.push(trust.skipVerify ? 'is not verified' : 'is verified');
  }
  const pem = target.ca?.pem.trim();
  const isTrusted = pem === undefined || trust.ca.some((file) => file.pem.includes(pem));
  if (!isTrusted)
    problems.push(
      'does not trust the authorities that the rule names (--ca, or trust.ca of the Site)',
    );
  return problems;
}
