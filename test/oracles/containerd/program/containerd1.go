// containerd 1.x.
//go:build containerd1

package main

import (
	"github.com/containerd/containerd/remotes"
	"github.com/containerd/containerd/remotes/docker"
	"github.com/containerd/containerd/remotes/docker/config"
	"github.com/containerd/errdefs"
)

type (
	registryHost   = docker.RegistryHost
	registryHosts  = docker.RegistryHosts
	hostOptions    = config.HostOptions
	remoteResolver = remotes.Resolver
)

var (
	configureHosts  = config.ConfigureHosts
	hostDirFromRoot = config.HostDirFromRoot
	isNotFound      = errdefs.IsNotFound
	capabilities    = []docker.HostCapabilities{docker.HostCapabilityPull, docker.HostCapabilityResolve, docker.HostCapabilityPush}
)

func newResolver(hosts registryHosts) remoteResolver {
	return docker.NewResolver(docker.ResolverOptions{Hosts: hosts})
}
