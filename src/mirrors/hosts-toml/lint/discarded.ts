/** A hosts.toml of which containerd reads nothing. */

import { didYouMean, suggest } from '../../../documents/suggest.ts';
import type { TomlItem } from '../../../documents/toml-scan.ts';
import type { Noticed } from '../../finding.ts';
import { editMend, replaced, withLastLine } from '../../mends/toml-mends.ts';
import { allCapabilities } from '../read/host-entry.ts';
import { hostsOf, type JudgedRules, type ReadHosts, registryInWords } from './judged.ts';
import { mendDiscarded } from './mend-rules.ts';

type Discarded = Extract<ReadHosts['hosts'], { kind: 'discarded' }>;

/** C002, C013, C021, C022: the file is discarded, and pulls go upstream. */
export function discarded(judged: JudgedRules): readonly Noticed[] {
  const read = hostsOf(judged.rules);
  if (read?.hosts.kind !== 'discarded' || losesNothing(read.hosts)) return [];
  const { hosts, file } = read;
  const { line, column } = hosts;
  const message = `containerd discards the whole file and asks the upstream of ${registryInWords(judged.registry)}: ${hosts.reason}`;
  const found: Noticed = {
    ...mendDiscarded(hosts.cause),
    origin: { file, ...(line && { line }), ...(column && { column }) },
    message,
  };
  return [{ ...found, ...wrongTable(hosts), ...byText(hosts), ...mendOf(hosts, file, judged) }];
}

/** Comments alone: without a [host] table they are discarded, and read they would say no more (C034). */
function losesNothing({ cause, scan }: Discarded): boolean {
  return cause === 'no-host-table' && scan.keys.length === 0 && scan.headers.length === 0;
}

/** `[[host]]`, or the same header twice: a mirror in a form that TOML or containerd refuses. */
function wrongTable({ scan, line }: Discarded): Partial<Noticed> {
  const header = scan.headers.find((one) => one.line === line && one.path[0] === 'host');
  if (header?.kind === 'array-of-tables') {
    const fix = 'Write each mirror as a header of its own: [host."https://mirror.example"].';
    return { rule: 'C013', fix };
  }
  if (header?.repeats === undefined) return {};
  const fix = `Put all settings of this host below the header in line ${header.repeats.line}.`;
  return { rule: 'C013', fix };
}

function byText({ cause, scan, line }: Discarded): Partial<Noticed> {
  const text = scan.text.split('\n')[(line ?? 1) - 1] ?? '';
  if (cause !== 'syntax' || !/^\s*[\w-]+:\s/.test(text)) return {};
  return { fix: 'Write it as TOML: key = "value". This line is YAML.' };
}

function mendOf(hosts: Discarded, file: string, judged: JudgedRules): Partial<Noticed> {
  const { cause, scan } = hosts;
  if (cause === 'no-host-table') return editMend(file, [withLastLine(scan, '\n[host]')]);
  if (cause === 'encoding' && scan.text.startsWith('\uFEFF')) {
    return editMend(file, [{ start: 0, end: 1, text: '' }]);
  }
  return cause === 'value' ? capabilityMend(hosts, file, judged) : {};
}

/** The one value that is misspelt as single words are. */
function capabilityMend(
  { scan, line, column }: Discarded,
  file: string,
  { behaviour }: JudgedRules,
): Partial<Noticed> {
  const key = scan.keys.find((one) => one.line === line && one.column === column);
  if (key?.path.at(-1)?.toLowerCase() !== 'capabilities' || key.value.kind !== 'array') return {};
  const known = allCapabilities(behaviour);
  const wrong = key.value.items.filter((item) => !isOneOf(wordOf(item, scan.text), known));
  const [first] = wrong;
  if (first === undefined) return {};
  const word = wordOf(first, scan.text);
  const fix = `Write capabilities = ["pull", "resolve"]: containerd ${behaviour.version} knows ${known.join(', ')}${didYouMean(word, known) || '.'}`;
  const edits = wrong.map((item) => {
    const meant = suggest(wordOf(item, scan.text).trim(), known);
    return meant === undefined ? undefined : replaced(item, JSON.stringify(meant));
  });
  return { fix, ...editMend(file, edits) };
}

function wordOf({ start, end }: TomlItem, text: string): string {
  return text.slice(start + 1, end - 1);
}

function isOneOf(word: string, known: readonly string[]): boolean {
  return known.includes(word.toLowerCase());
}
