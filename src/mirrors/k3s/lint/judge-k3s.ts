/** Everything that is worth saying about the files of a k3s or RKE2 node. */

import type { ConfigTree } from '../../config-tree.ts';
import { compareFindings, type Finding, type Noticed } from '../../finding.ts';
import { type FindingRules, loadFindingRules } from '../../finding-rules.ts';
import type { PullChain } from '../../pull-chain.ts';
import type { LintedSite } from '../../runtime-rules.ts';
import type { K3sBehaviour } from '../behaviour.ts';
import { parseEndpointUrl } from '../convert/endpoint-address.ts';
import type { K3sState } from '../node/k3s-state.ts';
import { rewriteRepository } from '../node/rewrite.ts';
import { bootstrapFindings } from './bootstrap-findings.ts';
import { configFindings } from './config-findings.ts';
import { endpointFindings } from './endpoint-findings.ts';
import { fileNameFindings } from './file-names.ts';
import { type K3sNotice, originAt } from './k3s-notice.ts';
import { keyFindings } from './key-findings.ts';
import { rewriteFindings } from './rewrite-findings.ts';
import { staleFindings } from './stale-findings.ts';
import { syntaxFindings } from './syntax-findings.ts';
import { templateFindings } from './template-findings.ts';
import { upstreamFindings } from './upstream-findings.ts';

/** The findings of a node, as a whole and by registry. */
export interface JudgedNode {
  readonly findings: readonly Finding[];
  /** Those about one registry and the hosts that are asked for its images, and those about no particular one. */
  findingsFor(registry: string): readonly Finding[];
  /** What is odd about the rewrites of one image. */
  rewriteFindings(image: Pick<PullChain, 'registry' | 'repository'>): readonly Finding[];
}

/** What is judged, and for which site. */
export interface JudgedFiles {
  readonly tree: ConfigTree;
  readonly state: K3sState;
  readonly behaviour: K3sBehaviour;
  readonly site?: LintedSite;
}

/** Sorted by file and line. */
export async function judgeK3s(
  files: JudgedFiles,
  levels: Promise<FindingRules> = loadFindingRules(),
): Promise<JudgedNode> {
  const table = await levels;
  const notices = await noticesIn(files);
  const judge = (some: readonly Noticed[]) =>
    table.judge(some, 'registry rules').toSorted(compareFindings);
  const all = judge(notices.map(withoutHost));
  return {
    findings: all,
    findingsFor: (registry) => {
      const hosts = hostsFor(registry, files.state);
      return judge(notices.filter((one) => isAbout(one, hosts)).map(withoutHost));
    },
    rewriteFindings: (image) => judge(imageNotices(files, image)),
  };
}

function withoutHost({ host: _, ...noticed }: K3sNotice): Noticed {
  return noticed;
}

function isAbout({ registry, host = registry }: K3sNotice, hosts: ReadonlySet<string>): boolean {
  return host === undefined || hosts.has(host);
}

/** The registry, and the hosts that are asked for its images: the settings of those stand under their own names. */
function hostsFor(registry: string, state: K3sState): ReadonlySet<string> {
  const mirrors = state.kind === 'refused' ? undefined : state.file.registries.mirrors;
  const mirror = mirrors?.get(registry) ?? mirrors?.get('*');
  const hosts = mirror?.endpoints.flatMap(({ value }) => {
    const parsed = parseEndpointUrl(value);
    return parsed.ok ? [parsed.url.host] : [];
  });
  return new Set([registry, '*', ...(hosts ?? [])]);
}

async function noticesIn(files: JudgedFiles): Promise<readonly K3sNotice[]> {
  const { tree, state, behaviour, site = { mode: 'online' } } = files;
  const names = await fileNameFindings(tree, behaviour.program);
  const { settings } = state;
  const templates = settings === undefined ? [] : await templateFindings(settings, behaviour, tree);
  if (state.kind === 'refused') return [...names, ...refusedFindings(state), ...templates];
  const judged = { running: state, behaviour, isOffline: site.mode === 'offline' };
  return [
    ...names,
    ...keyFindings(judged),
    ...(await configFindings(judged, tree)),
    ...endpointFindings(judged),
    ...rewriteFindings(judged),
    ...upstreamFindings(judged, site),
    ...bootstrapFindings(judged),
    ...templates,
    ...(await staleFindings(judged, tree)),
  ];
}

function refusedFindings(state: Extract<K3sState, { kind: 'refused' }>): readonly K3sNotice[] {
  const { file, text, settings, error, origin } = state;
  if (file !== undefined && settings !== undefined) {
    return syntaxFindings(file, text ?? '', settings.registriesPath);
  }
  const fix = 'Correct the place; k3s does not start before.';
  return [{ rule: 'K004', origin, message: `k3s does not start: ${error}`, fix }];
}

/** For one image it is known which patterns match it. */
function imageNotices(
  { state }: JudgedFiles,
  { registry, repository }: Pick<PullChain, 'registry' | 'repository'>,
): readonly K3sNotice[] {
  if (state.kind === 'refused') return [];
  const { mirrors } = state.file.registries;
  const mirror = mirrors.get(registry) ?? mirrors.get('*');
  if (mirror === undefined) return [];
  const { rivals, unknown } = rewriteRepository(mirror.rewrites, repository);
  const origin = originAt({ running: state }, mirror.at);
  const fix = 'Write patterns that exclude each other.';
  const unsure = unknown.map(({ pattern, reason }): K3sNotice => {
    const message = `${repository} may be asked for under another name: Slipway cannot follow ${pattern} (${reason})`;
    return { rule: 'K005', origin, message, fix: 'Use a simpler pattern.' };
  });
  if (rivals.length === 0) return unsure;
  const message = `${repository} is matched by ${rivals.join(' and ')}; which of them is taken is random`;
  return [...unsure, { rule: 'K005', level: 'error', origin, message, fix }];
}
