/** The versions of Docker that are compared, each as the Go module that has it. */

/** One line of Docker. */
export interface DockerLine {
  /** What we simulate. */
  readonly version: string;
  readonly module: string;
  readonly moduleVersion: string;
  /** Where its packages lie below the module. */
  readonly registry: string;
  readonly command: string;
  /** The file that has RegistryHosts; absent where it needs a module that is no longer to be had. */
  readonly hosts?: string;
  /** containerd's package that says what a registry host is. */
  readonly remotes: string;
}

const docker = {
  module: 'github.com/docker/docker',
  registry: 'registry',
  command: 'cmd/dockerd',
} as const;
const remotes2 = 'github.com/containerd/containerd/v2/core/remotes/docker';
const remotes1 = 'github.com/containerd/containerd/remotes/docker';

/** Oldest first. */
export const dockerLines: readonly DockerLine[] = [
  { ...docker, ...before28('24.0.9') },
  { ...docker, ...before28('27.5.1'), hosts: 'daemon/daemon.go' },
  {
    ...docker,
    version: '28.5.2',
    moduleVersion: 'v28.5.2+incompatible',
    hosts: 'daemon/hosts.go',
    remotes: remotes2,
  },
  {
    version: '29.7.2',
    module: 'github.com/moby/moby/v2',
    // What comes after 29.7: the module has no release of its own.
    moduleVersion: 'v2.0.0-beta.24',
    registry: 'daemon/pkg/registry',
    command: 'daemon/command',
    hosts: 'daemon/hosts.go',
    remotes: remotes2,
  },
];

function before28(version: string) {
  const moduleVersion = `v${version}+incompatible`;
  return { version, moduleVersion, remotes: remotes1 };
}
