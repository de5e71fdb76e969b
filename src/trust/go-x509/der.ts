/** DER as Go reads it (cryptobyte): strict lengths, no tags above 30. */

/** Bytes that Go's reader refuses, in words close to Go's own. */
export class Malformed extends Error {}

/** One element: its tag byte, its content, and both together with the length. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

/** The tag bytes that certificates are made of. */
export const Tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** The tag byte of `[number]`, constructed or not: `contextTag(3, true)` → 0xa3. */
export function contextTag(number: number, isConstructed = false): number {
  return 0x80 | (isConstructed ? 0x20 : 0) | number;
}

/**
 * Reads elements one after the other: `reader.read(Tags.integer, 'malformed serial number')`.
 * What is not there as wanted throws {@link Malformed} with the given words.
 */
export class DerReader {
  #rest: Buffer;

  constructor(bytes: Buffer) {
    this.#rest = bytes;
  }

  get isEmpty(): boolean {
    return this.#rest.length === 0;
  }

  /** True when the next element has this tag. */
  has(tag: number): boolean {
    return this.#rest[0] === tag;
  }

  /** The next element, whatever it is. */
  any(otherwise: string): DerElement {
    const element = split(this.#rest);
    if (element === undefined) throw new Malformed(otherwise);
    this.#rest = this.#rest.subarray(element.whole.length);
    return element;
  }

  read(tag: number, otherwise: string): DerElement {
    if (!this.has(tag)) throw new Malformed(otherwise);
    return this.any(otherwise);
  }

  optional(tag: number, otherwise: string): DerElement | undefined {
    return this.has(tag) ? this.any(otherwise) : undefined;
  }

  /** A reader of what is inside the next element. */
  inside(tag: number, otherwise: string): DerReader {
    return new DerReader(this.read(tag, otherwise).content);
  }

  /** Every element that is left. */
  *rest(otherwise: string): Generator<DerElement> {
    while (!this.isEmpty) yield this.any(otherwise);
  }
}

function split(bytes: Buffer): DerElement | undefined {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return undefined;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const head = 2 + lengthBytes;
  if (first === 0x80 || lengthBytes > 4 || bytes.length < head) return undefined;
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(2, lengthBytes);
  // DER has one way to write a length: the shortest.
  const isShortest = lengthBytes === 0 || (length >= 0x80 && bytes[2] !== 0);
  if (!isShortest || bytes.length < head + length) return undefined;
  return {
    tag,
    content: bytes.subarray(head, head + length),
    whole: bytes.subarray(0, head + length),
  };
}
