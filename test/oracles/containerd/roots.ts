/** The directories of the cases. */

export const firstRoot = '/etc/containerd/certs.d';
export const secondRoot = '/etc/docker/certs.d';
