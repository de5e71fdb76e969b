/** Everything that k3s or RKE2 makes of a node's files before any image is asked for. */

import { compareText } from '../../../shared/json.ts';
import type { ConfigTree } from '../../config-tree.ts';
import type { Origin } from '../../finding.ts';
import { goReadError } from '../../go/go-file-error.ts';
import { joinPath } from '../../go/go-path.ts';
import { overlayTree } from '../../overlay-tree.ts';
import type { K3sBehaviour } from '../behaviour.ts';
import { type HostConfigs, hostConfigs } from '../convert/host-configs.ts';
import { hostDirectoryName, hostsHeader, hostsText } from '../convert/hosts-text.ts';
import { type RegistriesFile, type RegistryConfig, readRegistries } from '../registries-file.ts';
import { type K3sSettings, readK3sSettings } from './k3s-settings.ts';

/** A node that starts, with the files that it will have then. */
export interface K3sRunning {
  readonly kind: 'running';
  readonly settings: K3sSettings;
  readonly file: Extract<RegistriesFile, { kind: 'read' }>;
  /** The text of registries.yaml; undefined when there is none. */
  readonly text: string | undefined;
  readonly hosts: HostConfigs;
  /** The root of the generated directories. */
  readonly certsFolder: string;
  /** The generated files by path. */
  readonly generated: ReadonlyMap<string, string>;
  /** The node's files with the generated ones in place of those of before. */
  readonly tree: ConfigTree;
}

/** The node, or why k3s does not start. */
export type K3sState =
  | K3sRunning
  | {
      readonly kind: 'refused';
      readonly error: string;
      readonly origin: Origin;
      readonly settings?: K3sSettings;
      readonly file?: Extract<RegistriesFile, { kind: 'refused' }>;
      readonly text?: string;
    };

const nowhere = { start: 0, end: 0, line: 1, column: 1 };
const nothing: RegistriesFile = {
  kind: 'read',
  registries: { mirrors: new Map(), configs: new Map() },
  unsaid: [],
};

/** Reads and converts; never rejects for bad configuration. */
export async function readK3sState(tree: ConfigTree, behaviour: K3sBehaviour): Promise<K3sState> {
  const result = await readK3sSettings(tree, behaviour.program);
  if (result.kind === 'refused') return result;
  const { settings } = result;
  const entry = await tree.read(settings.registriesPath);
  if (entry.kind === 'folder' || entry.kind === 'unreadable') {
    const error = goReadError(settings.registriesPath, entry);
    return { kind: 'refused', error, origin: { file: settings.registriesPath }, settings };
  }
  const text = entry.kind === 'file' ? Buffer.from(entry.bytes).toString('utf8') : undefined;
  const file = text === undefined ? nothing : readRegistries(text);
  if (file.kind === 'refused') {
    const { line = 1, column = 1 } = file.places[0]?.at ?? nowhere;
    const origin = { file: settings.registriesPath, line, column };
    return { kind: 'refused', error: file.error, origin, settings, file, text: text ?? '' };
  }
  return running({ tree, behaviour, settings, file, text });
}

interface Reading {
  readonly tree: ConfigTree;
  readonly behaviour: K3sBehaviour;
  readonly settings: K3sSettings;
  readonly file: Extract<RegistriesFile, { kind: 'read' }>;
  readonly text: string | undefined;
}

async function running(reading: Reading): Promise<K3sRunning> {
  const { tree, behaviour, settings, file, text } = reading;
  const embedded = await embeddedRegistry(reading);
  const hosts = hostConfigs(file.registries, {
    noDefaultEndpoint: settings.noDefaultEndpoint !== undefined,
    ...(embedded && { embedded }),
  });
  const certsFolder = joinPath(settings.dataDir, 'agent/etc/containerd/certs.d');
  const generated = new Map(
    [...hosts.hosts]
      .sort(([a], [b]) => compareText(a, b))
      .map(([name, host]): [string, string] => [
        joinPath(certsFolder, hostDirectoryName(name), 'hosts.toml'),
        hostsText(host, behaviour.program),
      ]),
  );
  const before = await filesOfBefore(tree, certsFolder, behaviour);
  const changes = new Map([...before, ...generated]);
  const after = overlayTree(tree, changes);
  return {
    kind: 'running',
    settings,
    file,
    text,
    hosts,
    certsFolder,
    generated,
    tree: after,
  };
}

/** k3s removes each directory whose hosts.toml begins with its own line, before it writes new ones. */
async function filesOfBefore(
  tree: ConfigTree,
  folder: string,
  { program }: K3sBehaviour,
): Promise<readonly [string, undefined][]> {
  const removed: [string, undefined][] = [];
  for (const { name, isFolder } of await tree.list(folder)) {
    const path = joinPath(folder, name, 'hosts.toml');
    const entry = isFolder ? await tree.read(path) : undefined;
    if (entry?.kind !== 'file') continue;
    if (
      Buffer.from(entry.bytes)
        .toString('utf8')
        .startsWith(`${hostsHeader(program)}\n`)
    ) {
      removed.push([path, undefined]);
    }
  }
  return removed;
}

/**
 * The registry that every node has: on the port of the API server, with files that k3s makes when it starts.
 * Where they are not there yet, it is shown without them.
 */
async function embeddedRegistry({ tree, behaviour, settings }: Reading) {
  if (settings.embeddedRegistry === undefined || !behaviour.has('hosts-toml')) return undefined;
  const { program } = behaviour;
  const agent = joinPath(settings.dataDir, 'agent');
  const files = {
    caFile: `${agent}/server-ca.crt`,
    certFile: `${agent}/client-${program}-controller.crt`,
    keyFile: `${agent}/client-${program}-controller.key`,
  };
  const there = await Promise.all(Object.values(files).map((path) => tree.read(path)));
  const isMade = there.every(({ kind }) => kind === 'file');
  const none = { caFile: '', certFile: '', keyFile: '' };
  const tls: RegistryConfig = {
    at: nowhere,
    tls: { at: nowhere, skipVerify: false, places: new Map(), ...(isMade ? files : none) },
  };
  return { address: `127.0.0.1:${program === 'k3s' ? 6443 : 9345}`, tls };
}
