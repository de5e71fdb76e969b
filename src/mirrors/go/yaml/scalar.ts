/** What gopkg.in/yaml.v2 takes a scalar for: YAML 1.1 with Go's numbers (resolve.go, resolve). */

/** A scalar with a type; `number` covers integers and floats, whose value k3s never needs. */
export type GoScalar =
  | { readonly type: 'str'; readonly text: string }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'null' }
  | { readonly type: 'int' | 'float' | 'timestamp' }
  /** Of a tag that the reader does not know: it stays text. */
  | { readonly type: 'other'; readonly text: string };

/** The document is refused as a whole, with this text behind `yaml: `. */
export class GoYamlFault extends Error {}

const LONG = 'tag:yaml.org,2002:';

/** `tag:yaml.org,2002:str` → `!!str`; others stay as they are. */
export function shortTag(tag: string): string {
  return tag.startsWith(LONG) ? `!!${tag.slice(LONG.length)}` : tag;
}

const words: ReadonlyMap<string, GoScalar> = new Map([
  ...spelled(['y', 'yes', 'true', 'on'], { type: 'bool', value: true }),
  ...spelled(['n', 'no', 'false', 'off'], { type: 'bool', value: false }),
  ...spelled(['null'], { type: 'null' }),
  ['', { type: 'null' }],
  ['~', { type: 'null' }],
  ...['.nan', '.NaN', '.NAN', '.inf', '.Inf', '.INF'].map(float),
  ...['+.inf', '+.Inf', '+.INF', '-.inf', '-.Inf', '-.INF'].map(float),
]);

/** Each word in lower case, in upper case, and with a capital. */
function spelled(list: readonly string[], scalar: GoScalar): [string, GoScalar][] {
  return list.flatMap((word) => {
    const capital = word.charAt(0).toUpperCase() + word.slice(1);
    return [word, capital, word.toUpperCase()].map((text): [string, GoScalar] => [text, scalar]);
  });
}

function float(text: string): [string, GoScalar] {
  return [text, { type: 'float' }];
}

const tagTypes = new Set(['str', 'bool', 'int', 'float', 'null', 'timestamp']);

/**
 * `resolveScalar('', 'yes')` → true; a quoted scalar has the tag `!!str` already.
 * Throws {@link GoYamlFault} where an explicit tag does not fit.
 */
export function resolveScalar(tag: string, text: string): GoScalar {
  const wanted = shortTag(tag).replace(/^!!/, '');
  if (tag !== '' && !tagTypes.has(wanted)) return { type: 'other', text };
  const found = wanted === 'str' ? { type: 'str' as const, text } : typeOf(text, wanted);
  const fits = wanted === '' || wanted === found.type || wanted === 'str';
  if (fits) return found;
  if (wanted === 'float' && found.type === 'int') return { type: 'float' };
  throw new GoYamlFault(`cannot decode !!${found.type} \`${text}\` as a ${shortTag(tag)}`);
}

function typeOf(text: string, tag: string): GoScalar {
  const word = words.get(text);
  if (word !== undefined) return word;
  const isNumeric = /^[+\-0-9]/.test(text);
  if (text.startsWith('.') && isGoFloat(text)) return { type: 'float' };
  if (!isNumeric) return { type: 'str', text };
  if ((tag === '' || tag === 'timestamp') && isTimestamp(text)) return { type: 'timestamp' };
  const plain = text.replaceAll('_', '');
  if (isGoInteger(plain)) return { type: 'int' };
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(plain)) {
    // strconv.ParseFloat gives an error beyond the range.
    return Number.isFinite(Number(plain)) ? { type: 'float' } : { type: 'str', text };
  }
  return { type: 'str', text };
}

/** strconv.ParseInt or ParseUint with base 0; underscores are gone already. */
function isGoInteger(text: string): boolean {
  const match = /^([+-]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|(0|[1-9][0-9]*))$/.exec(
    text,
  );
  if (match === null) return isDoubleSigned(text);
  const [, sign = '', hex, octal, binary, decimal = ''] = match;
  const digits =
    hex !== undefined
      ? BigInt(`0x${hex}`)
      : octal !== undefined
        ? BigInt(`0o${octal}`)
        : binary !== undefined
          ? BigInt(`0b${binary}`)
          : BigInt(decimal);
  if (sign === '-') return digits <= 2n ** 63n;
  // ParseUint takes no sign at all.
  return digits < (sign === '+' ? 2n ** 63n : 2n ** 64n);
}

/** `0b-1` and `-0b-1`: what stands behind the prefix is parsed as a number of its own. */
function isDoubleSigned(text: string): boolean {
  return /^0b[+-][01]{1,63}$/.test(text);
}

/** strconv.ParseFloat for what begins with a dot. */
function isGoFloat(text: string): boolean {
  return /^\.[0-9]+(?:[eE][-+]?[0-9]+)?$/.test(text) && Number.isFinite(Number(text));
}

const date = /^(\d{4})-(\d{1,2})-(\d{1,2})/;
const time = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(Z|[+-]\d{2}:\d{2})?$/;

/** Go's time.Parse with the four formats that the reader knows. */
function isTimestamp(text: string): boolean {
  const day = date.exec(text);
  if (day === null || !isDay(Number(day[1]), Number(day[2]), Number(day[3]))) return false;
  const rest = text.slice(day[0].length);
  if (rest === '') return true;
  const clock = time.exec(rest.slice(1));
  if (clock === null || !isClock(clock)) return false;
  const [, , , , zone] = clock;
  return rest.startsWith(' ') ? zone === undefined : /^[Tt]/.test(rest) && zone !== undefined;
}

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function isClock([, hour, minute, second, zone = '']: readonly (string | undefined)[]): boolean {
  const offset = /^[+-](\d{2}):(\d{2})$/.exec(zone);
  const isZone = offset === null || (Number(offset[1]) <= 24 && Number(offset[2]) < 60);
  return Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60 && isZone;
}
