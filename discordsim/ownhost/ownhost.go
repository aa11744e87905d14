// Package ownhost keeps pages of other web sites from using a server on this machine. A browser lets a page talk to
// the host that the page came from, and the owner of a site can point its name at 127.0.0.1 after the page is loaded
// (DNS rebinding). The Host header still has the site's name then.
package ownhost

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Only returns a handler that passes a request to next if its Host header names the server that listens on the
// address listen, as [Names] reports, or if accepts, which may be nil, returns true for its host. It answers other
// requests with 421.
func Only(listen string, accepts func(host string) bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !Names(r.Host, listen) && (accepts == nil || !accepts(hostname(r.Host))) {
			http.Error(w, fmt.Sprintf("this server is not %q; use the address that it printed", r.Host), http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Names reports whether a Host header names the server that listens on listen: a loopback name or address, or the
// host of listen itself. If the server listens on every address, any literal address is accepted, since DNS rebinding
// only affects names.
func Names(host, listen string) bool {
	name := hostname(host)
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(name)
	literal := err == nil
	if literal && addr.IsLoopback() {
		return true
	}
	own := hostname(listen)
	if own == "" {
		return literal
	}
	if ownAddr, err := netip.ParseAddr(own); err == nil {
		return literal && (ownAddr.IsUnspecified() || addr == ownAddr)
	}
	return name == own
}

// hostname returns the host of "host:port", "host" or "[v6]:port", in lower
// case.
func hostname(hostport string) string {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]")
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}
