/** Short-name aliases: what each side may be, and what a name stands for. */

import { quoteGo } from '../../../oci/dialects/go-quote.ts';
import { parsePodmanReference } from '../../../oci/dialects/podman.ts';
import { ReferenceInvalid } from '../../../oci/errors.ts';
import type { Reference } from '../../../oci/reference.ts';
import { matchReference, podmanGrammar } from '../../../oci/reference-grammar.ts';
import { compareBytes } from '../../go/byte-order.ts';
import type { Alias } from './registries-types.ts';

/**
 * The aliases of one file, `busybox` → `docker.io/library/busybox`. An empty text takes an alias of an
 * earlier file back. Reports all that is wrong at once, one line each.
 * Source: go.podman.io/image/v5 v5.38.0, pkg/sysregistriesv2, newShortNameAliasCache.
 */
export function readAliases(
  written: ReadonlyMap<string, string>,
  file: string,
  report: (message: string, name: string) => void,
): ReadonlyMap<string, Alias> {
  const aliases = new Map<string, Alias>();
  const wrong: Array<readonly [name: string, reason: string]> = [];
  for (const [name, value] of [...written].sort(([a], [b]) => compareBytes(a, b))) {
    const nameFault = shortNameFault(name);
    if (nameFault !== undefined) wrong.push([name, nameFault]);
    const found = value === '' ? { name: undefined } : readValue(value);
    if ('reason' in found) wrong.push([name, found.reason]);
    else aliases.set(name, { name: found.name, file });
  }
  const [first] = wrong;
  if (first !== undefined) report(wrong.map(([, reason]) => reason).join('\n'), first[0]);
  return aliases;
}

/** Why a name may not stand on the left. Source: validateShortName. */
function shortNameFault(name: string): string | undefined {
  const read = readAsWritten(name);
  if ('reason' in read) return `cannot parse short name: ${quoteGo(name)}: ${read.reason}`;
  const { digest, tag, domain } = read.reference;
  const invalid = `invalid short name ${quoteGo(name)}`;
  if (digest !== undefined) return `${invalid}: must not contain digest`;
  if (tag !== undefined) return `${invalid}: must not contain tag`;
  return isRegistry(domain) ? `${invalid}: must not contain registry` : undefined;
}

type ReadValue = { readonly name: Reference } | { readonly reason: string };

/** Source: parseShortNameValue. */
function readValue(value: string): ReadValue {
  const read = readAsWritten(value);
  if ('reason' in read) return { reason: `parsing alias ${quoteGo(value)}: ${read.reason}` };
  const { digest, tag, domain } = read.reference;
  const invalid = `invalid alias ${quoteGo(value)}`;
  if (digest !== undefined) return { reason: `${invalid}: must not contain digest` };
  if (tag !== undefined) return { reason: `${invalid}: must not contain tag` };
  if (!isRegistry(domain)) return { reason: `${invalid}: must contain registry and repository` };
  return whenValid(() => ({ name: parsePodmanReference(value) }));
}

function readAsWritten(
  text: string,
): { readonly reference: Reference } | { readonly reason: string } {
  return whenValid(() => ({ reference: matchReference(text, podmanGrammar) }));
}

function whenValid<Result>(read: () => Result): Result | { readonly reason: string } {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ReferenceInvalid)) throw error;
    return { reason: error.data.reason };
  }
}

function isRegistry(domain: string): boolean {
  return domain === 'localhost' || /[.:]/.test(domain);
}
