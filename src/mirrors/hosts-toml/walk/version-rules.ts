/** What one version of containerd does with answers and on the wire, in the forms that every runtime shares. */

import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import type { WireRules } from '../../pull-chain.ts';
import type { AnswerRules } from './asked-chain.ts';
import { largestResolvedBytes } from './resolve-requests.ts';

/** What this version does with answers. */
export function answerRulesOf(behaviour: ContainerdBehaviour): AnswerRules {
  return {
    attempts: behaviour.has('five-attempts') ? 5 : 6,
    repeatsServerErrorOnLast: behaviour.has('repeats-server-error-on-last'),
    repeatsBrokenOnLast: behaviour.has('repeats-broken-on-last'),
    getAfterForbidden: behaviour.has('get-after-forbidden'),
    noBlobsAfterError: behaviour.has('no-blobs-after-error'),
    mostRelevantError: behaviour.has('most-relevant-error'),
    httpAfterConnectionError: behaviour.has('http-after-connection-error'),
    fetchErrorsNameMethod: behaviour.has('fetch-errors-name-the-method'),
    pushesCarryNs: behaviour.has('pushes-carry-ns'),
  };
}

/** What this version does on the wire, in the form that every runtime shares. */
export function wireRulesOf(behaviour: ContainerdBehaviour): WireRules {
  return {
    tokenServerGetsHeaders: behaviour.has('token-server-gets-headers'),
    largestResolvedBytes,
    pullSecretGoesTo: 'every endpoint',
    tokensBy: 'post',
    fetchCodings: behaviour.has('fetch-accepts-more-codings')
      ? ['zstd', 'gzip', 'deflate']
      : ['gzip'],
  };
}
