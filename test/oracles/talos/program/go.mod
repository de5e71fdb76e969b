module github.com/siderolabs/talos/slipway-oracle

go 1.26.0
