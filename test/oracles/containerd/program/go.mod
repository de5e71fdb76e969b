module slipway.dev/test/containerd-oracle

go 1.24.0
