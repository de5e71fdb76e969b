// Reads registries.yaml with the library that k3s reads it with, and rewrites names with Go's regular
// expressions: one JSON object a line in, one answer a line out.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"

	"gopkg.in/yaml.v2"
)

// Named as in rancher/wharfie, because the error texts name the types.
type Mirror struct {
	Endpoints []string          `yaml:"endpoint" json:"endpoint,omitempty"`
	Rewrites  map[string]string `yaml:"rewrite" json:"rewrite,omitempty"`
}

type AuthConfig struct {
	Username      string `yaml:"username" json:"username,omitempty"`
	Password      string `yaml:"password" json:"password,omitempty"`
	Auth          string `yaml:"auth" json:"auth,omitempty"`
	IdentityToken string `yaml:"identity_token" json:"identity_token,omitempty"`
}

type TLSConfig struct {
	CAFile             string `yaml:"ca_file" json:"ca_file,omitempty"`
	CertFile           string `yaml:"cert_file" json:"cert_file,omitempty"`
	KeyFile            string `yaml:"key_file" json:"key_file,omitempty"`
	InsecureSkipVerify bool   `yaml:"insecure_skip_verify" json:"insecure_skip_verify,omitempty"`
}

type RegistryConfig struct {
	Auth *AuthConfig `yaml:"auth" json:"auth,omitempty"`
	TLS  *TLSConfig  `yaml:"tls" json:"tls,omitempty"`
}

type Registry struct {
	Mirrors map[string]Mirror         `yaml:"mirrors" json:"mirrors,omitempty"`
	Configs map[string]RegistryConfig `yaml:"configs" json:"configs,omitempty"`
	Auths   map[string]AuthConfig     `yaml:"auths" json:"-"`
}

type question struct {
	YAML        *string `json:"yaml"`
	Pattern     string  `json:"pattern"`
	Replacement string  `json:"replacement"`
	Text        string  `json:"text"`
}

type answer struct {
	Error  string    `json:"error,omitempty"`
	Parsed *Registry `json:"parsed,omitempty"`
	Text   string    `json:"text,omitempty"`
}

func solve(q question) answer {
	if q.YAML != nil {
		parsed := Registry{}
		if err := yaml.Unmarshal([]byte(*q.YAML), &parsed); err != nil {
			return answer{Error: err.Error()}
		}
		return answer{Parsed: &parsed}
	}
	pattern, err := regexp.Compile(q.Pattern)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Text: pattern.ReplaceAllString(q.Text, q.Replacement)}
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
