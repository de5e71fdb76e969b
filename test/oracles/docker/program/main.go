// What Docker itself makes of a daemon.json, a certs.d and the name of a registry. Built inside a copy of
// Docker's own module (build-docker.ts), for it calls what other modules may not; the words MODULE_… stand
// for the packages of the version. One question a line on standard input, one answer a line.
package main

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"unsafe"

	remotes "MODULE_REMOTES"
	"MODULE_CONFIG"
	"MODULE_REGISTRY"
	"github.com/spf13/pflag"
)

// Daemon has the parts of Docker's own daemon that its RegistryHosts uses.
type Daemon struct {
	registryService *registry.Service
	configStore     *config.Config
}

type loaded struct{ Config config.Config }

func (daemon *Daemon) config() *loaded { return &loaded{*daemon.configStore} }

type question struct {
	Files      map[string]string   `json:"files"`
	Addresses  map[string][]string `json:"addresses"`
	Registries []string            `json:"registries"`
}

type endpoint struct {
	Base       string `json:"base"`
	Role       string `json:"role,omitempty"`
	Pushes     bool   `json:"pushes"`
	Referrers  bool   `json:"referrers"`
	SkipVerify bool   `json:"skipVerify"`
	OwnRoots   bool   `json:"ownRoots"`
	Clients    int    `json:"clients"`
	HTTPSFirst bool   `json:"httpsFirst"`
}

type lookup struct {
	Error     string     `json:"error,omitempty"`
	Endpoints []endpoint `json:"endpoints,omitempty"`
}

type pulled struct {
	Classic lookup `json:"classic"`
	Store   lookup `json:"store"`
}

type answer struct {
	Refused string   `json:"refused,omitempty"`
	Mirrors []string `json:"mirrors,omitempty"`
	Pulls   []pulled `json:"pulls,omitempty"`
}

func main() {
	home := os.Args[1]
	os.Setenv("XDG_CONFIG_HOME", home)
	etc := filepath.Join(home, "docker")
	in := bufio.NewReaderSize(os.Stdin, 1<<22)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked question
		if err := json.Unmarshal(line, &asked); err != nil {
			panic(err)
		}
		check(os.RemoveAll(etc))
		check(os.MkdirAll(etc, 0o755))
		for path, text := range asked.Files {
			place := filepath.Join(etc, path)
			check(os.MkdirAll(filepath.Dir(place), 0o755))
			check(os.WriteFile(place, []byte(fromLatin(text)), 0o644))
		}
		said, err := json.Marshal(answerTo(asked, etc))
		check(err)
		check(out.Encode(json.RawMessage(strings.ReplaceAll(string(said), etc, "/etc/docker"))))
	}
}

func answerTo(asked question, etc string) answer {
	setLookup(asked.Addresses)
	os.Unsetenv("ROOTLESSKIT_STATE_DIR")
	conf, err := config.New()
	check(err)
	// Its default is looked for on the machine.
	conf.BridgeConfig.UserlandProxyPath = os.Args[0]
	flags := pflag.NewFlagSet("dockerd", pflag.ContinueOnError)
	installConfigFlags(conf, flags)
	newDaemonOptions(conf).installFlags(flags)
	file := filepath.Join(etc, "daemon.json")
	merged, err := config.MergeDaemonConfigurations(conf, flags, file)
	if err != nil {
		return answer{Refused: "unable to configure the Docker daemon with file " + file + ": " + err.Error()}
	}
	// Certificates are looked for below XDG_CONFIG_HOME now, and not in the machine's own /etc.
	os.Setenv("ROOTLESSKIT_STATE_DIR", etc)
	setCertsDir(filepath.Join(etc, "certs.d"))
	service, err := registry.NewService(merged.ServiceOptions)
	if err != nil {
		return answer{Refused: "failed to start daemon: " + err.Error()}
	}
	daemon := &Daemon{service, merged}
	said := answer{Mirrors: service.ServiceConfig().Mirrors}
	for _, name := range asked.Registries {
		said.Pulls = append(said.Pulls, pulled{classic(service, name), store(daemon, name)})
	}
	return said
}

func classic(service *registry.Service, name string) lookup {
	endpoints, err := service.LookupPullEndpoints(name)
	if err != nil {
		return lookup{Error: err.Error()}
	}
	var found lookup
	for _, one := range endpoints {
		// Requests leave a query and a fragment out, as ResolveReference does.
		base := one.URL.Scheme + "://" + one.URL.Host + strings.TrimRight(one.URL.EscapedPath(), "/") + "/v2"
		shown := endpoint{Base: base, Role: "upstream", Pushes: !one.Mirror}
		if one.Mirror {
			shown.Role = "mirror"
		}
		found.Endpoints = append(found.Endpoints, withTrust(shown, one.TLSConfig))
	}
	return found
}

func store(daemon *Daemon, name string) (found lookup) {
	defer func() {
		if broken := recover(); broken != nil {
			found = lookup{Error: fmt.Sprint("panic: ", broken)}
		}
	}()
	hosts, err := hostsOf(daemon, name)
	if err != nil {
		return lookup{Error: err.Error()}
	}
	for _, host := range hosts {
		shown := endpoint{
			Base:      host.Scheme + "://" + host.Host + host.Path,
			Pushes:    host.Capabilities.Has(remotes.HostCapabilityPush),
			Referrers: host.Capabilities&(1<<3) != 0,
		}
		transport := http.DefaultTransport
		if host.Client != nil && host.Client.Transport != nil {
			transport = host.Client.Transport
		}
		plain, falls := unwrapped(transport)
		shown.HTTPSFirst = falls && host.Scheme == "https"
		if plain == nil {
			panic(fmt.Sprintf("no transport in %T", transport))
		}
		found.Endpoints = append(found.Endpoints, withTrust(shown, plain.TLSClientConfig))
	}
	return found
}

func hostsOf(daemon any, name string) ([]remotes.RegistryHost, error) {
	switch one := daemon.(type) {
	case interface {
		RegistryHosts(string) ([]remotes.RegistryHost, error)
	}:
		return one.RegistryHosts(name)
	case interface{ RegistryHosts() remotes.RegistryHosts }:
		return one.RegistryHosts()(name)
	}
	return nil, errors.New("no RegistryHosts")
}

// unwrapped digs out the transport that opens connections, and says whether plain HTTP comes second.
func unwrapped(from http.RoundTripper) (*http.Transport, bool) {
	if plain, ok := from.(*http.Transport); ok {
		return plain, false
	}
	falls := strings.Contains(strings.ToLower(fmt.Sprintf("%T", from)), "fallback")
	value := reflect.ValueOf(from)
	if value.Kind() == reflect.Pointer {
		value = value.Elem()
	} else {
		copied := reflect.New(value.Type()).Elem()
		copied.Set(value)
		value = copied
	}
	for at := 0; value.Kind() == reflect.Struct && at < value.NumField(); at++ {
		field := value.Field(at)
		field = reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
		if inner, ok := field.Interface().(http.RoundTripper); ok && inner != nil {
			plain, more := unwrapped(inner)
			if plain != nil {
				return plain, falls || more
			}
		}
	}
	return nil, falls
}

func withTrust(shown endpoint, trust *tls.Config) endpoint {
	if trust != nil {
		shown.SkipVerify = trust.InsecureSkipVerify
		shown.OwnRoots = trust.RootCAs != nil
		shown.Clients = len(trust.Certificates)
	}
	return shown
}

func setLookup(addresses map[string][]string) {
	registry.LookupForOracle(func(name string) ([]net.IP, error) {
		var found []net.IP
		if ip := net.ParseIP(name); ip != nil {
			found = append(found, ip)
		}
		for _, text := range addresses[strings.ToLower(name)] {
			found = append(found, net.ParseIP(text))
		}
		if len(found) == 0 {
			return nil, errors.New("no such host")
		}
		return found, nil
	})
}

// fromLatin gives the bytes of a text with one character for each of them.
func fromLatin(text string) string {
	var bytes []byte
	for _, letter := range text {
		bytes = append(bytes, byte(letter))
	}
	return string(bytes)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
