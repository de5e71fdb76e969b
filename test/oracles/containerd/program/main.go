// Runs containerd's own reading of host directories, and its resolver and fetcher, on cases from
// standard input: one JSON object a line in, one answer a line out. Nothing is sent: see world.go.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// The folder that stands for the same one on a node.
const nodeFolder = "/etc/"

type question struct {
	// Absolute paths of a node; a name with a slash at its end is an empty folder.
	Files     map[string]string    `json:"files"`
	Roots     []string             `json:"roots"`
	Registry  string               `json:"registry"`
	Reference string               `json:"reference"`
	Logins    map[string][2]string `json:"logins"`
	World     world                `json:"world"`
}

type endpoint struct {
	Base         string   `json:"base"`
	Capabilities []string `json:"capabilities"`
}

type answer struct {
	// Why no endpoint could be computed.
	Refused   string     `json:"refused,omitempty"`
	Endpoints []endpoint `json:"endpoints,omitempty"`
	Steps     []step     `json:"steps,omitempty"`
}

// step is one operation: resolving the name, or fetching one piece of content.
type step struct {
	What     string    `json:"what"`
	Requests []request `json:"requests"`
	Error    string    `json:"error,omitempty"`
}

func solve(q *question) answer {
	folder, err := os.MkdirTemp("", "oracle-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	// Paths in configurations and in messages are those of the node.
	inside := func(text string) string { return strings.ReplaceAll(text, nodeFolder, folder+nodeFolder) }
	outside := func(text string) string { return strings.ReplaceAll(text, folder, "") }
	for path, content := range q.Files {
		place := inside(path)
		if strings.HasSuffix(path, "/") {
			must(os.MkdirAll(place, 0o755))
			continue
		}
		must(os.MkdirAll(filepath.Dir(place), 0o755))
		must(os.WriteFile(place, []byte(inside(content)), 0o644))
	}
	r := &recorder{world: &q.World, used: map[int]int{}}
	hosts := configureHosts(context.Background(), hostOptions{
		HostDir: func(host string) (directory string, err error) {
			for _, root := range q.Roots {
				directory, err = hostDirFromRoot(inside(root))(host)
				if (err != nil && !isNotFound(err)) || directory != "" {
					return directory, err
				}
			}
			return directory, err
		},
		Credentials: func(host string) (string, string, error) {
			login := q.Logins[host]
			return login[0], login[1], nil
		},
		UpdateClient: func(client *http.Client) error {
			transport, _ := client.Transport.(*http.Transport)
			if recording, ok := client.Transport.(*recording); ok {
				transport = recording.transport
			}
			client.Transport = &recording{recorder: r, transport: transport}
			return nil
		},
	})
	found, err := hosts(q.Registry)
	if err != nil {
		return answer{Refused: outside(err.Error())}
	}
	var result answer
	for _, host := range found {
		result.Endpoints = append(result.Endpoints, describe(host))
	}
	result.Steps = append(pull(hosts, q, r), push(hosts, q, r))
	for i := range result.Steps {
		result.Steps[i].Error = outside(result.Steps[i].Error)
	}
	return result
}

// pull does what containerd's client does: resolve, then fetch the manifest and what it lists.
func pull(hosts registryHosts, q *question, r *recorder) []step {
	ctx := context.Background()
	resolver := newResolver(hosts)
	steps := []step{}
	note := func(what string, err error) bool {
		s := step{What: what, Requests: r.take()}
		if err != nil {
			s.Error = err.Error()
		}
		steps = append(steps, s)
		return err == nil
	}
	name, found, err := resolver.Resolve(ctx, q.Reference)
	if !note("resolve", err) {
		return steps
	}
	fetcher, err := resolver.Fetcher(ctx, name)
	if !note("fetcher", err) {
		return steps
	}
	steps = steps[:1]
	for _, piece := range q.World.Contents {
		if piece.MediaType == ocispec.MediaTypeImageManifest && piece.Digest != found.Digest.String() {
			continue
		}
		content := ocispec.Descriptor{MediaType: piece.MediaType, Digest: digest.Digest(piece.Digest), Size: int64(len(piece.bytes()))}
		reader, err := fetcher.Fetch(ctx, content)
		if err == nil {
			_, err = io.Copy(io.Discard, reader)
			reader.Close()
		}
		if err != nil {
			err = errors.New(plainError(err.Error()))
		}
		if !note(piece.What, err) {
			break
		}
	}
	return steps
}

// push asks for the upload of the last piece; whatever comes of it, only its requests count.
func push(hosts registryHosts, q *question, r *recorder) step {
	ctx := context.Background()
	pusher, err := newResolver(hosts).Pusher(ctx, q.Reference)
	must(err)
	last := q.World.Contents[len(q.World.Contents)-1]
	writer, err := pusher.Push(ctx, ocispec.Descriptor{MediaType: last.MediaType, Digest: digest.Digest(last.Digest), Size: int64(len(last.bytes()))})
	if err == nil {
		writer.Close()
	}
	return step{What: "push", Requests: r.take()}
}

var mediaTypes = regexp.MustCompile(`content descriptor (\S+) \([^)]*\)`)

// plainError leaves out what the reader of the content adds, and media types.
func plainError(text string) string {
	text = strings.TrimPrefix(text, "httpReadSeeker: failed open: ")
	return mediaTypes.ReplaceAllString(text, "content $1")
}

func describe(host registryHost) endpoint {
	e := endpoint{Base: host.Scheme + "://" + host.Host + host.Path, Capabilities: []string{}}
	names := []string{"pull", "resolve", "push"}
	for i, capability := range capabilities {
		if host.Capabilities.Has(capability) {
			e.Capabilities = append(e.Capabilities, names[i])
		}
	}
	return e
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Some versions wait before they repeat a request, so many cases are under way at a time.
const workers = 8

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<24)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	encoder := json.NewEncoder(output)
	encoder.SetEscapeHTML(false)
	pending := make(chan chan answer, workers)
	go func() {
		defer close(pending)
		for lines.Scan() {
			q := &question{}
			must(json.Unmarshal(lines.Bytes(), q))
			result := make(chan answer, 1)
			pending <- result
			go func() { result <- safely(q) }()
		}
	}()
	for result := range pending {
		must(encoder.Encode(<-result))
	}
}

// safely answers also where containerd itself panics.
func safely(q *question) (result answer) {
	defer func() {
		if p := recover(); p != nil {
			result = answer{Refused: fmt.Sprintf("PANIC: %v", p)}
		}
	}()
	return solve(q)
}
