module slipway.dev/test/go-tls

go 1.24.2
