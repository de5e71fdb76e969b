/** Everything in daemon.json that keeps dockerd from starting, in the order in which it looks. */

import { isIP } from 'node:net';
import { quoteGo } from '../../../oci/dialects/go-quote.ts';
import type { DockerBehaviour, OptionKind } from '../behaviour.ts';
import type { DaemonSettings } from '../read/daemon-file.ts';
import { readInsecureEntry } from '../read/insecure-registries.ts';
import { type MirrorUrlFault, validateMirror } from '../read/mirror-url.ts';
import {
  type PlacedEntry,
  type PlacedJson,
  placedEntries,
  type Span,
} from '../read/placed-json.ts';

/** What is wrong, in the daemon's words, and where. */
export type DaemonFault = {
  readonly reason: string;
  /** Absent where the file as a whole cannot be read. */
  readonly span?: Span;
} & (
  | { readonly cause: 'unreadable' | 'syntax' | 'insecure' }
  | { readonly cause: 'type'; readonly wanted?: OptionKind; readonly value?: PlacedJson }
  | { readonly cause: 'unknown'; readonly key: string }
  | { readonly cause: 'mirror'; readonly fault: MirrorUrlFault; readonly url: string }
);

type ObjectNode = Extract<PlacedJson, { kind: 'object' }>;

/** What is looked at. */
export interface DaemonOptions {
  readonly root: ObjectNode;
  readonly behaviour: DockerBehaviour;
}

/** The faults of a file that is a JSON object. Empty: the daemon starts. */
export function daemonFaults(
  options: DaemonOptions,
  settings: DaemonSettings,
): readonly DaemonFault[] {
  const { root, behaviour } = options;
  return [
    ...unknownKeys(options),
    ...badAddresses(options),
    ...wrongKinds(options),
    ...noAddresses(options),
    ...settings['registry-mirrors'].flatMap((url, index): DaemonFault[] => {
      const read = validateMirror(url, behaviour);
      if (read.ok) return [];
      const { fault, reason } = read;
      return [{ cause: 'mirror', fault, url, reason, ...spanOf(root, 'registry-mirrors', index) }];
    }),
    ...settings['insecure-registries'].flatMap((text, index): DaemonFault[] => {
      const read = readInsecureEntry(text);
      if (read.ok) return [];
      const { reason } = read;
      return [{ cause: 'insecure', reason, ...spanOf(root, 'insecure-registries', index) }];
    }),
  ];
}

/** Where an item of a list stands; of a key that is written twice, the last one counts. */
export function itemSpan(
  root: ObjectNode | undefined,
  key: string,
  index: number,
): Span | undefined {
  const list = root?.fields.findLast(([name]) => name === key)?.[1];
  return list?.kind === 'array' ? list.items[index] : undefined;
}

function spanOf(root: ObjectNode, key: string, index: number): { readonly span?: Span } {
  const span = itemSpan(root, key, index);
  return span === undefined ? {} : { span };
}

/** Objects other than those of a few keys are looked through as if their keys stood at the top. */
export function flatEntries({ root, behaviour }: DaemonOptions): readonly PlacedEntry[] {
  return placedEntries(root).flatMap((entry) =>
    entry.value.kind === 'object' && behaviour.options.get(entry.key) !== 'object'
      ? placedEntries(entry.value)
      : [entry],
  );
}

/** Letter case counts here, unlike where values are read. Source: findConfigurationConflicts. */
function unknownKeys(options: DaemonOptions): readonly DaemonFault[] {
  const { options: known, ignored } = options.behaviour;
  return flatEntries(options)
    .filter(({ key }) => !known.has(key) && !ignored.has(key))
    .map(({ key, span }) => ({
      cause: 'unknown',
      key,
      span,
      reason: `the following directives don't match any configuration option: ${key}`,
    }));
}

const nodeKinds: Readonly<Record<OptionKind, readonly PlacedJson['kind'][]>> = {
  boolean: ['boolean'],
  text: ['string'],
  number: ['number'],
  list: ['array'],
  objects: ['array'],
  addresses: ['array'],
  'address-texts': ['array'],
  'netip-addresses': ['array'],
  object: ['object'],
  any: ['string', 'number', 'boolean'],
};

function wrongKinds({ root, behaviour }: DaemonOptions): readonly DaemonFault[] {
  return root.fields.flatMap(([key, value]) => {
    const wanted = behaviour.options.get(key) ?? behaviour.options.get(key.toLowerCase());
    if (wanted === undefined || value.kind === 'null') return [];
    const bad = hasKind(value, wanted) ? badItem(key, value, wanted) : value;
    if (bad === undefined) return [];
    const what = bad === value ? '' : ' inside of it';
    const reason = `json: cannot unmarshal ${goKind(bad)} into Go struct field Config.${key}${what}`;
    if (bad !== value) return [{ cause: 'type', reason, span: bad }];
    return [{ cause: 'type', reason, span: bad, wanted, value }];
  });
}

/** Ends the reading at once, so it is said before a value of a wrong type that stands earlier. */
function badAddresses({ root, behaviour }: DaemonOptions): readonly DaemonFault[] {
  return root.fields.flatMap(([key, value]) => {
    const wanted = behaviour.options.get(key);
    if (value.kind !== 'array' || !wanted?.endsWith('addresses')) return [];
    const bad = value.items.flatMap((item) =>
      item.kind === 'string' && item.text !== '' && isIP(item.text) === 0 ? [item] : [],
    );
    return bad.map((item): DaemonFault => {
      const reason =
        wanted === 'addresses'
          ? `invalid IP address: ${item.text}`
          : `ParseAddr(${quoteGo(item.text)}): unable to parse IP`;
      return { cause: 'type', reason, span: item };
    });
  });
}

/** Before 25 addresses were texts, which were looked at with the whole configuration; null is an empty one. */
function noAddresses({ root, behaviour }: DaemonOptions): readonly DaemonFault[] {
  return root.fields.flatMap(([key, value]) => {
    if (value.kind !== 'array' || behaviour.options.get(key) !== 'address-texts') return [];
    return value.items.flatMap((item): DaemonFault[] => {
      const text = item.kind === 'string' ? item.text : '';
      if (isIP(text.trim()) !== 0) return [];
      const reason = `merged configuration validation from file and command line flags failed: ${text} is not an ip address`;
      return [{ cause: 'type', reason, span: item }];
    });
  });
}

/** All numbers are whole ones, which Go reads from digits only. */
function hasKind(value: PlacedJson, wanted: OptionKind): boolean {
  if (wanted === 'number' && value.kind === 'number' && /[.eE]/.test(value.text)) return false;
  return nodeKinds[wanted].includes(value.kind);
}

/** What the objects hold that are looked into. */
const itemKinds: ReadonlyMap<string, PlacedJson['kind']> = new Map([
  ['features', 'boolean'],
  ['log-opts', 'string'],
]);

/** Of lists, and of the objects whose values are all of one kind, the items are looked at too. */
function badItem(key: string, value: PlacedJson, holds: OptionKind): PlacedJson | undefined {
  if (value.kind === 'array') {
    const wanted = holds === 'objects' ? 'object' : 'string';
    return value.items.find(({ kind }) => kind !== wanted && kind !== 'null');
  }
  const wanted = itemKinds.get(key.toLowerCase());
  if (value.kind !== 'object' || wanted === undefined) return undefined;
  return value.fields
    .map(([, item]) => item)
    .find(({ kind }) => kind !== wanted && kind !== 'null');
}

function goKind({ kind }: PlacedJson): string {
  return kind === 'boolean' ? 'bool' : kind;
}
