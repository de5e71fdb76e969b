import type { PullChain } from '../mirrors/pull-chain.ts';
import type { NodeAuthorities } from './node/node-authorities.ts';
import type { Failure } from './report.ts';
import { becauseOf, fixesOf } from './verdicts/check-chain.ts';

/** Commands that work as printed; the caller knows the paths and options. */
export interface ProofCommands {
  /** Loads one image again; `repair`: the registry has the name, but has lost content behind it. */
  load(imageName: string, options: { readonly repair: boolean }): string;
  /** Writes the rules of the node that is proved, over those of others if there are any. */
  readonly writeRules: string;
  /** What has to be done by hand before `writeRules` works; undefined when nobody has tried. */
  readonly beforeRules?: readonly string[];
  /** Makes the bundle of the Lock anew. */
  readonly pack: string;
  /**
   * Proves again with the record of indexes that a load rewrote, as a command or a sentence; undefined
   * when this proof has the record already.
   */
  readonly proveRewritten: string | undefined;
  /** Makes the Lock anew, as a command or a sentence. */
  readonly plan: string;
}

/** The image that failed, and its chain if there is one. */
export interface Adviser {
  readonly name: string;
  /** Only an index can have been rewritten for a registry. */
  readonly isIndex?: boolean;
  readonly chain?: PullChain;
  /** Those of the node itself. */
  readonly authorities?: NodeAuthorities;
  readonly commands: ProofCommands;
}

/** The failure with its reasons from the node's files and what to do about it. */
export function advise(failure: Failure, adviser: Adviser): Failure {
  const findings = adviser.chain === undefined ? [] : becauseOf(adviser.chain.findings);
  const reasons = [...failure.because, ...reasonsFor(failure, adviser), ...findings];
  return {
    ...failure,
    because: [...new Set(reasons)],
    do: [...new Set([...failure.do, ...stepsFor(failure, adviser)])],
  };
}

function reasonsFor(failure: Failure, { chain, authorities }: Adviser): string[] {
  if (failure.kind === 'denied') {
    const registry = chain?.registry ?? 'the registry';
    return [
      failure.user === undefined
        ? `pull secrets are chosen by the name of the image (${registry}), not by the mirror that is asked`
        : 'Harbor answers the same for a project that does not exist',
    ];
  }
  if (failure.kind === 'unreachable') {
    return authorityReasons(failure, chain, authorities);
  }
  const asksWithNs = failure.asked.some(({ url, answer }) => answer === '400' && /\?ns=/.test(url));
  if (failure.kind === 'strange-answer' && asksWithNs) {
    return ['some registries refuse the parameter ns, which runtimes add for mirrors'];
  }
  return [];
}

/** Which authorities were tried: those that the rules name, and the node's own. */
function authorityReasons(
  { host, certificate }: Extract<Failure, { kind: 'unreachable' }>,
  chain: PullChain | undefined,
  own: NodeAuthorities | undefined,
): string[] {
  const endpoints = chain?.kind === 'endpoints' ? chain.endpoints : [];
  const endpoint = endpoints.find((one) => one.host === host);
  if (certificate !== 'untrusted' || endpoint === undefined) return [];
  const files = endpoint.trust.ca.map(({ path }) => path);
  const named =
    files.length === 0 ? 'no ca is named for it' : `it is none of the ca in ${files.join(', ')}`;
  if (own === undefined) return [named];
  return own.found.length === 0
    ? [
        `${named}, and the node has no authorities: no file of ${own.places.join(', ')} exists under its root`,
      ]
    : [`${named}, and it is none of the node's own authorities in ${own.found.join(', ')}`];
}

function stepsFor(failure: Failure, adviser: Adviser): string[] {
  const { name, commands, isIndex } = adviser;
  switch (failure.kind) {
    case 'falls-open':
      // Rules change nothing about a proxy, nor about an address that the image itself names.
      if (failure.do.length > 0) return [];
      return failure.asked.length === 0
        ? rulesSteps(adviser)
        : [
            `let the registry serve its blobs itself, or add ${failure.host} to "allow" in the Site`,
          ];
    case 'configuration-refused':
      return rulesSteps(adviser);
    case 'not-locked':
      // What the Lock has needs no other Lock, only rules that name it.
      if (failure.do.length === 0) return rulesSteps(adviser);
      return [...carrySteps(adviser), ...rulesSteps(adviser)];
    case 'platform-missing':
      return carrySteps(adviser);
    case 'not-found':
      return [commands.load(name, { repair: false })];
    case 'tag-moved': {
      // Where it was rewritten, loading again would rewrite it again and change nothing.
      const { proveRewritten } = commands;
      const first = isIndex === true && proveRewritten !== undefined ? [proveRewritten] : [];
      return [...first, commands.load(name, { repair: false })];
    }
    case 'incomplete':
    case 'wrong-digest':
    case 'wrong-size':
    case 'cut-short':
      return [commands.load(name, { repair: true })];
    case 'unreachable':
      return unreachableSteps(failure, adviser);
    case 'denied':
      return [deniedStep(failure)];
    case 'unreadable':
      return ['build the image again with a current tool, push it to its source, then plan again'];
    case 'rate-limited':
      return ['raise the limit of the registry for its nodes, then prove again'];
    case 'strange-answer':
      return [`see what answers there: curl -i '${failure.asked[0]?.url ?? ''}'`];
    case 'too-slow':
    case 'registry-failed':
      return ['look at the log and the storage of the registry, then prove again'];
  }
}

/** The rules are written anew by a command; only what would stop that command comes before it. */
function rulesSteps({ chain, commands }: Adviser): string[] {
  const before = commands.beforeRules ?? fixesOf(chain?.findings ?? []);
  return [...before, commands.writeRules];
}

/** The road of what is new in a Release, from the machine that plans to the registry of the site. */
function carrySteps({ name, commands }: Adviser): string[] {
  return [commands.plan, commands.pack, commands.load(name, { repair: false })];
}

/** What is said about the connection itself comes with the failure; only the rules are ours to mend. */
function unreachableSteps(
  { certificate }: Extract<Failure, { kind: 'unreachable' }>,
  { commands, authorities }: Adviser,
): string[] {
  if (certificate !== 'untrusted') return [];
  if (authorities?.found.length !== 0) return [commands.writeRules];
  return [
    commands.writeRules,
    'where the root is a copy of some of the files of a node, copy its authorities too (/etc/ssl, /etc/pki)',
  ];
}

function deniedStep({ user }: Extract<Failure, { kind: 'denied' }>): string {
  return user === undefined
    ? 'give the pods a pull secret for the registry in the name of the image, or the node a login'
    : `let ${user} read it, or correct the password; in Harbor, see that the project exists`;
}
