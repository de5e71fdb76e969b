/** Compares one reference vector with what Slipway makes of its input, field by field. */
import { z } from 'zod';
import { parseCtrReference } from '../../../src/oci/dialects/ctr.ts';
import { parseKubeletImage } from '../../../src/oci/dialects/kubelet.ts';
import { parseAnyReference, parseWithoutDefaults } from '../../../src/oci/dialects/plain.ts';
import {
  isShortName,
  parsePodmanReference,
  podmanTransportProblem,
} from '../../../src/oci/dialects/podman.ts';
import { ReferenceInvalid } from '../../../src/oci/errors.ts';
import {
  containerdRegistryKey,
  familiarName,
  formatReference,
  parseReference,
  pullReference,
  type Reference,
} from '../../../src/oci/reference.ts';
import { isDomain, isImageId } from '../../../src/oci/reference-grammar.ts';
import { compareField } from './compare.ts';

const Refusal = z.strictObject({ error: z.string() });
const Parts = z.strictObject({
  domain: z.string().optional(),
  path: z.string(),
  tag: z.string().optional(),
  digest: z.string().optional(),
});
const Normalized = Parts.extend({ string: z.string(), familiar: z.string() });

/** Strict: a field that is not listed here would not be compared, so the vector fails. */
const ReferenceVector = z.strictObject({
  id: z.string(),
  input: z.string(),
  valid: z.boolean(),
  error: z.string().optional(),
  normalized: Normalized.optional(),
  pull_as: z.string().optional(),
  registry_key: z.string().optional(),
  registry_key_containerd: z.string().optional(),
  parse_without_defaults: z.union([Parts, Refusal]),
  parse_any: z.union([z.strictObject({ string: z.string() }), Refusal]).optional(),
  podman_crio: z.union([Normalized, Refusal]).optional(),
  podman_transport_error: z.string().optional(),
  podman_short_name: z.boolean().nullable(),
  kubelet: z.strictObject({ repo: z.string(), tag: z.string(), digest: z.string() }).optional(),
  ctr: z
    .union([z.strictObject({ host: z.string(), path: z.string(), object: z.string() }), Refusal])
    .optional(),
  // Never compared: where the vector comes from, and explanations.
  source: z.array(z.string()).optional(),
  case: z.string().optional(),
  note: z.string().optional(),
  provenance: z.unknown().optional(),
  agrees_with_upstream_test: z.boolean().optional(),
});
type ReferenceVector = z.infer<typeof ReferenceVector>;

/** The differences between a vector of `vectors` and the product; `[]` if it passes. */
export function checkReferenceVector(vector: unknown): string[] {
  const parsed = ReferenceVector.safeParse(vector);
  if (!parsed.success) return [`unknown shape: ${z.prettifyError(parsed.error)}`];
  return [...checkDocker(parsed.data), ...checkPodman(parsed.data), ...checkOthers(parsed.data)];
}

const DomainEntry = z.strictObject({ host: z.string(), matches_grammar: z.boolean() });
const IdentifierEntry = z.strictObject({ text: z.string(), is_64_hex_identifier: z.boolean() });

/** The same for an entry of `domain_grammar`. */
export function checkDomainEntry(entry: unknown): string[] {
  const parsed = DomainEntry.safeParse(entry);
  if (!parsed.success) return [`unknown shape: ${z.prettifyError(parsed.error)}`];
  return compareField('matches_grammar', parsed.data.matches_grammar, isDomain(parsed.data.host));
}

/** The same for an entry of `identifier_grammar`. */
export function checkIdentifierEntry(entry: unknown): string[] {
  const parsed = IdentifierEntry.safeParse(entry);
  if (!parsed.success) return [`unknown shape: ${z.prettifyError(parsed.error)}`];
  const { text, is_64_hex_identifier: expected } = parsed.data;
  return compareField('is_64_hex_identifier', expected, isImageId(text));
}

function checkDocker(vector: ReferenceVector): string[] {
  const read = attempt(() => parseReference(vector.input));
  const got = 'value' in read ? describeDocker(read.value) : undefined;
  const { registry_key: key } = vector;
  return [
    ...compareField('valid', vector.valid, 'value' in read),
    ...compareField('error', vector.error, 'error' in read ? read.error : undefined),
    ...compareField('normalized', vector.normalized, got?.normalized),
    ...compareField('pull_as', vector.pull_as, got?.pullAs),
    ...compareField('registry_key', key, got?.registryKey),
    // Left out where containerd sees the same key.
    ...compareField(
      'registry_key_containerd',
      vector.registry_key_containerd ?? key,
      got?.registryKeyContainerd,
    ),
  ];
}

function describeDocker(reference: Reference) {
  return {
    normalized: describe(reference),
    pullAs: formatReference(pullReference(reference)),
    registryKey: reference.domain,
    registryKeyContainerd: containerdRegistryKey(reference),
  };
}

function checkPodman(vector: ReferenceVector): string[] {
  const read = attempt(() => parsePodmanReference(vector.input));
  const short = attempt(() => isShortName(vector.input));
  const transport = 'value' in read ? podmanTransportProblem(read.value) : undefined;
  return [
    ...checkPodmanParse(vector, read),
    ...compareField('podman_transport_error', vector.podman_transport_error, transport),
    ...compareField(
      'podman_short_name',
      vector.podman_short_name,
      'value' in short ? short.value : null,
    ),
  ];
}

function checkPodmanParse(vector: ReferenceVector, read: Outcome<Reference>): string[] {
  const got = 'value' in read ? describe(read.value) : read;
  if (vector.podman_crio !== undefined) return compareField('podman_crio', vector.podman_crio, got);
  if (vector.valid) return compareField('podman_crio', vector.normalized, got);
  // Both refuse; podman words some of the refusals differently, which no vector gives.
  return compareField('podman_crio', false, 'value' in read);
}

function checkOthers(vector: ReferenceVector): string[] {
  const plain = attempt(() => parseWithoutDefaults(vector.input));
  const any = attempt(() => parseAnyReference(vector.input));
  const kubelet = attempt(() => parseKubeletImage(vector.input));
  const gotAny = 'value' in any ? { string: any.value } : any;
  const sameAny = vector.valid ? { string: vector.normalized?.string } : { error: vector.error };
  return [
    ...compareField(
      'parse_without_defaults',
      vector.parse_without_defaults,
      'value' in plain ? partsOf(plain.value) : plain,
    ),
    ...compareField('parse_any', vector.parse_any ?? sameAny, gotAny),
    ...compareField('kubelet', vector.kubelet, 'value' in kubelet ? kubelet.value : undefined),
    ...(vector.ctr === undefined ? [] : checkCtr(vector.input, vector.ctr)),
  ];
}

function checkCtr(input: string, expected: unknown): string[] {
  const read = attempt(() => parseCtrReference(input));
  return compareField('ctr', expected, 'value' in read ? read.value : read);
}

function describe(reference: Reference) {
  return {
    ...partsOf(reference),
    string: formatReference(reference),
    familiar: familiarName(reference),
  };
}

/** The vectors leave an empty domain out. */
function partsOf({ domain, ...rest }: Reference) {
  return domain === '' ? rest : { domain, ...rest };
}

type Outcome<T> = { readonly value: T } | { readonly error: string };

function attempt<T>(parse: () => T): Outcome<T> {
  try {
    return { value: parse() };
  } catch (error) {
    if (!(error instanceof ReferenceInvalid)) throw error;
    return { error: error.data.reason };
  }
}
