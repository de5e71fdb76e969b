//go:build gotoml2

package main

import "github.com/pelletier/go-toml/v2"

func read(text []byte) (any, error) {
	value := map[string]any{}
	err := toml.Unmarshal(text, &value)
	return value, err
}
