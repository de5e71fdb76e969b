/** Takes the passwords of remembered rules back from where they stand: the runtime's own files. */

import { parseRuntimeId } from '../../site/runtime-id.ts';
import type { ConfigTree } from '../config-tree.ts';
import { MirrorLoginForgotten } from '../errors.ts';
import type { MirrorRule } from '../mirror-rule.ts';
import { openRuntime } from '../open-runtime.ts';
import type { NodeRules, PullEndpoint } from '../pull-chain.ts';
import type { NodeRecord, RememberedRule, RememberedTarget } from './node-record.ts';
import { probeOf } from './read-back.ts';

/**
 * The rules with the logins that the node uses for them now. `runtime` is the one that they were
 * written for, `root` where the node lies. Rejects with MIRROR_LOGIN_FORGOTTEN where its files have the login no more.
 */
export async function rulesWithLogins(
  tree: ConfigTree,
  runtime: NodeRecord['runtime'] | undefined,
  rules: readonly RememberedRule[],
  root: string,
): Promise<readonly MirrorRule[]> {
  const isWhole = rules.every(({ targets }) => targets.every(hasPassword));
  const node =
    isWhole || runtime === undefined
      ? undefined
      : await (await openRuntime(parseRuntimeId(runtime))).openNode(tree);
  const whole: MirrorRule[] = [];
  for (const rule of rules) {
    const endpoints = node === undefined ? [] : await endpointsOf(node, rule);
    whole.push({
      ...rule,
      targets: rule.targets.map((one) => targetWith(one, { rule, endpoints, root })),
    });
  }
  return whole;
}

function hasPassword({ login }: RememberedTarget): boolean {
  return login === undefined || login.password !== undefined;
}

async function endpointsOf(
  node: NodeRules,
  rule: RememberedRule,
): Promise<readonly PullEndpoint[]> {
  if (rule.targets.every(hasPassword)) return [];
  const chain = await node.pullChain(probeOf(rule));
  return chain.kind === 'endpoints' ? chain.endpoints : [];
}

interface KnownOfRule {
  readonly rule: RememberedRule;
  readonly endpoints: readonly PullEndpoint[];
  readonly root: string;
}

function targetWith(
  { login, ...target }: RememberedTarget,
  { rule: { registry, path }, endpoints, root }: KnownOfRule,
): MirrorRule['targets'][number] {
  if (login === undefined) return target;
  const { host } = target;
  const { username } = login;
  const isIt = (endpoint: PullEndpoint) =>
    endpoint.host === host && endpoint.login?.username === username;
  const password = login.password ?? endpoints.find(isIt)?.login?.secret;
  if (password !== undefined) return { ...target, login: { username, password } };
  const rule = path === undefined ? registry : `${registry}/${path}`;
  throw new MirrorLoginForgotten({ root, rule, host, username });
}
