package standalone

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tictactoe/discordsim/authority"
)

// secure makes the server speak TLS at a host and port. The certificate is signed by the authority beside the
// state file. Without a state file the authority is in a temporary folder and ends with the program.
func (s *Site) secure(listen string) error {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("--listen %q: %w", listen, err)
	}
	if err := s.openAuthority(); err != nil {
		return fmt.Errorf("--tls: %w", err)
	}
	if s.server.TLSConfig, err = s.authority.Server(host); err != nil {
		return fmt.Errorf("--tls: %w; choose an address such as --listen 127.0.0.1:8443", err)
	}
	s.secured = true
	return nil
}

// openAuthority opens the authority beside the state file or, without a state file, a temporary one.
func (s *Site) openAuthority() error {
	base := s.state
	if base == "" {
		folder, err := os.MkdirTemp("", "discordsim-")
		if err != nil {
			return fmt.Errorf("%w; name a file with --state, beside which the certificate is kept", err)
		}
		s.remove = append(s.remove, folder)
		base = filepath.Join(folder, "discordsim")
	}
	a, err := authority.Open(base, time.Now())
	s.authority = a
	return err
}

// howToTrust returns instructions for making several kinds of programs trust an authority.
func howToTrust(file string) string {
	file = shellQuoted(file)
	return "Its certificate is by an authority of its own, which vouches for the loopback addresses of this machine and for Discord's names.\n" +
		"Have a bot trust it by the environment that it is started with:\n\n" +
		"  NODE_EXTRA_CA_CERTS=" + file + "   Node.js\n" +
		"  SSL_CERT_FILE=" + file + "   Go on Linux, Python's ssl and aiohttp\n" +
		"  REQUESTS_CA_BUNDLE=" + file + "   Python's requests\n" +
		"  CURL_CA_BUNDLE=" + file + "   curl\n\n"
}

// shellQuoted returns a word quoted for a shell.
func shellQuoted(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
