module slipway.dev/test/toml

go 1.24
