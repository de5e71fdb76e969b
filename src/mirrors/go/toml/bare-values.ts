/** Numbers as Go's TOML libraries read them where they keep to the specification. */

const whole =
  /^(?:[+-]?(?:0|[1-9][0-9]*(?:_[0-9]+)*)|0x[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*|0o[0-7]+(?:_[0-7]+)*|0b[01]+(?:_[01]+)*)$/;
const float =
  /^[+-]?(?:0|[1-9][0-9]*(?:_[0-9]+)*)(?:\.[0-9]+(?:_[0-9]+)*)?(?:[eE][+-]?[0-9]+(?:_[0-9]+)*)?$/;

/** What a number written in TOML is; `out of range` where Go has no room for it. */
export type ReadNumber = bigint | number | 'out of range' | undefined;

/** `0x1F` → 31n, `-1.5` → -1.5, `+inf` → Infinity, `1e400` → out of range, `01` → undefined: no number. */
export function readNumber(written: string): ReadNumber {
  const special = /^([+-]?)(inf|nan)$/.exec(written);
  if (special !== null) {
    if (special[2] === 'nan') return Number.NaN;
    return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (whole.test(written)) return readWhole(written.replaceAll('_', ''));
  if (!float.test(written)) return undefined;
  const value = Number(written.replaceAll('_', ''));
  return Number.isFinite(value) ? value : 'out of range';
}

/** Longer than any number of 64 bits, leading zeros aside, and too long to turn into a bigint quickly. */
const LONGEST = 66;

function readWhole(written: string): bigint | 'out of range' {
  const [, sign = '', base = '', digits = ''] =
    /^([+-]?)(0[xob])?0*([0-9a-fA-F]*)$/.exec(written) ?? [];
  if (digits.length > LONGEST) return 'out of range';
  const size = BigInt(base + (digits || '0'));
  const value = sign === '-' ? -size : size;
  return BigInt.asIntN(64, value) === value ? value : 'out of range';
}
