/**
 * Which foreign programs the real-tool scenarios build from Go modules, and how.
 * Each set is a folder of test/fixtures/go with a committed go.mod and go.sum.
 */

/** One set of programs that are built together. */
export interface ToolSet {
  /** Program name → Go package. */
  readonly programs: Readonly<Record<string, string>>;
  /** Go build tags. */
  readonly tags?: readonly string[];
  /** Go variables set at link time: the version that the program reports. */
  readonly variables?: Readonly<Record<string, string>>;
}

const kubernetes = 'k8s.io/kubernetes/cmd';
const containerd = 'github.com/containerd/containerd/v2';

/** Kubernetes asks for this version of itself and of what belongs to it. */
export const kubernetesVersion = 'v1.34.3';

/** containerd 2.1, the line that the scenarios pull with. */
export const containerdVersion = 'v2.1.9';

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
    tags: ['no_btrfs', 'no_devmapper', 'no_zfs'],
    variables: { [`${containerd}/version.Version`]: containerdVersion },
  },
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
