import type { AlternativeNames } from './alternative-names.ts';
import { contextTag, DerReader, Malformed, Tags } from './der.ts';
import { isAscii } from './distinguished-name.ts';
import { addressBytes, isDomain, lowerAscii } from './host-names.ts';

/** The names that an authority may, or may not, issue certificates for. */
interface Subtrees {
  readonly dnsNames: readonly string[];
  readonly emails: readonly string[];
  readonly uriHosts: readonly string[];
  /** Address and mask, 8 or 32 bytes. */
  readonly ranges: readonly Buffer[];
}

/** The extension of an authority. */
export interface NameConstraints {
  readonly permitted: Subtrees;
  readonly excluded: Subtrees;
}

/** Reads the extension; `hasUnknown`: it speaks of names that Go cannot check, such as directories. */
export function readNameConstraints(value: Buffer): {
  readonly constraints: NameConstraints;
  readonly hasUnknown: boolean;
} {
  const bad = 'invalid NameConstraints extension';
  const outer = new DerReader(value);
  const reader = outer.inside(Tags.sequence, bad);
  const permitted = reader.optional(contextTag(0, true), bad)?.content ?? Buffer.alloc(0);
  const excluded = reader.optional(contextTag(1, true), bad)?.content ?? Buffer.alloc(0);
  if (!reader.isEmpty || !outer.isEmpty) throw new Malformed(bad);
  if (permitted.length + excluded.length === 0) {
    throw new Malformed('empty name constraints extension');
  }
  const [allowed, forbidden] = [readSubtrees(permitted), readSubtrees(excluded)];
  return {
    constraints: { permitted: allowed.subtrees, excluded: forbidden.subtrees },
    hasUnknown: allowed.hasUnknown || forbidden.hasUnknown,
  };
}

function readSubtrees(bytes: Buffer): { subtrees: Subtrees; hasUnknown: boolean } {
  const bad = 'invalid NameConstraints extension';
  const bases = Array.from(new DerReader(bytes).rest(bad), ({ tag, content }) => {
    if (tag !== Tags.sequence) throw new Malformed(bad);
    return new DerReader(content).any(bad);
  });
  const of = (tag: number) => bases.filter((base) => base.tag === tag).map((base) => base.content);
  const subtrees = {
    dnsNames: of(0x82).map((content) => domainOf(content, 'dnsName')),
    emails: of(0x81).map((content) => emailOf(content)),
    uriHosts: of(0x86).map((content) => uriDomainOf(content)),
    ranges: of(0x87).map(rangeOf),
  };
  const known = new Set([0x81, 0x82, 0x86, 0x87]);
  return { subtrees, hasUnknown: bases.some(({ tag }) => !known.has(tag)) };
}

function domainOf(content: Buffer, kind: string): string {
  const text = content.toString('latin1');
  if (!isAscii(content)) throw new Malformed('invalid constraint value');
  if (!isDomain(text, true)) throw new Malformed(`failed to parse ${kind} constraint`);
  return text;
}

function emailOf(content: Buffer): string {
  const text = content.toString('latin1');
  if (!text.includes('@')) return domainOf(content, 'rfc822Name');
  if (mailboxOf(text) === undefined) throw new Malformed('failed to parse rfc822Name constraint');
  return text;
}

function uriDomainOf(content: Buffer): string {
  if (addressBytes(content.toString('latin1')) !== undefined) {
    throw new Malformed('failed to parse URI constraint: cannot be IP address');
  }
  return domainOf(content, 'URI');
}

function rangeOf(range: Buffer): Buffer {
  if (range.length !== 8 && range.length !== 32) {
    throw new Malformed(`IP constraint contained value of length ${range.length}`);
  }
  const mask = [...range.subarray(range.length / 2)].map((byte) =>
    byte.toString(2).padStart(8, '0'),
  );
  if (!/^1*0*$/.test(mask.join(''))) throw new Malformed('IP constraint contained invalid mask');
  return range;
}

/**
 * Why these names break the constraints; undefined when they keep them. Every name counts, not only
 * the one that the client asked for. Source: crypto/x509, constraints.go of Go 1.26.
 */
export function refuseNames(
  { permitted, excluded }: NameConstraints,
  names: AlternativeNames,
): string | undefined {
  const mailboxes = names.emails.map((email) => ({ email, mailbox: mailboxOf(email) }));
  const odd = mailboxes.find(({ mailbox }) => mailbox === undefined);
  if (odd !== undefined) return `cannot parse rfc822Name ${JSON.stringify(odd.email)}`;
  const badUri = names.uriHosts.find((host) => uriDomain(host) === undefined);
  if (badUri !== undefined)
    return 'a URI without a host name cannot be matched against constraints';
  const badName = names.dnsNames.find((name) => !isDomain(name, false));
  if (badName !== undefined) return `cannot parse dnsName ${JSON.stringify(badName)}`;
  return (
    refuseEach(names.addresses, [permitted.ranges, excluded.ranges], isInRange) ??
    refuseEach(names.dnsNames, [permitted.dnsNames, excluded.dnsNames], isBelow) ??
    refuseEach(
      names.uriHosts.map((host) => uriDomain(host) ?? ''),
      [permitted.uriHosts, excluded.uriHosts],
      isBelow,
    ) ??
    refuseEach(names.emails, [permitted.emails, excluded.emails], isMailBelow)
  );
}

type Fits<Name, Rule> = (name: Name, rule: Rule, isExclusion: boolean) => boolean;

function refuseEach<Name extends string | Buffer, Rule>(
  names: readonly Name[],
  [permitted, excluded]: readonly [readonly Rule[], readonly Rule[]],
  fits: Fits<Name, Rule>,
): string | undefined {
  for (const name of names) {
    const shown = typeof name === 'string' ? name : name.join('.');
    if (permitted.length > 0 && !permitted.some((rule) => fits(name, rule, false))) {
      return `${shown} is not permitted by its authority`;
    }
    if (excluded.some((rule) => fits(name, rule, true))) {
      return `${shown} is excluded by its authority`;
    }
  }
  return undefined;
}

function isInRange(address: Buffer, range: Buffer): boolean {
  const half = range.length / 2;
  if (address.length !== half) return false;
  return address.every((byte, at) => {
    const mask = range[half + at] ?? 0;
    return (byte & mask) === ((range[at] ?? 0) & mask);
  });
}

/** `a.example.com` is below `example.com` and `.example.com`; `*.com` may be `example.com`. */
function isBelow(name: string, rule: string, isExclusion: boolean): boolean {
  if (rule === '') return true;
  const [host, suffix] = [lowerAscii(name), lowerAscii(rule)];
  if (host === suffix || host.endsWith(suffix.startsWith('.') ? suffix : `.${suffix}`)) return true;
  if (!isExclusion || !host.startsWith('*')) return false;
  const parent = suffix.includes('.') ? suffix.slice(suffix.indexOf('.')) : undefined;
  const below = host.includes('.') ? host.slice(host.indexOf('.')) : '';
  return parent !== undefined && parent === below;
}

function isMailBelow(email: string, rule: string, isExclusion: boolean): boolean {
  const mailbox = mailboxOf(email);
  if (mailbox === undefined) return false;
  if (!rule.includes('@')) return isBelow(mailbox.domain, rule, isExclusion);
  const wanted = mailboxOf(rule);
  return wanted?.local === mailbox.local && wanted.domain === mailbox.domain;
}

/** The domain of a URI's host without its port; undefined for an address or nothing. */
function uriDomain(host: string): string | undefined {
  const bare = host.includes(':') && !host.endsWith(']') ? host.replace(/:[^:]*$/, '') : host;
  const isAddress = addressBytes(bare) !== undefined || /^\[.*\]$/.test(bare);
  return bare === '' || isAddress ? undefined : lowerAscii(bare);
}

// RFC 2821 with the liberties that Go takes. The text is known to be ASCII.
const quotedLocal = /^"((?:\\[^\0\n\r]|[^\0\t\n\r"\\])*)"@/;
const plainLocal = /^((?:\\?[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~.])+)@/;

/** The two parts of an e-mail address, the domain in lower case. */
function mailboxOf(text: string): { local: string; domain: string } | undefined {
  const match = quotedLocal.exec(text) ?? plainLocal.exec(text);
  if (match === null) return undefined;
  const local = (match[1] ?? '').replaceAll(/\\(.)/gs, '$1');
  const domain = text.slice(match[0].length);
  if (!text.startsWith('"') && /^\.|\.$|\.\./.test(local)) return undefined;
  return isDomain(domain, false) ? { local, domain: lowerAscii(domain) } : undefined;
}
