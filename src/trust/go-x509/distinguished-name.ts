import { isUtf8 } from 'node:buffer';
import { type DerElement, DerReader, Malformed, Tags } from './der.ts';
import { oidOf } from './der-values.ts';

/** The common name, in an object identifier's bytes (2.5.4.3). */
const commonName = '550403';

/**
 * Checks a subject or issuer and gives what people call it: its common name, else its last text.
 * Malformed strings are refused as Go refuses them, whether anybody reads them or not.
 */
export function readName(name: DerElement): string {
  const bad = 'invalid RDNSequence';
  const texts: [oid: string, text: string][] = [];
  for (const set of new DerReader(name.content).rest(bad)) {
    if (set.tag !== Tags.set) throw new Malformed(bad);
    for (const attribute of new DerReader(set.content).rest(bad)) {
      if (attribute.tag !== Tags.sequence) throw new Malformed(`${bad}: invalid attribute`);
      const reader = new DerReader(attribute.content);
      const type = `${bad}: invalid attribute type`;
      const oid = oidOf(reader.read(Tags.oid, type), type);
      texts.push([oid, stringOf(reader.any(`${bad}: invalid attribute value`))]);
    }
  }
  const chosen = texts.findLast(([oid]) => oid === commonName) ?? texts.at(-1);
  return chosen?.[1] ?? '';
}

function stringOf({ tag, content }: DerElement): string {
  const text = content.toString('latin1');
  const [kind, isFine] = checked(tag, text, content);
  if (!isFine) throw new Malformed(`invalid RDNSequence: invalid attribute value: ${kind}`);
  return tag === 0x0c ? content.toString('utf8') : text;
}

function checked(tag: number, text: string, content: Buffer): [kind: string, isFine: boolean] {
  switch (tag) {
    case 0x0c:
      return ['invalid UTF-8 string', isUtf8(content)];
    case 0x12:
      return ['invalid NumericString', /^[0-9 ]*$/.test(text)];
    case 0x13:
      return ['invalid PrintableString', /^[A-Za-z0-9'()*+,\-./ :=?&]*$/.test(text)];
    case 0x14:
      return ['', true];
    case 0x16:
      return ['invalid IA5String', isAscii(content)];
    case 0x1e:
      return ['invalid BMPString', content.length % 2 === 0 && isPlainBmp(content)];
    default:
      return ['unsupported string type', false];
  }
}

/** True when every byte is below 0x80. */
export function isAscii(bytes: Buffer): boolean {
  return bytes.every((byte) => byte < 0x80);
}

function isPlainBmp(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += 2) {
    const point = bytes.readUInt16BE(at);
    const isReserved =
      point >= 0xfffe ||
      (point >= 0xfdd0 && point <= 0xfdef) ||
      (point >= 0xd800 && point <= 0xdfff);
    if (isReserved) return false;
  }
  return true;
}
