import type { ConfigTree } from './config-tree.ts';
import type { Finding } from './finding.ts';
import type { MirrorRule } from './mirror-rule.ts';
import type { NodeRules } from './pull-chain.ts';

/** A file that shall stand on the node, with what an operator should know about it. */
export interface WantedFile {
  /** The node's own path: `/etc/containerd/certs.d/docker.io/hosts.toml`. */
  readonly path: string;
  readonly content: string;
  /** Why it is there: `docker.io is pulled from harbor.example`. */
  readonly because: string;
  /** True when the content is somebody else's file with single lines changed. */
  readonly isChange?: true;
  /** True when it holds a login: no other user may read it, and its text is never shown. */
  readonly isPrivate?: true;
}

/** Rules as the files of one node, and what of its other files belongs to them. */
export interface CompiledRules {
  readonly wanted: readonly WantedFile[];
  /** Files that already say what is needed, whoever wrote them. */
  readonly settled: ReadonlyArray<{ readonly path: string; readonly because: string }>;
  /** The paths of all rule files that are there, wanted or not. */
  readonly existing: readonly string[];
  /** For a wanted change of somebody else's file: the lines that a person would put into it. */
  readonly insert?: { readonly path: string; readonly lines: string };
}

/** What must be done on the node after a file changed, and why. */
export interface Reload {
  /** `systemctl restart containerd`. */
  readonly command: string;
  /** `containerd reads its main configuration only when it starts`. */
  readonly because: string;
}

/** How the runtime runs as a service of the node, for the proxy and the authorities that it gets from there. */
export interface ServiceUnits {
  /** Names of systemd units; the first that the node has counts: `['k3s.service', 'k3s-agent.service']`. */
  readonly units: readonly string[];
  /** Variables with this before their name win over those without: k3s hands `CONTAINERD_HTTP_PROXY` on as `HTTP_PROXY`. */
  readonly variablePrefix?: string;
}

/** What a lint must know of the place: offline, a registry that is asked last is an error. */
export interface LintedSite {
  readonly mode: 'online' | 'offline';
  /** Hosts that answer in plain HTTP, as a Site or a request says: `reg.example:5000`. */
  readonly plainHttpHosts?: readonly string[];
  /** Hosts that nodes may ask offline: the Site's own registries, and what it allows. See `isInsideSite`. */
  readonly allowedHosts?: readonly string[];
  /** The registries that images are named after, as far as one knows: `docker.io`, `reg.example:5000`. */
  readonly registries?: readonly string[];
}

/**
 * What a runtime of one version knows about rules: the one port between this folder and the folders
 * of the runtimes. `openRuntime` (open-runtime.ts) has one for each runtime that is known.
 */
export interface RuntimeRules {
  /** Reads a node's configuration; never rejects for bad configuration. */
  openNode(tree: ConfigTree): Promise<NodeRules>;
  /** The files for the rules. Rejects with MIRROR_RULE_NOT_WRITABLE, MIRROR_CONFIG_BROKEN. */
  compile(
    tree: ConfigTree,
    rules: readonly MirrorRule[],
    sandboxImage: string | undefined,
  ): Promise<CompiledRules>;
  /**
   * Everything that is wrong with, or surprising about, the node's files: also in those that no image
   * of a Lock needs. Sorted by file and line; never rejects for bad configuration.
   */
  lint(tree: ConfigTree, site: LintedSite): Promise<readonly Finding[]>;
  /**
   * Where a file of this name belongs on a node, for files that are looked at alone:
   * `docker.io/hosts.toml` → `/etc/containerd/certs.d/docker.io/hosts.toml`; undefined for one that
   * the runtime has no place for.
   */
  placeOf(name: string): string | undefined;
  /**
   * What makes the runtime take a changed file, or one that is gone; undefined when it reads the file at
   * every pull (R0-31).
   */
  reloadFor(path: string, isGone?: boolean): Reload | undefined;
  /** Undefined where no service of the node pulls: podman is run by its user. */
  readonly service: ServiceUnits | undefined;
  /** What every report must say about this version, such as that nobody has checked it yet. */
  readonly notes: readonly string[];
}
