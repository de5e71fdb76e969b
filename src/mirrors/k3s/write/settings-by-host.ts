import { compareText } from '../../../shared/json.ts';
import { authorityFile } from '../../certificates/authority-file.ts';
import { MirrorRuleNotWritable } from '../../errors.ts';
import type { MirrorRule, MirrorTarget } from '../../mirror-rule.ts';
import type { WantedFile } from '../../runtime-rules.ts';

/** What stands under one key of `configs`. */
export interface WrittenConfig {
  /** The endpoint's host[:port] as written. */
  readonly host: string;
  readonly login?: MirrorTarget['login'];
  readonly caFile?: string;
  readonly skipVerify?: true;
}

/**
 * The settings of each host that needs any, and the files of authorities that they name, in `folder`.
 * Throws MIRROR_RULE_NOT_WRITABLE where two targets want one host to be asked in different ways.
 */
export function settingsByHost(
  rules: readonly MirrorRule[],
  folder: string,
): { readonly configs: readonly WrittenConfig[]; readonly authorities: readonly WantedFile[] } {
  const configs = new Map<string, WrittenConfig>();
  const authorities = new Map<string, WantedFile>();
  for (const { registry, targets } of rules) {
    for (const target of targets) {
      const config = configOf(target, folder);
      const before = configs.get(target.host);
      if (before !== undefined && !isSame(before, config)) refuse(registry, target.host);
      configs.set(target.host, config);
      if (config.caFile !== undefined && target.ca !== undefined) {
        authorities.set(config.caFile, authorityFile(config.caFile, target.ca));
      }
    }
  }
  const needed = [...configs.values()].filter(
    ({ login, caFile, skipVerify }) => (login ?? caFile ?? skipVerify) !== undefined,
  );
  return {
    configs: needed.sort((a, b) => compareText(a.host, b.host)),
    authorities: [...authorities.values()],
  };
}

/** TLS settings on an http endpoint would make containerd ask over HTTPS first. */
function configOf(target: MirrorTarget, folder: string): WrittenConfig {
  const { host, scheme, ca, skipVerify, login } = target;
  const isTls = scheme === 'https';
  return {
    host,
    ...(login && { login }),
    ...(isTls && ca && { caFile: `${folder}/slipway-${ca.name}.pem` }),
    ...(isTls && skipVerify && { skipVerify }),
  };
}

function isSame(a: WrittenConfig, b: WrittenConfig): boolean {
  const isLoginSame =
    a.login === undefined || b.login === undefined
      ? a.login === b.login
      : a.login.username === b.login.username && a.login.password.equals(b.login.password);
  return isLoginSame && a.caFile === b.caFile && a.skipVerify === b.skipVerify;
}

function refuse(registry: string, host: string): never {
  throw new MirrorRuleNotWritable({
    rule: registry,
    reason: `k3s has one set of settings for ${host}, and rules want different ones`,
    instead: 'Give all targets of one host the same authorities and the same login.',
  });
}
