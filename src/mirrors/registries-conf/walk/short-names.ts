/** What a name may stand for: itself, an alias, or one name for each search registry. */

import { quoteGo } from '../../../oci/dialects/go-quote.ts';
import { isShortName, parsePodmanReference } from '../../../oci/dialects/podman.ts';
import { ReferenceInvalid } from '../../../oci/errors.ts';
import { type Reference, repositoryName } from '../../../oci/reference.ts';
import { matchReference, podmanGrammar } from '../../../oci/reference-grammar.ts';
import type { RegistriesConfig } from '../read/registries-config.ts';
import type { Alias, ShortNameMode } from '../read/registries-types.ts';

/** What decides about short names. */
export interface NameRules
  extends Pick<RegistriesConfig, 'searchRegistries' | 'searchFile' | 'aliases'> {
  readonly mode: ShortNameMode;
}

/** The names that are tried in order, or why none is. */
export type Candidates =
  | {
      readonly kind: 'candidates';
      readonly isShort: boolean;
      readonly alias: Alias | undefined;
      readonly names: readonly Reference[];
    }
  | { readonly kind: 'failed'; readonly isShort: boolean; readonly error: string };

/**
 * `busybox` with `unqualified-search-registries = ["quay.io"]` → `quay.io/busybox:latest`. `latest` is
 * added where there is neither tag nor digest. Nobody can be asked: there is no terminal.
 * Source: go.podman.io/image/v5 v5.38.0, pkg/shortnames, Resolve.
 */
export function candidatesFor(name: string, rules: NameRules): Candidates {
  const read = readName(name);
  if (read.kind === 'failed') return { ...read, isShort: false };
  if (!read.isShort) {
    const names = [withTag(read.reference)];
    return { kind: 'candidates', isShort: false, alias: undefined, names };
  }
  const { tag, digest } = read.reference;
  const alias = rules.aliases.get(repositoryName(read.reference));
  if (alias?.name !== undefined) {
    const named: Reference = {
      ...alias.name,
      ...(tag === undefined ? {} : { tag }),
      ...(digest === undefined ? {} : { digest }),
    };
    return { kind: 'candidates', isShort: true, alias, names: [withTag(named)] };
  }
  return searched(name, rules);
}

type ReadName =
  | { readonly kind: 'name'; readonly isShort: boolean; readonly reference: Reference }
  | { readonly kind: 'failed'; readonly error: string };

function readName(name: string): ReadName {
  const inWords = (what: string, read: () => Reference): Reference | string => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ReferenceInvalid)) throw error;
      return `${what}: ${quoteGo(name)}: ${error.data.reason}`;
    }
  };
  const written = inWords('cannot parse input', () => matchReference(name, podmanGrammar));
  if (typeof written === 'string') return { kind: 'failed', error: written };
  const full = inWords('cannot normalize input', () =>
    isShortName(name) ? written : parsePodmanReference(name),
  );
  if (typeof full === 'string') return { kind: 'failed', error: full };
  return { kind: 'name', isShort: full === written, reference: full };
}

function searched(name: string, { searchRegistries, searchFile, mode }: NameRules): Candidates {
  if (searchRegistries.length === 0) {
    const where =
      searchFile === ''
        ? 'no containers-registries.conf(5) was found'
        : `no unqualified-search registries are defined in ${quoteGo(searchFile)}`;
    const error = `short-name ${quoteGo(name)} did not resolve to an alias and ${where}`;
    return { kind: 'failed', isShort: true, error };
  }
  const names: Reference[] = [];
  for (const registry of searchRegistries) {
    try {
      names.push(withTag(parsePodmanReference(`${registry}/${name}`)));
    } catch (error) {
      if (!(error instanceof ReferenceInvalid)) throw error;
      const what = `creating reference with unqualified-search registry ${quoteGo(registry)}`;
      return { kind: 'failed', isShort: true, error: `${what}: ${error.data.reason}` };
    }
  }
  if (mode === 'enforcing' && names.length > 1) {
    const error = 'short-name resolution enforced but cannot prompt without a TTY';
    return { kind: 'failed', isShort: true, error };
  }
  return { kind: 'candidates', isShort: true, alias: undefined, names };
}

function withTag(reference: Reference): Reference {
  const hasEither = reference.tag !== undefined || reference.digest !== undefined;
  return hasEither ? reference : { ...reference, tag: 'latest' };
}

/** As CRI-O and podman do before they pull: the tag beside a digest is dropped. */
export function withoutTagBesideDigest({ tag, ...rest }: Reference): Reference {
  return rest.digest === undefined && tag !== undefined ? { ...rest, tag } : rest;
}
