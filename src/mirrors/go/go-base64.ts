import { toBytes } from '../../oci/go-url/bytes.ts';

/** The decoded bytes, or Go's reason against the text. */
export type GoBase64 =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: string };

/**
 * base64.StdEncoding: with padding, line ends do not count. `dTpw` → the bytes of `u:p`;
 * `dTp` → `illegal base64 data at input byte 0`.
 */
export function decodeGoBase64(text: string): GoBase64 {
  const at = faultIn(toBytes(text));
  if (at !== undefined) return { ok: false, reason: `illegal base64 data at input byte ${at}` };
  return { ok: true, bytes: Buffer.from(text, 'base64') };
}

/** Where the first fault is, as Go counts. Source: encoding/base64, decodeQuantum. */
function faultIn(bytes: string): number | undefined {
  const signs = [...bytes.matchAll(/[^\r\n]/g)].map(({ 0: sign, index }) => ({ sign, index }));
  const bad = signs.findIndex(({ sign }) => !/[A-Za-z0-9+/]/.test(sign));
  const count = bad === -1 ? signs.length : bad;
  const inGroup = count % 4;
  if (bad === -1) return inGroup === 0 ? undefined : bytes.length - inGroup;
  const { sign, index = 0 } = signs[bad] ?? {};
  if (sign !== '=' || inGroup < 2) return index;
  if (inGroup === 3) return signs[bad + 1]?.index;
  const second = signs[bad + 1];
  if (second === undefined) return bytes.length;
  return second.sign === '=' ? signs[bad + 2]?.index : second.index - 1;
}
