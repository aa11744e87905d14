package main

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// trusting returns a driver for a local Discord with TLS. It trusts the certificate authority in the given file.
func trusting(t *testing.T, p *process, file string) *driver {
	t.Helper()
	d := newDriver(t, p.said.find(t, `is open: (https://\S+)`))
	pem, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		t.Fatalf("%s has no certificate", file)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	t.Cleanup(transport.CloseIdleConnections)
	d.client = &http.Client{Transport: transport}
	return d
}

func TestTheSimSpeaksTLS(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "sim.discord")
	file := state + ".ca.pem"
	sim := start(t, nil, "sim", "--tls", "--listen", "127.0.0.1:0", "--state", state)
	d := trusting(t, sim, file)
	var gateway struct{ URL string }
	d.ask("GET", "../api/v10/gateway", nil, &gateway)
	if want := "wss" + strings.TrimPrefix(d.url, "https") + "/ws"; gateway.URL != want {
		t.Errorf("the gateway is at %s, want %s", gateway.URL, want)
	}
	sim.wantSaid("NODE_EXTRA_CA_CERTS="+file, "SSL_CERT_FILE="+file, "REQUESTS_CA_BUNDLE="+file)
	if _, err := http.Get(d.url); err == nil {
		t.Error("a client that does not know the authority trusts the server")
	}

	db := filepath.Join(t.TempDir(), "bot.db")
	bot := start(t, []string{"DISCORD_TOKEN=" + playgroundToken, "SSL_CERT_FILE=" + file}, "serve", "--db", db, "--discord-url", d.url)
	d.awaitBot()
	bot.stop()
	sim.stop()

	sim = start(t, nil, "sim", "--tls", "--listen", "localhost:0", "--state", state)
	d = trusting(t, sim, file)
	if len(d.state().Bots) != 1 {
		t.Error("the second start has another certificate")
	}
}

func TestTLSIsForThisMachineOnly(t *testing.T) {
	t.Parallel()
	for _, listen := range []string{"0.0.0.0:0", ":0"} {
		p := start(t, nil, "sim", "--tls", "--listen", listen, "--state", filepath.Join(t.TempDir(), "x"))
		p.wantExit(exitFailure)
		p.wantSaid("loopback", "--listen 127.0.0.1:8443")
	}
	state := filepath.Join(t.TempDir(), "x")
	start(t, nil, "sim", "--tls", "--listen", "127.0.0.1:0", "--state", state).discordStops(state)
	if err := os.Chmod(state+".ca.key", 0o644); err != nil {
		t.Fatal(err)
	}
	p := start(t, nil, "sim", "--tls", "--listen", "127.0.0.1:0", "--state", state)
	p.wantExit(exitFailure)
	p.wantSaid(state+".ca.key", "chmod 600")
}

// discordStops waits until a local Discord on TLS accepts connections, and stops it.
func (p *process) discordStops(state string) {
	p.t.Helper()
	trusting(p.t, p, state+".ca.pem").state()
	p.stop()
}
