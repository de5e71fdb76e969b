/**
 * What Go's TLS client makes of odd certificates. Every verdict here was given by Go itself:
 * test/oracles/go/tls asks it again, and the unit test beside the code needs no Go.
 */
import {
  type CaseKeys,
  type CertificateCase,
  caseKeys,
  clientAuth,
  host,
  leafCase,
  type Part,
  san,
  serverAuth,
} from './certificate-case.ts';
import { authorityCases, chainCases } from './certificate-chain-cases.ts';
import {
  basic,
  commonName,
  der,
  extendedUsage,
  extension,
  keyUsage,
  names,
  type OddKey,
  oddKey,
  oid,
  utcTime,
} from './odd-certificate.ts';

/** The keys are made once for all cases: RSA keys take their time. */
export function certificateCases(): readonly CertificateCase[] {
  const keys = caseKeys();
  return [...nameCases(keys), ...leafCases(keys), ...authorityCases(keys), ...chainCases(keys)];
}

function nameCases(keys: CaseKeys): CertificateCase[] {
  type Row = readonly [string, boolean, Parameters<typeof names>[0], string?];
  const rows: readonly Row[] = [
    ['its DNS name', true, { dns: [host] }],
    ['its DNS name in other case', true, { dns: ['REGISTRY.Example'] }],
    ['another DNS name', false, { dns: ['other.example'] }],
    ['only an e-mail address', false, { email: ['registry.example'] }],
    ['only a URI', false, { uri: ['https://registry.example/'] }],
    ['a wildcard', true, { dns: ['*.example'] }],
    ['a wildcard above two labels', false, { dns: ['*.example'] }, 'a.registry.example'],
    ['a wildcard that is a part of a label', false, { dns: ['re*.example'] }],
    ['a wildcard at the end of a label', false, { dns: ['*try.example'] }],
    ['a bare wildcard', false, { dns: ['*'] }, 'localhost'],
    ['two wildcards', false, { dns: ['*.*'] }],
    ['a wildcard in the second label', false, { dns: ['registry.*'] }],
    ['a wildcard itself as the host', true, { dns: ['*.example'] }, 'a_b.example'],
    ['a name that ends in a dot', false, { dns: ['registry.example.'] }],
    ['a host that ends in a dot', true, { dns: [host] }, 'registry.example.'],
    ['host and name that end in a dot', true, { dns: ['registry.example.'] }, 'registry.example.'],
    ['a name with an underscore', true, { dns: ['my_registry.example'] }, 'my_registry.example'],
    ['a name that begins with a hyphen', true, { dns: ['-a.example'] }, '-a.example'],
    ['a wildcard for a host with a hyphen first', false, { dns: ['*.example'] }, '-a.example'],
    ['an empty name', false, { dns: [''] }],
    ['an address as a DNS name', false, { dns: ['10.0.0.5'] }, '10.0.0.5'],
    ['an address as an address', true, { ip: ['0a000005'] }, '10.0.0.5'],
    ['another address', false, { ip: ['0a000006'] }, '10.0.0.5'],
    ['an address mapped into IPv6', true, { ip: ['00000000000000000000ffff0a000005'] }, '10.0.0.5'],
    ['an IPv6 address', true, { ip: ['fd000000000000000000000000000005'] }, 'fd00::5'],
    [
      'an IPv6 address written long',
      true,
      { ip: ['fd000000000000000000000000000005'] },
      'fd00:0:0:0:0:0:0:5',
    ],
    ['an address and a wildcard', false, { dns: ['*.0.0.5'] }, '10.0.0.5'],
    ['an address of five bytes beside its name', false, { dns: [host], ip: ['0a00000501'] }],
    ['a DNS name with a space beside its name', true, { dns: [host, 'a b'] }],
    ['a DNS name outside of ASCII beside its name', false, { dns: [host, 'r\u00e9g.example'] }],
    ['an e-mail outside of ASCII beside its name', false, { dns: [host], email: ['\u00e9@x'] }],
    ['a URI that cannot be parsed beside its name', false, { dns: [host], uri: ['http://[::1'] }],
    ['a URI with a space in its host', false, { dns: [host], uri: ['http://a b/'] }],
    ['a URI with a bad escape', false, { dns: [host], uri: ['http://a/%zz'] }],
    ['a URI with a bad port', false, { dns: [host], uri: ['http://a:b/'] }],
    ['a URI without a scheme', false, { dns: [host], uri: ['://a'] }],
    ['a URI with a host that ends in a dot', false, { dns: [host], uri: ['https://a.example./'] }],
    ['a URI with an empty label', false, { dns: [host], uri: ['https://a..example/'] }],
    ['a URI with a control character', false, { dns: [host], uri: ['https://a\u0001b/'] }],
    ['a urn beside its name', true, { dns: [host], uri: ['urn:uuid:1'] }],
    ['a SPIFFE id beside its name', true, { dns: [host], uri: ['spiffe://trust.example/a'] }],
    ['a relative URI beside its name', true, { dns: [host], uri: ['a/b'] }],
    ['a relative URI with a colon', false, { dns: [host], uri: ['1a:b/c'] }],
  ];
  return [
    ...rows.map(([name, isAccepted, wanted, asked = host]) =>
      leafCase(keys, `a certificate with ${name}`, isAccepted, {
        leaf: { extensions: [names(wanted)] },
        host: asked,
      }),
    ),
    leafCase(keys, 'a certificate with only a common name', false, {
      leaf: { subject: commonName(host), extensions: [] },
    }),
    leafCase(keys, 'a critical list of names without any that Go reads', false, {
      leaf: {
        extensions: [
          extension('2.5.29.17', der(0x30, der(0x88, Buffer.from([42]))), { critical: true }),
        ],
      },
    }),
  ];
}

function leafCases(keys: CaseKeys): CertificateCase[] {
  const row = (name: string, isAccepted: boolean, leaf: Part) =>
    leafCase(keys, `a server's certificate ${name}`, isAccepted, { leaf });
  const withExtension = (name: string, isAccepted: boolean, ...extensions: readonly Buffer[]) =>
    row(name, isAccepted, { extensions: [san, ...extensions] });
  const [small, rsa] = [oddKey('rsa', 512), oddKey('rsa', 2048)];
  return [
    withExtension('whose key may only sign certificates', true, keyUsage(5)),
    withExtension('whose key may only encipher keys', true, keyUsage(2)),
    withExtension('that is one of an authority', true, basic(true), keyUsage(5, 6)),
    withExtension('for clients only', false, extendedUsage(clientAuth)),
    withExtension('for clients and servers', true, extendedUsage(clientAuth, serverAuth)),
    withExtension('for any use', true, extendedUsage('2.5.29.37.0')),
    withExtension('for an unknown use', false, extendedUsage('1.2.3.4')),
    withExtension('with an unknown extension', true, extension('1.2.3.4', der(0x05))),
    withExtension(
      'with an unknown critical extension',
      false,
      extension('1.2.3.4', der(0x05), { critical: true }),
    ),
    withExtension('with the same extension twice', false, san),
    withExtension(
      'with a critical key identifier',
      false,
      extension('2.5.29.14', der(0x04, 'abcd'), { critical: true }),
    ),
    withExtension(
      'with a key identifier of another authority',
      true,
      extension('2.5.29.35', der(0x30, der(0x80, 'abcd'))),
    ),
    withExtension('with broken basic constraints', false, extension('2.5.29.19', der(0x04, 'x'))),
    withExtension('with a path length of 0 that is no authority', true, basic(false, 0)),
    row('with a negative serial number', false, { serial: Buffer.from([0x81]) }),
    row('with the serial number 0', true, { serial: Buffer.from([0]) }),
    row('with a serial number of 30 bytes', true, { serial: Buffer.alloc(30, 7) }),
    row('with a padded serial number', false, { serial: Buffer.from([0, 1]) }),
    row('with extensions in version 1', false, { version: 0 }),
    row('in version 4', false, { version: 3 }),
    row('signed with SHA-1', false, { hash: 'sha1' }),
    row('signed with SHA-384', true, { hash: 'sha384' }),
    row('that names two ways of signing', false, { outerHash: 'sha384' }),
    row('that expired', false, { notBefore: utcTime(-9), notAfter: utcTime(-2) }),
    row('that is not valid yet', false, { notBefore: utcTime(2), notAfter: utcTime(9) }),
    row('with a time without seconds', true, { notBefore: utcTime(-2, false) }),
    row('with a time that is none', false, { notBefore: der(0x17, '990231000000Z') }),
    row('with a GeneralizedTime', true, { notAfter: der(0x18, '20990101000000Z') }),
    row('with an underscore in a PrintableString', false, { subject: commonName('a_b', 0x13) }),
    row('with an ampersand in a PrintableString', true, { subject: commonName('a&b', 0x13) }),
    row('with broken UTF-8 in its subject', false, {
      subject: der(0x30, der(0x31, der(0x30, oid('2.5.4.3'), der(0x0c, Buffer.from([0xff]))))),
    }),
    row('with T61 text in its subject', true, { subject: commonName('r\u00e9', 0x14) }),
    row('with a kind of string that Go does not know', false, { subject: commonName('a', 0x1a) }),
    row('with an empty subject', true, { subject: der(0x30) }),
    row('with an RSA key of 512 bits', false, { key: small }),
    row('with an RSA key of 2048 bits', true, { key: rsa }),
    row('with a P-384 key', true, { key: oddKey('ec', 'P-384') }),
    row('with a P-521 key', true, { key: oddKey('ec', 'P-521') }),
    row('with a secp256k1 key', false, { key: oddKey('ec', 'secp256k1') }),
    row('with an Ed25519 key', true, { key: oddKey('ed25519') }),
    row('with an Ed448 key', false, { key: oddKey('ed448') }),
    row('with an RSA key without parameters', false, { key: rsa, keyInfo: rsaWithoutNull(rsa) }),
  ];
}

function rsaWithoutNull({ publicKey }: OddKey): Buffer {
  const bits = publicKey.export({ type: 'pkcs1', format: 'der' });
  return der(0x30, der(0x30, oid('1.2.840.113549.1.1.1')), der(0x03, Buffer.from([0]), bits));
}
