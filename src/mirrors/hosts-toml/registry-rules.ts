/** Everything that containerd reads about one registry, from the roots to its endpoints. */

import {
  type BadTrustFile,
  badTrustFiles,
  type TrustFault,
  TrustFileError,
} from '../certificates/trust-files.ts';
import type { ConfigTree } from '../config-tree.ts';
import type { ContainerdBehaviour } from '../containerd-version/behaviour.ts';
import { BUILT_IN, type Origin } from '../finding.ts';
import { goReadError } from '../go/go-file-error.ts';
import { joinPath } from '../go/go-path.ts';
import {
  emptyEntry,
  type PlannedEndpoint,
  planEndpoints,
  type RegistryEndpoint,
  trustEndpoints,
  type UpstreamDefaults,
} from './endpoints.ts';
import { findHostDirectory, type HostDirectory } from './host-directory.ts';
import type { HostEntry } from './read/host-entry.ts';
import { type HostsFile, readHostsFile } from './read/hosts-file.ts';

/** Where rules are looked for, and by which version. */
export interface RulesQuery {
  readonly tree: ConfigTree;
  readonly roots: readonly string[];
  readonly registry: string;
  readonly behaviour: ContainerdBehaviour;
  readonly defaults?: UpstreamDefaults;
}

/** The rules of one registry, and how they came about. */
export interface RegistryRules {
  readonly directory: HostDirectory;
  /** What its hosts.toml said, if there is one that is not empty. */
  readonly hostsFile?: HostsFile;
  /** The endpoints before their certificates are looked at; empty where nothing can be read. */
  readonly planned: readonly PlannedEndpoint[];
  /** All files of certificates that cannot be used, where any fails the pulls; by the table that names them. */
  readonly badFiles?: ReadonlyArray<{
    readonly table: readonly string[];
    readonly file: BadTrustFile;
  }>;
  readonly outcome: RulesOutcome;
}

/**
 * Why every pull of a registry fails.
 *
 * - `trust-file`: a file of certificates or keys cannot be used
 * - `rules-unreadable`: hosts.toml or its folder is there, and cannot be read
 * - `reader-panic`: a hosts.toml that the reader of 1.x does not survive
 * - `endpoint-url`: an endpoint of registry.mirrors that is no URL
 */
export type RulesFault =
  | { readonly kind: 'trust-file'; readonly why: TrustFault }
  | {
      readonly kind: 'rules-unreadable';
      readonly why: 'folder for file' | 'file for folder' | 'unreadable';
    }
  | { readonly kind: 'reader-panic' }
  | { readonly kind: 'endpoint-url' };

/** `failed`: every pull of this registry fails without a request, with the text of its error. */
export type RulesOutcome =
  | { readonly kind: 'endpoints'; readonly endpoints: readonly RegistryEndpoint[] }
  | {
      readonly kind: 'failed';
      readonly fault: RulesFault;
      readonly error: string;
      readonly origin: Origin;
    };

/** Reads the registry's directory and computes its endpoints. Never rejects for bad configuration. */
export async function readRegistryRules(query: RulesQuery): Promise<RegistryRules> {
  const { tree, roots, registry, behaviour } = query;
  return readRulesIn(await findHostDirectory(tree, roots, registry, behaviour), query);
}

/** The same for a directory that is known, whether containerd would find it or not. */
export async function readRulesIn(
  directory: HostDirectory,
  query: Omit<RulesQuery, 'roots'>,
): Promise<RegistryRules> {
  const { tree } = query;
  if (directory.kind === 'failed') {
    const { error, path } = directory;
    return { directory, planned: [], outcome: unreadable('unreadable', error, path) };
  }
  if (directory.kind === 'none') {
    return { directory, ...(await complete([emptyEntry], BUILT_IN, query)) };
  }
  const file = joinPath(directory.path, 'hosts.toml');
  if (directory.isFile) {
    const error = `open ${file}: not a directory`;
    return {
      directory,
      planned: [],
      outcome: unreadable('file for folder', error, directory.path),
    };
  }
  const bytes = await readHostsBytes(tree, file);
  if (!(bytes instanceof Uint8Array)) return { directory, planned: [], outcome: bytes };
  return { directory, ...(await readDirectory(bytes, directory.path, query)) };
}

type ReadRules = Omit<RegistryRules, 'directory'>;

async function readDirectory(
  bytes: Uint8Array,
  folder: string,
  query: Omit<RulesQuery, 'roots'>,
): Promise<ReadRules> {
  const file = joinPath(folder, 'hosts.toml');
  const layout = async () =>
    complete([await readDockerLayout(query.tree, folder)], { file: folder }, query);
  if (bytes.length === 0) return layout();
  const hostsFile = readHostsFile({ bytes, path: file, folder }, query.behaviour);
  if (hostsFile.kind === 'discarded') return { hostsFile, ...(await layout()) };
  if (hostsFile.kind === 'entries') {
    return { hostsFile, ...(await complete(hostsFile.entries, { file }, query)) };
  }
  const { error, line, column } = hostsFile;
  const origin = { file, ...(line && { line }), ...(column && { column }) };
  const outcome = { kind: 'failed', fault: { kind: 'reader-panic' }, error, origin } as const;
  return { hostsFile, planned: [], outcome };
}

/** A file that is missing reads like an empty one. */
async function readHostsBytes(tree: ConfigTree, path: string): Promise<Uint8Array | RulesOutcome> {
  const entry = await tree.read(path);
  switch (entry.kind) {
    case 'file':
      return entry.bytes;
    case 'missing':
      return new Uint8Array();
    case 'folder':
      return unreadable('folder for file', goReadError(path, entry), path);
    case 'unreadable':
      return unreadable('unreadable', goReadError(path, entry), path);
  }
}

/** Docker's layout: `*.crt` are authorities, `*.cert` with `*.key` of the same name are clients. */
async function readDockerLayout(tree: ConfigTree, folder: string): Promise<HostEntry> {
  const found = await tree.list(folder);
  const files = found.filter(({ isFolder }) => !isFolder).map(({ name }) => name);
  const all = new Set(found.map(({ name }) => name));
  const ca = files.filter((name) => name.endsWith('.crt')).map((name) => joinPath(folder, name));
  const clients = files
    .filter((name) => name.endsWith('.cert'))
    .map((name): readonly [string, string] => {
      const key = name.replace(/\.cert$/, '.key');
      return [joinPath(folder, name), all.has(key) ? joinPath(folder, key) : ''];
    });
  return {
    ...emptyEntry,
    ...(ca.length === 0 ? {} : { ca }),
    ...(clients.length === 0 ? {} : { clients }),
  };
}

async function complete(
  entries: readonly HostEntry[],
  origin: Origin,
  { registry, behaviour, tree, defaults }: Omit<RulesQuery, 'roots'>,
): Promise<ReadRules> {
  const context = { registry, behaviour, origin, ...(defaults && { defaults }) };
  const planned = planEndpoints(entries, context);
  try {
    const endpoints = await trustEndpoints(planned, tree);
    return { planned, outcome: { kind: 'endpoints', endpoints } };
  } catch (error) {
    if (!(error instanceof TrustFileError)) throw error;
    const { message, path, why } = error;
    const fault = { kind: 'trust-file', why } as const;
    const outcome = { kind: 'failed', fault, error: message, origin: { file: path } } as const;
    return { planned, badFiles: await badFilesOf(planned, tree), outcome };
  }
}

async function badFilesOf(planned: readonly PlannedEndpoint[], tree: ConfigTree) {
  const found = planned.map(async ({ entry }) => {
    const files = await badTrustFiles(tree, entry);
    return files.map((file) => ({ table: entry.table, file }));
  });
  return (await Promise.all(found)).flat();
}

type Unreadable = Extract<RulesFault, { kind: 'rules-unreadable' }>;

function unreadable(why: Unreadable['why'], error: string, file: string): RulesOutcome {
  return { kind: 'failed', fault: { kind: 'rules-unreadable', why }, error, origin: { file } };
}
