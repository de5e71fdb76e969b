module oracle

go 1.26.3

require (
	github.com/containerd/containerd/v2 v2.3.4
	github.com/distribution/reference v0.6.0
	go.podman.io/image/v5 v5.38.0
)

require (
	github.com/opencontainers/go-digest v1.0.0 // indirect
	go.podman.io/storage v1.61.0 // indirect
)
