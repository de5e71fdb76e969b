/** Rules that a tree of host directories cannot express: refused with the reason and what comes nearest. */

import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import { MirrorRuleNotWritable } from '../../errors.ts';
import { EVERY_OTHER, type MirrorRule, subjectOf } from '../../mirror-rule.ts';
import { DEFAULT_DIRECTORY } from '../host-directory.ts';

/** Throws MIRROR_RULE_NOT_WRITABLE for a rule that this version would read otherwise than it says. */
export function refuseRule(rule: MirrorRule, behaviour: ContainerdBehaviour): void {
  for (const check of [withoutTarget, partOfRegistry, everyOther, login, oldHeader]) {
    const refusal = check(rule, behaviour);
    if (refusal !== undefined) {
      throw new MirrorRuleNotWritable({ rule: subjectOf(rule), ...refusal });
    }
  }
}

interface Refusal {
  readonly reason: string;
  readonly instead: string;
}

function withoutTarget({ targets }: MirrorRule): Refusal | undefined {
  if (targets.length > 0) return undefined;
  return { reason: 'it has no target', instead: 'Name a registry that serves its images.' };
}

/** containerd looks rules up by the registry's name, up to the first slash; only k3s's fork rewrites. */
function partOfRegistry({ registry, path = '' }: MirrorRule): Refusal | undefined {
  if (path === '') return undefined;
  return {
    reason: `containerd has rules for whole registries only, so ${path} cannot lead elsewhere than the rest of ${registry}`,
    instead: `Publish all images of ${registry} behind one prefix (keep-path in the publish list of the Site), which becomes a path with override_path; or give the images of ${path} a mirror host of their own; or write the mirror's names into the manifests (repo).`,
  };
}

function everyOther({ registry }: MirrorRule, behaviour: ContainerdBehaviour): Refusal | undefined {
  if (registry !== EVERY_OTHER || behaviour.has('default-directory')) return undefined;
  return {
    reason: `containerd ${behaviour.version} has no ${DEFAULT_DIRECTORY}, so a name without a rule of its own would leave the site`,
    instead:
      'Use containerd 1.6.17 or later, or keep the node from other registries by its firewall and write a rule for each registry.',
  };
}

/** Decided in docs/adr/0014-no-logins-in-containerd-files.md. */
function login({ targets }: MirrorRule): Refusal | undefined {
  const closed = targets.find((target) => target.login !== undefined);
  if (closed === undefined) return undefined;
  return {
    reason: `hosts.toml has no key for the login at ${closed.host}, and registry.configs of the main configuration is deprecated, readable for everybody, and turns the transfer service off`,
    instead:
      'Give pods a pull secret for the mirror (its host, not the registry), or nodes a credential provider of the kubelet; or let the mirror serve without a login.',
  };
}

/** 1.x discards the whole file; in the `server` line it reads the address. */
function oldHeader({ targets, fallback }: MirrorRule, behaviour: ContainerdBehaviour) {
  if (behaviour.has('go-toml-2')) return undefined;
  const inHeaders = fallback ? targets : targets.slice(0, -1);
  const wrong = inHeaders.find(({ host }) => host.startsWith('['));
  if (wrong === undefined) return undefined;
  return {
    reason: `containerd ${behaviour.version} discards a file with the IPv6 address ${wrong.host} in a header`,
    instead: `Reach ${wrong.host} by a name or an IPv4 address; or put it last in a list without fallback, where it is the server; or use containerd 2.`,
  };
}
