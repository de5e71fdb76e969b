/** What stands between the brackets of a host, over bytes. Source: Go 1.26 net/netip, ParseAddr. */

import { quoteGo } from '../dialects/go-quote.ts';
import { fromBytes } from './bytes.ts';

/** What is wrong, and the rest of the text from there on. */
type Fault = readonly [message: string, at?: string];

/** Why it is no IPv6 address: `::g` → `invalid host: ParseAddr("::g"): unexpected character, want colon (at "g")`. */
export function literalFault(bytes: string): string | undefined {
  const [sign] = /[.:%]/.exec(bytes) ?? [];
  const fault = sign === ':' ? sixFault(bytes) : otherFault(bytes, sign);
  if (fault === undefined) return sign === ':' ? undefined : 'invalid IP-literal';
  const [message, at = ''] = fault;
  const place = at === '' ? '' : ` (at ${quoteGo(fromBytes(at))})`;
  return `invalid host: ParseAddr(${quoteGo(fromBytes(bytes))}): ${message}${place}`;
}

function otherFault(bytes: string, sign: string | undefined): Fault | undefined {
  if (sign === '.') return fourFault(bytes);
  return [sign === '%' ? 'missing IPv6 address' : 'unable to parse IP'];
}

/** Four numbers up to 255 without leading zeros. */
function fourFault(text: string): Fault | undefined {
  const fields = text.split('.');
  let rest = text;
  for (const [index, field] of fields.entries()) {
    const fault = fieldFault(field, rest);
    if (fault !== undefined) return fault;
    rest = rest.slice(field.length);
    const isLast = rest === '';
    if (!isLast && (field === '' || rest === '.')) {
      return ['IPv4 field must have at least one digit', rest];
    }
    if (!isLast && index === 3) return ['IPv4 address too long'];
    rest = rest.slice(1);
  }
  return fields.length < 4 ? ['IPv4 address too short'] : undefined;
}

function fieldFault(field: string, rest: string): Fault | undefined {
  const [digits = ''] = /^\d*/.exec(field) ?? [];
  if (/^0\d/.test(digits)) return ['IPv4 field has octet with leading zero'];
  if (Number(digits) > 255) return ['IPv4 field has value >255'];
  return digits === field ? undefined : ['unexpected character', rest.slice(digits.length)];
}

function sixFault(bytes: string): Fault | undefined {
  const percent = bytes.indexOf('%');
  if (percent === bytes.length - 1) return ['zone must be a non-empty string'];
  const address = percent === -1 ? bytes : bytes.slice(0, percent);
  return address === '::' ? undefined : new Fields(address).fault();
}

/** An address being read field by field. */
class Fields {
  #rest: string;
  #count = 0;
  /** How many fields stand before the `::`; undefined for none. */
  #gap: number | undefined;

  constructor(address: string) {
    this.#gap = address.startsWith('::') ? 0 : undefined;
    this.#rest = this.#gap === 0 ? address.slice(2) : address;
  }

  fault(): Fault | undefined {
    while (this.#count < 8) {
      const fault = this.#field();
      if (fault !== undefined) return fault;
      if (this.#rest === '') break;
    }
    if (this.#rest !== '') return ['trailing garbage after address', this.#rest];
    if (this.#count < 8 && this.#gap === undefined) return ['address string too short'];
    return this.#count === 8 && this.#gap !== undefined
      ? ['the :: must expand to at least one field of zeros']
      : undefined;
  }

  #field(): Fault | undefined {
    const rest = this.#rest;
    const [digits = ''] = /^[0-9A-Fa-f]*/.exec(rest) ?? [];
    if (digits.length > 4) return ['each group must have 4 or less digits', rest];
    if (digits === '') {
      return ['each colon-separated field must have at least one digit', rest];
    }
    if (rest[digits.length] === '.') return this.#embedded();
    this.#count += 1;
    this.#rest = rest.slice(digits.length);
    return this.#rest === '' ? undefined : this.#colon();
  }

  /** The last two fields as an IPv4 address. */
  #embedded(): Fault | undefined {
    const rest = this.#rest;
    if (this.#gap === undefined && this.#count !== 6) {
      return ['embedded IPv4 address must replace the final 2 fields of the address', rest];
    }
    if (this.#count > 6) {
      return ['too many hex fields to fit an embedded IPv4 at the end of the address', rest];
    }
    this.#rest = '';
    this.#count += 2;
    return fourFault(rest);
  }

  #colon(): Fault | undefined {
    if (!this.#rest.startsWith(':')) return ['unexpected character, want colon', this.#rest];
    if (this.#rest === ':') return ['colon must be followed by more characters', this.#rest];
    this.#rest = this.#rest.slice(1);
    if (!this.#rest.startsWith(':')) return undefined;
    if (this.#gap !== undefined) return ['multiple :: in address', this.#rest];
    this.#gap = this.#count;
    this.#rest = this.#rest.slice(1);
    return undefined;
  }
}
