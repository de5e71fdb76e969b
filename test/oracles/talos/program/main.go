// Says what Talos makes of machine configurations: one JSON text of a configuration a line in, one answer a line out.
// The name of the module lies below Talos's own, so that Go lets it use Talos's internal packages.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/siderolabs/talos/internal/pkg/containers/cri/containerd"
	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
)

const hostsFolder = "/etc/cri/conf.d/hosts"

type Answer struct {
	// Why the configuration is not read at all.
	Unread string `json:"unread,omitempty"`
	// What validation says against its registries.
	Invalid string `json:"invalid,omitempty"`
	// Why no files are made of it.
	NotMade string `json:"notMade,omitempty"`
	// Below the folder of hosts, path -> text.
	Hosts map[string]string `json:"hosts,omitempty"`
	Part  string            `json:"part,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		var text string
		must(json.Unmarshal(lines.Bytes(), &text))
		must(encoder.Encode(answer(text)))
	}
	must(lines.Err())
}

func answer(text string) (found Answer) {
	provider, err := load(text)
	if err != nil {
		return Answer{Unread: err.Error()}
	}
	if invalid := validate(provider); len(invalid) > 0 {
		return Answer{Invalid: strings.Join(invalid, "\n")}
	}
	defer func() {
		if reason := recover(); reason != nil {
			found = Answer{NotMade: fmt.Sprintf("PANIC: %v", reason)}
		}
	}()
	hosts, part, err := generate(provider)
	if err != nil {
		return Answer{NotMade: err.Error()}
	}
	return Answer{Hosts: hosts, Part: part}
}

func load(text string) (provider config.Provider, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("PANIC: %v", reason)
		}
	}()
	return configloader.NewFromBytes([]byte(text))
}

type mode struct{}

func (mode) String() string        { return "metal" }
func (mode) RequiresInstall() bool { return false }
func (mode) InContainer() bool     { return false }

// Of the main document only what validation says about registries: the cases have nothing else.
func validate(provider config.Provider) (invalid []string) {
	defer func() {
		if reason := recover(); reason != nil {
			invalid = append(invalid, fmt.Sprintf("PANIC: %v", reason))
		}
	}()
	for _, document := range provider.Documents() {
		validator, ok := document.(interface{ validator })
		if !ok {
			continue
		}
		_, err := validator.Validate(mode{})
		if err == nil {
			continue
		}
		for _, line := range strings.Split(err.Error(), "\n") {
			if document.Kind() != "v1alpha1" || strings.Contains(line, "registries.") {
				invalid = append(invalid, strings.TrimLeft(line, "\t* "))
			}
		}
	}
	return invalid
}

func generate(provider config.Provider) (map[string]string, string, error) {
	registries := registriesOf(provider)
	part, err := containerd.GenerateCRIConfig(registries)
	if err != nil {
		return nil, "", err
	}
	made, err := containerd.GenerateHosts(registries, hostsFolder)
	if err != nil {
		return nil, "", err
	}
	files := map[string]string{}
	for folder, directory := range made.Directories {
		for _, file := range directory.Files {
			files[path.Join(folder, file.Name)] = string(file.Contents)
		}
	}
	return files, string(part), nil
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
