// Says what CRI-O reads in its own configuration: the files of a node (path -> text) a line in, one answer a line out.
// The name of the module lies below CRI-O's own, as that of test/oracles/talos.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/cri-o/cri-o/pkg/config"
	"github.com/sirupsen/logrus"
)

type Answer struct {
	Error string `json:"error,omitempty"`
	Auth  string `json:"auth,omitempty"`
	Pause string `json:"pause,omitempty"`
}

func main() {
	logrus.SetOutput(io.Discard)
	root, err := os.MkdirTemp("", "crio-config-")
	must(err)
	defer os.RemoveAll(root)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		var files map[string]string
		must(json.Unmarshal(lines.Bytes(), &files))
		must(os.RemoveAll(filepath.Join(root, "etc")))
		for path, text := range files {
			place := filepath.Join(root, path)
			must(os.MkdirAll(filepath.Dir(place), 0o755))
			must(os.WriteFile(place, []byte(text), 0o600))
		}
		found := read(root)
		found.Error = strings.ReplaceAll(found.Error, root, "")
		must(encoder.Encode(found))
	}
	must(lines.Err())
}

// As internal/criocli does before it looks at flags.
func read(root string) Answer {
	settings, err := config.DefaultConfig()
	must(err)
	usual := settings.PauseImage
	main := filepath.Join(root, "etc/crio/crio.conf")
	if _, err := os.Stat(main); err == nil {
		if err := settings.UpdateFromFile(context.Background(), main); err != nil {
			return Answer{Error: err.Error()}
		}
	}
	if err := settings.UpdateFromPath(context.Background(), filepath.Join(root, "etc/crio/crio.conf.d")); err != nil {
		return Answer{Error: err.Error()}
	}
	found := Answer{Auth: settings.GlobalAuthFile}
	if settings.PauseImage != usual {
		found.Pause = settings.PauseImage
	}
	return found
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
