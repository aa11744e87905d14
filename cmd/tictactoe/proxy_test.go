package main

import (
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"tictactoe/discordsim"
)

// forwarder is a proxy that connects every host to one server. It requires a user and a password, and counts the connections.
type forwarder struct {
	url     string // the proxy's URL, with user and password
	tunnels atomic.Int32
	refuse  int // if not zero, the status that refuses tunnels
}

const proxyPassword = "hunter2-" + secret

func newForwarder(t *testing.T, to string) *forwarder {
	t.Helper()
	p := &forwarder{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		want := "Basic " + base64.StdEncoding.EncodeToString([]byte("me:"+proxyPassword))
		switch {
		case r.Header.Get("Proxy-Authorization") != want:
			w.WriteHeader(http.StatusProxyAuthRequired)
		case r.Method != http.MethodConnect:
			w.WriteHeader(http.StatusNotImplemented)
		case p.refuse != 0:
			w.WriteHeader(p.refuse)
		default:
			p.tunnels.Add(1)
			tunnel(w, to)
		}
	}))
	t.Cleanup(server.Close)
	p.url = strings.Replace(server.URL, "http://", "http://me:"+proxyPassword+"@", 1)
	return p
}

// tunnel answers a CONNECT and copies data in both directions until one side closes the connection.
func tunnel(w http.ResponseWriter, to string) {
	client, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	server, err := net.Dial("tcp", to)
	if err != nil {
		client.Close()
		return
	}
	io.WriteString(client, "HTTP/1.1 200 Connection established\r\n\r\n")
	go func() {
		io.Copy(server, client)
		server.Close()
	}()
	io.Copy(client, server)
	client.Close()
}

func TestProxy(t *testing.T) {
	t.Parallel()
	sim, err := discordsim.New(discordsim.Config{})
	if err != nil {
		t.Fatal(err)
	}
	local := httptest.NewServer(sim.Handler())
	t.Cleanup(func() { sim.Close(); local.Close() })
	address := local.Listener.Addr().String()
	token := "DISCORD_TOKEN=" + secretToken
	doctor := func(t *testing.T, env []string, url string) *process {
		return start(t, append(env, token), "doctor", "--db", filepath.Join(t.TempDir(), "x.db"), "--discord-url", url)
	}

	t.Run("doctor uses the proxy for the API and the gateway", func(t *testing.T) {
		p := newForwarder(t, address)
		d := doctor(t, []string{"HTTP_PROXY=" + p.url}, "http://discord.test")
		d.wantExit(exitOK)
		shown := "http://" + p.url[strings.Index(p.url, "@")+1:]
		d.wantSaid("ok       network      requests to Discord go through the proxy "+shown+" (HTTP_PROXY)", "gateway      it can be reached")
		if p.tunnels.Load() != 2 {
			t.Errorf("%d connections went through, want one for requests and one to the gateway", p.tunnels.Load())
		}
	})
	t.Run("serve uses the proxy", func(t *testing.T) {
		p := newForwarder(t, address)
		b := start(t, []string{token, "http_proxy=" + p.url}, "serve", "--db", filepath.Join(t.TempDir(), "x.db"), "--discord-url", "http://discord.test")
		b.said.find(t, `(through the proxy http://127)`)
		b.said.find(t, `"gateway (connected)"`)
		b.stop()
		if p.tunnels.Load() < 2 {
			t.Errorf("%d connections went through", p.tunnels.Load())
		}
	})
	t.Run("the proxy is not used for this machine or hosts in NO_PROXY", func(t *testing.T) {
		p := newForwarder(t, address)
		d := doctor(t, []string{"HTTP_PROXY=" + p.url}, local.URL)
		d.wantExit(exitOK)
		d.wantSaid("requests to Discord go directly (HTTP_PROXY is for other hosts")
		d = doctor(t, []string{"HTTP_PROXY=" + p.url, "NO_PROXY=.invalid"}, "http://discord.invalid")
		d.wantExit(exitFailure)
		d.wantSaid("requests to Discord go directly (HTTP_PROXY is for other hosts", "no such host")
		if p.tunnels.Load() != 0 {
			t.Error("the proxy was used")
		}
	})
	t.Run("without a proxy doctor says so", func(t *testing.T) {
		d := doctor(t, nil, local.URL)
		d.wantExit(exitOK)
		d.wantSaid("requests to Discord go directly\n")
	})
	t.Run("a refusal by the proxy is reported as the proxy's", func(t *testing.T) {
		p := newForwarder(t, address)
		p.refuse = http.StatusForbidden
		for _, test := range []struct{ variable, proxy, url, says string }{
			{"HTTP_PROXY", strings.Replace(p.url, "me:", "you:", 1), "http://discord.test", "HTTP 407 Proxy Authentication Required; put the right user"},
			{"HTTPS_PROXY", strings.Replace(p.url, "me:", "you:", 1), "", "HTTP 407 Proxy Authentication Required; put the right user"},
			{"HTTPS_PROXY", p.url, "", "HTTP 403 Forbidden; have it allow discord.com"},
		} {
			d := doctor(t, []string{test.variable + "=" + test.proxy}, test.url)
			d.wantExit(exitConfig)
			d.wantSaid("PROBLEM  proxy", "refuses to connect to Discord", test.says)
		}
	})
	t.Run("an unreachable proxy is named", func(t *testing.T) {
		d := doctor(t, []string{"HTTPS_PROXY=http://me:" + secret + "@" + ownAddress(t)}, "")
		d.wantExit(exitFailure)
		d.wantSaid("UNKNOWN  proxy", "does not answer: dial", "look whether the proxy runs")
	})
}

func TestMalformedTokens(t *testing.T) {
	t.Parallel()
	const token = secretToken
	for name, test := range map[string]struct{ content, says string }{
		"a line's end":               {token + "\r\n", ""},
		"UTF-16, little":             {"\xff\xfe" + strings.Join(strings.Split(token, ""), "\x00") + "\x00", "UTF-16"},
		"UTF-16, big":                {"\xfe\xff\x00" + strings.Join(strings.Split(token, ""), "\x00"), "UTF-16"},
		"UTF-16 without a mark":      {strings.Join(strings.Split(token, ""), "\x00") + "\x00", "UTF-16"},
		"a byte order mark":          {"\ufeff" + token, "byte order mark"},
		"a bracketed paste":          {"\x1b[200~" + token + "\x1b[201~", "bracketed paste"},
		"its start alone":            {"^[[200~" + token, "bracketed paste"},
		"the variable's name":        {"DISCORD_TOKEN=" + token, "the name DISCORD_TOKEN"},
		"the name, exported, quotes": {`export DISCORD_TOKEN="` + token + `"`, "the name DISCORD_TOKEN"},
		"the word Bot":               {"Bot " + token, `the word "Bot"`},
		"quotes":                     {`"` + token + `"`, "quotation marks"},
		"curly quotes":               {"“" + token + "”", "quotation marks"},
		"white space inside":         {token[:30] + "\n" + token[30:], "white space"},
		"a control character":        {token + "\x7f", "control characters"},
		"an invisible character":     {token + "\u200b", "control characters"},
		"nothing":                    {"\n", "is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "token")
			if err := os.WriteFile(file, []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
			read, err := readToken(func(name string) string { return map[string]string{"DISCORD_TOKEN_FILE": file}[name] })
			if test.says == "" {
				if err != nil || read != token {
					t.Errorf("refused: %v", err)
				}
				return
			}
			if !errors.Is(err, errNoToken) || !strings.Contains(err.Error(), test.says) || exitCode(err) != exitConfig {
				t.Fatalf("the error is %v, want %q", err, test.says)
			}
			if text := err.Error(); strings.Contains(text, token[:8]) || strings.Contains(text, token[len(token)-8:]) || strings.Contains(text, "eset") {
				t.Errorf("the error quotes the token: %s", text)
			}
		})
	}
}

func TestProxyURLs(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		"http://127.0.0.1:3128": true, "https://u:p@proxy.example/": true, "proxy.example:3128": true, "[::1]:3128": true, "http://u:p%23@h": true,
		"nonsense": false, "http://": false, "ftp://h:1": false, "socks5://h:1": false, "http:/h:1": false, "http://u:p#@h:1": false,
		"http://h:port": false, " http://h": false, "http://h/path": false, "http://u:p/q@h:1": false, "http://u:50%off@h:1": false,
	} {
		if got := isProxy(value); got != want {
			t.Errorf("%q: %t, want %t", value, got, want)
		}
	}
}
