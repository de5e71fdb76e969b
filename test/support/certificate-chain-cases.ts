/** Authorities and chains, odd ones among them; see certificate-cases.ts. */
import {
  authorityParts,
  type CaseKeys,
  type CertificateCase,
  clientAuth,
  host,
  leafCase,
  type Part,
  rootOf,
  san,
  serverAuth,
} from './certificate-case.ts';
import {
  basic,
  commonName,
  constraints,
  der,
  extendedUsage,
  extension,
  keyUsage,
  names,
  oddCertificate,
  oddKey,
  utcTime,
} from './odd-certificate.ts';

/** What an authority may do. */
export function authorityCases(keys: CaseKeys): CertificateCase[] {
  const row = (name: string, isAccepted: boolean, root: Part, leaf: Part = {}) =>
    leafCase(keys, `an authority ${name}`, isAccepted, { root, leaf });
  const limited = (name: string, isAccepted: boolean, limit: Buffer, leaf: Part = {}) =>
    row(`that ${name}`, isAccepted, { extensions: [...authorityParts, limit] }, leaf);
  const both = (email: string) => ({ extensions: [names({ dns: [host], email: [email] })] });
  const withUri = (uri: string) => ({ extensions: [names({ dns: [host], uri: [uri] })] });
  const rsa = oddKey('rsa', 2048);
  return [
    row('without basic constraints', false, { extensions: [] }),
    row('that says it is none', false, { extensions: [basic(false)] }),
    row('of version 1', true, { version: 0, extensions: [] }),
    row('whose key may not sign certificates', false, { extensions: [basic(true), keyUsage(0)] }),
    row('without a key usage', true, { extensions: [basic(true)] }),
    row('that expired', false, { notBefore: utcTime(-9), notAfter: utcTime(-2) }),
    row('that signed itself with SHA-1', true, { hash: 'sha1' }),
    row('with an RSA key', true, { key: rsa }),
    row('with an RSA key that signs with MD5', false, { key: rsa }, { hash: 'md5' }),
    row('with an RSA key that signs with SHA-1', false, { key: rsa }, { hash: 'sha1' }),
    row('with an RSA key of 512 bits', false, { key: oddKey('rsa', 512) }),
    row('with an RSA key of 1024 bits', true, { key: oddKey('rsa', 1024) }),
    row('with an Ed25519 key', true, { key: oddKey('ed25519') }),
    row('with a negative serial number', false, { serial: Buffer.from([0x81]) }),
    row('with a path length of 0', true, { extensions: [basic(true, 0), keyUsage(5)] }),
    row('for clients only', false, { extensions: [...authorityParts, extendedUsage(clientAuth)] }),
    row('for servers', true, { extensions: [...authorityParts, extendedUsage(serverAuth)] }),
    limited('may issue for the domain', true, constraints({ dns: ['example'] })),
    limited('may issue below the domain', true, constraints({ dns: ['.example'] })),
    limited('may issue below the host only', false, constraints({ dns: ['.registry.example'] })),
    limited('may issue for another domain', false, constraints({ dns: ['test'] })),
    limited('may issue for everything', true, constraints({ dns: [''] })),
    limited('may not issue for the domain', false, constraints({}, { dns: ['example'] })),
    limited('may not issue for another domain', true, constraints({}, { dns: ['test'] })),
    limited(
      'may not issue for a name of the wildcard',
      false,
      constraints({}, { dns: ['a.example'] }),
      {
        extensions: [names({ dns: [host, '*.example'] })],
      },
    ),
    limited('may issue for one address range', true, constraints({ ip: ['0a000000ff000000'] })),
    limited(
      'may issue for another address range',
      false,
      constraints({ ip: ['0a000000ff000000'] }),
      {
        extensions: [names({ dns: [host], ip: ['0b000005'] })],
      },
    ),
    limited('has a mask with a hole', false, constraints({ ip: ['0a000000ff00ff00'] })),
    limited('has a constraint that ends in a dot', false, constraints({ dns: ['example.'] })),
    limited(
      'may issue for mail of the domain',
      true,
      constraints({ email: ['example'] }),
      both('a@example'),
    ),
    limited('may issue for other mail', false, constraints({ email: ['test'] }), both('a@example')),
    limited(
      'may issue for one mailbox',
      true,
      constraints({ email: ['a@example'] }),
      both('a@EXAMPLE'),
    ),
    limited(
      'may issue for another mailbox',
      false,
      constraints({ email: ['b@example'] }),
      both('a@example'),
    ),
    limited(
      'constrains mail that is none',
      false,
      constraints({ dns: ['example'] }),
      both('nobody'),
    ),
    limited(
      'may issue for URIs of the domain',
      true,
      constraints({ uri: ['example'] }),
      withUri('https://a.example:1/'),
    ),
    limited(
      'may issue for other URIs',
      false,
      constraints({ uri: ['test'] }),
      withUri('https://a.example/'),
    ),
    limited(
      'constrains a URI with an address',
      false,
      constraints({ dns: ['example'] }),
      withUri('https://10.0.0.1/'),
    ),
    limited(
      'constrains a URI without a host',
      false,
      constraints({ dns: ['example'] }),
      withUri('urn:a'),
    ),
    limited('constrains a name with a space', false, constraints({ dns: ['example'] }), {
      extensions: [names({ dns: [host, 'a b.example'] })],
    }),
    limited(
      'constrains directory names',
      false,
      constraints({ dns: ['example'] }, {}, [der(0xa4, commonName('a'))]),
    ),
    limited('has empty constraints', false, extension('2.5.29.30', der(0x30), { critical: true })),
  ];
}

/** Chains of more than two certificates. */
export function chainCases(keys: CaseKeys): CertificateCase[] {
  const { server, middle, root } = keys;
  const subject = commonName('odd middle');
  const leaf = oddCertificate({ issuer: subject, key: server, signer: middle, extensions: [san] });
  const between = (more: Part = {}) =>
    oddCertificate({ subject, key: middle, signer: root, extensions: authorityParts, ...more });
  const row = (
    name: string,
    isAccepted: boolean,
    sent: readonly Buffer[],
    roots: readonly Buffer[] = [rootOf(root)],
  ): CertificateCase => ({ name: `a chain ${name}`, isAccepted, sent, roots, key: server, host });
  const stranger = oddKey('ec');
  const self = oddCertificate({
    issuer: commonName(host),
    subject: commonName(host),
    key: server,
    signer: server,
    extensions: [san],
  });
  return [
    row('of three', true, [leaf, between()]),
    row('without the certificate between', false, [leaf]),
    row('whose certificate between is trusted itself', true, [leaf], [between()]),
    row('with a stranger in it', true, [leaf, rootOf(stranger), between()]),
    row('with the root in it', true, [leaf, between(), rootOf(root)]),
    row('with the root before the one between', true, [leaf, rootOf(root), between()]),
    row(
      'under a root of the same name with another key',
      false,
      [leaf, between()],
      [rootOf(stranger)],
    ),
    row(
      'under two roots of the same name',
      true,
      [leaf, between()],
      [rootOf(stranger), rootOf(root)],
    ),
    row('whose certificate between is no authority', false, [leaf, between({ extensions: [] })]),
    row('whose certificate between expired', false, [
      leaf,
      between({ notBefore: utcTime(-9), notAfter: utcTime(-2) }),
    ]),
    row('whose certificate between is signed with SHA-1', false, [leaf, between({ hash: 'sha1' })]),
    row(
      'that is too long for its root',
      false,
      [leaf, between()],
      [rootOf(root, { extensions: [basic(true, 0), keyUsage(5)] })],
    ),
    row('whose middle may be the last one', true, [
      leaf,
      between({ extensions: [basic(true, 0), keyUsage(5)] }),
    ]),
    row('whose middle may issue for another domain', false, [
      leaf,
      between({ extensions: [...authorityParts, constraints({ dns: ['test'] })] }),
    ]),
    row('whose middle wants a policy that is not there', false, [
      leaf,
      between({
        extensions: [
          ...authorityParts,
          extension('2.5.29.36', der(0x30, der(0x80, Buffer.from([0])))),
        ],
      }),
    ]),
    row('with an unreadable certificate at its end', false, [
      leaf,
      between(),
      between({ serial: Buffer.from([0x81]) }),
    ]),
    row('of one that is trusted itself', true, [self], [self]),
    row('of one that nobody trusts', false, [self]),
    row('of nothing but bytes behind the certificate', false, [
      Buffer.concat([leaf, Buffer.from([0])]),
      between(),
    ]),
  ];
}
