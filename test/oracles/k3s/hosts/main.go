// Resolves references with the resolver of the containerd that k3s brings, over host directories from standard
// input: one JSON object a line in, the requests of one resolve a line out. Nothing is sent.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/containerd/containerd/v2/core/remotes/docker"
	"github.com/containerd/containerd/v2/core/remotes/docker/config"
)

type question struct {
	Files     map[string]string `json:"files"`
	Reference string            `json:"reference"`
}

type answer struct {
	Error    string   `json:"error,omitempty"`
	Requests []string `json:"requests"`
}

type recorder struct{ requests *[]string }

func (r recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	*r.requests = append(*r.requests, request.Method+" "+request.URL.String())
	return &http.Response{
		StatusCode: http.StatusNotFound,
		Status:     "404 Not Found",
		Header:     http.Header{},
		Body:       io.NopCloser(strings.NewReader("")),
		Request:    request,
	}, nil
}

func solve(q question) (result answer) {
	folder, err := os.MkdirTemp("", "hosts")
	if err != nil {
		return answer{Error: err.Error()}
	}
	defer os.RemoveAll(folder)
	for path, text := range q.Files {
		file := filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return answer{Error: err.Error()}
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return answer{Error: err.Error()}
		}
	}
	ctx := context.Background()
	configured := config.ConfigureHosts(ctx, config.HostOptions{HostDir: config.HostDirFromRoot(folder)})
	hosts := func(name string) ([]docker.RegistryHost, error) {
		found, err := configured(name)
		for i := range found {
			found[i].Client = &http.Client{Transport: recorder{&result.Requests}}
		}
		return found, err
	}
	_, _, err = docker.NewResolver(docker.ResolverOptions{Hosts: hosts}).Resolve(ctx, q.Reference)
	if err != nil {
		result.Error = err.Error()
	}
	return result
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			panic(err)
		}
		if err := out.Encode(solve(q)); err != nil {
			panic(err)
		}
	}
}
