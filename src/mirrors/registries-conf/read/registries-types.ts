/** What registries.conf says, in the words of the library that reads it: go.podman.io/image/v5, pkg/sysregistriesv2. */

import type { Reference } from '../../../oci/reference.ts';
import type { FilePlace } from '../../finding.ts';

/** A place where images are found: a mirror, or the registry itself. */
export interface ConfiguredEndpoint {
  /** `mirror.example:5000/hub`; empty only for a registry whose prefix is `*.domain`. */
  readonly location: string;
  /** HTTPS without verification, and HTTP when that fails. */
  readonly insecure: boolean;
  /** `all`, `digest-only`, `tag-only`, or nothing, which is `all`. */
  readonly pullFromMirror: string;
  readonly origin: FilePlace;
}

/** One `[[registry]]` table. */
export interface ConfiguredRegistry {
  /** What names are compared with: `docker.io/library`, `*.example.com`. */
  readonly prefix: string;
  readonly endpoint: ConfiguredEndpoint;
  readonly mirrors: readonly ConfiguredEndpoint[];
  readonly blocked: boolean;
  readonly mirrorByDigestOnly: boolean;
  readonly origin: FilePlace;
}

/** What stands behind a short name; without a name, an earlier alias is taken back. */
export interface Alias {
  readonly name: Reference | undefined;
  readonly file: string;
}

/** How a short name with several candidates is handled where nobody can be asked. */
export type ShortNameMode = 'enforcing' | 'permissive' | 'disabled';

/** What one file says once it is checked. */
export interface RegistriesSettings {
  /** Sorted by prefix, each prefix once. */
  readonly registries: readonly ConfiguredRegistry[];
  /** Undefined when the file does not say. */
  readonly searchRegistries: readonly string[] | undefined;
  readonly credentialHelpers: readonly string[] | undefined;
  readonly shortNameMode: ShortNameMode | undefined;
  readonly aliases: ReadonlyMap<string, Alias>;
}

/** Registries in the order of the file, and the search list. */
export interface ReadFormat {
  readonly registries: readonly ConfiguredRegistry[];
  readonly search: readonly string[] | undefined;
}

/** What is wrong, for whoever has to say what to do; the text is for people. */
export type RegistriesFaultKind =
  | 'unreadable'
  /** Then the words behind the line are not the library's. */
  | 'no-toml'
  | 'wrong-type'
  /** `[[registries]]` in place of `[[registry]]`. */
  | 'list-of-registries'
  /** `mirror = ["m.example"]` in place of `[[registry.mirror]]`. */
  | 'no-mirror-tables'
  | 'scheme'
  | 'no-location'
  | 'neither-prefix-nor-location'
  | 'no-mirror-location'
  | 'wildcard'
  | 'old-drop-in'
  | 'both-formats'
  | 'conflict'
  | 'alias'
  | 'restricted-twice'
  | 'restricted-registry'
  | 'restriction'
  | 'search'
  | 'mode';

/** The configuration is refused: every pull fails with this text. */
export class RegistriesFault extends Error {
  readonly kind: RegistriesFaultKind;
  readonly origin: FilePlace;

  constructor(kind: RegistriesFaultKind, message: string, origin: FilePlace) {
    super(message);
    this.kind = kind;
    this.origin = origin;
  }
}
