/** Values inside DER elements, checked as strictly as Go checks them. */
import { type DerElement, Malformed } from './der.ts';

/** The content of an INTEGER, which must be written in as few bytes as possible. */
export function integerBytes({ content }: DerElement, otherwise: string): Buffer {
  const [first, second] = content;
  if (first === undefined) throw new Malformed(otherwise);
  const isPadded =
    second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));
  if (isPadded) throw new Malformed(otherwise);
  return content;
}

/** True when the first bit of an INTEGER's content is set. */
export function isNegative(bytes: Buffer): boolean {
  return (bytes[0] ?? 0) >= 0x80;
}

/** A number from 0 on that fits into 48 bits: path lengths and counters. */
export function smallInteger(element: DerElement, otherwise: string): number {
  const bytes = integerBytes(element, otherwise);
  if (isNegative(bytes) || bytes.length > 6) throw new Malformed(otherwise);
  return bytes.readUIntBE(0, bytes.length);
}

/** DER writes true as 0xff only. */
export function booleanOf({ content }: DerElement, otherwise: string): boolean {
  const [value] = content;
  if (content.length !== 1 || (value !== 0 && value !== 0xff)) throw new Malformed(otherwise);
  return value === 0xff;
}

/** The content of a BIT STRING; `unusedBits` at its end are zero. */
export function bitString({ content }: DerElement, otherwise: string) {
  const [unusedBits = 8] = content;
  const last = content.at(-1) ?? 0;
  const isOdd = unusedBits > 7 || (content.length === 1 && unusedBits !== 0);
  if (isOdd || (last & ((1 << unusedBits) - 1) && content.length > 1)) {
    throw new Malformed(otherwise);
  }
  return { bytes: content.subarray(1), unusedBits };
}

/** Object identifiers are compared by their bytes: `2.5.29.17` → `551d11`. */
export function oidOf({ content }: DerElement, otherwise: string): string {
  let arc = 0;
  let isStart = true;
  for (const byte of content) {
    if ((isStart && byte === 0x80) || arc >= 2 ** 24) throw new Malformed(otherwise);
    arc = arc * 128 + (byte & 0x7f);
    isStart = byte < 0x80;
    if (isStart) arc = 0;
  }
  if (content.length === 0 || !isStart) throw new Malformed(otherwise);
  return content.toString('hex');
}

/** Milliseconds of a UTCTime or GeneralizedTime. */
export function timeOf({ tag, content }: DerElement): number {
  const isUtc = tag === 0x17;
  if (!isUtc && tag !== 0x18) throw new Malformed('unsupported time format');
  const otherwise = `malformed ${isUtc ? 'UTCTime' : 'GeneralizedTime'}`;
  const pattern = isUtc
    ? /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})$/
    : /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', zone = ''] =
    pattern.exec(content.toString('latin1')) ?? [];
  // Two digits mean 1950 to 2049 (RFC 5280, 4.1.2.5.1).
  const century = isUtc ? (Number(year) >= 50 ? '19' : '20') : '';
  const written = `${century}${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const time = Date.parse(`${written}Z`);
  // Date.parse takes February 30th for a day in March.
  if (!Number.isFinite(time) || !new Date(time).toISOString().startsWith(written)) {
    throw new Malformed(otherwise);
  }
  return time - offsetMs(zone, otherwise);
}

function offsetMs(zone: string, otherwise: string): number {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3));
  if (minutes === 0) throw new Malformed(otherwise);
  return minutes * (zone.startsWith('-') ? -60_000 : 60_000);
}
