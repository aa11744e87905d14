package bot

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// maxIdle is as many connections as a bot of the default size has calls under way at most.
const maxIdle = defaultWorkers + defaultQueue + turnAwayLimit

// newPool makes the connections of one bot. Answers come in bursts, and the default of two idle connections for a host
// would open a new one for most of them. To Discord itself, by HTTP/2, one is enough.
func newPool(dial func(ctx context.Context, network, addr string) (net.Conn, error)) *http.Transport {
	return &http.Transport{
		DialContext:           dial,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          maxIdle,
		MaxIdleConnsPerHost:   maxIdle,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: 20 * time.Second,
	}
}

// redirect sends requests for Discord to another host. discordgo's addresses are made when the program starts and shared
// by the whole process, so the request is changed and not the address.
type redirect struct {
	to      *url.URL
	through http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (r redirect) RoundTrip(req *http.Request) (*http.Response, error) {
	clone := req.Clone(req.Context())
	clone.URL.Scheme, clone.URL.Host = r.to.Scheme, r.to.Host
	clone.Host = r.to.Host // the server may derive the gateway's address from it
	return r.through.RoundTrip(clone)
}

// ParseBaseURL reads a Config.BaseURL: scheme and host alone. It returns nil for the empty string, which stands for the
// real Discord.
func ParseBaseURL(text string) (*url.URL, error) {
	if text == "" {
		return nil, nil
	}
	base, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("bot: base URL: %w", err)
	}
	if base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, fmt.Errorf("bot: base URL %q is not like http://127.0.0.1:8080", text)
	}
	if base.Path != "" && base.Path != "/" || base.RawQuery != "" {
		return nil, fmt.Errorf("bot: base URL %q must end after the host", text)
	}
	return base, nil
}

// Site is where the people are who read what a bot with that Config.BaseURL writes, as "https://discord.com": the scheme and
// host that links to messages begin with. A server that plays Discord's part has its messages at the same host.
func Site(baseURL string) string {
	base, err := ParseBaseURL(baseURL)
	if base == nil || err != nil {
		return "https://discord.com"
	}
	return base.Scheme + "://" + base.Host
}
