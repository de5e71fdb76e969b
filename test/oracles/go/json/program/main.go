// Reads manifests, indexes and configurations with containerd's own code: one JSON object a line in,
// what it would pull next, or its error, a line out.
package main

import (
	"bufio"
	"bytes"
	"context"
	_ "crypto/sha256"
	"encoding/json"
	"fmt"
	"os"

	"github.com/containerd/containerd/v2/core/content"
	"github.com/containerd/containerd/v2/core/images"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

type question struct {
	Kind  string `json:"kind"`
	Bytes []byte `json:"bytes"`
}

type answer struct {
	Error string   `json:"error"`
	Parts []string `json:"parts"`
}

type memory []byte

type readerAt struct{ *bytes.Reader }

func (readerAt) Close() error { return nil }

func (m memory) ReaderAt(context.Context, ocispec.Descriptor) (content.ReaderAt, error) {
	return readerAt{bytes.NewReader(m)}, nil
}

var types = map[string]string{
	"manifest": ocispec.MediaTypeImageManifest,
	"index":    ocispec.MediaTypeImageIndex,
}

func solve(q *question) (a answer) {
	a.Parts = []string{}
	if q.Kind == "config" {
		var image ocispec.Image
		if err := json.Unmarshal(q.Bytes, &image); err != nil {
			return answer{Error: err.Error(), Parts: a.Parts}
		}
		a.Parts = append(a.Parts, image.OS, image.Architecture, image.Variant)
		for _, id := range image.RootFS.DiffIDs {
			a.Parts = append(a.Parts, id.String())
		}
		return a
	}
	descriptor := ocispec.Descriptor{
		MediaType: types[q.Kind],
		Digest:    digest.FromBytes(q.Bytes),
		Size:      int64(len(q.Bytes)),
	}
	children, err := images.Children(context.Background(), memory(q.Bytes), descriptor)
	if err != nil {
		return answer{Error: err.Error(), Parts: a.Parts}
	}
	for _, child := range children {
		a.Parts = append(a.Parts, fmt.Sprintf("%s %d %s %d", child.Digest, child.Size, child.MediaType, len(child.Data)))
	}
	return a
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
