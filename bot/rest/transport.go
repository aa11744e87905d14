package rest

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// maxIdle is more than the usual number of concurrent requests.
const maxIdle = 1024

// dialTimeout bounds the opening of a connection, with and without a proxy.
const dialTimeout = 10 * time.Second

// newPool returns the transport of one bot. Answers are sent in bursts: with the default of two idle connections per host, most of them
// would open a new connection. For Discord itself, by HTTP/2, one connection is enough.
func newPool(dial func(ctx context.Context, network, addr string) (net.Conn, error)) *http.Transport {
	return &http.Transport{
		DialContext:         dial,
		ForceAttemptHTTP2:   true,
		MaxIdleConns:        maxIdle,
		MaxIdleConnsPerHost: maxIdle,
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
	}
}

// ProxyError means that a proxy does not connect the bot to Discord.
type ProxyError struct {
	Proxy  string // its URL, without user and password
	Status int    // HTTP status, if the proxy refuses; else 0
	Err    error  // why the proxy did not answer
}

// Error implements error.
func (e *ProxyError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("the proxy %s does not answer: %v", e.Proxy, e.Err)
	}
	text := fmt.Sprintf("the proxy %s refuses to connect to Discord: HTTP %d %s", e.Proxy, e.Status, http.StatusText(e.Status))
	switch e.Status {
	case http.StatusProxyAuthRequired:
		text += "; put the right user and password into its URL, as http://user:password@host:3128"
	case http.StatusForbidden:
		text += "; have it allow discord.com and *.discord.gg, port 443"
	}
	return text
}

// Unwrap returns why the proxy did not answer.
func (e *ProxyError) Unwrap() error { return e.Err }

// ShownProxy returns the URL of a proxy without user and password.
func ShownProxy(proxy *url.URL) string { return proxy.Scheme + "://" + proxy.Host }

// dialFor returns a function that opens connections for URLs of a scheme, https or http: through the proxy for the address, if there is
// one. The protocol must let the client speak first.
func (d Config) dialFor(scheme string) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		proxy, err := d.Proxy(&http.Request{URL: &url.URL{Scheme: scheme, Host: addr}})
		if err != nil {
			return nil, err
		}
		if proxy == nil {
			return d.Dial(ctx, network, addr)
		}
		ctx, cancel := context.WithTimeout(ctx, dialTimeout)
		defer cancel()
		port := map[string]string{"http": "80", "https": "443"}[proxy.Scheme]
		conn, err := d.Dial(ctx, network, net.JoinHostPort(proxy.Hostname(), cmp.Or(proxy.Port(), port)))
		if err != nil {
			return nil, &ProxyError{Proxy: ShownProxy(proxy), Err: err}
		}
		defer context.AfterFunc(ctx, func() { conn.Close() })()
		through := conn
		if proxy.Scheme == "https" {
			through = tls.Client(conn, &tls.Config{ServerName: proxy.Hostname()})
		}
		if err := connect(through, proxy, addr); err != nil {
			conn.Close()
			return nil, err
		}
		return through, nil
	}
}

// connect asks a proxy to open a tunnel to addr. Errors are *ProxyError.
func connect(conn net.Conn, proxy *url.URL, addr string) error {
	request := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: addr}, Host: addr, Header: make(http.Header)}
	if proxy.User != nil {
		password, _ := proxy.User.Password()
		secret := base64.StdEncoding.EncodeToString([]byte(proxy.User.Username() + ":" + password))
		request.Header.Set("Proxy-Authorization", "Basic "+secret)
	}
	err := request.Write(conn)
	var answer *http.Response
	if err == nil {
		answer, err = http.ReadResponse(bufio.NewReader(conn), request)
	}
	if err != nil {
		return &ProxyError{Proxy: ShownProxy(proxy), Err: err}
	}
	if answer.StatusCode != http.StatusOK {
		return &ProxyError{Proxy: ShownProxy(proxy), Status: answer.StatusCode}
	}
	return nil
}

// ParseBaseURL parses [Config.BaseURL], which has a scheme and a host only. For the empty string, which stands for Discord
// itself, it returns nil.
func ParseBaseURL(text string) (*url.URL, error) {
	if text == "" {
		return nil, nil
	}
	base, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("rest: base URL: %w", err)
	}
	if base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, fmt.Errorf("rest: base URL %q is not like http://127.0.0.1:8080", text)
	}
	if base.Path != "" && base.Path != "/" || base.RawQuery != "" {
		return nil, fmt.Errorf("rest: base URL %q must end after the host", text)
	}
	return base, nil
}

// Site returns the scheme and host of links to messages. For an empty [Config.BaseURL] that is https://discord.com; a server that plays
// Discord's part has the links at its own host.
func Site(baseURL string) string {
	base, err := ParseBaseURL(baseURL)
	if base == nil || err != nil {
		return "https://discord.com"
	}
	return base.Scheme + "://" + base.Host
}
