/** What a machine configuration says about registries, whichever way it is written. */

import type { Secret } from '../../../shared/secret.ts';
import type { Origin } from '../../finding.ts';

/** One endpoint of a mirror, as written. */
export interface MirrorEndpoint {
  readonly url: string;
  readonly overridePath: boolean;
  readonly origin: Origin;
}

/** The mirrors of one registry, or of all others for `*`. */
export interface Mirror {
  readonly name: string;
  readonly endpoints: readonly MirrorEndpoint[];
  readonly skipFallback: boolean;
  readonly origin: Origin;
}

/** How one host is trusted: PEM texts, as they are written into files. */
export interface HostTls {
  readonly name: string;
  readonly ca?: string;
  readonly client?: { readonly certificate: string; readonly key: string };
  readonly skipVerify: boolean;
  readonly skipVerifyOrigin: Origin;
  readonly origin: Origin;
}

/** How the node logs in to one host. */
export interface HostAuth {
  readonly name: string;
  readonly username: string;
  readonly password: Secret;
  readonly auth: Secret;
  readonly identityToken: Secret;
  readonly origin: Origin;
}

/** All of it, by name; of `machine.registries` and a document with one name the document counts. */
export interface Registries {
  readonly mirrors: ReadonlyMap<string, Mirror>;
  readonly tls: ReadonlyMap<string, HostTls>;
  readonly auths: ReadonlyMap<string, HostAuth>;
}
