import type { NodeRules } from '../mirrors/pull-chain.ts';
import type { Digest } from '../oci/digest.ts';
import type { ClientSettings } from '../registry/client/settings.ts';
import type { Lock } from '../release/lock.ts';
import type { CredentialSource } from '../trust/ports.ts';
import type { ProofCommands } from './advice.ts';
import type { SiteFacts } from './allowed-hosts.ts';
import type { ReadRecord } from './node/read-record.ts';
import type { RuntimeService } from './node/runtime-service.ts';

/** How much is done at the same time. */
export interface ProofLimits {
  readonly parallelRepositories: number;
  readonly parallelBlobs: number;
}

/** What is to be proved, for which node. */
export interface ProofRequest {
  readonly lock: Lock;
  /** What people call the node: `worker-2`. */
  readonly node: string;
  /** The platforms of the node, such as `['linux/arm64']`; all of the Lock unless given. */
  readonly platforms?: readonly string[];
  /** Without it no host is forbidden, and the report says so. */
  readonly site?: SiteFacts;
  /**
   * `host[:port]` as nodes see it → as this machine sees it, over what the Site says. Certificates
   * are still checked for the name that nodes use.
   */
  readonly seenFrom?: ReadonlyMap<string, string>;
  /** Digests of indexes that were rewritten for a registry, old → new (promise P1). */
  readonly rewritten?: ReadonlyMap<string, Digest>;
  /** Downloads and hashes every blob instead of asking for it. */
  readonly deep?: boolean;
  readonly limits?: Partial<ProofLimits>;
  readonly commands: ProofCommands;
}

/** What a proof needs from outside. */
export interface ProofPorts {
  readonly rules: NodeRules;
  /** The authorities and the environment of the node's runtime, from the files of the node. */
  readonly service: RuntimeService;
  /** The files that rules and service were read from, if the report is to say which ones they were. */
  readonly record?: Pick<ReadRecord, 'digest'>;
  /** Timeouts, pace and clock of the client; how often it repeats is the runtime's to say. */
  readonly client: ClientSettings;
  /** The image pull secrets of the cluster, asked by the image's `registry/repository`. */
  readonly pullSecrets?: CredentialSource;
}
