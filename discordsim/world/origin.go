package world

import (
	"net/http"
	"net/netip"
	"strings"
)

// NoteOrigin remembers the address at which the API was last reached, because the
// client will look for files at the same address.
func (w *World) NoteOrigin(r *http.Request) {
	host, secure := clientAddress(r)
	at := "http://" + host
	if secure {
		at = "https://" + host
	}
	if w.Origin() != at {
		w.reached.Store(&at)
	}
}

// Origin returns the address at which the API was last reached.
func (w *World) Origin() string {
	if at := w.reached.Load(); at != nil {
		return *at
	}
	return "http://localhost"
}

// GatewayAt returns the URL of the gateway on the host that the client used.
func GatewayAt(r *http.Request) string {
	host, secure := clientAddress(r)
	if secure {
		return "wss://" + host + "/ws"
	}
	return "ws://" + host + "/ws"
}

// clientAddress returns the host to which the client connected, and whether it used TLS. A reverse proxy on this
// machine reports them in X-Forwarded-Host and X-Forwarded-Proto.
func clientAddress(r *http.Request) (host string, secure bool) {
	host, secure = r.Host, r.TLS != nil
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !from.Addr().Unmap().IsLoopback() {
		return host, secure
	}
	first := func(header string) string { // each proxy appends a value, so the first is the client's
		value, _, _ := strings.Cut(r.Header.Get(header), ",")
		return strings.TrimSpace(value)
	}
	if said := first("X-Forwarded-Host"); said != "" {
		host = said
	}
	switch first("X-Forwarded-Proto") {
	case "https", "wss":
		secure = true
	case "http", "ws":
		secure = false
	}
	return host, secure
}
