/** Compares the `lint` of a vector with what was found: rule by rule where the table knows it, else by level. */

import { readFileSync } from 'node:fs';
import { satisfies } from 'semver';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Finding, FindingLevel } from '../../src/mirrors/finding.ts';
import { compareField } from '../conformance/vectors/compare.ts';

/** What a vector says about lint, and by what name the table knows it. */
export const LintedVector = z.looseObject({
  id: z.string().default(''),
  lint: z.string().optional(),
});
/** See the schema of this name. */
export type LintedVector = z.infer<typeof LintedVector>;

/** `error on containerd 2.x: text` → its level and `containerd 2.x`. */
export interface LintWords {
  readonly levels: readonly (FindingLevel | 'ok')[];
  readonly restriction: string | undefined;
}

/** `C004 error`: what is found in the files of a vector. */
const RuleWithLevel = z.templateLiteral([
  z.string().regex(/^[A-Z]\d{3}$/),
  ' ',
  z.enum(['error', 'warn', 'info']),
]);
type RuleWithLevel = `${string} ${FindingLevel}`;
const Rules = z.array(RuleWithLevel);
/** By the id of the vector: what is found, or that by ranges of versions, where it is not the same in all. */
const Table = z.record(z.string(), z.union([Rules, z.record(z.string(), Rules)]));
const file = new URL('../conformance/vectors/lint-rules.yaml', import.meta.url);
const table = Table.parse(parse(readFileSync(file, 'utf8')));

/** Undefined for a shape that nobody knows. */
export function readLint(lint: string): LintWords | undefined {
  const parts =
    /^(?<levels>[a-z+]+)(?: (?:on (?<restriction>[^:]*)|without a terminal\b[^:]*))?(?::|$)/.exec(
      lint,
    );
  const levels = parts?.groups?.['levels']?.split('+') ?? [];
  if (levels.length === 0 || !levels.every(isLevel)) return undefined;
  return { levels, restriction: parts?.groups?.['restriction'] };
}

function isLevel(text: string): text is FindingLevel | 'ok' {
  return ['error', 'warn', 'info', 'ok'].includes(text);
}

/** Where a vector is compared. */
export interface LintedAt {
  /** Of the runtime, where the table knows several. */
  readonly version?: string;
  /** Whether the words of the vector are about this version. */
  readonly isMeant?: boolean;
}

/**
 * The differences; `[]` if none. Each level that the words name must be found. In a vector of the table
 * exactly the rules and levels are found that stand there; in another one no error, unless the words name
 * one. Warnings may always be more: words are about one point, and most samples also grant push to a mirror.
 */
export function compareLint(
  { id, lint }: LintedVector,
  found: readonly Finding[],
  { version = '', isMeant = true }: LintedAt = {},
): string[] {
  if (lint === undefined) return [];
  const words = readLint(lint);
  if (words === undefined) return [`unknown shape: the lint ${JSON.stringify(lint)}`];
  const got = [...new Set(found.map(shown))].sort();
  const listed = listedRules(id, version);
  return [
    ...(isMeant ? compareLevels(words, got) : []),
    ...(listed === undefined ? [] : compareField('lint', [...listed].sort(), got)),
  ];
}

function shown({ rule, level }: Finding): RuleWithLevel {
  return `${rule} ${level}`;
}

function listedRules(id: string, version: string): readonly RuleWithLevel[] | undefined {
  const entry = table[id];
  if (entry === undefined || Array.isArray(entry)) return entry;
  const fitting = Object.entries(entry).filter(([range]) => satisfies(version, range));
  if (fitting.length !== 1)
    throw new Error(`lint-rules.yaml: not one range of ${id} for ${version}`);
  return fitting[0]?.[1];
}

function compareLevels({ levels }: LintWords, got: readonly RuleWithLevel[]): string[] {
  const has = (level: string) => got.some((one) => one.endsWith(` ${level}`));
  const all = got.join(', ') || 'nothing';
  const missing = levels.filter((level) => level !== 'ok' && !has(level));
  const isTooMuch = has('error') && !levels.includes('error');
  return [
    ...missing.map((level) => `lint: expected ${level}, got ${all}`),
    ...(isTooMuch ? [`lint: expected no error, got ${all}`] : []),
  ];
}
