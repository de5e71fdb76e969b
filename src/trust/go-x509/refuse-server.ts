import { listNames } from './alternative-names.ts';
import { CertificatePool } from './authorities.ts';
import { buildChains, refuseInChain } from './build-chains.ts';
import { type GoCertificate, readCertificate } from './certificate.ts';
import { Malformed } from './der.ts';
import { isNamedFor } from './host-names.ts';
import { refuseNames } from './name-constraints.ts';
import { hasPolicies } from './policies.ts';
import { minRsaBits } from './signature.ts';

/** What a client is asked to believe; `now` in milliseconds. */
export interface ServerQuestion {
  /** DER, as the server sends them: its own certificate first. */
  readonly sent: readonly Uint8Array[];
  /** A name or an address, without port; brackets do not matter. */
  readonly host: string;
  readonly roots: CertificatePool;
  readonly now: number;
  /** InsecureSkipVerify: only what Go cannot even read is refused. */
  readonly skipVerify?: boolean;
}

/** Why Go's TLS client breaks off, in one sentence about the certificate, with what to do. */
export interface ServerRefusal {
  readonly kind: 'unreadable' | 'unusable-key' | 'invalid' | 'wrong-name' | 'untrusted' | 'misused';
  readonly reason: string;
  readonly fix: string;
}

/** Go refuses larger keys since they cost too much. */
const maxRsaBits = 8192;
const serverUsages: ReadonlySet<string> = new Set(['2b06010505070301', '551d2500']);

const issueAgain =
  'Issue the certificate again with a current tool; openssl x509 -noout -text shows it.';

/**
 * What Go's TLS client, and with it containerd, says to a server's certificates; undefined when it
 * goes on. OpenSSL and Node decide differently in many cases: a common name, a wildcard within a label,
 * SHA-1, keys below 1024 bits, negative serial numbers, and key usages that Go does not look at.
 *
 * Source: crypto/tls verifyServerCertificate and crypto/x509 of Go 1.26; compared with Go itself in
 * test/oracles/go/tls.
 */
export function refuseServer(question: ServerQuestion): ServerRefusal | undefined {
  try {
    const [leaf, ...others] = question.sent.map(readCertificate);
    if (leaf === undefined) throw new Malformed('no certificate was sent');
    return (
      refuseKeys([leaf, ...others]) ??
      (question.skipVerify === true ? undefined : refuseChain(leaf, others, question))
    );
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const reason = `its certificate cannot be read by Go: ${error.message}`;
    return { kind: 'unreadable', reason, fix: issueAgain };
  }
}

function refuseKeys(certificates: readonly GoCertificate[]): ServerRefusal | undefined {
  const [leaf] = certificates;
  const sizes = certificates.flatMap(({ publicKey: key }) =>
    key.kind === 'rsa' ? [key.bits] : [],
  );
  const large = sizes.find((bits) => bits > maxRsaBits);
  if (large !== undefined) return unusable(`an RSA key of ${large} bits; Go takes ${maxRsaBits}`);
  const key = leaf?.publicKey;
  if (key?.kind === 'rsa' && key.bits < minRsaBits) {
    return unusable(`an RSA key of ${key.bits} bits; Go wants ${minRsaBits}`);
  }
  if (key?.kind === 'other' || key?.kind === 'unknown') {
    return unusable('a kind of key that Go does not use for TLS');
  }
  return undefined;
}

function unusable(what: string): ServerRefusal {
  return { kind: 'unusable-key', reason: `its certificate has ${what}`, fix: issueAgain };
}

function refuseChain(
  leaf: GoCertificate,
  others: readonly GoCertificate[],
  { host, roots, now }: ServerQuestion,
): ServerRefusal | undefined {
  const invalid = refuseInChain(leaf, { kind: 'leaf', below: -1, now });
  if (invalid !== undefined) {
    const fix = 'Renew the certificate, or check the clocks of this machine and of the registry.';
    return { kind: 'invalid', reason: invalid, fix };
  }
  const { names } = leaf.extensions;
  if (!isNamedFor(names, host)) return wrongName(leaf, host);
  const intermediates = new CertificatePool();
  for (const other of others) intermediates.add(other);
  const { chains, hint } = buildChains(leaf, { roots, intermediates, now });
  if (chains.length === 0) return untrusted(leaf, hint);
  const refusals = chains.map(refuseUse);
  return refusals.includes(undefined) ? undefined : refusals[0];
}

function wrongName({ extensions: { names }, subject }: GoCertificate, host: string): ServerRefusal {
  const isOnlyCommonName = listNames(names) === 'no name at all' && subject !== '';
  const common = isOnlyCommonName ? `; Go does not look at the common name ${subject}` : '';
  return {
    kind: 'wrong-name',
    reason: `its certificate is for ${listNames(names)}, not ${host}${common}`,
    fix: `Issue a certificate whose subject alternative names contain ${host}, or use a name that it has.`,
  };
}

function untrusted({ issuer }: GoCertificate, hint: string | undefined): ServerRefusal {
  const more = hint === undefined ? '' : `: ${hint}`;
  return {
    kind: 'untrusted',
    reason: `its certificate comes from an authority that is not known (${issuer})${more}`,
    fix: `Give the authority ${issuer} as ca, and let the server send the certificates between.`,
  };
}

/** What an otherwise good chain may not be used for. */
function refuseUse(chain: readonly GoCertificate[]): ServerRefusal | undefined {
  if (!hasPolicies(chain)) return misused('its certificate lacks a policy that an authority wants');
  const other = chain.findLast(({ extensions: { extendedUsage } }) => {
    return extendedUsage.length > 0 && !extendedUsage.some((usage) => serverUsages.has(usage));
  });
  if (other !== undefined) {
    return misused(`${other.subject} is not for servers (extended key usage)`);
  }
  const broken = chain.flatMap(({ extensions: { constraints } }, at) => {
    if (constraints === undefined) return [];
    const below = chain.slice(0, at).filter((one) => one.extensions.namesValue !== undefined);
    return below.map(({ extensions: { names } }) => refuseNames(constraints, names));
  });
  const reason = broken.find((one) => one !== undefined);
  return reason === undefined ? undefined : misused(`its certificate is not allowed: ${reason}`);
}

function misused(reason: string): ServerRefusal {
  return { kind: 'misused', reason, fix: issueAgain };
}
