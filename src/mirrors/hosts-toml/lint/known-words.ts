/** Which words a hosts.toml may have, and what people write in their place. */

import { didYouMean, suggest } from '../../../documents/suggest.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import { hostKeys } from '../read/hosts-types.ts';

/** What may stand above the first header. */
export const rootWords: readonly string[] = ['server', 'host', ...hostKeys];

/** Keys of other runtimes, or of other files, and what says the same here. */
const foreign: Readonly<Record<string, string>> = {
  insecure_skip_verify: 'containerd calls it skip_verify.',
  insecure:
    'Write skip_verify = true for certificates that are not checked, or the URL with http://.',
  plain_http: 'Write the URL with http:// instead.',
  rewrite:
    'Only the containerd of k3s and RKE2 rewrites names. A path in front of all of them is [host."https://HOST/v2/PATH"] with override_path = true.',
  endpoint: 'Write each endpoint as a header of its own: [host."https://mirror.example"].',
  mirrors: 'Write each mirror as a header of its own: [host."https://mirror.example"].',
  ca_file: 'containerd calls it ca.',
  cert_file: 'containerd calls it client: client = [["CERTIFICATE", "KEY"]].',
  key_file: 'containerd calls it client: client = [["CERTIFICATE", "KEY"]].',
  tls: 'Its keys stand beside the others: ca, client, skip_verify.',
  auth: 'Logins belong in a pull secret, or in registry.configs of the main configuration.',
  username: 'Logins belong in a pull secret, or in registry.configs of the main configuration.',
  password: 'Logins belong in a pull secret, or in registry.configs of the main configuration.',
  blocked: 'To leave the registry out, make the last mirror the server.',
};

/** What a key of another program is called here, where it takes the same values. */
const renamed: Readonly<Record<string, string>> = {
  insecure_skip_verify: 'skip_verify',
  ca_file: 'ca',
};

/**
 * Whether the reader takes the key: 2.x in any letter case, 1.x in lower or upper case only.
 * Source: go-toml, versions 1 and 2.
 */
export function isKnownWord(
  key: string,
  known: readonly string[],
  behaviour: ContainerdBehaviour,
): boolean {
  if (behaviour.has('go-toml-2')) return known.includes(key.toLowerCase());
  return known.some((word) => key === word || key === word.toUpperCase());
}

/** What to do about a key that is none: `plain_http` → write the URL with http://. */
export function adviceFor(key: string, known: readonly string[]): string {
  const advice = foreign[key.toLowerCase()];
  if (advice !== undefined) return advice;
  const words = known.filter((word) => word !== 'host');
  return `Known keys: ${words.join(', ')}${didYouMean(key, known) || '.'}`;
}

/** The word that was meant, if it takes the same value: `capabilites` → `capabilities`. */
export function meantWord(key: string, known: readonly string[]): string | undefined {
  return (
    renamed[key.toLowerCase()] ?? (foreign[key.toLowerCase()] ? undefined : suggest(key, known))
  );
}
