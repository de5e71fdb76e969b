module slipway.dev/test/toml

go 1.24

require github.com/pelletier/go-toml v1.9.5
