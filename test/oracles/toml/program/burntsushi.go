//go:build burntsushi

package main

import "github.com/BurntSushi/toml"

func read(text []byte) (any, error) {
	var value map[string]any
	_, err := toml.Decode(string(text), &value)
	return value, err
}
