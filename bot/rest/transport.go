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

// maxIdle is how many idle connections stay open, more than the usual number of concurrent requests.
const maxIdle = 1024

// dialTimeout bounds the time to open a connection, including the proxy's answer.
const dialTimeout = 10 * time.Second

// newPool returns the HTTP transport of one bot. Answers are sent in bursts: with Go's default of two idle connections per host, most of
// them would open a new connection. To Discord itself, over HTTP/2, one connection is enough.
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

// ProxyError means that the proxy did not open a connection to Discord.
type ProxyError struct {
	Proxy  string // the proxy's URL, without user and password
	Status int    // HTTP status of the proxy's refusal, or 0 if it did not answer
	Err    error  // why the proxy did not answer, or nil if it refused
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

// Unwrap returns why the proxy did not answer, or nil if it refused.
func (e *ProxyError) Unwrap() error { return e.Err }

// ShownProxy returns the URL of a proxy without user and password.
func ShownProxy(proxy *url.URL) string { return proxy.Scheme + "://" + proxy.Host }

// dialFor returns a function that opens connections for URLs of the scheme https or http, through the proxy for the address if there is
// one. It works only for protocols in which the client speaks first.
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

// connect asks a proxy, by CONNECT, to open a tunnel to the address. Errors are *ProxyError.
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

// ParseBaseURL parses [Config.BaseURL], and returns nil for an empty text. It refuses a URL with more than a scheme and a host.
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

// Site returns the scheme and host with which links to messages begin: https://discord.com if [Config.BaseURL] is empty, and otherwise the
// base URL, because a server that plays Discord's part has its own links.
func Site(baseURL string) string {
	base, err := ParseBaseURL(baseURL)
	if base == nil || err != nil {
		return "https://discord.com"
	}
	return base.Scheme + "://" + base.Host
}
