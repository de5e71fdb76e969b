/** A place in a text, counted from 1 in UTF-16 units, as editors and SARIF do. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** A text that is asked about many places: its lines are looked up once. */
export class LinedText {
  readonly #text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.#text = text;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      this.#starts.push(at + 1);
    }
  }

  /** `new LinedText('a\nbc').at(3)` → line 2, column 2. */
  at(offset: number): TextPosition {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }

  /** The text of a line, counted from 1, without what ends it; undefined past the end. */
  line(number: number): string | undefined {
    const start = this.#starts[number - 1];
    if (start === undefined) return undefined;
    const next = this.#starts[number];
    const end = next === undefined ? this.#text.length : next - 1;
    return this.#text.slice(start, end).replace(/\r$/, '');
  }
}
