/** The commands of one line of a shell script, with quotes in mind. */

/**
 * What runs by itself on a line: `echo "a; b" && c` → `echo "a; b" ` and ` c`; what `$(…)` and `` `…` `` run
 * is a part of its own, also between double quotes. Undefined where a quote is not closed on the line.
 */
export function shellParts(line: string): readonly string[] | undefined {
  const reader = new PartsReader();
  for (const [piece] of line.matchAll(/\\.|\$\(|[\s\S]/g)) reader.take(piece);
  return reader.isOpen ? undefined : reader.parts;
}

/** Where a part goes on behind what it runs inside of it. */
interface Suspended {
  readonly part: number;
  readonly quote: string;
  readonly end: string;
}

class PartsReader {
  readonly parts = [''];
  readonly #suspended: Suspended[] = [];
  #part = 0;
  #quote = '';

  get isOpen(): boolean {
    return this.#quote !== '' || this.#suspended.length > 0;
  }

  take(piece: string): void {
    if (this.#quote !== "'" && this.#isSubstitution(piece)) return;
    if (this.#quote === '' && /^[|&;()]$/.test(piece)) this.#begin();
    else this.#keep(piece);
  }

  #keep(piece: string): void {
    if (piece === this.#quote) this.#quote = '';
    else if (this.#quote === '' && /^["']$/.test(piece)) this.#quote = piece;
    this.parts[this.#part] += piece;
  }

  /** Begins or ends what is run inside of a part. */
  #isSubstitution(piece: string): boolean {
    const last = this.#suspended.at(-1);
    if (last?.end === piece && this.#quote === '') {
      this.#suspended.pop();
      [this.#part, this.#quote] = [last.part, last.quote];
      return true;
    }
    if (piece !== '$(' && piece !== '`') return false;
    const end = piece === '`' ? piece : ')';
    this.#suspended.push({ part: this.#part, quote: this.#quote, end });
    this.#quote = '';
    this.#begin();
    return true;
  }

  #begin(): void {
    this.#part = this.parts.push('') - 1;
  }
}
