/**
 * Which foreign programs the real-tool scenarios build from Go modules, and how.
 * Each set is a folder, usually of test/fixtures/go, with a committed go.mod and go.sum.
 */

/** One set of programs that are built together. */
export interface ToolSet {
  /** Program name → Go package. */
  readonly programs: Readonly<Record<string, string>>;
  /** Go build tags. */
  readonly tags?: readonly string[];
  /** Go variables set at link time: the version that the program reports. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Where the module lies, below test/; else test/fixtures/go and the name of the set. */
  readonly folder?: string;
  /** The file in it that is read in place of go.mod: `2.0.mod`, with `2.0.sum` beside it. */
  readonly modfile?: string;
}

const kubernetes = 'k8s.io/kubernetes/cmd';
const containerd = 'github.com/containerd/containerd/v2';
const containerd1 = 'github.com/containerd/containerd';

/** Kubernetes asks for this version of itself and of what belongs to it. */
export const kubernetesVersion = 'v1.34.3';

/** Lines of containerd, oldest first, each in the version that is built from public Go modules. */
export const containerdVersions = {
  '1.7': 'v1.7.35',
  '2.0': 'v2.0.14',
  '2.1': 'v2.1.9',
  '2.2': 'v2.2.9',
  '2.3': 'v2.3.7',
  '2.4': 'v2.4.2',
} as const;

/** The name of a line: `2.1`. */
export type ContainerdLine = keyof typeof containerdVersions;

/** containerd 2.1, the line that the scenarios pull with. */
export const containerdVersion = containerdVersions['2.1'];

function kubernetesVariables(): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const home of ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']) {
    variables[`${home}.gitVersion`] = kubernetesVersion;
    variables[`${home}.gitMajor`] = '1';
    variables[`${home}.gitMinor`] = '34';
    variables[`${home}.gitTreeState`] = 'clean';
  }
  return variables;
}

const withoutDrivers = ['no_btrfs', 'no_devmapper', 'no_zfs'];
const oracle = { folder: 'oracles/containerd/program' };

/** The daemon and the resolver of one more line, for test/oracles/containerd. */
function containerdLine<Line extends ContainerdLine>(line: Line) {
  return {
    ...oracle,
    modfile: `${line}.mod`,
    programs: { oracle: '.', containerd: `${containerd}/cmd/containerd` },
    tags: withoutDrivers,
    variables: { [`${containerd}/version.Version`]: containerdVersions[line] },
  } as const;
}

/** Talos's own reading of one line, for test/oracles/talos. */
function talosLine<Line extends string>(line: Line) {
  return {
    folder: 'oracles/talos/program',
    modfile: `${line}.mod`,
    programs: { oracle: '.' },
    tags: [`talos${line}`],
  } as const;
}

/** One TOML library in one version, for test/oracles/toml. */
function tomlLibrary<Name extends string>(name: Name, tag: string) {
  return {
    folder: 'oracles/toml/program',
    modfile: `${name}.mod`,
    programs: { oracle: '.' },
    tags: [tag],
  } as const;
}

/** The library of podman and CRI-O, for test/oracles/registries-conf. */
const registriesConf = {
  folder: 'oracles/registries-conf/program',
  programs: { oracle: '.' },
  tags: ['containers_image_openpgp'],
} as const;

/** All sets, by the name of their folder; the slowest to build first. */
export const toolSets = {
  kubernetes: {
    programs: {
      'kube-apiserver': `${kubernetes}/kube-apiserver`,
      'kube-controller-manager': `${kubernetes}/kube-controller-manager`,
      'kube-scheduler': `${kubernetes}/kube-scheduler`,
      'kube-proxy': `${kubernetes}/kube-proxy`,
      kubeadm: `${kubernetes}/kubeadm`,
    },
    variables: kubernetesVariables(),
  },
  containerd: {
    programs: {
      containerd: `${containerd}/cmd/containerd`,
      'containerd-shim-runc-v2': `${containerd}/cmd/containerd-shim-runc-v2`,
      ctr: `${containerd}/cmd/ctr`,
    },
    tags: withoutDrivers,
    variables: { [`${containerd}/version.Version`]: containerdVersion },
  },
  'containerd-2.4': containerdLine('2.4'),
  'containerd-2.3': containerdLine('2.3'),
  'containerd-2.2': containerdLine('2.2'),
  // The daemon is the one above.
  'containerd-2.1': { ...oracle, modfile: '2.1.mod', programs: { oracle: '.' } },
  'containerd-2.0': containerdLine('2.0'),
  'containerd-1.7': {
    ...oracle,
    modfile: '1.7.mod',
    programs: { oracle: '.', containerd: `${containerd1}/cmd/containerd` },
    tags: [...withoutDrivers, 'containerd1'],
    variables: { [`${containerd1}/version.Version`]: containerdVersions['1.7'] },
  },
  'talos-1.11': talosLine('1.11'),
  'talos-1.12': talosLine('1.12'),
  'cri-o': {
    folder: 'oracles/cri-o/program',
    programs: { oracle: '.' },
    tags: ['containers_image_openpgp', 'exclude_graphdriver_btrfs', 'btrfs_noversion'],
  },
  'registries-conf': registriesConf,
  'registries-conf-toml-1.5': { ...registriesConf, modfile: 'toml-1.5.mod' },
  'main-config-types': {
    folder: 'oracles/containerd/main-config/describe',
    programs: { describe: '.' },
  },
  'go-values': { folder: 'oracles/go/program', programs: { oracle: '.' } },
  'go-json': { folder: 'oracles/go/json/program', programs: { oracle: '.' } },
  'go-tls': { folder: 'oracles/go/tls/program', programs: { oracle: '.' } },
  references: { folder: 'oracles/references/program', programs: { oracle: '.' } },
  'burntsushi-1.5': tomlLibrary('burntsushi-1.5', 'burntsushi'),
  'burntsushi-1.6': tomlLibrary('burntsushi-1.6', 'burntsushi'),
  'go-toml-1.9': tomlLibrary('go-toml-1.9', 'gotoml1'),
  'go-toml-2.2': tomlLibrary('go-toml-2.2', 'gotoml2'),
  'go-toml-2.3': tomlLibrary('go-toml-2.3', 'gotoml2'),
  'go-toml-2.4': tomlLibrary('go-toml-2.4', 'gotoml2'),
  'k3s-hosts': { folder: 'oracles/k3s/hosts', programs: { oracle: '.' } },
  'k3s-readers': { folder: 'oracles/k3s/readers', programs: { oracle: '.' } },
  crictl: { programs: { crictl: 'sigs.k8s.io/cri-tools/cmd/crictl' } },
  etcd: { programs: { etcd: 'go.etcd.io/etcd/server/v3' } },
  coredns: { programs: { coredns: 'github.com/coredns/coredns' } },
  helm: { programs: { helm: 'helm.sh/helm/v4/cmd/helm' } },
  oras: { programs: { oras: 'oras.land/oras/cmd/oras' } },
  crane: { programs: { crane: 'github.com/google/go-containerregistry/cmd/crane' } },
  'oci-conformance': {
    programs: { conformance: 'github.com/opencontainers/distribution-spec/conformance' },
  },
  pause: { programs: { pause: '.' } },
} as const satisfies Readonly<Record<string, ToolSet>>;

export type ToolSetName = keyof typeof toolSets;
