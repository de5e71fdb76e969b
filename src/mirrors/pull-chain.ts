import type { Reference } from '../oci/reference.ts';
import type { Secret } from '../shared/secret.ts';
import type { Finding, Origin } from './finding.ts';
import type { ChainRequests } from './pull-walk.ts';

/**
 * What one node will do to pull one image: the endpoints that its runtime asks, in order, or the
 * reason why it asks nobody. Computed from the node's own files by `RuntimeRules.openNode`. The same
 * shape for every runtime; only the runtime's own folder knows which requests it makes of them.
 */

/** A runtime with its version, written `containerd@2.1.1`. */
export interface RuntimeVersion {
  readonly name: string;
  readonly version: string;
}

/** What an endpoint is good for; `referrers` exists from containerd 2.2 on. */
export type Capability = 'pull' | 'resolve' | 'push' | 'referrers';

/** A file that a rule names: its path on the node and what is in it. */
export interface TrustFile {
  readonly path: string;
  readonly pem: string;
}

/** A client certificate; the key may be in a file of its own or in the certificate's file. */
export interface ClientPair {
  readonly certificate: TrustFile;
  readonly keyPath: string;
  readonly key: Secret;
}

/** How the runtime proves to whom it speaks. Without `ca` only the node's own authorities count. */
export interface EndpointTrust {
  /** Trusted in addition to the node's own authorities. */
  readonly ca: readonly TrustFile[];
  readonly clients: readonly ClientPair[];
  /** Certificates are not checked at all; every report says so (R0-87). */
  readonly skipVerify: boolean;
}

/** How the node logs in to this endpoint by its own files; pull secrets come on top of it. */
export interface ConfiguredLogin {
  readonly username: string;
  readonly secret: Secret;
  readonly origin: Origin;
}

/**
 * One endpoint of a chain. `mirror`: what the configuration puts before the registry; `server`: what it
 * puts in the registry's place; `upstream`: the registry itself, which the runtime adds.
 */
export interface PullEndpoint {
  readonly role: 'mirror' | 'server' | 'upstream';
  /** `https`, `http`, or whatever a broken URL made of it; see {@link PullEndpoint.reachable}. */
  readonly scheme: string;
  /** host[:port] as written: `harbor.example:5000`, `[fd00::1]:5000`. */
  readonly host: string;
  /** The path before the repository, `/v2` or `/v2/platform`; may be empty. */
  readonly path: string;
  /** `scheme://host` and path: `https://harbor.example/v2/platform`. */
  readonly base: string;
  /** What it is asked for, behind the path: `library/nginx`, or what a rewrite made of it. */
  readonly repository: string;
  /** False when the URL is broken, so that the runtime fails before it sends anything. */
  readonly reachable: boolean;
  readonly capabilities: readonly Capability[];
  /** The value of `?ns=` that pulls carry; absent when the endpoint is the registry itself. */
  readonly ns?: string;
  /** Asked over HTTPS, and over HTTP after an answer in plain HTTP (or a failed connection). */
  readonly httpsFirst: boolean;
  readonly trust: EndpointTrust;
  /** Extra headers, names in the case written. Values may be secret. */
  readonly headers: ReadonlyMap<string, readonly Secret[]>;
  readonly dialTimeoutMs: number;
  readonly login?: ConfiguredLogin;
  /** Programs that the node asks for a login first. Nobody runs them here, so their answer is not known. */
  readonly loginPrograms?: readonly LoginProgram[];
  /** The line that put this endpoint into the chain. */
  readonly origin: Origin;
}

/** `docker-credential-pass`, and the place that names it. */
export interface LoginProgram {
  readonly program: string;
  readonly origin: Origin;
}

/** An encoding of bodies that a runtime undoes; `deflate` as Go reads it, without zlib's head. */
export type ContentCoding = 'gzip' | 'zstd' | 'deflate';

/** What a proof must do on the wire as the runtime does it; differs by version. */
export interface WireRules {
  /** True when an endpoint's headers are also sent to the token server that it names. */
  readonly tokenServerGetsHeaders: boolean;
  /** What it asks for, and undoes, when it fetches manifests and blobs. */
  readonly fetchCodings: readonly ContentCoding[];
  /** A larger manifest counts as not there when its name is resolved. */
  readonly largestResolvedBytes: number;
  /** Who is offered the pull secret of an image: any endpoint that wants a login, or only the registry's own host. */
  readonly pullSecretGoesTo: 'every endpoint' | 'the registry';
  /** How a token is asked for: by POST as OAuth 2 with the secret in the form, or by GET with Basic. */
  readonly tokensBy: 'post' | 'get';
}

/** Something that looks like configuration and has no effect on this chain, with the reason. */
export interface Skipped {
  readonly origin: Origin;
  readonly because: string;
}

interface ChainBase {
  readonly runtime: RuntimeVersion;
  /** The image as the runtime pulls it: normalised, `latest` added, no tag beside a digest. */
  readonly reference: Reference;
  /** The registry whose rules apply: `docker.io`, `reg.example:5000`. */
  readonly registry: string;
  /** What comes behind the registry in the image's own name: `library/nginx`. */
  readonly repository: string;
  readonly findings: readonly Finding[];
  readonly skipped: readonly Skipped[];
}

/**
 * The chain of one image on one node.
 *
 * - `endpoints`: asked in this order until one answers; never empty.
 * - `refused`: the runtime's configuration is broken in a way that fails every pull of this
 *   registry (`scope: 'registry'`) or of all of them (`scope: 'node'`) without any request.
 */
export type PullChain =
  | (ChainBase & {
      readonly kind: 'endpoints';
      readonly endpoints: readonly PullEndpoint[];
      /** What the runtime sends to them, one request at a time. */
      readonly requests: ChainRequests;
      readonly wire: WireRules;
    })
  | (ChainBase & {
      readonly kind: 'refused';
      readonly scope: 'registry' | 'node';
      /** In the runtime's own words, as its log has them. */
      readonly error: string;
      readonly origin: Origin;
    });

/** A node whose configuration has been read: asks for one chain per image, without writing anything. */
export interface NodeRules {
  readonly runtime: RuntimeVersion;
  /** The same for every chain of the node. */
  readonly wire: WireRules;
  /** What is wrong with the configuration as a whole, whichever image is asked for. */
  readonly findings: readonly Finding[];
  /** The image in which pods wait, if the configuration names one: it is pulled like any other. */
  readonly sandboxImage?: { readonly image: string; readonly origin: Origin };
  /** `registry.k8s.io/pause:3.9` → its chain. Rejects with REFERENCE_INVALID for a bad reference. */
  pullChain(reference: string): Promise<PullChain>;
}
