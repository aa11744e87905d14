package playground

import (
	"net"
	"net/netip"
	"strings"
)

// ownHost reports whether a Host header names the server that listens on
// listen: a loopback name or address, or the host of listen itself. A server
// that listens on every address accepts any literal address, since only names
// can be pointed here by somebody else's DNS.
func ownHost(host, listen string) bool {
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

// hostname is the host of "host:port", "host" or "[v6]:port", in lower case.
func hostname(hostport string) string {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]")
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}
