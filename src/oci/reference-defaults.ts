/** Completes a reference as Docker does: docker.io and library/ where they are left out. */
import { HUB, HUB_INDEX } from './docker-hub.ts';
import { ReferenceInvalid } from './errors.ts';
import type { Reference } from './reference.ts';
import { type Grammar, isImageId, matchReference } from './reference-grammar.ts';

/** How one family of runtimes completes names. */
export interface NamingRules {
  readonly grammar: Grammar;
  /** Whether the text before the first `/` is a registry; otherwise it belongs to the path. */
  readonly isRegistry: (first: string) => boolean;
  /** What is said about a repository with upper case in it. */
  readonly upperCase: (repository: string) => string;
}

/** `a/b:1` → `{ domain: 'docker.io', path: 'a/b', tag: '1' }`. Throws REFERENCE_INVALID. */
export function completeReference(text: string, rules: NamingRules): Reference {
  const refuse = (reason: string) => new ReferenceInvalid({ text, reason });
  if (isImageId(text)) {
    const reason = `invalid repository name (${text}), cannot specify 64-byte hexadecimal strings`;
    throw refuse(reason);
  }
  const { domain, rest } = splitRegistry(text, rules);
  // Go looks at what stands before the tag only: a tag may have upper case, a repository may not.
  const [repository = ''] = rest.split(':');
  if (repository.toLowerCase() !== repository) throw refuse(rules.upperCase(repository));
  return matchReference(`${domain}/${rest}`, rules.grammar, text);
}

function splitRegistry(text: string, rules: NamingRules): { domain: string; rest: string } {
  const slash = text.indexOf('/');
  const first = text.slice(0, Math.max(slash, 0));
  if (slash === -1 || !rules.isRegistry(first)) return onHub(text);
  // Other names of the Hub are other registries to all.
  if (first === HUB || first === HUB_INDEX) return onHub(text.slice(slash + 1));
  return { domain: first, rest: text.slice(slash + 1) };
}

function onHub(rest: string): { domain: string; rest: string } {
  return { domain: HUB, rest: rest.includes('/') ? rest : `library/${rest}` };
}
