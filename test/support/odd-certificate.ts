/** Certificates of every odd kind, byte by byte: what no decent tool would issue, but some server sends. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** One DER element: `der(0x30, der(0x02, Buffer.from([1])))`. */
export function der(tag: number, ...contents: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(contents.map((part) => Buffer.from(part as Buffer)));
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const shortest = length.subarray(length.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.from([tag, 0x80 | shortest.length]), shortest, content]);
}

/** `oid('2.5.29.17')` as an element. */
export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const digits = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return der(0x06, Buffer.from(bytes));
}

/** A key pair with what certificates say of it. */
export interface OddKey {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** `oddKey('ec', 'P-256')`, `oddKey('rsa', 512)`, `oddKey('ed25519')`. */
export function oddKey(
  kind: 'ec' | 'rsa' | 'ed25519' | 'ed448',
  size: number | string = 'P-256',
): OddKey {
  if (kind === 'rsa') return generateKeyPairSync('rsa', { modulusLength: Number(size) });
  if (kind === 'ec') return generateKeyPairSync('ec', { namedCurve: String(size) });
  // One call each, since the declarations do not take the two names together.
  return kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ed448');
}

/** Everything that can be said about a certificate; what is left out is as usual. */
export interface OddCertificate {
  readonly subject?: Buffer;
  readonly issuer?: Buffer;
  readonly key: OddKey;
  readonly signer: OddKey;
  readonly hash?: 'md5' | 'sha1' | 'sha256' | 'sha384';
  readonly serial?: Buffer;
  /** 0 is written for a first, 2 for a third version. */
  readonly version?: number;
  readonly notBefore?: Buffer;
  readonly notAfter?: Buffer;
  readonly extensions?: readonly Buffer[];
  /** Another SubjectPublicKeyInfo than that of the key. */
  readonly keyInfo?: Buffer;
  /** Another algorithm on the outside than on the inside. */
  readonly outerHash?: 'sha256' | 'sha384';
}

/** `CN=…` in a string type of its own: PrintableString is 0x13. */
export function commonName(text: string, stringTag = 0x0c): Buffer {
  return der(0x30, der(0x31, der(0x30, oid('2.5.4.3'), der(stringTag, text))));
}

/** The DER of a certificate as described, signed. */
export function oddCertificate(wanted: OddCertificate): Buffer {
  const { key, signer, hash = 'sha256', version = 2, extensions = [] } = wanted;
  const algorithm = algorithmOf(signer, hash);
  const body = der(
    0x30,
    ...(version === 0 ? [] : [der(0xa0, der(0x02, Buffer.from([version])))]),
    der(0x02, wanted.serial ?? Buffer.from([0x11])),
    algorithm,
    wanted.issuer ?? commonName('odd authority'),
    der(0x30, wanted.notBefore ?? utcTime(-1), wanted.notAfter ?? utcTime(1)),
    wanted.subject ?? commonName('odd server'),
    wanted.keyInfo ?? key.publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length === 0 ? [] : [der(0xa3, der(0x30, ...extensions))]),
  );
  const isEdwards = /^ed/.test(signer.privateKey.asymmetricKeyType ?? '');
  const signature = sign(isEdwards ? null : hash, body, signer.privateKey);
  const outer = wanted.outerHash === undefined ? algorithm : algorithmOf(signer, wanted.outerHash);
  return der(0x30, body, outer, der(0x03, Buffer.from([0]), signature));
}

/** Days from now as a UTCTime; `hasSeconds: false` for a form that only some readers take. */
export function utcTime(days: number, hasSeconds = true): Buffer {
  const text = new Date(Date.now() + days * 86_400_000)
    .toISOString()
    .replaceAll(/[-:T]|\.\d+/g, '');
  return der(0x17, hasSeconds ? text.slice(2) : `${text.slice(2, 12)}Z`);
}

function algorithmOf({ privateKey }: OddKey, hash: string): Buffer {
  const none = der(0x05);
  const kind = privateKey.asymmetricKeyType;
  if (kind === 'rsa') {
    const last = { md5: 4, sha1: 5, sha256: 11, sha384: 12 }[hash] ?? 0;
    return der(0x30, oid(`1.2.840.113549.1.1.${last}`), none);
  }
  if (kind === 'ed25519') return der(0x30, oid('1.3.101.112'));
  if (kind === 'ed448') return der(0x30, oid('1.3.101.113'));
  return der(0x30, oid(`1.2.840.10045.4.${{ sha1: '1', sha384: '3.3' }[hash] ?? '3.2'}`));
}

/** One extension: `extension('2.5.29.17', value, { critical: true })`. */
export function extension(
  id: string,
  value: Buffer,
  { critical = false }: { readonly critical?: boolean } = {},
): Buffer {
  const flag = critical ? [der(0x01, Buffer.from([0xff]))] : [];
  return der(0x30, oid(id), ...flag, der(0x04, value));
}

/** Subject alternative names: `names({ dns: ['a.example'], ip: ['10.0.0.5'] })`. */
export function names(
  wanted: Readonly<Partial<Record<'dns' | 'email' | 'uri' | 'ip', readonly string[]>>>,
  options: { readonly critical?: boolean } = {},
): Buffer {
  return extension('2.5.29.17', der(0x30, ...generalNames(wanted)), options);
}

/** Name constraints of an authority. */
export function constraints(
  permitted: Parameters<typeof names>[0],
  excluded: Parameters<typeof names>[0] = {},
  more: readonly Buffer[] = [],
): Buffer {
  const trees = (wanted: Parameters<typeof names>[0], extra: readonly Buffer[] = []) =>
    [...generalNames(wanted), ...extra].map((name) => der(0x30, name));
  const [allowed, forbidden] = [trees(permitted, more), trees(excluded)];
  const value = der(
    0x30,
    ...(allowed.length === 0 ? [] : [der(0xa0, ...allowed)]),
    ...(forbidden.length === 0 ? [] : [der(0xa1, ...forbidden)]),
  );
  return extension('2.5.29.30', value, { critical: true });
}

/** Addresses as hex, so that one of five bytes can be written: `0a000005`. */
function generalNames(wanted: Parameters<typeof names>[0]): Buffer[] {
  const { dns = [], email = [], uri = [], ip = [] } = wanted;
  return [
    ...email.map((name) => der(0x81, Buffer.from(name, 'latin1'))),
    ...dns.map((name) => der(0x82, Buffer.from(name, 'latin1'))),
    ...uri.map((name) => der(0x86, Buffer.from(name, 'latin1'))),
    ...ip.map((hex) => der(0x87, Buffer.from(hex, 'hex'))),
  ];
}

/** `keyUsage(5)`: keyCertSign alone. */
export function keyUsage(...bits: readonly number[]): Buffer {
  const value = bits.reduce((sum, bit) => sum | (0x8000 >> bit), 0);
  const bytes = Buffer.from(value > 0xff ? [value >> 8] : [0]);
  const unused = 7 - Math.max(...bits);
  return extension('2.5.29.15', der(0x03, Buffer.from([unused]), bytes), { critical: true });
}

/** `1.3.6.1.5.5.7.3.1` is serverAuth, `.2` clientAuth, `2.5.29.37.0` any. */
export function extendedUsage(...ids: readonly string[]): Buffer {
  return extension('2.5.29.37', der(0x30, ...ids.map(oid)));
}

/** `basic(true, 0)`: an authority with none below it. */
export function basic(isAuthority: boolean, pathLength?: number): Buffer {
  const value = der(
    0x30,
    ...(isAuthority ? [der(0x01, Buffer.from([0xff]))] : []),
    ...(pathLength === undefined ? [] : [der(0x02, Buffer.from([pathLength]))]),
  );
  return extension('2.5.29.19', value, { critical: true });
}

/** DER as PEM. */
export function pemOf(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
