/** Go's json.Unmarshal for the types that image documents are made of. */
import { GoJsonError, type JsonNode } from './tree.ts';

/**
 * A Go type: its zero value, and what becomes of a value when JSON is read over it. Reading over is
 * what Go does with a field that is written twice: objects are merged, and so are the elements of lists.
 */
export interface GoType<T> {
  readonly zero: () => T;
  readonly over: (old: T, node: JsonNode, at: string) => T;
}

/** `null` changes nothing but pointers, lists and maps; another kind of value is an error. */
function mismatch(node: JsonNode, at: string, wanted: string): GoJsonError {
  return new GoJsonError(`${at} is a ${node.kind}, not ${wanted}`);
}

export const goString: GoType<string> = {
  zero: () => '',
  over: (old, node, at) => {
    if (node.kind === 'null') return old;
    if (node.kind !== 'string') throw mismatch(node, at, 'a string');
    return node.text;
  },
};

/** An int64 written without point and exponent. */
export const goInteger: GoType<bigint> = {
  zero: () => 0n,
  over: (old, node, at) => {
    if (node.kind === 'null') return old;
    if (node.kind !== 'number') throw mismatch(node, at, 'a number');
    if (!/^-?\d+$/.test(node.text)) throw new GoJsonError(`${at} is ${node.text}, not an integer`);
    const value = BigInt(node.text);
    if (BigInt.asIntN(64, value) !== value)
      throw new GoJsonError(`${at} does not fit into 64 bits`);
    return value;
  },
};

export const goBoolean: GoType<boolean> = {
  zero: () => false,
  over: (old, node, at) => {
    if (node.kind === 'null') return old;
    if (node.kind !== 'boolean') throw mismatch(node, at, 'true or false');
    return node.value;
  },
};

/** []byte: base64 with padding, as it is in the field `data`; kept as text. */
export const goBytes: GoType<string> = {
  zero: () => '',
  over: (_, node, at) => {
    if (node.kind === 'null') return '';
    if (node.kind !== 'string') throw mismatch(node, at, 'a string');
    const text = node.text.replaceAll(/[\r\n]/g, '');
    const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
    if (!isBase64) throw new GoJsonError(`${at} is not base64`);
    return text;
  },
};

/** json.RawMessage, of which only matters whether it is there; `null` is there, too. */
export const goRaw: GoType<boolean> = { zero: () => false, over: () => true };

/** time.Time. */
export const goTime: GoType<undefined> = {
  zero: () => undefined,
  over: (old, node, at) => {
    if (node.kind === 'null') return old;
    if (node.kind !== 'string') throw mismatch(node, at, 'a time');
    if (!isTime(node.text)) throw new GoJsonError(`${at} is not a time (RFC 3339)`);
    return undefined;
  },
};

function isTime(text: string): boolean {
  const match =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:[.]\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.exec(text);
  const written = match?.[1] ?? '';
  const time = Date.parse(`${written}Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(written);
}

/** A slice. */
export function goList<T>(type: GoType<T>): GoType<readonly T[]> {
  return {
    zero: () => [],
    over: (old, node, at) => {
      if (node.kind === 'null') return [];
      if (node.kind !== 'array') throw mismatch(node, at, 'a list');
      return node.items.map((item, index) =>
        type.over(old[index] ?? type.zero(), item, `${at}[${index}]`),
      );
    },
  };
}

/** A map with string keys, whose letter case counts. */
export function goMap<T>(type: GoType<T>): GoType<ReadonlyMap<string, T>> {
  return {
    zero: () => new Map(),
    over: (old, node, at) => {
      if (node.kind === 'null') return new Map();
      if (node.kind !== 'object') throw mismatch(node, at, 'an object');
      const read = node.fields.map(([name, value]): [string, T] => [
        name,
        type.over(type.zero(), value, `${at}.${name}`),
      ]);
      return new Map([...old, ...read]);
    },
  };
}

/** A pointer. */
export function goPointer<T>(type: GoType<T>): GoType<T | undefined> {
  return {
    zero: () => undefined,
    over: (old, node, at) =>
      node.kind === 'null' ? undefined : type.over(old ?? type.zero(), node, at),
  };
}

type Fields<T> = { readonly [Name in keyof T]: GoType<T[Name]> };

/** A struct. A name is found as written, else in any letter case, U+017F and U+212A being letters too. */
export function goStruct<T extends object>(types: Fields<T>): GoType<T> {
  // The declaration of Object.entries forgets the names of the fields.
  const entries = Object.entries(types) as [string & keyof T, GoType<T[string & keyof T]>][];
  const byName = new Map(entries.map(([name, type]) => [foldName(name), { name, type }]));
  return {
    // Every field is given its zero value right here.
    zero: () => Object.fromEntries(entries.map(([name, type]) => [name, type.zero()])) as T,
    over: (old, node, at) => {
      if (node.kind === 'null') return old;
      if (node.kind !== 'object') throw mismatch(node, at, 'an object');
      const value = { ...old };
      for (const [written, child] of node.fields) {
        const field = byName.get(foldName(written));
        if (field === undefined) continue;
        const { name, type } = field;
        value[name] = type.over(value[name], child, at === '' ? name : `${at}.${name}`);
      }
      return value;
    },
  };
}

/** The letters that Go takes for each other: `layerſ`, `Layers` → `LAYERS`. */
export function foldName(name: string): string {
  return name.replaceAll(/[a-z\u017f\u212a]/g, (letter) => {
    if (letter === '\u017f') return 'S';
    return letter === '\u212a' ? 'K' : letter.toUpperCase();
  });
}
