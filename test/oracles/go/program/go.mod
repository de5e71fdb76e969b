module slipway/oracles/go

go 1.26.0
