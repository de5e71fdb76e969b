// Does a TLS handshake of Go with itself for each case from standard input: one JSON object a line in,
// the client's error (or nothing) a line out.
package main

import (
	"bufio"
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"net"
	"os"
	"time"
)

// Only a broken test gets there.
const handshake = 20 * time.Second

type question struct {
	Sent  [][]byte `json:"sent"`
	Key   []byte   `json:"key"`
	Roots [][]byte `json:"roots"`
	Host  string   `json:"host"`
}

type answer struct {
	Error string `json:"error"`
}

func solve(q *question) answer {
	pool := x509.NewCertPool()
	for _, root := range q.Roots {
		pool.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root}))
	}
	config := &tls.Config{RootCAs: pool, ServerName: q.Host}
	key, err := x509.ParsePKCS8PrivateKey(q.Key)
	if err != nil {
		// Go has no such key, so it cannot play the server: ask only for the client's part.
		return answer{Error: "key: " + err.Error()}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer listener.Close()
	go func() {
		there, err := listener.Accept()
		if err != nil {
			return
		}
		defer there.Close()
		there.SetDeadline(time.Now().Add(handshake))
		server := tls.Server(there, &tls.Config{
			Certificates: []tls.Certificate{{Certificate: q.Sent, PrivateKey: key.(crypto.PrivateKey)}},
		})
		if server.Handshake() == nil {
			io.Copy(io.Discard, server)
		}
	}()
	here, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		panic(err)
	}
	defer here.Close()
	here.SetDeadline(time.Now().Add(handshake))
	if err := tls.Client(here, config).Handshake(); err != nil {
		return answer{Error: err.Error()}
	}
	return answer{}
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
