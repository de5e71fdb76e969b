/** Which tables and keys a TOML text may name again, as go-toml 2 keeps account of it. */

/** A name that may not stand there; the text around it knows the place. */
export class NameRefused extends Error {}

type Kind = 'value' | 'dotted' | 'table' | 'array-of-tables';

interface Entry {
  kind: Kind;
  /** Whether a table has a header of its own, or can get no more keys by dots. */
  isExplicit: boolean;
  readonly entries: Map<string, Entry>;
}

/**
 * The names of a text, in order. Versions before 2.4 let a dotted key reach into a table that only longer
 * headers made: `[a.b.c]`, `[a]`, `b.d = 1`.
 * Source: github.com/pelletier/go-toml/v2, internal/tracker/seen.go.
 */
export class GoToml2Names {
  readonly #isLoose: boolean;
  readonly #root = newEntry('table');
  #current = this.#root;

  constructor({ isLoose }: { readonly isLoose: boolean }) {
    this.#isLoose = isLoose;
  }

  /** Opens the table of a header. Throws {@link NameRefused}. */
  open(path: readonly string[], kind: 'table' | 'array-of-tables'): void {
    if (this.#isLoose) closeDotted(this.#current);
    const last = path.at(-1) ?? '';
    const above = path.slice(0, -1).reduce(stepInto, this.#root);
    const found = above.entries.get(last) ?? newEntry(kind, false);
    above.entries.set(last, found);
    if (found.kind !== kind) refuse(last, `is no ${kind === 'table' ? 'table' : 'list of tables'}`);
    if (kind === 'array-of-tables') found.entries.clear();
    else if (found.isExplicit) refuse(last, 'already exists');
    found.isExplicit = true;
    this.#current = found;
  }

  /** Sets a dotted key of the current table, or of one that `set` gave back: an inline table. */
  set(path: readonly string[], table: Entry = this.#current): Entry {
    let at = table;
    for (const name of path.slice(0, -1)) {
      const found = at.entries.get(name) ?? newEntry('dotted');
      const isOpen = this.#isLoose && found.kind === 'table' && !found.isExplicit;
      if (found.kind !== 'dotted' && !isOpen) refuse(name, 'is already defined');
      if (found.kind === 'dotted' && found.isExplicit) refuse(name, 'is already defined');
      at.entries.set(name, found);
      at = found;
    }
    const last = path.at(-1) ?? '';
    if (at.entries.has(last)) refuse(last, 'is already defined');
    const made = newEntry('value');
    at.entries.set(last, made);
    return made;
  }

  /** An inline table in a list, whose names nobody can reach. */
  unnamed(): Entry {
    return newEntry('value');
  }
}

function newEntry(kind: Kind, isExplicit = false): Entry {
  return { kind, isExplicit, entries: new Map() };
}

function stepInto(at: Entry, name: string): Entry {
  const found = at.entries.get(name) ?? newEntry('table');
  if (found.kind === 'value') refuse(name, 'is no table');
  at.entries.set(name, found);
  return found;
}

/** At the next header, what dots made in the last table is closed: it gets no header, and no more dotted keys. */
function closeDotted(table: Entry): void {
  for (const entry of table.entries.values()) {
    if (entry.kind === 'dotted') entry.isExplicit = true;
    closeDotted(entry);
  }
}

function refuse(name: string, because: string): never {
  throw new NameRefused(`${name} ${because}`);
}
