/** Why Talos refuses a document of a machine configuration, each reason at its place. */

import type { Path } from '../../../documents/problem.ts';
import { suggest } from '../../../documents/suggest.ts';
import type { Tree } from '../../../documents/tree.ts';
import { quoteGo } from '../../../oci/dialects/go-quote.ts';
import { parseGoUrl } from '../../../oci/go-url/parse.ts';
import type { FilePlace } from '../../finding.ts';
import type { TalosBehaviour } from '../behaviour.ts';
import { isMapping, type ShapeFault, shapeFaults } from './check-shape.ts';
import { documentValueProblems } from './document-values.ts';
import { documentShapes, registriesShape } from './machine-shapes.ts';

/** Why Talos refuses the configuration, in its words where they are known. */
export interface MachineFault {
  readonly rule: 'T001' | 'T004';
  readonly reason: string;
  readonly fix: string;
  readonly origin: FilePlace;
  /** As `Noticed` has it. */
  readonly isForNewer?: true;
}

/** The faults of one document; `[]` for one that says nothing of registries. */
export function documentFaults(tree: Tree, behaviour: TalosBehaviour): readonly MachineFault[] {
  const { value } = tree;
  if (!isMapping(value)) return [fault(tree, [], 'a document is no mapping', 'Remove it.')];
  const { kind } = value;
  if (kind === undefined) return machineFaults(tree, value, behaviour);
  const shape = typeof kind === 'string' ? documentShapes[kind] : undefined;
  if (shape === undefined) return unknownKind(tree, kind);
  if (!behaviour.has('registry-documents')) {
    const reason = `Talos ${behaviour.version} has no document ${String(kind)}`;
    const fix = 'Write it below machine.registries; the documents exist from 1.12 on.';
    return [{ ...fault(tree, ['kind'], reason, fix), isForNewer: true }];
  }
  const faults = shapeFaults(value, shape).map((one) => shapeFault(tree, one));
  const { name, apiVersion } = value;
  if (apiVersion !== 'v1alpha1') {
    const reason = `${quoteGo(String(kind))} ${quoteGo(apiVersion === undefined || apiVersion === null ? '' : String(apiVersion))}: not registered`;
    return [fault(tree, ['kind'], reason, 'Write apiVersion: v1alpha1.')];
  }
  const unnamed = fault(
    tree,
    ['kind'],
    'name must be specified',
    'Write the name of the registry.',
  );
  const isUnnamed = name === undefined || name === null || name === '';
  return [
    ...faults,
    ...(isUnnamed ? [unnamed] : []),
    ...urlFaults(tree, value),
    ...valueFaults(tree, value),
    ...unbearable(tree, value, behaviour),
  ];
}

/** Talos takes it; the part of Talos that writes the rules for containerd ends of it, and writes none. */
function unbearable(
  tree: Tree,
  { kind, clientIdentity }: Readonly<Record<string, unknown>>,
  { version, has }: TalosBehaviour,
): readonly MachineFault[] {
  const isPartial = clientIdentity === undefined || clientIdentity === null;
  if (kind !== 'RegistryTLSConfig' || !isPartial || has('partial-trust-documents')) return [];
  const reason = `Talos ${version} writes no rules at all: it fails on a RegistryTLSConfig without clientIdentity`;
  const fix = 'Use Talos 1.12.2 or later, or write the settings below machine.registries.config.';
  return [fault(tree, ['kind'], reason, fix)];
}

function valueFaults(
  tree: Tree,
  value: Readonly<Record<string, unknown>>,
): readonly MachineFault[] {
  return documentValueProblems(value).map(({ path, reason, fix }) =>
    fault(tree, path, reason, fix),
  );
}

/** Talos has many other kinds, of which nothing is known here. */
function unknownKind(tree: Tree, kind: unknown): readonly MachineFault[] {
  const near = typeof kind === 'string' ? suggest(kind, Object.keys(documentShapes)) : undefined;
  if (near === undefined) return [];
  const reason = `there is no document of the kind ${String(kind)}`;
  return [fault(tree, ['kind'], reason, `Did you mean ${near}?`)];
}

function machineFaults(
  tree: Tree,
  { machine }: Readonly<Record<string, unknown>>,
  behaviour: TalosBehaviour,
): readonly MachineFault[] {
  if (machine === undefined || machine === null) return [];
  if (!isMapping(machine)) {
    return [shapeFault(tree, { kind: 'wrong', path: ['machine'], wanted: 'a mapping' })];
  }
  const path = ['machine', 'registries'];
  const { registries } = machine;
  const near = Object.keys(machine).find((key) => key !== 'registries' && isNearRegistries(key));
  const misspelt =
    near === undefined
      ? []
      : [
          shapeFault(tree, {
            kind: 'unknown',
            path: ['machine', near],
            key: near,
            near: 'registries',
          }),
        ];
  const found = shapeFaults(registries, registriesShape(behaviour), path);
  return [...misspelt, ...found.map((one) => shapeFault(tree, one))];
}

function isNearRegistries(key: string): boolean {
  return /^regist(?:ry|rys|eries|reis|ires|rie)$/i.test(key) || key.toLowerCase() === 'registries';
}

function fault(tree: Tree, path: Path, reason: string, fix: string): MachineFault {
  return { rule: 'T004', reason, fix, origin: originAt(tree, path) };
}

function shapeFault(tree: Tree, found: ShapeFault): MachineFault {
  const { path } = found;
  if (found.kind === 'unknown') {
    const reason = `unknown keys found during decoding: ${found.key}`;
    const { line, column } = tree.keyPositionOf(path);
    const origin = { file: tree.file, line, column };
    // Where a version has the key, it is known here; so this one is older.
    if (found.key === 'skipFallback' && path.at(-3) === 'mirrors') {
      return { rule: 'T004', reason, fix: newerKeyFix, origin, isForNewer: true };
    }
    const fix = found.near === undefined ? 'Remove the key.' : `Did you mean ${found.near}?`;
    return { rule: 'T004', reason, fix, origin };
  }
  if (found.kind === 'null') {
    return fault(
      tree,
      path,
      `${path.slice(1).join('.')} is null`,
      'Fill it in, or remove the key.',
    );
  }
  const fix = wantedFix(path, tree) ?? `Write ${found.wanted} here.`;
  return fault(tree, path, `cannot be read as ${found.wanted}`, fix);
}

const newerKeyFix =
  'Use Talos 1.9 or later, which knows it; an older one asks the registry itself after its mirrors, always.';

/** For the list that is written in two ways: URLs below machine.registries, mappings in a document. */
function wantedFix(path: Path, { value }: Tree): string | undefined {
  const [list, index] = path.slice(-2);
  const isMirror = isMapping(value) && value['kind'] === 'RegistryMirrorConfig';
  if (list === 'endpoints' && typeof index === 'number') {
    return isMirror
      ? 'Write - url: https://HOST:PORT; in a document each endpoint is a mapping.'
      : 'Write the URL alone, - https://HOST:PORT; url: belongs in a document RegistryMirrorConfig.';
  }
  if (index !== 'endpoints') return undefined;
  return isMirror
    ? 'Write a list, each entry as - url: https://HOST:PORT.'
    : 'Write a list of URLs: [https://HOST:PORT].';
}

function originAt(tree: Tree, path: Path): FilePlace {
  return { file: tree.file, ...tree.positionOf(path) };
}

/** A document with such an endpoint is refused. Source: registry_mirror.go, Validate. */
function urlFaults(tree: Tree, value: Readonly<Record<string, unknown>>): readonly MachineFault[] {
  const endpoints = Array.isArray(value['endpoints']) ? value['endpoints'] : [];
  return endpoints.flatMap((item: unknown, index): MachineFault[] => {
    if (!isMapping(item)) return [];
    const { url } = item;
    const path = ['endpoints', index, 'url'];
    if (typeof url !== 'string' || url === '') {
      return [
        fault(
          tree,
          ['endpoints', index],
          `endpoints[${index}].url must be specified`,
          'Write the URL.',
        ),
      ];
    }
    const reason = schemeProblem(url);
    if (reason === undefined) return [];
    const origin = originAt(tree, path);
    return [
      { rule: 'T001', reason: `endpoints[${index}].url has ${reason}`, fix: schemeFix, origin },
    ];
  });
}

/** What to do about {@link schemeProblem}. */
export const schemeFix =
  'Write https:// before it (http:// for a mirror that speaks plain HTTP only).';

/** `my-mirror:5000` → `unsupported scheme: "my-mirror"`; undefined for http and https. */
export function schemeProblem(url: string): string | undefined {
  const parsed = parseGoUrl(url);
  if (!parsed.ok) return parsed.reason;
  const { scheme } = parsed.url;
  if (scheme === 'http' || scheme === 'https') return undefined;
  return `unsupported scheme: ${JSON.stringify(scheme)}`;
}

/** Two documents of one kind and name in one file are refused. */
export function doubled(trees: readonly Tree[]): readonly MachineFault[] {
  const seen = new Set<string>();
  return trees.flatMap((tree): MachineFault[] => {
    const { value } = tree;
    if (!isMapping(value) || typeof value['kind'] !== 'string') return [];
    if (documentShapes[value['kind']] === undefined) return [];
    const id = `${value['kind']}/${String(value['name'])}`;
    if (seen.has(id))
      return [fault(tree, ['name'], `duplicate document: ${id}`, 'Keep one of them.')];
    seen.add(id);
    return [];
  });
}
