// Reads one JSON string a line and writes what the real parsers make of it, one JSON object a line.
// A refusal is written as "refused: " with the parser's text.
package main

import (
	"bufio"
	_ "crypto/sha256"
	_ "crypto/sha512"
	"encoding/json"
	"log"
	"os"
	"strings"

	ctr "github.com/containerd/containerd/v2/pkg/reference"
	docker "github.com/distribution/reference"
	podman "go.podman.io/image/v5/docker/reference"
)

type answer map[string]string

func (a answer) put(parser string, err error, text func() string) {
	if err != nil {
		a[parser] = "refused: " + err.Error()
	} else {
		a[parser] = text()
	}
}

func ask(input string) answer {
	a := answer{"input": input}
	full, err := docker.ParseNormalizedNamed(input)
	a.put("docker", err, func() string { return docker.Domain(full) + " " + full.String() })
	a.put("familiar", err, func() string { return docker.FamiliarString(full) })
	pull, err := docker.ParseDockerRef(input)
	a.put("pull", err, func() string { return pull.String() })
	plain, err := docker.Parse(input)
	a.put("plain", err, func() string { return plain.String() })
	either, err := docker.ParseAnyReference(input)
	a.put("any", err, func() string { return either.String() })
	pod, err := podman.ParseNormalizedNamed(input)
	a.put("podman", err, func() string { return pod.String() })
	spec, err := ctr.Parse(input)
	a.put("ctr", err, func() string {
		return strings.Join([]string{spec.Hostname(), strings.TrimPrefix(spec.Locator, spec.Hostname()+"/"), spec.Object}, " ")
	})
	return a
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var input string
		if err := json.Unmarshal(lines.Bytes(), &input); err != nil {
			log.Fatal(err)
		}
		if err := out.Encode(ask(input)); err != nil {
			log.Fatal(err)
		}
	}
}
