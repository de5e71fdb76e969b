/** K001, K003 and keys that stand twice: what is read as something else than it looks. */

import { didYouMean, suggest } from '../../../documents/suggest.ts';
import type { YamlPlace } from '../../../documents/yaml-nodes.ts';
import type { Unsaid } from '../../go/yaml/decoder.ts';
import { rightName, whyNeverFound } from '../../names/registry-key.ts';
import { editAt, type Judged, type K3sNotice, originAt } from './k3s-notice.ts';

const known: Readonly<Record<string, readonly string[]>> = {
  'registries.Registry': ['mirrors', 'configs'],
  'registries.Mirror': ['endpoint', 'rewrite'],
  'registries.RegistryConfig': ['auth', 'tls'],
  'registries.AuthConfig': ['username', 'password', 'auth', 'identity_token'],
  'registries.TLSConfig': ['ca_file', 'cert_file', 'key_file', 'insecure_skip_verify'],
};

const unchecked =
  'k3s calls it insecure_skip_verify, under tls of the host; better name its authority as ca_file.';

/** Words of other programs, and of a skeleton in k3s's own documentation. */
const fixes: ReadonlyMap<string, string> = new Map([
  ['token', 'For a token write identity_token; for a name with a password username and password.'],
  ['skip_verify', unchecked],
  ['insecure', unchecked],
  ['endpoints', 'k3s calls it endpoint, also for several.'],
]);

/** Keys that k3s passes over, and those that it takes twice. */
export function keyFindings(judged: Judged): readonly K3sNotice[] {
  const { unsaid } = judged.running.file;
  return [
    ...unsaid.map((one) =>
      one.kind === 'unknown-key' ? unknownKey(one, judged) : duplicateKey(one, judged),
    ),
    ...registryKeys(judged),
  ];
}

type Unknown = Extract<Unsaid, { kind: 'unknown-key' }>;

/** The key of `mirrors` or `configs` below which a place is; neither for one beside them. */
function ownerOf(
  type: string,
  { start }: Pick<YamlPlace, 'start'>,
  { running }: Judged,
): Pick<K3sNotice, 'registry' | 'host'> {
  if (type === 'registries.Registry') return {};
  const { mirrors, configs } = running.file.registries;
  const isMirror = type === 'registries.Mirror';
  const owners: ReadonlyMap<string, { readonly at: YamlPlace }> = isMirror ? mirrors : configs;
  const before = Array.from(owners).filter(([, { at }]) => at.start < start);
  const [owner] = before.sort(([, a], [, b]) => b.at.start - a.at.start)[0] ?? [];
  if (owner === undefined) return {};
  return isMirror ? { registry: owner } : { host: owner };
}

function unknownKey({ key, type, at, siblings }: Unknown, judged: Judged): K3sNotice {
  const names = known[type] ?? [];
  const meant = meantKey(key, names);
  const message = `k3s does not know the key ${key} and ignores it`;
  const fix = fixes.get(key) ?? `Known keys are ${names.join(', ')}${didYouMean(key, names)}`;
  const notice: K3sNotice = {
    rule: 'K001',
    ...ownerOf(type, at, judged),
    origin: originAt(judged, at),
    message,
    fix,
  };
  // Turning checks off is for a person to decide.
  const canMend =
    meant !== undefined && meant !== 'insecure_skip_verify' && !siblings.includes(meant);
  return canMend ? { ...notice, mend: editAt(judged, at, meant) } : notice;
}

/** The key that was surely meant: one letter or two away, a plural, or with a quote that is too many. */
function meantKey(key: string, names: readonly string[]): string | undefined {
  const bare = key.replaceAll(/["']/g, '').trim();
  return names.find((name) => name === bare || `${name}s` === bare) ?? suggest(bare, names);
}

function duplicateKey(
  { key, at }: Extract<Unsaid, { kind: 'duplicate-key' }>,
  judged: Judged,
): K3sNotice {
  const isMerged = key === 'mirrors' || key === 'configs';
  const message = isMerged
    ? `${key} stands here a second time; k3s adds what is in it to the first`
    : `${key} stands here a second time, and this one wins without a message`;
  return {
    rule: 'K004',
    origin: originAt(judged, at),
    message,
    fix: isMerged ? 'Write it once.' : 'Keep one of them.',
    ...(isMerged && { level: 'warn' as const }),
  };
}

function registryKeys(judged: Judged): readonly K3sNotice[] {
  const { mirrors } = judged.running.file.registries;
  return Array.from(mirrors).flatMap(([name, { at }]): readonly K3sNotice[] => {
    const right = rightName(name);
    if (right === undefined) return [];
    const notice: K3sNotice = {
      rule: 'K003',
      registry: right,
      origin: originAt(judged, at),
      message: `no image is looked up under ${name}: ${whyNeverFound(name)}`,
      fix: `Write ${right}.`,
    };
    const isFree = !mirrors.has(right) && !right.includes('/');
    return [isFree ? { ...notice, mend: editAt(judged, at, `"${right}"`) } : notice];
  });
}
