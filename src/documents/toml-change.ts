/** What a change of a TOML text must come to: the value before, with one thing changed. */

import { isTomlList, isTomlTable, type TomlTable, type TomlValue } from './toml.ts';
import type { TomlEdit } from './toml-edit.ts';
import type { TomlStep } from './toml-scan.ts';
import type { NewTomlValue } from './toml-write.ts';

/** The value before has no place for the change. */
class NoPlace extends Error {}

/**
 * The value that the edited text must have; undefined if the value before has no place for the change.
 * Whole numbers are bigint: `({ a: 1n }, set a to 2)` → `{ a: 2n }`.
 */
export function changedValue(value: TomlTable, edit: TomlEdit): TomlTable | undefined {
  try {
    const { path } = edit;
    if (edit.do === 'rename') {
      return asTable(
        changeAt(value, path.slice(0, -1), (table) => renamed(table, path, edit.name)),
      );
    }
    return asTable(changeAt(value, path, (old) => changeOf(old, edit)));
  } catch (error) {
    if (error instanceof NoPlace) return undefined;
    throw error;
  }
}

/**
 * The wanted value after a removal, without the tables and lists on the way that it emptied, as far as
 * the text does not name them any more either: they are missing in `found`.
 */
export function withoutEmptied(
  wanted: TomlTable,
  found: TomlTable,
  path: readonly TomlStep[],
): TomlTable {
  for (let length = path.length - 1; length > 0; length -= 1) {
    const above = path.slice(0, length);
    if (valueAt(found, above) !== undefined || !isEmpty(valueAt(wanted, above))) continue;
    return withoutEmptied(asTable(changeAt(wanted, above, () => undefined)), found, above);
  }
  return wanted;
}

function changeOf(
  old: TomlValue | undefined,
  edit: Exclude<TomlEdit, { readonly do: 'rename' }>,
): TomlValue | undefined {
  if (edit.do === 'set') return tomlValue(edit.value);
  if (edit.do === 'remove') return old === undefined ? noPlace() : undefined;
  const value = tomlValue(edit.value);
  if (edit.do === 'add') return [...(old === undefined ? [] : asList(old)), value];
  return { ...(old === undefined ? {} : asTable(old)), ...asTable(value) };
}

function renamed(table: TomlValue | undefined, path: readonly TomlStep[], name: string): TomlValue {
  const old = String(path.at(-1));
  const { [old]: value, ...rest } = asTable(table);
  if (value === undefined || Object.hasOwn(rest, name)) return noPlace();
  return { ...rest, [name]: value };
}

/** The value with what stands at the path changed; `undefined` takes it out. */
function changeAt(
  value: TomlValue | undefined,
  path: readonly TomlStep[],
  change: (old: TomlValue | undefined) => TomlValue | undefined,
): TomlValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (typeof step === 'number') {
    const list = asList(value);
    if (step >= list.length) return noPlace();
    const item = changeAt(list[step], rest, change);
    return item === undefined ? list.toSpliced(step, 1) : list.with(step, item);
  }
  const { [step]: old, ...others } = value === undefined ? {} : asTable(value);
  const item = changeAt(old, rest, change);
  return item === undefined ? others : { ...others, [step]: item };
}

function valueAt(value: TomlValue | undefined, path: readonly TomlStep[]): TomlValue | undefined {
  return path.reduce<TomlValue | undefined>((at, step) => {
    if (typeof step === 'number') return isTomlList(at) ? at[step] : undefined;
    return isTomlTable(at) ? at[step] : undefined;
  }, value);
}

function isEmpty(value: TomlValue | undefined): boolean {
  return isTomlList(value)
    ? value.length === 0
    : isTomlTable(value) && Object.keys(value).length === 0;
}

function asList(value: TomlValue | undefined): readonly TomlValue[] {
  return isTomlList(value) ? value : noPlace();
}

function asTable(value: TomlValue | undefined): TomlTable {
  return isTomlTable(value) ? value : noPlace();
}

function noPlace(): never {
  throw new NoPlace();
}

function tomlValue(value: NewTomlValue): TomlValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(tomlValue);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, tomlValue(item)]));
}
