import { type AlternativeNames, noNames, readAlternativeNames } from './alternative-names.ts';
import { contextTag, DerReader, Malformed, Tags } from './der.ts';
import { bitString, booleanOf, oidOf, smallInteger } from './der-values.ts';
import { type NameConstraints, readNameConstraints } from './name-constraints.ts';

/** What the extensions of a certificate say, as far as Go's check depends on it. */
export interface Extensions {
  readonly names: AlternativeNames;
  /** The extension's own bytes, which tell cross-signed certificates apart. */
  readonly namesValue?: Buffer;
  readonly constraints?: NameConstraints;
  /** Undefined without basic constraints; `pathLength` undefined for any. */
  readonly basic?: { readonly isAuthority: boolean; readonly pathLength: number | undefined };
  /** Bits of the key usage, the first one lowest; undefined or 0: any. */
  readonly keyUsage?: number;
  /** Object identifiers; empty: any. */
  readonly extendedUsage: readonly string[];
  readonly authorityKeyId: Buffer;
  readonly subjectKeyId: Buffer;
  /** Object identifiers of certificate policies. */
  readonly policies: readonly string[];
  readonly requireExplicitPolicy?: number;
  /** A critical extension that Go does not know makes it refuse the certificate. */
  readonly hasUnknownCritical: boolean;
}

/** A certificate without extensions. */
export const noExtensions: Extensions = {
  names: noNames,
  extendedUsage: [],
  authorityKeyId: Buffer.alloc(0),
  subjectKeyId: Buffer.alloc(0),
  policies: [],
  hasUnknownCritical: false,
};

interface Extension {
  readonly isCritical: boolean;
  readonly value: Buffer;
}

type Part = Partial<Extensions>;

/** Object identifiers below 2.5.29, and authority information access. */
const readers: Readonly<Record<string, (extension: Extension) => Part>> = {
  '551d0e': ({ value, isCritical }) => {
    refuseCritical('subject key identifier', isCritical);
    const bad = 'invalid subject key identifier';
    return { subjectKeyId: new DerReader(value).read(Tags.octetString, bad).content };
  },
  '551d0f': ({ value }) => ({ keyUsage: readKeyUsage(value) }),
  '551d11': ({ value, isCritical }) => {
    const names = readAlternativeNames(value);
    const isEmpty = Object.values(names).every((kind) => kind.length === 0);
    return { names, namesValue: value, hasUnknownCritical: isCritical && isEmpty };
  },
  '551d13': ({ value }) => ({ basic: readBasicConstraints(value) }),
  '551d1e': ({ value, isCritical }) => {
    const { constraints, hasUnknown } = readNameConstraints(value);
    return { constraints, hasUnknownCritical: isCritical && hasUnknown };
  },
  '551d1f': () => ({}),
  '551d20': ({ value }) => ({ policies: readPolicies(value) }),
  '551d21': () => ({}),
  '551d23': ({ value, isCritical }) => {
    refuseCritical('authority key identifier', isCritical);
    return { authorityKeyId: readAuthorityKeyId(value) };
  },
  '551d24': ({ value }) => readPolicyConstraints(value),
  '551d25': ({ value }) => ({ extendedUsage: readExtendedUsage(value) }),
  '551d36': () => ({}),
  '2b06010505070101': ({ isCritical }) => {
    refuseCritical('authority info access', isCritical);
    return {};
  },
};

/** Reads the SEQUENCE of extensions. One that is there twice, or malformed, is refused. */
export function readExtensions(list: DerReader): Extensions {
  const seen = new Set<string>();
  let found: Extensions = noExtensions;
  for (const { tag, content } of list.rest('malformed extension')) {
    if (tag !== Tags.sequence) throw new Malformed('malformed extension');
    const { oid, ...extension } = readExtension(new DerReader(content));
    if (seen.has(oid)) throw new Malformed('certificate contains duplicate extension');
    seen.add(oid);
    const part = readers[oid]?.(extension) ?? { hasUnknownCritical: extension.isCritical };
    const hasUnknownCritical = found.hasUnknownCritical || part.hasUnknownCritical === true;
    found = { ...found, ...part, hasUnknownCritical };
  }
  return found;
}

function readExtension(reader: DerReader): Extension & { readonly oid: string } {
  const oid = oidOf(reader.read(Tags.oid, 'malformed extension OID field'), 'malformed OID');
  const bad = 'malformed extension critical field';
  const critical = reader.optional(Tags.boolean, bad);
  const isCritical = critical !== undefined && booleanOf(critical, bad);
  const { content } = reader.read(Tags.octetString, 'malformed extension value field');
  return { oid, isCritical, value: content };
}

function refuseCritical(name: string, isCritical: boolean): void {
  if (isCritical) throw new Malformed(`${name} incorrectly marked critical`);
}

function readKeyUsage(value: Buffer): number {
  const bad = 'invalid key usage';
  const { bytes } = bitString(new DerReader(value).read(Tags.bitString, bad), bad);
  // The first bit of a BIT STRING is the highest one of its first byte.
  const bits = [...bytes.subarray(0, 2)].flatMap((byte) =>
    [7, 6, 5, 4, 3, 2, 1, 0].map((shift) => (byte >> shift) & 1),
  );
  return bits.slice(0, 9).reduce((usage, bit, index) => usage | (bit << index), 0);
}

function readBasicConstraints(value: Buffer) {
  const bad = 'invalid basic constraints';
  const reader = new DerReader(value).inside(Tags.sequence, bad);
  const authority = reader.optional(Tags.boolean, bad);
  const pathLength = reader.optional(Tags.integer, bad);
  return {
    isAuthority: authority !== undefined && booleanOf(authority, bad),
    pathLength: pathLength && smallInteger(pathLength, bad),
  };
}

function readExtendedUsage(value: Buffer): string[] {
  const bad = 'invalid extended key usages';
  const list = new DerReader(value).inside(Tags.sequence, bad);
  return Array.from(list.rest(bad), (usage) => {
    if (usage.tag !== Tags.oid) throw new Malformed(bad);
    return oidOf(usage, bad);
  });
}

function readAuthorityKeyId(value: Buffer): Buffer {
  const bad = 'invalid authority key identifier';
  const reader = new DerReader(value).inside(Tags.sequence, bad);
  return reader.optional(contextTag(0), bad)?.content ?? Buffer.alloc(0);
}

function readPolicies(value: Buffer): string[] {
  const bad = 'invalid certificate policies';
  const list = new DerReader(value).inside(Tags.sequence, bad);
  const policies = Array.from(list.rest(bad), ({ tag, content }) => {
    if (tag !== Tags.sequence) throw new Malformed(bad);
    return new DerReader(content).read(Tags.oid, bad).content.toString('hex');
  });
  if (new Set(policies).size !== policies.length) throw new Malformed(bad);
  return policies;
}

function readPolicyConstraints(value: Buffer): Part {
  const bad = 'invalid policy constraints extension';
  const reader = new DerReader(value).inside(Tags.sequence, bad);
  const required = reader.optional(contextTag(0), bad);
  return required === undefined ? {} : { requireExplicitPolicy: smallInteger(required, bad) };
}
