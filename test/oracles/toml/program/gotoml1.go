//go:build gotoml1

package main

import "github.com/pelletier/go-toml"

func read(text []byte) (any, error) {
	tree, err := toml.LoadBytes(text)
	if err != nil {
		return nil, err
	}
	return tree.ToMap(), nil
}
