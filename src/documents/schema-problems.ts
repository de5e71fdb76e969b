import type { z } from 'zod';
import { redact } from '../shared/secret.ts';
import { formatPath, type Path, type Problem } from './problem.ts';
import { describeShape, fieldsOf, type Shape, shapeAt } from './shape.ts';
import { didYouMean, suggest } from './suggest.ts';
import type { Tree } from './tree.ts';

type Issue = z.core.$ZodIssue;

/** What is needed to turn an issue of zod into a problem with a place. */
interface Scene {
  readonly tree: Tree;
  readonly shape: Shape;
}

/**
 * The issues that a schema found in a document, as problems with places and suggestions.
 *
 * Messages of our own refinements are predicates (`is not a digest`); the value or the path is put
 * in front. A refinement may set `params: { code, hint }`; else its code is DOC_BAD_VALUE.
 */
export function schemaProblems(issues: readonly Issue[], tree: Tree, shape: Shape): Problem[] {
  return issues.flatMap((issue) => problemsOf(issue, { tree, shape }, []));
}

function problemsOf(issue: Issue, scene: Scene, base: Path): Problem[] {
  const path = [...base, ...pathOf(issue)];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownField(key, path, scene));
    case 'invalid_type':
      return [wrongType(path, scene)];
    case 'invalid_value':
      return [notOneOf(issue.values.map(String), path, scene)];
    case 'invalid_union':
      return unionProblems(issue, scene, path);
    case 'invalid_key':
      return [badKey(issue.issues[0]?.message ?? issue.message, path, scene)];
    case 'custom':
      return [badValue(issue.message, path, scene, issue.params ?? {})];
    case 'too_small':
      return [
        badValue(`must have at least ${count(issue.minimum, issue.origin)}`, path, scene, {}),
      ];
    case 'too_big':
      return [badValue(`must have at most ${count(issue.maximum, issue.origin)}`, path, scene, {})];
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_element':
      return [badValue(issue.message, path, scene, {})];
  }
}

/** YAML and JSON have no symbols, so only texts and numbers occur. */
function pathOf(issue: Issue): Path {
  return issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
}

function count(limit: number | bigint, origin: string): string {
  const things: Record<string, string> = { string: 'character', array: 'entry', object: 'field' };
  const thing = things[origin];
  if (thing === undefined) return `the value ${limit}`;
  const plural = thing === 'entry' ? 'entries' : `${thing}s`;
  return Number(limit) === 1 ? `one ${thing}` : `${limit} ${plural}`;
}

const secretNames = /^(pass(word|wd|phrase)?|(access|identity)?-?token|secret|auth)$/i;

function unknownField(key: string, path: Path, scene: Scene): Problem {
  const place = { file: scene.tree.file, ...scene.tree.keyPositionOf([...path, key]) };
  const present = valueAt(scene.tree.value, path);
  const fields = fieldsOf(shapeAt(scene.shape, path));
  if (secretNames.test(key)) return { ...place, ...secretInClear(key, path, fields) };
  const free = [...fields.keys()].filter((name) => !isObject(present) || !(name in present));
  const meant = suggest(key, free);
  const where = path.length === 0 ? '' : ` in ${formatPath(path)}`;
  const unknown = `unknown field "${key}"${where}`;
  if (meant === undefined) {
    const hint = fields.size === 0 ? {} : { hint: `known here: ${[...fields.keys()].join(', ')}` };
    return { ...place, code: 'DOC_UNKNOWN_FIELD', message: unknown, ...hint };
  }
  const kind = describeShape(fields.get(meant));
  const message = `${unknown}; did you mean "${meant}"${kind === undefined ? '' : ` (${kind})`}?`;
  return { ...place, code: 'DOC_UNKNOWN_FIELD', message };
}

function secretInClear(key: string, path: Path, fields: ReadonlyMap<string, Shape>) {
  const ways = [...fields.keys()].join(', ');
  return {
    code: 'DOC_SECRET_IN_CLEAR',
    message: `"${key}" in ${formatPath(path)}: secrets are never written into a document`,
    hint: `take it out and change it, since it may have been seen; refer to it instead (${ways})`,
  };
}

function wrongType(path: Path, scene: Scene): Problem {
  const value = valueAt(scene.tree.value, path);
  const shape = shapeAt(scene.shape, path);
  const wanted = describeShape(shape) ?? 'something else';
  if (value === undefined) return missingField(path, wanted, shape, scene);
  const place = { file: scene.tree.file, ...scene.tree.positionOf(path), code: 'DOC_WRONG_TYPE' };
  if (value === null)
    return { ...place, message: `${formatPath(path)} is empty; it must be ${wanted}` };
  const source = scene.tree.sourceOf(path) ?? String(value);
  const message = `${formatPath(path)} must be ${wanted}, but ${describeValue(value, source)}`;
  const hint = typeHint(value, source, wanted);
  return hint === undefined ? { ...place, message } : { ...place, message, hint };
}

function missingField(path: Path, wanted: string, shape: Shape | undefined, scene: Scene): Problem {
  const parent = path.slice(0, -1);
  const message = `${formatPath(parent)} lacks "${String(path.at(-1))}" (${wanted})`;
  const place = { file: scene.tree.file, ...scene.tree.keyPositionOf(parent) };
  const problem = { ...place, code: 'DOC_MISSING_FIELD', message };
  return shape?.description === undefined ? problem : { ...problem, hint: shape.description };
}

function describeValue(value: unknown, source: string): string {
  if (Array.isArray(value)) return 'is a list';
  if (typeof value === 'number') return `${source} is read as the number ${value}`;
  if (typeof value === 'boolean') return `${source} is read as ${value ? 'true' : 'false'}`;
  return typeof value === 'string' ? 'is text' : 'is a mapping';
}

function typeHint(value: unknown, source: string, wanted: string): string | undefined {
  if (wanted === 'text' && (typeof value === 'number' || typeof value === 'boolean')) {
    return `write it in quotes: "${source}"`;
  }
  if (wanted === 'a list' && typeof value === 'string') return 'write it as a list: [...]';
  const isWord = typeof value === 'string' && /^(yes|no|on|off|y|n)$/i.test(value);
  if (wanted === 'true or false' && isWord)
    return 'YAML 1.2 reads this word as text: write true or false';
  return undefined;
}

function notOneOf(allowed: readonly string[], path: Path, scene: Scene): Problem {
  const value = valueAt(scene.tree.value, path);
  if (value === undefined || (typeof value !== 'string' && !allowed.includes(typeof value))) {
    return wrongType(path, scene);
  }
  const message = `${quote(value)} is not allowed in ${formatPath(path)}${didYouMean(String(value), allowed)}`;
  const place = { file: scene.tree.file, ...scene.tree.positionOf(path) };
  return { ...place, code: 'DOC_BAD_VALUE', message, hint: `one of: ${allowed.join(', ')}` };
}

/** Reports the alternative that the value comes nearest to: the one of its own shape. */
function unionProblems(issue: z.core.$ZodIssueInvalidUnion, scene: Scene, path: Path): Problem[] {
  const sameShape = issue.errors.filter((branch) => !branch.some(isAboutTheShape));
  const nearest = sameShape.toSorted((a, b) => a.length - b.length)[0];
  if (nearest === undefined) return [wrongType(path, scene)];
  return nearest.flatMap((inner) => problemsOf(inner, scene, path));
}

function isAboutTheShape(issue: Issue): boolean {
  return issue.code === 'invalid_type' && issue.path.length === 0;
}

function badValue(
  predicate: string,
  path: Path,
  scene: Scene,
  params: Readonly<Record<string, unknown>>,
): Problem {
  const value = valueAt(scene.tree.value, path);
  const code = typeof params['code'] === 'string' ? params['code'] : 'DOC_BAD_VALUE';
  const isShown = !isObject(value) && code !== 'DOC_SECRET_IN_CLEAR';
  const message = !isShown
    ? `${formatPath(path)} ${predicate}`
    : `${quote(value)} ${predicate} (${formatPath(path)})`;
  const problem = { file: scene.tree.file, ...scene.tree.positionOf(path), code, message };
  return typeof params['hint'] === 'string' ? { ...problem, hint: params['hint'] } : problem;
}

function badKey(predicate: string, path: Path, scene: Scene): Problem {
  const message = `${quote(path.at(-1))} ${predicate} (a key of ${formatPath(path.slice(0, -1))})`;
  const place = { file: scene.tree.file, ...scene.tree.keyPositionOf(path) };
  return { ...place, code: 'DOC_BAD_KEY', message };
}

const LONGEST_QUOTE = 80;

function quote(value: unknown): string {
  const text = redact(String(value));
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, part) => {
    if (Array.isArray(at)) return typeof part === 'number' ? at[part] : undefined;
    return isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined;
  }, value);
}

function isObject(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}
