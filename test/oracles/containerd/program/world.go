package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// world says how every registry answers; test/oracles/containerd/world/world.ts has the meaning of each field.
type world struct {
	Natures  map[string]string `json:"natures"`
	Logins   map[string]string `json:"logins"`
	Answers  []rule            `json:"answers"`
	Contents []content         `json:"contents"`
}

type rule struct {
	Host     string `json:"host"`
	On       string `json:"on"`
	Method   string `json:"method"`
	Status   int    `json:"status"`
	Location string `json:"location"`
	Times    int    `json:"times"`
}

type content struct {
	What      string `json:"what"`
	Digest    string `json:"digest"`
	MediaType string `json:"mediaType"`
	Base64    string `json:"base64"`
}

func (c content) bytes() []byte {
	decoded, err := base64.StdEncoding.DecodeString(c.Base64)
	must(err)
	return decoded
}

type request struct {
	Method        string   `json:"method"`
	URL           string   `json:"url"`
	Authorization string   `json:"authorization,omitempty"`
	Marks         []string `json:"marks,omitempty"`
	SkipVerify    bool     `json:"skipVerify,omitempty"`
	Authorities   []string `json:"authorities,omitempty"`
	Clients       int      `json:"clients,omitempty"`
	// A status, or why there was no answer.
	Answer string `json:"answer"`
}

type recorder struct {
	mu       sync.Mutex
	world    *world
	used     map[int]int
	requests []request
}

func (r *recorder) take() []request {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := append([]request{}, r.requests...)
	r.requests = nil
	return taken
}

// recording is a transport that answers by itself, with the TLS settings of the one it replaced.
type recording struct {
	recorder  *recorder
	transport *http.Transport
}

var contentPath = regexp.MustCompile(`/(manifests|blobs)/([^/]+)$`)

func (t *recording) RoundTrip(asked *http.Request) (*http.Response, error) {
	r := t.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	noted := t.describe(asked)
	response, failure := r.answer(asked, noted)
	if failure == nil {
		noted.Answer = strconv.Itoa(response.StatusCode)
		r.requests = append(r.requests, noted)
		return response, nil
	}
	noted.Answer = failure.kind
	r.requests = append(r.requests, noted)
	return nil, failure.err
}

func (r *recorder) answer(asked *http.Request, noted request) (*http.Response, *failure) {
	if failed := r.connect(asked, noted); failed != nil {
		return nil, failed
	}
	if want := r.world.Logins[asked.URL.Host]; want != "" && noted.Authorization != want {
		return respond(asked, http.StatusUnauthorized, http.Header{"Www-Authenticate": {`Basic realm="oracle"`}}, nil), nil
	}
	kind, name := "other", ""
	if found := contentPath.FindStringSubmatch(asked.URL.Path); found != nil {
		kind, name = strings.TrimSuffix(found[1], "s"), found[2]
		if kind == "manifest" && !strings.Contains(name, ":") {
			kind = "tag"
		}
	}
	for i, rule := range r.world.Answers {
		if !rule.fits(asked, kind) || (rule.Times > 0 && r.used[i] >= rule.Times) {
			continue
		}
		r.used[i]++
		header := http.Header{}
		if rule.Location != "" {
			header.Set("Location", rule.Location+asked.URL.EscapedPath())
		}
		return respond(asked, rule.Status, header, nil), nil
	}
	for _, piece := range r.world.Contents {
		if piece.Digest == name || (kind == "tag" && piece.What == "manifest") {
			header := http.Header{"Docker-Content-Digest": {piece.Digest}, "Content-Type": {piece.MediaType}}
			return respond(asked, http.StatusOK, header, piece.bytes()), nil
		}
	}
	return respond(asked, http.StatusNotFound, http.Header{}, nil), nil
}

func (t *recording) describe(asked *http.Request) request {
	noted := request{
		Method:        asked.Method,
		URL:           asked.URL.String(),
		Authorization: strings.Join(asked.Header["Authorization"], ", "),
	}
	for name, values := range asked.Header {
		if strings.EqualFold(name, "X-Mark") {
			noted.Marks = append(noted.Marks, values...)
		}
	}
	if asked.URL.Scheme == "https" && t.transport != nil && t.transport.TLSClientConfig != nil {
		config := t.transport.TLSClientConfig
		noted.SkipVerify = config.InsecureSkipVerify
		noted.Clients = len(config.Certificates)
		noted.Authorities = authorities(config)
	}
	return noted
}

// authorities names those of the test that are believed besides the ones of the system.
func authorities(config *tls.Config) []string {
	if config.RootCAs == nil {
		return nil
	}
	var names []string
	//lint:ignore SA1019 the pool holds no roots of the platform on Linux
	for _, raw := range config.RootCAs.Subjects() {
		var sequence pkix.RDNSequence
		if _, err := asn1.Unmarshal(raw, &sequence); err != nil {
			continue
		}
		var name pkix.Name
		name.FillFromRDNSequence(&sequence)
		if strings.HasPrefix(name.CommonName, "oracle ") && !slices.Contains(names, name.CommonName) {
			names = append(names, name.CommonName)
		}
	}
	sort.Strings(names)
	return names
}

var errUnknownAuthority = errors.New("tls: failed to verify certificate: x509: certificate signed by unknown authority")

// failure is why a request got no answer.
type failure struct {
	kind string
	err  error
}

func (r *recorder) connect(asked *http.Request, noted request) *failure {
	nature := r.world.Natures[strings.ToLower(asked.URL.Hostname())]
	isTLS := asked.URL.Scheme == "https"
	switch {
	case nature == "refused":
		return &failure{nature, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}}
	case nature == "cut":
		return &failure{nature, io.EOF}
	case isTLS && nature == "plain":
		return &failure{nature, tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake", RecordHeader: [5]byte{'H', 'T', 'T', 'P', '/'}}}
	case isTLS && nature == "site" && !noted.SkipVerify && !slices.Contains(noted.Authorities, "oracle site authority"):
		return &failure{"certificate", errUnknownAuthority}
	case isTLS && nature == "foreign" && !noted.SkipVerify:
		return &failure{"certificate", errUnknownAuthority}
	}
	return nil
}

func (rule rule) fits(asked *http.Request, kind string) bool {
	return rule.Host == asked.URL.Host &&
		(rule.On == "any" || rule.On == kind) &&
		(rule.Method == "" || rule.Method == asked.Method)
}

func respond(asked *http.Request, status int, header http.Header, body []byte) *http.Response {
	length := int64(len(body))
	if asked.Method == http.MethodHead {
		body = nil
	}
	return &http.Response{
		StatusCode:    status,
		Status:        strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status))),
		Header:        header,
		ContentLength: length,
		Body:          io.NopCloser(bytes.NewReader(body)),
		Request:       asked,
	}
}
