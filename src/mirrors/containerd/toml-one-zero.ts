/** Where a text that our parser takes for TOML is none for the two libraries that containerd reads it with. */

import { placeAt } from '../../documents/toml-cursor.ts';
import { allTomlKeys } from '../../documents/toml-places.ts';
import type { TomlItem, TomlKeyPart, TomlScan } from '../../documents/toml-scan.ts';

/** The parser of containerd 1.x (go-toml 1) or of 2.x (go-toml 2). */
export type GoTomlDialect = 'go-toml 1' | 'go-toml 2';

/** What is wrong and where; lines and columns count from 1. */
export interface TomlFault {
  /** `encoding`: bytes that 2.x refuses; `brackets`: in a header, which 1.x refuses; else no TOML. */
  readonly kind: 'syntax' | 'encoding' | 'brackets';
  readonly reason: string;
  readonly line: number;
  readonly column?: number;
}

interface Difference {
  readonly at: number;
  readonly reason: string;
}

/**
 * The first place that the dialect refuses in a text that is TOML 1.1, or undefined:
 * `a = {b = 1,}` → a comma behind the last item of an inline table. Our parser follows TOML 1.1 and
 * counts on 30 February becoming 1 March; both libraries follow TOML 1.0.
 */
export function faultOfDialect(scan: TomlScan, dialect: GoTomlDialect): TomlFault | undefined {
  const judge = new Judge(scan.text, dialect);
  const found = [
    ...scan.headers.flatMap(({ parts }) => judge.names(parts)),
    ...Array.from(allTomlKeys(scan.keys)).flatMap(({ parts, value }) => [
      ...judge.names(parts),
      ...judge.value(value),
    ]),
  ];
  if (found.length === 0) return undefined;
  const first = found.reduce((a, b) => (b.at < a.at ? b : a));
  const { line, column } = placeAt(scan.text, first.at);
  return { kind: 'syntax', reason: first.reason, line, column };
}

class Judge {
  readonly #text: string;
  readonly #dialect: GoTomlDialect;

  constructor(text: string, dialect: GoTomlDialect) {
    this.#text = text;
    this.#dialect = dialect;
  }

  names(parts: readonly TomlKeyPart[]): readonly Difference[] {
    return parts.flatMap((part) => (part.form === 'basic' ? this.#escapes(part) : []));
  }

  /** The value itself and the items of a list; keys inside tables are judged one by one. */
  value(item: TomlItem): readonly Difference[] {
    if (item.kind === 'array') return item.items.flatMap((inner) => this.value(inner));
    if (item.kind === 'inline-table') return this.#table(item);
    if (item.form === 'bare') return this.#date(item);
    const isBasic = item.form === 'basic' || item.form === 'multi-line basic';
    return [...(isBasic ? this.#escapes(item) : []), ...this.#quotes(item)];
  }

  #table(table: TomlItem & { kind: 'inline-table' }): readonly Difference[] {
    const found: Difference[] = [];
    if (table.closedAfterCommaAt !== undefined) {
      const reason = 'a comma stands behind the last item of an inline table';
      found.push({ at: table.closedAfterCommaAt, reason });
    }
    if (table.lineBreakAt !== undefined && this.#dialect === 'go-toml 2') {
      found.push({ at: table.lineBreakAt, reason: 'an inline table spreads over several lines' });
    }
    return found;
  }

  #escapes({ start, end }: { start: number; end: number }): readonly Difference[] {
    const unknown = this.#dialect === 'go-toml 1' ? 'ex' : 'x';
    for (const found of this.#text.slice(start, end).matchAll(/\\([\s\S])/g)) {
      const [, letter = ''] = found;
      if (!unknown.includes(letter)) continue;
      return [{ at: start + found.index, reason: `the escape \\${letter} is not known` }];
    }
    return [];
  }

  #quotes({ start, end }: { start: number; end: number }): readonly Difference[] {
    const text = this.#text.slice(start, end);
    const isRefused = this.#dialect === 'go-toml 1' && /^("""|''')[\s\S]*\1["']$/.test(text);
    const reason = 'a text in three quotes ends in a quote of its own';
    return isRefused ? [{ at: start, reason }] : [];
  }

  #date({ start, end }: { start: number; end: number }): readonly Difference[] {
    const text = this.#text.slice(start, end);
    const reason = /^\d+[-:]/.test(text) ? dateFault(text, this.#dialect) : undefined;
    return reason === undefined ? [] : [{ at: start, reason }];
  }
}

function dateFault(token: string, dialect: GoTomlDialect): string | undefined {
  const [, date, separator, time] = /^(\d{4}-\d\d-\d\d)?([Tt ])?(\d\d:\d\d.*)?$/.exec(token) ?? [];
  if (date !== undefined && !isDay(date)) return `there is no day ${date}`;
  if (time !== undefined && !/^\d\d:\d\d:\d\d/.test(time)) return `the time ${time} has no seconds`;
  if (dialect === 'go-toml 2' || date === undefined) return undefined;
  if (time === undefined) return `the date ${date} has no time`;
  return separator === 't' ? `the time of ${date} is parted by a small t` : undefined;
}

function isDay(date: string): boolean {
  const parsed = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
}
