/** Findings in the Static Analysis Results Interchange Format, for code scanning and editors. */

import { relative, resolve } from 'node:path';
import { digestOf, splitDigest } from '../../../oci/digest.ts';
import type { FindingLevel } from '../../finding.ts';
import type { FindingRule } from '../../finding-rules.ts';
import type { LintFinding, Replacement } from './lint-finding.ts';

const levels: Readonly<Record<FindingLevel, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warn: 'warning',
  info: 'note',
};

/** The tool and its rules, and where it ran. */
export interface SarifTool {
  /** `0.1.0`. */
  readonly version: string;
  readonly rules: readonly FindingRule[];
  /** The absolute path of the working directory: what is below it is named relative to it. */
  readonly cwd: string;
}

/** What the working directory is called in the log. */
const BASE = '%SRCROOT%';

/**
 * One SARIF 2.1.0 log with one run. Columns count UTF-16 units; paths below the working directory are
 * relative to it, all others are absolute `file:` URIs. Fingerprints stay the same when lines move.
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export function sarifLog(findings: readonly LintFinding[], { version, rules, cwd }: SarifTool) {
  const used = rules.filter(({ id }) => findings.some(({ rule }) => rule === id));
  const seen = new Map<string, number>();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'slipway',
            version,
            semanticVersion: version,
            rules: used.map(describeRule),
          },
        },
        originalUriBaseIds: { [BASE]: { uri: `${fileUri(cwd).replace(/\/$/, '')}/` } },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: used.findIndex(({ id }) => id === finding.rule),
          level: levels[finding.level],
          message: { text: messageOf(finding) },
          locations: locationsOf(finding, cwd),
          partialFingerprints: { 'slipwayFinding/v1': fingerprintOf(finding, seen) },
          ...fixesOf(finding, cwd),
        })),
      },
    ],
  };
}

function describeRule({ id, level, means, fix }: FindingRule) {
  return {
    id,
    shortDescription: { text: plain(means) },
    fullDescription: { text: `${plain(means)}. What to do: ${plain(fix)}.` },
    help: {
      text: `What it means: ${plain(means)}. What to do: ${plain(fix)}.`,
      markdown: `**What it means:** ${means}\n\n**What to do:** ${fix}\n`,
    },
    defaultConfiguration: { level: levels[level] },
  };
}

function plain(markdown: string): string {
  return markdown.replaceAll('`', '');
}

function messageOf({ message, fix, onlyOn }: LintFinding): string {
  const only = onlyOn === undefined ? '' : ` (only ${onlyOn})`;
  return `${message}${only}. ${fix}`;
}

/** None for what a runtime does by itself. */
function locationsOf(finding: LintFinding, cwd: string) {
  if (finding.origin.builtIn) return [];
  return [{ physicalLocation: physicalLocation(finding, cwd) }];
}

function physicalLocation({ file, origin, source }: LintFinding, cwd: string) {
  const { line, column } = origin;
  const artifactLocation = artifactAt(file, cwd);
  if (line === undefined) return { artifactLocation };
  const { start, end } = source?.mark ?? { start: undefined, end: undefined };
  return {
    artifactLocation,
    region: {
      startLine: line,
      ...(column !== undefined && { startColumn: column }),
      ...(start !== undefined && end !== undefined && { endLine: line, endColumn: end + 1 }),
      ...(source !== undefined && { snippet: { text: source.text } }),
    },
  };
}

/** `./certs.d/a b` → `certs.d/a%20b` below the working directory, `../x` → `file:///srv/x` (3.4.3, 3.4.4). */
function artifactAt(file: string, cwd: string) {
  const path = resolve(cwd, file);
  const below = relative(cwd, path);
  if (below === '' || below.split('/')[0] === '..') return { uri: fileUri(path) };
  return { uri: encodedPath(below), uriBaseId: BASE };
}

function fileUri(path: string): string {
  return `file://${encodedPath(path)}`;
}

function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Of the rule, the file and the line's own words: the third of three equal ones stays the third. */
function fingerprintOf({ rule, file, source }: LintFinding, seen: Map<string, number>): string {
  const about = `${rule}\n${file}\n${source?.text.trim() ?? ''}`;
  const count = (seen.get(about) ?? 0) + 1;
  seen.set(about, count);
  return `${splitDigest(digestOf(about)).hex.slice(0, 32)}:${count}`;
}

function fixesOf({ file, fix, replacements }: LintFinding, cwd: string) {
  if (replacements === undefined) return {};
  const change = {
    artifactLocation: artifactAt(file, cwd),
    replacements: replacements.map(replacementOf),
  };
  return { fixes: [{ description: { text: fix }, artifactChanges: [change] }] };
}

function replacementOf({ from, to, text }: Replacement) {
  return {
    deletedRegion: {
      startLine: from.line,
      startColumn: from.column,
      endLine: to.line,
      endColumn: to.column,
    },
    ...(text !== '' && { insertedContent: { text } }),
  };
}
