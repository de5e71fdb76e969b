module slipway.dev/test/k3s-readers

go 1.26.3

require gopkg.in/yaml.v2 v2.4.0
