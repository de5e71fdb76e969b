/** The endpoints of one registry: what k3s generates, read by its containerd, a fork of the usual one. */

import type { TomlTable } from '../../../documents/toml.ts';
import { upstreamHost } from '../../../oci/docker-hub.ts';
import { deprecatedRules } from '../../containerd/cri/deprecated-rules.ts';
import { BUILT_IN, type Origin } from '../../finding.ts';
import { joinPath } from '../../go/go-path.ts';
import type { Placed } from '../../go/yaml/decoder.ts';
import type { RegistryEndpoint } from '../../hosts-toml/endpoints.ts';
import type { HostsFile } from '../../hosts-toml/read/hosts-file.ts';
import { type RegistryRules, readRegistryRules } from '../../hosts-toml/registry-rules.ts';
import type { K3sBehaviour } from '../behaviour.ts';
import type { HostConfig, HostEndpoint } from '../convert/host-configs.ts';
import { hostDirectoryName } from '../convert/hosts-text.ts';
import type { Mirror, Registries, TlsConfig } from '../registries-file.ts';
import type { K3sRunning } from './k3s-state.ts';

/** An endpoint with the rewrites that hold for it. */
export interface K3sEndpoint {
  readonly endpoint: RegistryEndpoint;
  readonly rewrites: ReadonlyMap<string, Placed<string>>;
}

/** The endpoints in order, or why every pull of the registry fails. */
export type K3sEndpoints =
  | { readonly kind: 'endpoints'; readonly endpoints: readonly K3sEndpoint[] }
  | { readonly kind: 'failed'; readonly error: string; readonly origin: Origin };

const noRewrites: ReadonlyMap<string, Placed<string>> = new Map();

/** `docker.io` → its mirrors with their places in registries.yaml, then the registry itself unless it is left out. */
export async function registryEndpoints(
  running: K3sRunning,
  registry: string,
  behaviour: K3sBehaviour,
): Promise<K3sEndpoints> {
  return behaviour.has('hosts-toml')
    ? fromHostsToml(running, registry, behaviour)
    : fromMainConfig(running, registry, behaviour);
}

async function fromHostsToml(
  running: K3sRunning,
  registry: string,
  behaviour: K3sBehaviour,
): Promise<K3sEndpoints> {
  const { tree, certsFolder, hosts } = running;
  const rules = await readRegistryRules({
    tree,
    roots: [certsFolder],
    registry,
    behaviour: behaviour.containerd,
  });
  const name = hostName(rules, running);
  const host = name === undefined ? undefined : hosts.hosts.get(name);
  if (rules.outcome.kind === 'failed') {
    const { error, origin } = rules.outcome;
    return { kind: 'failed', error, origin: trustPlace(running, origin) ?? origin };
  }
  const { endpoints: all } = rules.outcome;
  const read = leavesUpstreamOut(rules.hostsFile) ? withoutUpstream(all) : all;
  const isGenerated = host !== undefined && rules.hostsFile?.kind === 'entries';
  return {
    kind: 'endpoints',
    endpoints: read.map((endpoint, index) =>
      isGenerated && name !== undefined
        ? placed(asUpstream(endpoint, registry), host, index, originsOf(running, name))
        : { endpoint, rewrites: noRewrites },
    ),
  };
}

/** The key of the conversion whose directory was found. */
function hostName({ directory }: RegistryRules, running: K3sRunning): string | undefined {
  if (directory.kind !== 'found') return undefined;
  const { certsFolder, hosts } = running;
  return [...hosts.hosts.keys()].find(
    (name) => joinPath(certsFolder, hostDirectoryName(name)) === directory.path,
  );
}

/**
 * The fork adds the root entry only where there is a `server` line, empty or not, or no mirror at all
 * (k3s-io/containerd core/remotes/docker/config/hosts.go, parseHostsFile).
 */
function leavesUpstreamOut(file: HostsFile | undefined): boolean {
  if (file?.kind !== 'entries') return false;
  const hasServer = file.scan.keys.some(
    ({ path, headerLength }) => headerLength === 0 && path[0] === 'server',
  );
  return !hasServer && file.entries.length > 1;
}

/** k3s writes the registry itself down as the server. */
function asUpstream(endpoint: RegistryEndpoint, registry: string): RegistryEndpoint {
  const isItself = endpoint.role === 'server' && endpoint.host === upstreamHost(registry);
  return isItself ? { ...endpoint, role: 'upstream' } : endpoint;
}

/** A mirror without a host in the last place is filled in as the root entry would be. */
function withoutUpstream(all: readonly RegistryEndpoint[]): readonly RegistryEndpoint[] {
  const mirrors = all.slice(0, -1);
  return mirrors.at(-1)?.host === '' ? [...mirrors.slice(0, -1), ...all.slice(-1)] : mirrors;
}

interface Origins {
  readonly of: (endpoint: HostEndpoint | undefined) => Origin;
}

function originsOf({ settings, file }: K3sRunning, name: string): Origins {
  const key = name === '_default' ? '*' : name;
  const { mirrors, configs } = file.registries;
  const at = mirrors.get(key)?.at ?? configs.get(key)?.at;
  return {
    of: (endpoint) => {
      const place = endpoint?.written?.at ?? at;
      const source = settings.registriesPath;
      if (place === undefined || place.end === 0)
        return settings.embeddedRegistry ?? { file: source };
      return { file: source, line: place.line, column: place.column };
    },
  };
}

function placed(
  endpoint: RegistryEndpoint,
  host: HostConfig,
  index: number,
  origins: Origins,
): K3sEndpoint {
  const mirror = host.endpoints[index];
  const from = mirror ?? host.default;
  return {
    endpoint: { ...endpoint, origin: origins.of(from) },
    // Whatever stands at the root is asked under the name as it is.
    rewrites: mirror?.rewrites ?? noRewrites,
  };
}

/** The line of registries.yaml that names a file which cannot be used. */
function trustPlace({ settings, file }: K3sRunning, { file: path }: Origin): Origin | undefined {
  for (const { tls } of file.registries.configs.values()) {
    const key = tls && trustKeys.find((name) => pathOf(tls, name) === path);
    const at = key && tls?.places.get(key);
    if (at) return { file: settings.registriesPath, line: at.line, column: at.column };
  }
  return undefined;
}

const trustKeys = ['ca_file', 'cert_file', 'key_file'] as const;

function pathOf(tls: TlsConfig, key: (typeof trustKeys)[number]): string {
  return { ca_file: tls.caFile, cert_file: tls.certFile, key_file: tls.keyFile }[key];
}

/** Before January 2024 k3s wrote registry.mirrors; rewrites then reach the registry itself too. */
async function fromMainConfig(
  running: K3sRunning,
  registry: string,
  behaviour: K3sBehaviour,
): Promise<K3sEndpoints> {
  const { settings, tree, file } = running;
  const { mirrors } = file.registries;
  const mirror = mirrors.get(registry) ?? mirrors.get('*');
  const { line, column } = mirror?.at ?? { line: undefined, column: undefined };
  const origin: Origin =
    line === undefined ? BUILT_IN : { file: settings.registriesPath, line, column };
  const { outcome } = await deprecatedRules({
    tree,
    registry,
    settings: mainConfigSettings(file.registries),
    behaviour: behaviour.containerd,
    origin,
  });
  if (outcome.kind === 'failed') {
    const { error } = outcome;
    return { kind: 'failed', error, origin: trustPlace(running, outcome.origin) ?? outcome.origin };
  }
  return {
    kind: 'endpoints',
    endpoints: outcome.endpoints.map((endpoint, index) => ({
      endpoint: {
        ...endpoint,
        origin: endpointPlace(mirror, index, settings.registriesPath) ?? origin,
      },
      rewrites: mirror?.rewrites ?? noRewrites,
    })),
  };
}

function endpointPlace(mirror: Mirror | undefined, index: number, file: string) {
  const at = mirror?.endpoints[index]?.at;
  return at && { file, line: at.line, column: at.column };
}

/** What the template of those versions makes of the file. */
function mainConfigSettings({ mirrors, configs }: Registries): TomlTable {
  return {
    mirrors: Object.fromEntries(
      Array.from(mirrors, ([name, { endpoints }]) => [
        name,
        { endpoint: endpoints.map(({ value }) => value) },
      ]),
    ),
    configs: Object.fromEntries(
      Array.from(configs, ([name, { tls }]) => [
        name,
        tls === undefined
          ? {}
          : {
              tls: {
                ca_file: tls.caFile,
                cert_file: tls.certFile,
                key_file: tls.keyFile,
                insecure_skip_verify: tls.skipVerify,
              },
            },
      ]),
    ),
  };
}
