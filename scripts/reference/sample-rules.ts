/** What every runtime is asked for its page: one rule of each kind that somebody may want. */

import { EVERY_OTHER, type MirrorRule, type MirrorTarget } from '../../src/mirrors/mirror-rule.ts';
import { Secret } from '../../src/shared/secret.ts';

const harbor: MirrorTarget = { scheme: 'https', host: 'harbor.example', prefix: 'platform' };
const backup: MirrorTarget = { scheme: 'https', host: 'backup.example:5000', prefix: '' };

function hub(target: MirrorTarget, more: Partial<MirrorRule> = {}): MirrorRule {
  return { registry: 'docker.io', targets: [target], fallback: false, ...more };
}

/** One kind of rule, in words and as the compiler gets it. */
export interface AskedRule {
  readonly what: string;
  readonly rules: readonly MirrorRule[];
}

/** The rows of the table "what a rule can say". */
export const askedRules: readonly AskedRule[] = [
  { what: 'Docker Hub from a mirror, and from nowhere else', rules: [hub(harbor)] },
  {
    what: 'another registry from a mirror, and from nowhere else',
    rules: [{ registry: 'registry.k8s.io', targets: [harbor], fallback: false }],
  },
  { what: 'the registry itself after the mirror', rules: [hub(harbor, { fallback: true })] },
  { what: 'two mirrors, one after the other', rules: [hub(harbor, { targets: [backup, harbor] })] },
  {
    what: 'every other registry',
    rules: [{ registry: EVERY_OTHER, targets: [harbor], fallback: false }],
  },
  {
    what: 'only the repositories below one path',
    rules: [
      { registry: 'registry.k8s.io', path: 'cluster-api', targets: [harbor], fallback: false },
    ],
  },
  {
    what: 'authorities of its own for a mirror',
    rules: [hub({ ...harbor, ca: { name: 'site', pem: 'SAMPLE' } })],
  },
  {
    what: 'a mirror whose certificate is not checked',
    rules: [hub({ ...harbor, skipVerify: true })],
  },
  {
    what: 'a mirror without TLS',
    rules: [hub({ scheme: 'http', host: 'harbor.example:5000', prefix: '' })],
  },
  {
    what: 'a mirror at an IPv6 address, before another one',
    rules: [
      hub(harbor, { targets: [{ scheme: 'https', host: '[fd00::1]:5000', prefix: '' }, backup] }),
    ],
  },
  {
    what: 'a login at the mirror',
    rules: [hub({ ...harbor, login: { username: 'robot', password: new Secret('PASSWORD') } })],
  },
];

/** The rules of the compiled example: an offline site, with an authority of its own. */
export const exampleRules: readonly MirrorRule[] = [
  hub(harbor),
  { registry: 'registry.k8s.io', targets: [backup, harbor], fallback: false },
];
