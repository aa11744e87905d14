package bot

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// maxIdle is the largest number of calls that a bot of the default size has under way.
const maxIdle = defaultWorkers + defaultQueue + turnAwayLimit

// newPool returns the transport of one bot. Answers are sent in bursts: with the default of two idle connections per host,
// most of them would open a new one. To Discord itself, by HTTP/2, one connection is enough.
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

// ParseBaseURL parses [Discord.BaseURL], which has a scheme and a host only. For the empty string, which stands for Discord
// itself, it returns nil.
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

// Site returns the scheme and host of links to messages. For an empty [Discord.BaseURL] that is https://discord.com; a server
// that plays Discord's part has its messages at its own host.
func Site(baseURL string) string {
	base, err := ParseBaseURL(baseURL)
	if base == nil || err != nil {
		return "https://discord.com"
	}
	return base.Scheme + "://" + base.Host
}
