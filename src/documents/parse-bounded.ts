import { Composer, type Document, Lexer, LineCounter, Parser } from 'yaml';
import type { Position } from './problem.ts';

/** What the composer may find open at one place; it calls itself for each, so more would end its stack. */
const MOST_OPEN = 160;
/** Words and signs of one file: a gigabyte of memory, and more than ten thousand images need. */
const MOST_LEXEMES = 2_000_000;

/** Why a text is not read to its end, and at which offset that was found. */
export interface YamlExcess extends Position {
  readonly kind: 'too-deep' | 'too-many';
}

/** The documents of a YAML stream with a way to find places, or what is too much about it. */
export type BoundedYaml =
  | { readonly documents: readonly Document.Parsed[]; readonly place: (offset: number) => Position }
  | { readonly excess: YamlExcess };

/**
 * Parses a YAML stream as `parseAllDocuments` of yaml does, but looks at each word and sign before it is
 * taken: nesting of any depth and texts of any size cost no more than they are allowed to.
 */
export function parseBounded(text: string, mostLexemes = MOST_LEXEMES): BoundedYaml {
  const lines = new LineCounter();
  const place = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  // uniqueKeys compares each key with each other, which is slow for large mappings; see readMap.
  const composer = new Composer({ lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  try {
    const tokens = boundedTokens(parser, text, mostLexemes);
    return { documents: Array.from(composer.compose(tokens, false, text.length)), place };
  } catch (error) {
    if (!(error instanceof Excess)) throw error;
    return { excess: { kind: error.kind, ...place(parser.offset) } };
  }
}

/** Thrown and caught in this file only. */
class Excess extends Error {
  readonly kind: YamlExcess['kind'];

  constructor(kind: YamlExcess['kind']) {
    super(kind);
    this.kind = kind;
  }
}

/** As `Parser.parse` does it: lexeme by lexeme, with a look at what is open. */
function* boundedTokens(
  parser: Parser,
  text: string,
  mostLexemes: number,
): ReturnType<Parser['parse']> {
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    lexemes += 1;
    if (lexemes > mostLexemes) throw new Excess('too-many');
    if (parser.stack.length > MOST_OPEN) throw new Excess('too-deep');
  }
  yield* parser.end();
}
