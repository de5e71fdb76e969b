/** Reads the registries out of a machine configuration: several YAML documents in one file. */

import type { Problem } from '../../../documents/problem.ts';
import { readSourceText } from '../../../documents/source-text.ts';
import { parseYaml } from '../../../documents/yaml-tree.ts';
import type { ConfigTree, TreeEntry } from '../../config-tree.ts';
import type { TalosBehaviour } from '../behaviour.ts';
import { documentFaults, doubled, type MachineFault } from './document-faults.ts';
import { type RegistrySource, readRegistries } from './read-registries.ts';
import type { Registries } from './registries.ts';

/** Where Talos keeps its configuration. */
export const MACHINE_CONFIG = '/system/state/config.yaml';

/** What Slipway writes: a patch that somebody applies with talosctl, read here as if it were applied. */
export const REGISTRIES_PATCH = '/system/state/slipway-registries.yaml';

/** The configuration as read; without faults Talos takes it. */
export interface MachineConfig {
  readonly registries: Registries;
  readonly faults: readonly MachineFault[];
  /** The text of each file that was there, by its path. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Reads the configuration and our patch beside it. Never rejects: a missing file says nothing. */
export async function readMachineConfig(
  tree: ConfigTree,
  behaviour: TalosBehaviour,
): Promise<MachineConfig> {
  const sources: RegistrySource[] = [];
  const faults: MachineFault[] = [];
  const texts = new Map<string, string>();
  for (const file of [MACHINE_CONFIG, REGISTRIES_PATCH]) {
    const entry = await tree.read(file);
    if (entry.kind === 'missing') continue;
    const read = readFile(file, entry, behaviour);
    faults.push(...read.faults);
    texts.set(file, read.text);
    sources.push(...read.sources);
  }
  return { registries: readRegistries(sources, behaviour), faults, texts };
}

/** Talos says so of a file without documents. */
function notFound(file: string): MachineFault {
  return {
    rule: 'T004',
    reason: 'config not found',
    fix: 'Write the configuration.',
    origin: { file },
  };
}

/** Of broken YAML the first place counts, as Go's reader stops there; a tab is what the others come from. */
function oneCause(problems: readonly Problem[]): readonly Problem[] {
  const isSyntax = ({ code }: Problem) => code === 'DOC_SYNTAX';
  const [first, ...others] = problems
    .filter(isSyntax)
    .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  if (first === undefined) return problems;
  const cause = [first, ...others].find(({ message }) => message.startsWith('tabs ')) ?? first;
  return [cause, ...problems.filter((one) => !isSyntax(one))];
}

interface ReadFile {
  readonly text: string;
  readonly sources: readonly RegistrySource[];
  readonly faults: readonly MachineFault[];
}

function readFile(file: string, entry: TreeEntry, behaviour: TalosBehaviour): ReadFile {
  if (entry.kind !== 'file') {
    const why = { reason: 'the file cannot be read', fix: 'Make it a plain file.' };
    return { text: '', sources: [], faults: [{ rule: 'T004', ...why, origin: { file } }] };
  }
  const source = readSourceText(entry.bytes, file);
  const text = 'text' in source ? source.text : '';
  const { trees, problems } = parseYaml(text, file);
  const all = [...('problem' in source ? [source.problem] : []), ...problems];
  const unread = oneCause(all).map(({ line, column, message, hint }): MachineFault => {
    const fix = hint === undefined ? 'Correct the YAML.' : `${hint}.`;
    return { rule: 'T004', reason: message, fix, origin: { file, line, column } };
  });
  const isPatch = file === REGISTRIES_PATCH;
  if (!isPatch && trees.length === 0 && unread.length === 0) unread.push(notFound(file));
  return {
    text,
    sources: trees.map((tree) => ({ tree, isPatch })),
    faults: [
      ...unread,
      ...trees.flatMap((tree) => documentFaults(tree, behaviour)),
      ...doubled(trees),
    ],
  };
}
