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
    return asTable(changeAt(value, edit.path, tomlValue(edit.value)));
  } catch (error) {
    if (error instanceof NoPlace) return undefined;
    throw error;
  }
}

/** The value with another one at the path. */
function changeAt(
  value: TomlValue | undefined,
  path: readonly TomlStep[],
  wanted: TomlValue,
): TomlValue {
  const [step, ...rest] = path;
  if (step === undefined) return wanted;
  if (typeof step === 'number') {
    const list = asList(value);
    if (step >= list.length) return noPlace();
    return list.with(step, changeAt(list[step], rest, wanted));
  }
  const table = value === undefined ? {} : asTable(value);
  return { ...table, [step]: changeAt(table[step], rest, wanted) };
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
