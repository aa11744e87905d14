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
		DialContext:         dial,
		ForceAttemptHTTP2:   true,
		MaxIdleConns:        maxIdle,
		MaxIdleConnsPerHost: maxIdle,
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
	}
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
