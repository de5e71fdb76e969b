// Runs containerd's own reading of host directories, and its resolver, on cases from standard input:
// one JSON object a line in, one result a line out. The transport records requests and sends none.
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/containerd/containerd/v2/core/remotes/docker"
	"github.com/containerd/containerd/v2/core/remotes/docker/config"
	"github.com/containerd/errdefs"
)

type question struct {
	Files     map[string]string `json:"files"`
	Reference string            `json:"reference"`
	Registry  string            `json:"registry"`
	Roots     []string          `json:"roots"`
	Answers   map[string]int    `json:"answers"`
	PlainHTTP []string          `json:"plainHttp"`
}

type endpoint struct {
	Base         string   `json:"base"`
	Capabilities []string `json:"capabilities"`
	SkipVerify   bool     `json:"skipVerify"`
	HTTPSFirst   bool     `json:"httpsFirst"`
}

type answer struct {
	Error        string     `json:"error,omitempty"`
	Endpoints    []endpoint `json:"endpoints,omitempty"`
	Requests     []string   `json:"requests,omitempty"`
	ResolveError string     `json:"resolveError,omitempty"`
}

type recorder struct {
	question   *question
	requests   *[]string
	skipVerify bool
}

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	*r.requests = append(*r.requests, request.Method+" "+request.URL.String())
	host := request.URL.Host
	if request.URL.Scheme == "https" && slices.Contains(r.question.PlainHTTP, host) {
		return nil, tls.RecordHeaderError{RecordHeader: [5]byte{'H', 'T', 'T', 'P', '/'}}
	}
	status, ok := r.question.Answers[host]
	if !ok {
		status = r.question.Answers["others"]
	}
	if status == 0 {
		return nil, errors.New("dial tcp: connection refused")
	}
	return &http.Response{
		StatusCode: status,
		Status:     fmt.Sprintf("%d %s", status, http.StatusText(status)),
		Header:     http.Header{},
		Body:       io.NopCloser(strings.NewReader("")),
		Request:    request,
	}, nil
}

func solve(q *question) (result answer) {
	folder, err := os.MkdirTemp("", "hosts")
	if err != nil {
		return answer{Error: err.Error()}
	}
	defer os.RemoveAll(folder)
	if err := os.Chdir(folder); err != nil {
		return answer{Error: err.Error()}
	}
	for path, content := range q.Files {
		os.MkdirAll(filepath.Dir(path), 0o755)
		if !strings.HasSuffix(path, "/") {
			os.WriteFile(path, []byte(content), 0o644)
		}
	}
	var requests []string
	hosts := config.ConfigureHosts(context.Background(), config.HostOptions{
		HostDir: func(host string) (directory string, err error) {
			for _, root := range q.Roots {
				directory, err = config.HostDirFromRoot(root)(host)
				if (err != nil && !errdefs.IsNotFound(err)) || directory != "" {
					return directory, err
				}
			}
			return directory, err
		},
		UpdateClient: func(client *http.Client) error {
			r := &recorder{question: q, requests: &requests}
			if transport, ok := client.Transport.(*http.Transport); ok && transport.TLSClientConfig != nil {
				r.skipVerify = transport.TLSClientConfig.InsecureSkipVerify
			}
			client.Transport = r
			return nil
		},
	})
	found, err := hosts(q.Registry)
	if err != nil {
		return answer{Error: err.Error()}
	}
	for _, host := range found {
		result.Endpoints = append(result.Endpoints, describe(host))
	}
	resolver := docker.NewResolver(docker.ResolverOptions{Hosts: hosts})
	if _, _, err := resolver.Resolve(context.Background(), q.Reference); err != nil {
		result.ResolveError = err.Error()
	}
	result.Requests = requests
	return result
}

func describe(host docker.RegistryHost) endpoint {
	e := endpoint{Base: host.Scheme + "://" + host.Host + host.Path, Capabilities: []string{}}
	names := []string{"pull", "resolve", "push"}
	for i, capability := range []docker.HostCapabilities{docker.HostCapabilityPull, docker.HostCapabilityResolve, docker.HostCapabilityPush} {
		if host.Capabilities.Has(capability) {
			e.Capabilities = append(e.Capabilities, names[i])
		}
	}
	// The fallback to HTTP wraps the recorder, so its settings cannot be seen there.
	if r, ok := host.Client.Transport.(*recorder); ok {
		e.SkipVerify = r.skipVerify
	} else {
		e.HTTPSFirst = true
	}
	return e
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<24)
	encoder := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			panic(err)
		}
		encoder.Encode(solve(&q))
	}
}
