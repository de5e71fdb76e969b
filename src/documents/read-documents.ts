import { checkKnownFields } from './check-known-fields.ts';
import {
  API_VERSION,
  type DocumentKind,
  type DocumentOf,
  type TypedDocument,
} from './document-kind.ts';
import { DocumentInvalid } from './errors.ts';
import { sortProblems } from './format-problems.ts';
import type { Problem } from './problem.ts';
import { readOwnYaml } from './read-own-yaml.ts';
import { schemaProblems } from './schema-problems.ts';
import { shapeOf } from './shape.ts';
import { DEFAULT_MAX_BYTES, readSourceText } from './source-text.ts';
import { didYouMean } from './suggest.ts';
import type { Tree } from './tree.ts';
import { typedDocument } from './typed-document.ts';
import { parseYaml, type YamlStream } from './yaml-tree.ts';

/** A file's content before it is read; `file` is its name as messages show it. */
export interface DocumentSource {
  readonly file: string;
  readonly content: string | Uint8Array;
}

/** What several files gave: the documents that are right, and everything that is wrong. */
export interface Collected<Document> {
  readonly documents: readonly Document[];
  readonly problems: readonly Problem[];
}

/**
 * Reads all documents of one file: `readDocuments(text, 'release.yaml', [releaseKind, policyKind])`.
 * Throws DOCUMENT_INVALID with all problems of all its documents at once.
 */
export function readDocuments<const Kinds extends readonly DocumentKind[]>(
  content: string | Uint8Array,
  file: string,
  kinds: Kinds,
): readonly DocumentOf<Kinds[number]>[] {
  const { documents, problems } = collectDocuments([{ file, content }], kinds);
  failOnProblems(problems);
  return documents;
}

/**
 * Reads the documents of several files without throwing, so that the caller can add problems of its
 * own (such as a class that another document does not know) before it reports all of them.
 */
export function collectDocuments<const Kinds extends readonly DocumentKind[]>(
  sources: readonly DocumentSource[],
  kinds: Kinds,
): Collected<DocumentOf<Kinds[number]>> {
  const outcomes = sources.map((source) => readSource(source, kinds));
  return {
    // readTree makes a document only from the kind that its `kind` names.
    documents: outcomes.flatMap((o) => o.documents) as unknown as DocumentOf<Kinds[number]>[],
    problems: outcomes.flatMap((o) => o.problems),
  };
}

/** Throws DOCUMENT_INVALID if there is any problem; problems come by file and place. */
export function failOnProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new DocumentInvalid({ problems: sortProblems(problems) });
}

function readSource(
  { content, file }: DocumentSource,
  kinds: readonly DocumentKind[],
): Collected<TypedDocument> {
  const limit = Math.max(...kinds.map((kind) => kind.maxBytes ?? DEFAULT_MAX_BYTES));
  const source = readSourceText(content, file, limit);
  if ('problem' in source) return { documents: [], problems: [source.problem] };
  const { trees, problems } = readTrees(source.text, file);
  if (trees.length === 0 && problems.length === 0)
    return { documents: [], problems: [empty(file)] };
  const outcomes = trees.map((tree) => readTree(tree, kinds));
  return {
    documents: outcomes.flatMap((outcome) => outcome.documents),
    problems: [...problems, ...outcomes.flatMap((outcome) => outcome.problems)],
  };
}

/** Places are needed only for messages, so the slow parser runs only when there is one to write. */
function readTrees(text: string, file: string): YamlStream {
  const own = readOwnYaml(text);
  if (own === undefined || own.value === null) return parseYaml(text, file);
  let full: Tree | undefined;
  const places = () => {
    full ??= parseYaml(text, file).trees[0] ?? withoutPlaces(own.value, file);
    return full;
  };
  const tree: Tree = {
    ...{ file, value: own.value },
    positionOf: (path) => places().positionOf(path),
    keyPositionOf: (path) => places().keyPositionOf(path),
    sourceOf: (path) => places().sourceOf(path),
  };
  return { trees: [tree], problems: [] };
}

/** For a Lock that is larger than what the slow parser takes: the message itself has to do. */
function withoutPlaces(value: unknown, file: string): Tree {
  const start = () => ({ line: 1, column: 1 });
  return { value, file, positionOf: start, keyPositionOf: start, sourceOf: () => undefined };
}

function empty(file: string): Problem {
  const hint = `a document starts with: apiVersion: ${API_VERSION}`;
  return {
    file,
    line: 1,
    column: 1,
    code: 'DOC_EMPTY',
    message: 'the file holds no document',
    hint,
  };
}

function readTree(tree: Tree, kinds: readonly DocumentKind[]): Collected<TypedDocument> {
  const kind = findKind(tree, kinds);
  if ('problem' in kind) return { documents: [], problems: [kind.problem] };
  const parsed = kind.schema.safeParse(tree.value);
  if (!parsed.success) {
    const { issues } = parsed.error;
    const problems = schemaProblems(issues, tree, shapeOf(kind.schema));
    return { documents: [], problems: [...problems, ...checkKnownFields(kind, tree, issues)] };
  }
  const document = typedDocument(kind.kind, parsed.data, tree);
  const problems = kind.check?.(document) ?? [];
  return problems.length > 0 ? { documents: [], problems } : { documents: [document], problems };
}

function findKind(
  tree: Tree,
  kinds: readonly DocumentKind[],
): DocumentKind | { readonly problem: Problem } {
  const { value } = tree;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return unknownKind(tree, [], 'the document must be a mapping with apiVersion and kind');
  }
  const apiVersion = 'apiVersion' in value ? value.apiVersion : undefined;
  const name = 'kind' in value ? value.kind : undefined;
  if (apiVersion !== API_VERSION) {
    return unknownKind(
      tree,
      ['apiVersion'],
      describeApiVersion(apiVersion),
      `write: ${API_VERSION}`,
    );
  }
  const names = kinds.map((kind) => kind.kind);
  const found = kinds.find((kind) => kind.kind === name);
  if (found !== undefined) return found;
  if (typeof name !== 'string')
    return unknownKind(tree, ['kind'], 'the document lacks "kind" (text)');
  const message = `unknown kind "${name}"${didYouMean(name, names)}`;
  return unknownKind(tree, ['kind'], message, `read here: ${names.join(', ')}`);
}

function describeApiVersion(apiVersion: unknown): string {
  if (typeof apiVersion !== 'string') return 'the document lacks "apiVersion" (text)';
  const isOurs = apiVersion.startsWith('slipway.dev/');
  const why = isOurs ? 'is of another version of Slipway' : 'is not an apiVersion of Slipway';
  return `"${apiVersion}" ${why}`;
}

function unknownKind(tree: Tree, path: readonly string[], message: string, hint?: string) {
  const problem = { file: tree.file, ...tree.positionOf(path), code: 'DOC_UNKNOWN_KIND', message };
  return { problem: hint === undefined ? problem : { ...problem, hint } };
}
