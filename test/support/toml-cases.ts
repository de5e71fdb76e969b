/** Texts on which Go's TOML libraries disagree, or differ from TOML; each is asked of them in test/oracles/toml. */

/** The libraries in the versions that differ: BurntSushi/toml 1.5 and 1.6, go-toml 1, go-toml 2.2 to 2.4. */
export const tomlLibraries = ['bs 1.5', 'bs 1.6', 'v1', 'v2.2', 'v2.3', 'v2.4'] as const;
export type TomlLibrary = (typeof tomlLibraries)[number];

const all: readonly TomlLibrary[] = tomlLibraries;
const bs: readonly TomlLibrary[] = ['bs 1.5', 'bs 1.6'];
const v2: readonly TomlLibrary[] = ['v2.2', 'v2.3', 'v2.4'];
const only11: readonly TomlLibrary[] = ['bs 1.6', 'v2.4'];
const none: readonly TomlLibrary[] = [];

/** A claim, the text, who reads it. */
export type TomlCase = readonly [claim: string, text: string, readBy: readonly TomlLibrary[]];

/** `latin1` texts have one byte for each sign. */
export const latin1Cases: readonly TomlCase[] = [
  ['a byte that is not UTF-8 in a comment', 'a = 1\n# f\xfcr\n', ['v1']],
  ['a byte that is not UTF-8 in a text', 'a = "\xfc"\n', ['v1']],
  ['half a surrogate pair in UTF-8', 'a = "\xed\xa0\x80"\n', ['v1']],
  ['a byte order mark of UTF-16 before ASCII', '\xff\xfea = 1\n', [...bs, 'v1']],
];

export const tomlCases: readonly TomlCase[] = [
  ['a byte order mark', '\uFEFFa = 1\n', [...bs, 'v1']],
  ['two byte order marks', '\uFEFF\uFEFFa = 1\n', none],
  ['a header for a table of dots', 'a.b = 1\n[a]\nc = 2\n', [...bs, 'v1']],
  ['a header for a table of dots in a table', '[a]\nb.c = 1\n[a.b]\nd = 1\n', [...bs, 'v1']],
  ['a header inside a table of dots', 'a.b = 1\n[a.c]\n', all],
  ['a header inside an inline table', 'a = {b = 1}\n[a.c]\n', bs],
  ['a header for an inline table', 'a = {b = 1}\n[a]\n', none],
  ['dots into a table of longer headers', '[a.b.c]\n[a]\nb.d = 1\n', [...bs, 'v1', 'v2.2', 'v2.3']],
  ['dots into a table with a header', '[a.b]\n[a]\nb.c = 1\n', [...bs, 'v1']],
  ['the same header twice', '[a]\n[a]\n', none],
  ['the same header in another spelling', '[a]\n[ a ]\n', ['v1']],
  ['a list set twice', 'a = [1]\na = [2]\n', ['bs 1.5']],
  ['a key set twice', 'a = 1\na = 2\n', none],
  ['a key of an inline table set twice', 'a = {b = 1, b = 2}\n', ['v1']],
  ['a list of tables behind a list in brackets', 'a = [{b = 1}]\n[[a]]\n', ['v1']],
  ['an inline table over lines', 'a = {\n b = 1\n}\n', ['v1', ...only11]],
  ['a comma behind the last item of a table', 'a = {b = 1,}\n', only11],
  ['a comma and a line break behind it', 'a = {b = 1,\n}\n', only11],
  ['a comma alone in a table', 'a = {,}\n', none],
  ['a comma behind the last item of a list', 'a = [1,]\n', all],
  ['two commas in a list', 'a = [1,,2]\n', none],
  ['a list over lines in an inline table', 'a = {b = [\n1]}\n', all],
  ['the escape \\x', 'a = "\\x62"\n', only11],
  ['the escape \\e', 'a = "\\e"\n', ['bs 1.6', ...v2]],
  ['the escape \\/', 'a = "\\/"\n', ['v1']],
  ['an escaped half of a surrogate pair', 'a = "\\ud800"\n', ['v1']],
  ['an escape beyond Unicode', 'a = "\\U00110000"\n', ['v1']],
  ['a line break in single quotes', "a = 'x\ny'\n", ['v1']],
  ['a control character in a comment', '# \u0001\na = 1\n', ['v1']],
  ['a carriage return for a line end', 'a = 1\rb = 2\n', ['v1']],
  ['four quotes at the end', 'a = """x""""\n', [...bs, ...v2]],
  ['six quotes at the end', 'a = """x""""""\n', none],
  ['a key behind its header', '[a] b = 1\n', ['v1']],
  ['a dot before a key', '.a = 1\n', ['v1']],
  ['brackets in a header', '[a."[b]"]\n', [...bs, ...v2]],
  ['an escape in a header', '["\\u00e9"]\n', all],
  ['a plain sign of Unicode as a key', 'ä = 1\n', none],
  ['a day that does not exist', 'a = 2026-02-30\n', none],
  ['a leap day', 'a = 2024-02-29T00:00:00Z\n', all],
  ['a day without a time', 'a = 2026-02-28\n', [...bs, ...v2]],
  ['the first day of all', 'a = 0000-01-01T00:00:00Z\n', all],
  ['a leap second', 'a = 2016-12-31T23:59:60Z\n', ['v2.2']],
  ['a time without seconds', 'a = 07:32\n', only11],
  ['a small t and z', 'a = 2026-02-28t07:32:00z\n', [...bs, ...v2]],
  ['an offset of a whole day', 'a = 2026-02-28T07:32:00+24:00\n', [...bs, 'v1']],
  ['an offset of more than a day', 'a = 2026-02-28T07:32:00+25:00\n', none],
  ['an offset with sixty minutes', 'a = 2026-02-28T07:32:00+01:60\n', [...bs, 'v1']],
  ['a float that is too large', 'a = 1e400\n', none],
  ['a float that is too small', 'a = 1e-400\n', all],
  ['a sign before inf', 'a = +inf\n', all],
  ['a number of 64 bits without a sign', 'a = 18446744073709551615\n', ['v1']],
  ['a hexadecimal number of 64 bits', 'a = 0xffffffffffffffff\n', ['v1']],
  ['a number of 65 bits', 'a = 18446744073709551616\n', none],
  ['a zero in front', 'a = 01\n', ['v1']],
  ['a blank line of digits', 'a = 1_0\n', all],
  ['two of them', 'a = 1__0\n', none],
  ['a number that ends in a line', 'a = 1_\n', none],
  ['an upper-case base', 'a = 0XFF\n', none],
];
