// Answers questions about Go's standard library: one JSON object a line in, one answer a line out. Texts of answers
// are bytes (base64 in JSON), because not all of them are UTF-8.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"net"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"time"
)

type question struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
	// The name that a pattern is matched with.
	Name string `json:"name"`
}

type answer struct {
	Error string   `json:"error,omitempty"`
	Texts [][]byte `json:"texts"`
}

func texts(all ...string) answer {
	var found [][]byte
	for _, one := range all {
		found = append(found, []byte(one))
	}
	return answer{Texts: found}
}

func solve(q question) answer {
	found, err := ask(q)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return found
}

func ask(q question) (answer, error) {
	switch q.Kind {
	case "url":
		u, err := url.Parse(q.Text)
		if err != nil {
			return answer{}, err
		}
		hasQuery := strconv.FormatBool(u.ForceQuery || u.RawQuery != "")
		hasUser := strconv.FormatBool(u.User != nil)
		return texts(u.Scheme, u.Opaque, hasUser, u.User.String(), u.Host, u.Path, hasQuery, u.RawQuery, u.String()), nil
	case "host and port":
		host, port, err := net.SplitHostPort(q.Text)
		return texts(host, port), err
	case "duration":
		found, err := time.ParseDuration(q.Text)
		return texts(strconv.FormatInt(int64(found), 10)), err
	case "clean path":
		return texts(path.Clean(q.Text)), nil
	case "match":
		isMatch, err := filepath.Match(q.Text, q.Name)
		return texts(strconv.FormatBool(isMatch)), err
	case "base64":
		found, err := base64.StdEncoding.DecodeString(q.Text)
		return texts(string(found)), err
	case "quote":
		return texts(strconv.Quote(q.Text)), nil
	}
	panic(q.Kind)
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
