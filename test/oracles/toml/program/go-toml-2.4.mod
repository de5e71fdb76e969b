module slipway.dev/test/toml

go 1.24

require github.com/pelletier/go-toml/v2 v2.4.3
