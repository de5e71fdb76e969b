/** registries.yaml as k3s and RKE2 read it: the types of rancher/wharfie, with the place of each part. */

import {
  type RawYaml,
  readRawYaml,
  type YamlFault,
  type YamlPlace,
} from '../../documents/yaml-nodes.ts';
import { Secret } from '../../shared/secret.ts';
import { GoDecoder, isUnset, type Placed, type Unsaid } from '../go/yaml/decoder.ts';
import { GoYamlFault } from '../go/yaml/scalar.ts';
import { goSyntaxText } from '../go/yaml/syntax-text.ts';

/** What stands under one key of `mirrors`. */
export interface Mirror {
  /** The key. */
  readonly at: YamlPlace;
  readonly endpoints: ReadonlyArray<Placed<string>>;
  /** Pattern → replacement; the place is the pattern's. */
  readonly rewrites: ReadonlyMap<string, Placed<string>>;
}

/** How to log in; all empty where the file says `auth: {}`. */
export interface AuthConfig {
  readonly at: YamlPlace;
  readonly username: string;
  readonly password: Secret;
  readonly auth: Secret;
  readonly identityToken: Secret;
}

/** Paths of files on the node; empty for none. */
export interface TlsConfig {
  readonly at: YamlPlace;
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly skipVerify: boolean;
  /** The places of the keys that are there. */
  readonly places: ReadonlyMap<string, YamlPlace>;
}

/** What stands under one key of `configs`. An empty `tls` counts as one. */
export interface RegistryConfig {
  readonly at: YamlPlace;
  readonly auth?: AuthConfig;
  readonly tls?: TlsConfig;
}

/** The file, decoded. */
export interface Registries {
  readonly mirrors: ReadonlyMap<string, Mirror>;
  readonly configs: ReadonlyMap<string, RegistryConfig>;
}

/** The places of what keeps k3s from starting; several for errors of types. */
export interface RegistriesRefused {
  readonly kind: 'refused';
  /** In Go's words: `yaml: unmarshal errors:` and one line each. */
  readonly error: string;
  readonly places: ReadonlyArray<Placed<string>>;
  /** Set for a text that is no YAML. */
  readonly syntax?: YamlFault;
}

/** The decoded file with what was passed over in it, or why k3s does not start. */
export type RegistriesFile =
  | {
      readonly kind: 'read';
      readonly registries: Registries;
      readonly unsaid: readonly Unsaid[];
    }
  | RegistriesRefused;

/** `mirrors: { docker.io: { endpoint: [a] } }` → one mirror. Never throws for bad input. */
export function readRegistries(text: string): RegistriesFile {
  const raw = readRawYaml(text.replace(/^\uFEFF/, ''));
  if (!raw.ok) return refusedSyntax(raw.fault);
  const decoder = new GoDecoder();
  try {
    const registries = decodeRegistries(decoder, raw.root);
    if (decoder.errors.length === 0) return { kind: 'read', registries, unsaid: decoder.unsaid };
  } catch (error) {
    if (!(error instanceof GoYamlFault)) throw error;
    const at = raw.root?.at ?? { start: 0, end: 0, line: 1, column: 1 };
    return {
      kind: 'refused',
      error: `yaml: ${error.message}`,
      places: [{ value: error.message, at }],
    };
  }
  const lines = decoder.errors.map(({ value }) => `  ${value}`);
  const error = ['yaml: unmarshal errors:', ...lines].join('\n');
  return { kind: 'refused', error, places: decoder.errors };
}

function refusedSyntax(fault: YamlFault): RegistriesRefused {
  const text = goSyntaxText(fault);
  const places = [{ value: text, at: fault.at }];
  return { kind: 'refused', error: `yaml: ${text}`, places, syntax: fault };
}

function decodeRegistries(decoder: GoDecoder, root: RawYaml | undefined): Registries {
  const mirrors = new Map<string, Mirror>();
  const configs = new Map<string, RegistryConfig>();
  if (root === undefined) return { mirrors, configs };
  const one =
    <T>(type: string, all: Map<string, T>, decode: Decode<T>) =>
    (node: RawYaml) =>
      decodeMap({ decoder, node, type }, all, decode);
  decoder.struct(root, 'registries.Registry', {
    mirrors: one('Mirror', mirrors, decodeMirror),
    configs: one('RegistryConfig', configs, decodeConfig),
    // Read for its errors; neither k3s nor RKE2 uses what is in it.
    auths: one('AuthConfig', new Map<string, true>(), (_, value) =>
      new AuthReader().read(decoder, value, 'registries.AuthConfig') ? true : undefined,
    ),
  });
  return { mirrors, configs };
}

type Decode<T> = (decoder: GoDecoder, value: RawYaml, at: YamlPlace) => T | undefined;

/** A second map under the same key is added to the first, and null empties it. */
function decodeMap<T>(
  { decoder, node, type }: { decoder: GoDecoder; node: RawYaml; type: string },
  all: Map<string, T>,
  decode: Decode<T>,
): void {
  const outcome = decoder.map(node, `map[string]registries.${type}`, (key, value) => {
    const decoded = decode(decoder, value, key.at);
    if (decoded !== undefined) all.set(key.value, decoded);
  });
  if (outcome === 'null') all.clear();
}

function decodeMirror(decoder: GoDecoder, node: RawYaml, at: YamlPlace): Mirror | undefined {
  let endpoints: ReadonlyArray<Placed<string>> = [];
  const rewrites = new Map<string, Placed<string>>();
  const outcome = decoder.struct(node, 'registries.Mirror', {
    endpoint: (value) => {
      endpoints = decoder.list(value, '[]string', (item) => placedText(decoder, item)) ?? endpoints;
    },
    rewrite: (value) => {
      const read = decoder.map(value, 'map[string]string', (key, replacement) => {
        const text = decoder.text(replacement);
        if (text !== undefined) rewrites.set(key.value, { value: text, at: key.at });
      });
      if (read === 'null') rewrites.clear();
    },
  });
  return outcome === undefined ? undefined : { at, endpoints, rewrites };
}

function placedText(decoder: GoDecoder, node: RawYaml): Placed<string> | undefined {
  const value = decoder.text(node);
  return value === undefined ? undefined : { value, at: node.at };
}

function decodeConfig(
  decoder: GoDecoder,
  node: RawYaml,
  at: YamlPlace,
): RegistryConfig | undefined {
  let auth: AuthReader | undefined;
  let tls: TlsReader | undefined;
  const outcome = decoder.struct(node, 'registries.RegistryConfig', {
    auth: (value, key) => {
      auth = isUnset(value) ? undefined : (auth ?? new AuthReader());
      auth?.read(decoder, value, typeName('AuthConfig', value), key.at);
    },
    tls: (value, key) => {
      tls = isUnset(value) ? undefined : (tls ?? new TlsReader());
      tls?.read(decoder, value, typeName('TLSConfig', value), key.at);
    },
  });
  if (outcome === undefined) return undefined;
  return { at, ...(auth && { auth: auth.config }), ...(tls && { tls: tls.config }) };
}

/** A quoted `null` is refused before Go follows the pointer. */
function typeName(name: string, node: RawYaml): string {
  const isQuotedNull = node.kind === 'scalar' && !node.isPlain && /^(?:null|~)$/.test(node.text);
  return `${isQuotedNull ? '*' : ''}registries.${name}`;
}

const nowhere: YamlPlace = { start: 0, end: 0, line: 1, column: 1 };

/** An `auth` that may be written in several pieces. */
class AuthReader {
  #at = nowhere;
  readonly #texts = new Map<string, string>();

  read(decoder: GoDecoder, node: RawYaml, type: string, at = nowhere): boolean {
    this.#at = at;
    const take = (name: string) => (value: RawYaml) => {
      const text = decoder.text(value);
      if (text !== undefined) this.#texts.set(name, text);
    };
    const names = ['username', 'password', 'auth', 'identity_token'];
    const fields = Object.fromEntries(names.map((name) => [name, take(name)]));
    const outcome = decoder.struct(node, type, fields);
    if (outcome === 'null') this.#texts.clear();
    return outcome !== undefined;
  }

  get config(): AuthConfig {
    const text = (name: string) => this.#texts.get(name) ?? '';
    return {
      at: this.#at,
      username: text('username'),
      password: new Secret(text('password')),
      auth: new Secret(text('auth')),
      identityToken: new Secret(text('identity_token')),
    };
  }
}

/** A `tls` that may be written in several pieces. */
class TlsReader {
  #at = nowhere;
  readonly #texts = new Map<string, string>();
  readonly #places = new Map<string, YamlPlace>();
  #skipVerify = false;

  read(decoder: GoDecoder, node: RawYaml, type: string, at: YamlPlace): void {
    this.#at = at;
    const take = (name: string) => (value: RawYaml, key: RawYaml) => {
      const text = decoder.text(value);
      if (text !== undefined) this.#texts.set(name, text);
      this.#places.set(name, key.at);
    };
    const names = ['ca_file', 'cert_file', 'key_file'];
    const outcome = decoder.struct(node, type, {
      ...Object.fromEntries(names.map((name) => [name, take(name)])),
      insecure_skip_verify: (value, key) => {
        this.#skipVerify = decoder.flag(value) ?? this.#skipVerify;
        this.#places.set('insecure_skip_verify', key.at);
      },
    });
    if (outcome === 'null') this.#texts.clear();
  }

  get config(): TlsConfig {
    const text = (name: string) => this.#texts.get(name) ?? '';
    return {
      at: this.#at,
      caFile: text('ca_file'),
      certFile: text('cert_file'),
      keyFile: text('key_file'),
      skipVerify: this.#skipVerify,
      places: this.#places,
    };
  }
}
