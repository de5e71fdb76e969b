// Reads each text on standard input (base64, one a line) with one of Go's TOML libraries and says what it
// is: one line of JSON each, [] for a text that is refused, else [value]. Build tags choose the library.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"math"
	"os"
	"reflect"
	"strconv"
)

// plain gives each value its type: whole numbers and floats are told apart, of dates only that they are some.
func plain(value any) any {
	switch v := value.(type) {
	case nil:
		return nil
	case string:
		return v
	case bool:
		return v
	case int64:
		return map[string]any{"integer": strconv.FormatInt(v, 10)}
	case uint64:
		return map[string]any{"integer": strconv.FormatUint(v, 10)}
	case float64:
		if math.IsNaN(v) {
			return map[string]any{"float": "NaN"}
		}
		return map[string]any{"float": strconv.FormatFloat(v, 'g', -1, 64)}
	}
	list := reflect.ValueOf(value)
	switch list.Kind() {
	case reflect.Slice:
		items := make([]any, list.Len())
		for i := range items {
			items[i] = plain(list.Index(i).Interface())
		}
		return map[string]any{"list": items}
	case reflect.Map:
		items := map[string]any{}
		for _, key := range list.MapKeys() {
			items[key.String()] = plain(list.MapIndex(key).Interface())
		}
		return map[string]any{"table": items}
	}
	return map[string]any{"date": true}
}

func answer(text []byte) (result []any) {
	// A library that panics takes the program down with it: the file is not read either.
	defer func() {
		if recover() != nil {
			result = []any{}
		}
	}()
	value, err := read(text)
	if err != nil {
		return []any{}
	}
	return []any{plain(value)}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		text, err := base64.StdEncoding.DecodeString(lines.Text())
		if err != nil {
			panic(err)
		}
		if err := encoder.Encode(answer(text)); err != nil {
			panic(err)
		}
	}
}
