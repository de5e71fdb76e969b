/** Findings in the Static Analysis Results Interchange Format, for code scanning and editors. */

import { digestOf, splitDigest } from '../../oci/digest.ts';
import type { FindingLevel } from '../finding.ts';
import type { FindingRule } from '../finding-rules.ts';
import type { LintFinding, Replacement } from './lint-finding.ts';

/** Where the page of the rules is on the web; anchors are the numbers in small letters. */
const RULES_PAGE = 'https://slipway.dev/docs/reference/mirror-rules';

const levels: Readonly<Record<FindingLevel, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warn: 'warning',
  info: 'note',
};

/** The tool and its rules. */
export interface SarifTool {
  /** `0.1.0`. */
  readonly version: string;
  readonly rules: readonly FindingRule[];
}

/**
 * One SARIF 2.1.0 log with one run. Columns count UTF-16 units; paths are relative to where the command ran,
 * or absolute `file:` URIs. Fingerprints stay the same when lines move.
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export function sarifLog(findings: readonly LintFinding[], { version, rules }: SarifTool) {
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
            informationUri: RULES_PAGE,
            rules: used.map(describeRule),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: used.findIndex(({ id }) => id === finding.rule),
          level: levels[finding.level],
          message: { text: messageOf(finding) },
          locations: [{ physicalLocation: locationOf(finding) }],
          partialFingerprints: { 'slipwayFinding/v1': fingerprintOf(finding, seen) },
          ...fixesOf(finding),
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
    help: { text: plain(fix), markdown: fix },
    helpUri: `${RULES_PAGE}#${id.toLowerCase()}`,
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

function locationOf({ file, origin, source }: LintFinding) {
  const { line, column } = origin;
  const artifactLocation = { uri: uriOf(file) };
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

/** `/etc/x y` → `file:///etc/x%20y`; a relative path stays one. */
function uriOf(path: string): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  if (path.startsWith('/')) return `file://${encoded}`;
  return encoded.replace(/^(?:\.\/)+/, '');
}

/** Of the rule, the file and the line's own words: the third of three equal ones stays the third. */
function fingerprintOf({ rule, file, source }: LintFinding, seen: Map<string, number>): string {
  const about = `${rule}\n${file}\n${source?.text.trim() ?? ''}`;
  const count = (seen.get(about) ?? 0) + 1;
  seen.set(about, count);
  return `${splitDigest(digestOf(about)).hex.slice(0, 32)}:${count}`;
}

function fixesOf({ file, fix, replacements }: LintFinding) {
  if (replacements === undefined) return {};
  const change = {
    artifactLocation: { uri: uriOf(file) },
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
