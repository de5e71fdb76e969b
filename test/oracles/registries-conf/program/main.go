// Says what containers/image makes of configurations: one JSON world with its names a line in, one answer a line out.
package main

import (
	"bufio"
	_ "crypto/sha512" // as in every program that speaks TLS; else digests of that kind are refused
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"go.podman.io/image/v5/docker/reference"
	"go.podman.io/image/v5/pkg/docker/config"
	"go.podman.io/image/v5/pkg/shortnames"
	"go.podman.io/image/v5/pkg/sysregistriesv2"
	"go.podman.io/image/v5/types"
)

// World has the files of a node (path -> base64) and the names that are pulled there.
type World struct {
	Files map[string]string `json:"files"`
	Mode  string            `json:"mode"`
	Names []string          `json:"names"`
}

type Source struct {
	Ref      string `json:"ref"`
	Insecure bool   `json:"insecure"`
	Blocked  string `json:"blocked,omitempty"`
	User     string `json:"user,omitempty"`
	Error    string `json:"error,omitempty"`
}

type Candidate struct {
	Name    string   `json:"name"`
	Prefix  *string  `json:"prefix"`
	Sources []Source `json:"sources,omitempty"`
	Error   string   `json:"error,omitempty"`
}

type Answer struct {
	Candidates []Candidate `json:"candidates,omitempty"`
	Error      string      `json:"error,omitempty"`
}

func main() {
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "DOCKER_CONFIG"} {
		os.Unsetenv(name)
	}
	// The library asks for the home of its user once, so all worlds are put into one folder.
	root, err := os.MkdirTemp("", "registries-conf-")
	must(err)
	defer os.RemoveAll(root)
	must(os.Setenv("HOME", filepath.Join(root, "root")))
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		var world World
		must(json.Unmarshal(lines.Bytes(), &world))
		must(encoder.Encode(answer(root, world)))
	}
	must(lines.Err())
}

func answer(root string, world World) []Answer {
	names, err := os.ReadDir(root)
	must(err)
	for _, name := range names {
		must(os.RemoveAll(filepath.Join(root, name.Name())))
	}
	for path, content := range world.Files {
		text, err := base64.StdEncoding.DecodeString(content)
		must(err)
		place := filepath.Join(root, path)
		must(os.MkdirAll(filepath.Dir(place), 0o755))
		must(os.WriteFile(place, text, 0o600))
	}
	sysregistriesv2.InvalidateCache()
	sys := &types.SystemContext{
		RootForImplicitAbsolutePaths: root,
		UserShortNameAliasConfPath:   filepath.Join(root, "var/cache/containers/short-name-aliases.conf"),
		ShortNameMode:                mode(world.Mode),
	}
	answers := []Answer{}
	for _, name := range world.Names {
		one := pull(sys, name)
		answers = append(answers, one)
	}
	text, err := json.Marshal(answers)
	must(err)
	var shown []Answer
	must(json.Unmarshal([]byte(strings.ReplaceAll(string(text), root, "")), &shown))
	return shown
}

func mode(name string) *types.ShortNameMode {
	modes := map[string]types.ShortNameMode{
		"enforcing": types.ShortNameModeEnforcing,
		"disabled":  types.ShortNameModeDisabled,
	}
	if found, ok := modes[name]; ok {
		return &found
	}
	return nil
}

func pull(sys *types.SystemContext, name string) Answer {
	if _, err := sysregistriesv2.GetRegistries(sys); err != nil {
		return Answer{Error: err.Error()}
	}
	resolved, err := shortnames.Resolve(sys, name)
	if err != nil {
		return Answer{Error: err.Error()}
	}
	all := Answer{}
	for _, candidate := range resolved.PullCandidates {
		all.Candidates = append(all.Candidates, sourcesOf(sys, withoutTagBesideDigest(candidate.Value)))
	}
	return all
}

// As CRI-O (references.RegistryImageReferenceFromRaw) and podman (normalizeTaggedDigestedString) do.
func withoutTagBesideDigest(named reference.Named) reference.Named {
	digested, isDigested := named.(reference.Digested)
	if _, isTagged := named.(reference.Tagged); !isTagged || !isDigested {
		return named
	}
	bare, err := reference.WithDigest(reference.TrimNamed(named), digested.Digest())
	must(err)
	return bare
}

func sourcesOf(sys *types.SystemContext, named reference.Named) Candidate {
	found := Candidate{Name: named.String()}
	registry, err := sysregistriesv2.FindRegistry(sys, named.Name())
	must(err)
	if registry == nil {
		found.Sources = []Source{source(sys, named, false)}
		return found
	}
	found.Prefix = &registry.Prefix
	sources, err := registry.PullSourcesFromReference(named)
	if err != nil {
		found.Error = err.Error()
		return found
	}
	for _, one := range sources {
		found.Sources = append(found.Sources, source(sys, one.Reference, one.Endpoint.Insecure))
	}
	return found
}

// What docker/docker_client.go, newDockerClientFromRef, asks of the configuration for one source.
func source(sys *types.SystemContext, named reference.Named, insecure bool) Source {
	shown := Source{Ref: named.String(), Insecure: insecure}
	login, err := config.GetCredentialsForRef(sys, named)
	if err != nil {
		shown.Error = err.Error()
		return shown
	}
	shown.User = login.Username
	registry, err := sysregistriesv2.FindRegistry(sys, named.Name())
	must(err)
	if registry != nil && registry.Blocked {
		shown.Blocked = registry.Prefix
	}
	return shown
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
