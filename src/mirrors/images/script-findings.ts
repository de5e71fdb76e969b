/** I006 and I007: checks in scripts that say nothing about where an image came from. */

import type { Noticed } from '../finding.ts';
import { type ShellCommand, shellCommands } from './shell-commands.ts';

/** What can tell: these read the rules as the runtime does, and ask as it does. */
const INSTEAD =
  '"slipway mirrors explain" says where a node pulls from, "slipway prove" asks there; or look into the access log of the mirror.';

/**
 * `crictl images | grep harbor` → I006; `ctr -n k8s.io images pull …` without `--hosts-dir` → I007.
 * `nerdctl` reads certs.d, and `crictl pull` pulls as the kubelet does; neither is a finding.
 */
export function scriptFindings(file: string, text: string): readonly Noticed[] {
  return shellCommands(text).flatMap((command) => {
    const notice = listsImages(command) ?? pullsPastRules(command);
    return notice === undefined ? [] : [{ ...notice, origin: { file, line: command.line } }];
  });
}

type Notice = Pick<Noticed, 'rule' | 'message' | 'fix'>;

/** Ids alone are for cleaning up, not for a check. */
function listsImages({ words }: ShellCommand): Notice | undefined {
  const rest = argumentsOf('crictl', words, crictlValues);
  if (rest === undefined || !/^(?:images|image|img)$/.test(rest[0] ?? '')) return undefined;
  if (rest.some((word) => /^(?:-q|--quiet)$/.test(word))) return undefined;
  return {
    rule: 'I006',
    message:
      'crictl images shows the names that were asked for, never the mirror: this cannot tell where an image came from',
    fix: INSTEAD,
  };
}

function pullsPastRules({ words }: ShellCommand): Notice | undefined {
  const [what = '', action] = argumentsOf('ctr', words, ctrValues) ?? [];
  if (!/^(?:images|image|i)$/.test(what) || action !== 'pull') return undefined;
  if (words.some((word) => /^--?hosts-dir(?:=|$)/.test(word))) return undefined;
  return {
    rule: 'I007',
    message:
      'ctr reads no rules of the node, in the namespace k8s.io neither: this pull goes past the mirrors',
    fix: `Pull with crictl, or add --hosts-dir /etc/containerd/certs.d. ${INSTEAD}`,
  };
}

/** Options in front of the command that have a value of their own. */
const crictlValues = /^(?:-c|--config|-i|--image-endpoint|-r|--runtime-endpoint|-t|--timeout)$/;
const ctrValues = /^(?:-n|--namespace|-a|--address|--timeout|--connect-timeout)$/;

/** What stands behind a program and its own options: behind `sudo k3s crictl -t 5s` of `… images` → `['images']`. */
function argumentsOf(
  program: string,
  words: readonly string[],
  withValue: RegExp,
): readonly string[] | undefined {
  const at = words.findIndex((word) => word === program || word.endsWith(`/${program}`));
  if (at === -1) return undefined;
  let next = at + 1;
  while (words[next]?.startsWith('-') === true) {
    next += withValue.test(words[next] ?? '') ? 2 : 1;
  }
  return words.slice(next);
}
