import { parseGoUrl } from '../../oci/go-url/parse.ts';
import { DerReader, Malformed, Tags } from './der.ts';
import { isAscii } from './distinguished-name.ts';
import { isDomain } from './host-names.ts';

/** The subject alternative names of the kinds that Go reads. */
export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  readonly addresses: readonly Buffer[];
  readonly emails: readonly string[];
  /** The host of each URI; empty for one without. */
  readonly uriHosts: readonly string[];
}

/** A certificate without the extension. */
export const noNames: AlternativeNames = { dnsNames: [], addresses: [], emails: [], uriHosts: [] };

/** Reads the extension's value; one bad name makes Go refuse the whole certificate. */
export function readAlternativeNames(value: Buffer): AlternativeNames {
  const bad = 'invalid subject alternative name';
  const names = {
    dnsNames: [] as string[],
    addresses: [] as Buffer[],
    emails: [] as string[],
    uriHosts: [] as string[],
  };
  const reader = new DerReader(value).inside(Tags.sequence, `${bad}s`);
  for (const { tag, content } of reader.rest(bad)) {
    switch (tag) {
      case 0x81:
        names.emails.push(ascii(content, 'rfc822Name'));
        break;
      case 0x82:
        names.dnsNames.push(ascii(content, 'dNSName'));
        break;
      case 0x86:
        names.uriHosts.push(uriHost(ascii(content, 'uniformResourceIdentifier')));
        break;
      case 0x87:
        if (content.length !== 4 && content.length !== 16) {
          throw new Malformed(`cannot parse IP address of length ${content.length}`);
        }
        names.addresses.push(content);
        break;
    }
  }
  return names;
}

/** `harbor.example, 10.0.0.5, fd00::5`: what people are told that a certificate is for. */
export function listNames({ dnsNames, addresses }: AlternativeNames): string {
  const listed = [...dnsNames, ...addresses.map(addressText)];
  return listed.length === 0 ? 'no name at all' : listed.join(', ');
}

function addressText(address: Buffer): string {
  if (address.length === 4) return address.join('.');
  const groups = address.toString('hex').match(/.{4}/g) ?? [];
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

function ascii(content: Buffer, kind: string): string {
  if (!isAscii(content)) throw new Malformed(`SAN ${kind} is malformed`);
  return content.toString('latin1');
}

function uriHost(uri: string): string {
  const read = parseGoUrl(uri);
  if (!read.ok) throw new Malformed(`cannot parse URI ${JSON.stringify(uri)}: ${read.reason}`);
  const { host } = read.url;
  if (!isDomain(host, false)) {
    throw new Malformed(`cannot parse URI ${JSON.stringify(uri)}: invalid domain`);
  }
  return host;
}
