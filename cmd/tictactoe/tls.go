package main

import (
	"fmt"
	"net"
	"strings"
	"time"

	"tictactoe/discordsim/authority"
)

// secure has the site speak TLS at a host and port, by the authority that is kept beside the state.
func (s *site) secure(listen, state string) error {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("--listen %q: %w", listen, err)
	}
	a, err := authority.Open(state, time.Now())
	if err != nil {
		return fmt.Errorf("--tls: %w", err)
	}
	if s.server.TLSConfig, err = a.Server(host); err != nil {
		return fmt.Errorf("--tls: %w; choose an address such as --listen 127.0.0.1:8443", err)
	}
	s.authority = a
	return nil
}

// howToTrust tells programs of several kinds how they come to trust an authority.
func howToTrust(file string) string {
	file = shellQuoted(file)
	return "Its certificate is by an authority of its own, which vouches for the loopback addresses of this machine and nothing else.\n" +
		"Have a bot trust it by the environment that it is started with:\n\n" +
		"  NODE_EXTRA_CA_CERTS=" + file + "   Node.js\n" +
		"  SSL_CERT_FILE=" + file + "   Go on Linux, Python's ssl and aiohttp\n" +
		"  REQUESTS_CA_BUNDLE=" + file + "   Python's requests\n" +
		"  CURL_CA_BUNDLE=" + file + "   curl\n\n"
}

// shellQuoted is a word as a shell reads it.
func shellQuoted(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
