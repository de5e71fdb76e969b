/** Where a text that our parser takes for TOML is none for the two libraries that containerd reads it with. */

/** The parser of containerd 1.x (go-toml 1) or of 2.x (go-toml 2). */
export type GoTomlDialect = 'go-toml 1' | 'go-toml 2';

/** What is wrong and where; lines count from 1. */
export interface TomlFault {
  /** `encoding`: bytes that 2.x refuses; `brackets`: in a header, which 1.x refuses; else no TOML. */
  readonly kind: 'syntax' | 'encoding' | 'brackets';
  readonly reason: string;
  readonly line: number;
}

/**
 * The first place that the dialect refuses in a text that is TOML 1.1, or undefined:
 * `a = {b = 1,}` → a comma behind the last item of an inline table. Our parser follows TOML 1.1 and
 * counts on 30 February becoming 1 March; both libraries follow TOML 1.0.
 */
export function faultOfDialect(text: string, dialect: GoTomlDialect): TomlFault | undefined {
  const walk = new TokenWalk(dialect);
  let line = 1;
  for (const [token] of text.matchAll(tokens)) {
    const reason = walk.faultAt(token);
    if (reason !== undefined) return { kind: 'syntax', reason, line };
    line += token.split('\n').length - 1;
  }
  return undefined;
}

// Multi-line strings first: their quotes would otherwise read as an empty string.
const tokens =
  /"""(?:\\[\s\S]|[^\\])*?"{3,5}(?!")|'''[\s\S]*?'{3,5}(?!')|"(?:\\[^\n]|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|\d{4}-\d\d-\d\d(?:[Tt ]\d\d:[^\s,\]}#]*)?|\d\d:\d\d[^\s,\]}#]*|[^\s"'#,=[\]{}]+|[\s\S]/g;

class TokenWalk {
  readonly #dialect: GoTomlDialect;
  readonly #open: string[] = [];
  /** The last token that is neither blank nor comment. */
  #before = '\n';

  constructor(dialect: GoTomlDialect) {
    this.#dialect = dialect;
  }

  faultAt(token: string): string | undefined {
    const fault = this.#judge(token);
    const isHeader = token === '[' && this.#open.length === 0 && this.#before === '\n';
    if (isHeader) this.#open.push('header');
    else if (token === '[' || token === '{') this.#open.push(token);
    if (token === ']' || token === '}') this.#open.pop();
    const isBlank = /^(?:[ \t\r]|#.*)$/.test(token);
    const isInside = token === '\n' && this.#open.length > 0;
    if (!isBlank && !isInside) this.#before = token;
    return fault;
  }

  #judge(token: string): string | undefined {
    if (token === '}' && this.#before === ',') {
      return 'a comma stands behind the last item of an inline table';
    }
    if (token === '\n') return this.#judgeLineBreak();
    if (/^"/.test(token)) return escapeFault(token, this.#dialect) ?? this.#quotesFault(token);
    if (/^'/.test(token)) return this.#quotesFault(token);
    const isValue =
      !this.#open.includes('header') &&
      (this.#before === '=' || (this.#open.length > 0 && this.#before !== '{'));
    return isValue && /^\d+[-:]/.test(token) ? dateFault(token, this.#dialect) : undefined;
  }

  #judgeLineBreak(): string | undefined {
    const isRefused = this.#dialect === 'go-toml 2' && this.#open.at(-1) === '{';
    return isRefused ? 'an inline table spreads over several lines' : undefined;
  }

  #quotesFault(token: string): string | undefined {
    const isRefused = this.#dialect === 'go-toml 1' && /^("""|''')[\s\S]*\1["']$/.test(token);
    return isRefused ? 'a text in three quotes ends in a quote of its own' : undefined;
  }
}

function escapeFault(token: string, dialect: GoTomlDialect): string | undefined {
  const unknown = dialect === 'go-toml 1' ? 'ex' : 'x';
  const letterRefused = Array.from(token.matchAll(/\\([\s\S])/g), ([, letter = '']) => letter).find(
    (letter) => unknown.includes(letter),
  );
  return letterRefused === undefined ? undefined : `the escape \\${letterRefused} is not known`;
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
