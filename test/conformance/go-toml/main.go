// Says of each text on standard input (base64, one a line) whether the two TOML libraries that
// containerd reads its files with accept it: one JSON pair [go-toml 1, go-toml 2] a line.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"

	v1 "github.com/pelletier/go-toml"
	v2 "github.com/pelletier/go-toml/v2"
)

func one(text []byte) (ok bool) {
	// Version 1 panics on some texts instead of returning an error; containerd then dies of it.
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	_, err := v1.LoadBytes(text)
	return err == nil
}

func two(text []byte) bool {
	return v2.Unmarshal(text, &map[string]any{}) == nil
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<24)
	encoder := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		text, err := base64.StdEncoding.DecodeString(lines.Text())
		if err != nil {
			panic(err)
		}
		encoder.Encode([]bool{one(text), two(text)})
	}
}
