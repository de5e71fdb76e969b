// Prints what containerd's main configuration may hold, as Go's types have it: the keys at the top,
// and for every registered plugin the type of its settings, or null.
package main

import (
	"encoding"
	"encoding/json"
	"os"
	"reflect"
	"strings"

	_ "github.com/containerd/containerd/v2/cmd/containerd/builtins"
	"github.com/containerd/containerd/v2/cmd/containerd/server/config"
	"github.com/containerd/plugin"
	"github.com/containerd/plugin/registry"
)

var textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()

func describe(t reflect.Type) any {
	// The only such type in containerd's settings is a duration.
	if reflect.PointerTo(t).Implements(textUnmarshaler) {
		return "duration"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return describe(t.Elem())
	case reflect.Struct:
		keys := map[string]any{}
		addFields(t, keys)
		return keys
	case reflect.Map:
		return map[string]any{"*": describe(t.Elem())}
	case reflect.Slice:
		return []any{describe(t.Elem())}
	case reflect.Interface:
		return "any"
	}
	return t.Kind().String()
}

func addFields(t reflect.Type, keys map[string]any) {
	for i := range t.NumField() {
		field := t.Field(i)
		name := strings.Split(field.Tag.Get("toml"), ",")[0]
		switch {
		case field.Anonymous && name == "" && field.Type.Kind() == reflect.Struct:
			addFields(field.Type, keys)
		case field.IsExported() && name != "-":
			if name == "" {
				name = field.Name
			}
			keys[name] = describe(field.Type)
		}
	}
}

func main() {
	settings := map[string]any{}
	for _, r := range registry.Graph(func(*plugin.Registration) bool { return false }) {
		settings[r.URI()] = nil
		if r.Config != nil {
			settings[r.URI()] = describe(reflect.TypeOf(r.Config))
		}
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"keys":     describe(reflect.TypeFor[config.Config]()),
		"settings": settings,
	})
}
