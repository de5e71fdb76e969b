import { type Document, isAlias, isMap, isScalar, isSeq, type Pair, type YAMLError } from 'yaml';
import { parseBounded, type YamlExcess } from './parse-bounded.ts';
import type { Position, Problem } from './problem.ts';
import { placesIn, type Tree, type YamlNode } from './tree.ts';

const DEEPEST = 64;
/** How many values all aliases of one document may stand for; hand-written ones need a few dozen. */
const MOST_ALIASED_VALUES = 10_000;
/** After so many syntax errors in one file the rest is only noise. */
const MOST_SYNTAX_PROBLEMS = 10;

/** The documents of one YAML stream that could be read, and everything that could not. */
export interface YamlStream {
  readonly trees: readonly Tree[];
  readonly problems: readonly Problem[];
}

/**
 * Parses a YAML 1.2 stream into values that know their places.
 *
 * Numbers, `true`, `false` and `null` follow the core schema: `yes` is text, `1.30` a number.
 * Problems: DOC_SYNTAX, DOC_DUPLICATE_KEY, DOC_BAD_KEY, DOC_ALIAS_LIMIT, DOC_TOO_DEEP, DOC_TOO_LARGE. A
 * document with a problem gives no tree. Empty documents (such as one behind a last `---`) are left out.
 */
export function parseYaml(text: string, file: string): YamlStream {
  const parsed = parseBounded(text);
  if ('excess' in parsed) return { trees: [], problems: [excessProblem(parsed.excess, file)] };
  const { documents, place } = parsed;
  const outcomes = documents.map((document) => readTree(document, file, place));
  return {
    trees: outcomes.flatMap((outcome) => (outcome.tree === undefined ? [] : [outcome.tree])),
    problems: outcomes.flatMap((outcome) => outcome.problems),
  };
}

function readTree(
  document: Document.Parsed,
  file: string,
  place: (offset: number) => Position,
): { readonly tree?: Tree; readonly problems: readonly Problem[] } {
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    return {
      problems: faults.slice(0, MOST_SYNTAX_PROBLEMS).map((e) => syntaxProblem(e, file, place)),
    };
  }
  const { yaml } = document.directives;
  if (yaml.explicit === true && yaml.version !== '1.2') {
    const message = `%YAML ${yaml.version} is not read; documents are YAML 1.2`;
    return { problems: [{ file, line: 1, column: 1, code: 'DOC_SYNTAX', message }] };
  }
  const reader = new TreeReader(file, place);
  const value = reader.read(document.contents);
  if (reader.problems.length > 0) return { problems: reader.problems };
  if (value === null) return { problems: [] };
  return {
    tree: { value, file, ...placesIn(document.contents, reader.aliases, place) },
    problems: [],
  };
}

const tooDeep = `more than ${DEEPEST} lists and mappings lie in each other`;

function excessProblem({ kind, line, column }: YamlExcess, file: string): Problem {
  const place = { file, line, column };
  if (kind === 'too-deep') return { ...place, code: 'DOC_TOO_DEEP', message: tooDeep };
  const message = 'the file holds more words and signs up to here than are read';
  const hint = 'check that this is the right file; a generated one must stay as it was written';
  return { ...place, code: 'DOC_TOO_LARGE', message, hint };
}

const advice: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'indent with spaces',
  BLOCK_AS_IMPLICIT_KEY: 'put text that holds ": " into quotes',
  BAD_INDENT: 'entries of one mapping or list start in the same column',
  MULTILINE_IMPLICIT_KEY: 'a ":" seems to be missing, or a quote is not closed',
};

function syntaxProblem(
  error: YAMLError,
  file: string,
  place: (offset: number) => Position,
): Problem {
  const hint = advice[error.code];
  const message = error.message.charAt(0).toLowerCase() + error.message.slice(1);
  const problem = { file, ...place(error.pos[0]), code: 'DOC_SYNTAX', message };
  return hint === undefined ? problem : { ...problem, hint };
}

/** Walks one document once, in order, so that each alias finds the anchor before it. */
class TreeReader {
  readonly problems: Problem[] = [];
  readonly aliases = new Map<YamlNode, YamlNode>();
  readonly #anchors = new Map<string, YamlNode>();
  readonly #file: string;
  readonly #place: (offset: number) => Position;
  #aliasedValues = 0;
  #isFull = false;

  constructor(file: string, place: (offset: number) => Position) {
    this.#file = file;
    this.#place = place;
  }

  read(node: YamlNode, depth = 0, isAliased = false): unknown {
    if (node === null || this.#isFull) return null;
    if (isAliased && !this.#hasRoom(node)) return null;
    if (depth > DEEPEST) return this.#stop(node, 'DOC_TOO_DEEP', tooDeep);
    if (isAlias(node)) return this.#readAlias(node, depth);
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (isMap(node)) return this.#readMap(node.items, depth, isAliased);
    if (isSeq(node)) {
      // Items of a parsed list are nodes; the type of YAMLSeq allows raw values for built ones.
      return node.items.map((item) => this.read(item as YamlNode, depth + 1, isAliased));
    }
    return node.value;
  }

  #readAlias(node: YamlNode & { readonly source: string }, depth: number): unknown {
    const target = this.#anchors.get(node.source);
    if (target === undefined) {
      return this.#report(
        node,
        'DOC_SYNTAX',
        `*${node.source} refers to no &${node.source} before it`,
      );
    }
    this.aliases.set(node, target);
    return this.read(target, depth + 1, true);
  }

  #readMap(pairs: readonly Pair[], depth: number, isAliased: boolean): unknown {
    const entries = new Map<string, unknown>();
    const keys = new Map<string, YamlNode>();
    for (const pair of pairs) {
      // Keys and values of a parsed mapping are nodes or null.
      const [keyNode, valueNode] = [pair.key as YamlNode, pair.value as YamlNode];
      const key = this.#readKey(keyNode);
      if (key === undefined) continue;
      const first = keys.get(key);
      if (first !== undefined) this.#reportDuplicate(key, keyNode, first);
      keys.set(key, keyNode);
      entries.set(key, this.read(valueNode, depth + 1, isAliased));
    }
    return Object.fromEntries(entries);
  }

  #readKey(node: YamlNode): string | undefined {
    if (!isScalar(node) || typeof node.value !== 'string') {
      const shown = isScalar(node) ? ` ${node.source ?? String(node.value)}` : '';
      const hint = isScalar(node) && node.value !== null ? 'write it in quotes' : undefined;
      this.#report(node, 'DOC_BAD_KEY', `the key${shown} is not text`, hint);
      return undefined;
    }
    if (node.value !== '__proto__') return node.value;
    this.#report(node, 'DOC_BAD_KEY', 'the key __proto__ is not allowed');
    return undefined;
  }

  #reportDuplicate(key: string, node: YamlNode, first: YamlNode): void {
    const { line } = this.#place(first?.range?.[0] ?? 0);
    const message = `"${key}" is written twice in one mapping, first in line ${line}`;
    this.#report(node, 'DOC_DUPLICATE_KEY', message, 'keep one of them');
  }

  #hasRoom(node: YamlNode): boolean {
    this.#aliasedValues += 1;
    if (this.#aliasedValues <= MOST_ALIASED_VALUES) return true;
    const message = `the aliases of this document repeat more than ${MOST_ALIASED_VALUES} values`;
    this.#stop(node, 'DOC_ALIAS_LIMIT', message);
    return false;
  }

  #stop(node: YamlNode, code: string, message: string): null {
    this.#isFull = true;
    return this.#report(node, code, message);
  }

  #report(node: YamlNode, code: string, message: string, hint?: string): null {
    const place = this.#place(node?.range?.[0] ?? 0);
    const problem = { file: this.#file, ...place, code, message };
    this.problems.push(hint === undefined ? problem : { ...problem, hint });
    return null;
  }
}
