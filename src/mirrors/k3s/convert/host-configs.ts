/** From registries.yaml to the host directories of containerd, as k3s converts it (config.go, getHostConfigs). */

import { HUB, upstreamHost } from '../../../oci/docker-hub.ts';
import { isLocalHost } from '../../go/host-port.ts';
import type { Placed } from '../../go/yaml/decoder.ts';
import type { Mirror, Registries, RegistryConfig } from '../registries-file.ts';
import { type EndpointAddress, endpointAddress } from './endpoint-address.ts';

/** One endpoint of a directory. */
export interface HostEndpoint {
  /** Undefined: no URL at all, only settings for whatever the upstream is. `empty`: the line `server = ""`. */
  readonly address: EndpointAddress | 'empty' | undefined;
  /** What `configs` says for it. */
  readonly config: RegistryConfig | undefined;
  readonly rewrites: ReadonlyMap<string, Placed<string>>;
  /** The endpoint as the file has it; absent for a default and for the embedded registry. */
  readonly written?: Placed<string>;
}

/** One directory. */
export interface HostConfig {
  /** What stands at the root of hosts.toml; undefined where the registry itself is never asked. */
  readonly default: HostEndpoint | undefined;
  readonly endpoints: readonly HostEndpoint[];
}

/** What k3s logs, at the place that it is about. */
export type ConversionWarning = Placed<string> & {
  readonly kind: 'invalid-endpoint' | 'duplicate-endpoint' | 'invalid-registry';
  /** The registry whose mirror it is. */
  readonly registry: string;
};

/** All directories by name of the registry, `_default` for `*`. */
export interface HostConfigs {
  readonly hosts: ReadonlyMap<string, HostConfig>;
  readonly warnings: readonly ConversionWarning[];
}

/** What the conversion depends on besides the file. */
export interface ConversionOptions {
  /** `--disable-default-registry-endpoint`. */
  readonly noDefaultEndpoint: boolean;
  /** host:port and files of the embedded registry, when it is switched on. */
  readonly embedded?: { readonly address: string; readonly tls: RegistryConfig };
}

const noRewrites: ReadonlyMap<string, Placed<string>> = new Map();

/** `{ mirrors: { docker.io: { endpoint: [m] } } }` → `docker.io`: first m, then registry-1.docker.io. */
export function hostConfigs(registries: Registries, options: ConversionOptions): HostConfigs {
  return new Conversion(withEmbedded(registries, options), options).run();
}

/** k3s puts the embedded registry in front of every mirror but those of this machine (spegel, InjectMirror). */
function withEmbedded(
  { mirrors, configs }: Registries,
  { embedded }: ConversionOptions,
): Registries {
  if (embedded === undefined) return { mirrors, configs };
  const value = `https://${embedded.address}/v2`;
  const own = (at: Mirror['at']): Placed<string> => ({ value, at });
  const { at } = embedded.tls;
  return {
    configs: new Map([...configs, [embedded.address, embedded.tls]]),
    mirrors: new Map([
      ...Array.from(mirrors, ([name, mirror]): [string, Mirror] => [
        name,
        isLocalHost(name)
          ? mirror
          : { ...mirror, endpoints: [own(mirror.at), ...mirror.endpoints] },
      ]),
      [embedded.address, { at, endpoints: [own(at)], rewrites: noRewrites }],
    ]),
  };
}

class Conversion {
  readonly #registries: Registries;
  readonly #options: ConversionOptions;
  readonly #warnings: ConversionWarning[] = [];

  constructor(registries: Registries, options: ConversionOptions) {
    this.#registries = registries;
    this.#options = options;
  }

  run(): HostConfigs {
    const hosts = new Map<string, HostConfig>();
    const { mirrors, configs } = this.#registries;
    for (const [name, config] of configs) {
      const found = this.#default(name, config.at, config);
      if (found !== undefined) {
        hosts.set(directoryKey(name), { default: found, endpoints: [] });
      }
    }
    for (const [name, mirror] of mirrors) {
      // Looked up before `*` becomes `_default`: settings of configs."*" do not reach mirrors."*".
      const before = hosts.get(name) ?? this.#fresh(name, mirror);
      if (before !== undefined) {
        hosts.set(directoryKey(name), this.#withMirror(name, mirror, before));
      }
    }
    const kept = Array.from(hosts).filter(([, host]) => saysSomething(host));
    return { hosts: new Map(kept), warnings: this.#warnings };
  }

  #fresh(name: string, mirror: Mirror): HostConfig | undefined {
    const found = this.#default(name, mirror.at, configFor(this.#registries, name));
    if (found === undefined) return undefined;
    if (this.#options.noDefaultEndpoint) return { default: undefined, endpoints: [] };
    const isRest = name === '*';
    const address = isRest ? ('empty' as const) : found.address;
    return {
      default: isRest ? { address, config: undefined, rewrites: noRewrites } : found,
      endpoints: [],
    };
  }

  #default(
    name: string,
    at: Mirror['at'],
    config: RegistryConfig | undefined,
  ): HostEndpoint | undefined {
    const result = endpointAddress(name, this.#options.embedded?.address);
    if (!result.ok) {
      const value = `Failed to generate config for registry ${name}: invalid endpoint URL ${name} for ${name}: ${result.reason}`;
      this.#warnings.push({ kind: 'invalid-registry', value, at, registry: name });
      return undefined;
    }
    const address = name === '*' ? undefined : result.address;
    return { address, config, rewrites: noRewrites };
  }

  #withMirror(name: string, mirror: Mirror, before: HostConfig): HostConfig {
    const seen = new Set<string>();
    const endpoints: HostEndpoint[] = [];
    let last = before.default;
    for (const [index, written] of mirror.endpoints.entries()) {
      const endpoint = this.#endpoint(name, mirror, index);
      if (endpoint === undefined) continue;
      const url = urlOf(endpoint);
      if (seen.has(url)) {
        this.#warn(
          'duplicate-endpoint',
          name,
          written,
          `Skipping duplicate endpoint URL ${index}=${written.value} for ${name}`,
        );
        continue;
      }
      seen.add(url);
      const isLast = index + 1 === mirror.endpoints.length;
      if (isLast && urlOf(before.default) === url) last = endpoint;
      else endpoints.push(endpoint);
    }
    return { default: last, endpoints };
  }

  #endpoint(name: string, mirror: Mirror, index: number): HostEndpoint | undefined {
    const written = mirror.endpoints[index];
    if (written === undefined) return undefined;
    const embedded = this.#options.embedded?.address;
    const result = endpointAddress(written.value, embedded);
    if (!result.ok) {
      const value = `Ignoring invalid endpoint URL ${index}=${written.value} for ${name}: ${result.reason}`;
      this.#warn('invalid-endpoint', name, written, value);
      return undefined;
    }
    const { address } = result;
    const config = configFor(this.#registries, address.registry);
    const isEmbedded = address.host === embedded;
    const rewrites = isEmbedded ? noRewrites : mirror.rewrites;
    return { address, config, rewrites, written };
  }

  #warn(
    kind: ConversionWarning['kind'],
    registry: string,
    { at }: Placed<string>,
    value: string,
  ): void {
    this.#warnings.push({ kind, registry, at, value });
  }
}

function directoryKey(name: string): string {
  return name === '*' ? '_default' : name;
}

/** The settings of a host; those of Docker Hub may stand under either of its names. */
export function configFor({ configs }: Registries, name: string): RegistryConfig | undefined {
  const other = name === HUB ? configs.get(upstreamHost(name)) : undefined;
  return other ?? configs.get(name);
}

function urlOf(endpoint: HostEndpoint | undefined): string {
  const address = endpoint?.address;
  return address === undefined || address === 'empty' ? '' : address.url;
}

/** Directories that say nothing are not written. */
function saysSomething({ endpoints, default: last }: HostConfig): boolean {
  if (endpoints.length > 0) return true;
  if (last === undefined) return false;
  const { address, config, rewrites } = last;
  const hasPath = typeof address === 'object' && address.overridePath && last.written !== undefined;
  return hasPath || config?.auth !== undefined || config?.tls !== undefined || rewrites.size > 0;
}
