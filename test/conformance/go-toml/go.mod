module slipway.dev/test/go-toml

go 1.24

require (
	github.com/pelletier/go-toml v1.9.5
	github.com/pelletier/go-toml/v2 v2.2.4
)
