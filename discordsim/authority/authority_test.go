package authority_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tictactoe/discordsim/authority"
)

var now = time.Now()

func open(t *testing.T, base string) *authority.Authority {
	t.Helper()
	a, err := authority.Open(base, now)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAnAuthorityIsKept(t *testing.T) {
	base := filepath.Join(t.TempDir(), "sim.discord")
	first := open(t, base)
	made, err := os.ReadFile(first.File())
	if err != nil {
		t.Fatal(err)
	}
	if key, err := os.Stat(base + ".ca.key"); err != nil || key.Mode().Perm() != 0o600 {
		t.Errorf("the key: %v, %v", key, err)
	}
	second := open(t, base)
	if kept, err := os.ReadFile(second.File()); err != nil || !bytes.Equal(kept, made) || first.File() != second.File() {
		t.Errorf("another start has another certificate (%v)", err)
	}
	if files, err := os.ReadDir(filepath.Dir(base)); err != nil || len(files) != 2 {
		t.Errorf("there are the files %v, %v", files, err)
	}
}

func TestAServerIsTrustedByTheAuthorityAlone(t *testing.T) {
	base := filepath.Join(t.TempDir(), "sim")
	open(t, base)
	a := open(t, base) // the same authority, opened from its files
	config, err := a.Server("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.TLS = config
	server.StartTLS()
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	get := func(host string, pool *x509.CertPool) error {
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
		defer client.CloseIdleConnections()
		answer, err := client.Get("https://" + net.JoinHostPort(host, port))
		if err == nil {
			answer.Body.Close()
		}
		return err
	}
	for _, host := range []string{"127.0.0.1", "localhost"} {
		if err := get(host, a.Pool()); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
	for _, name := range []string{"discord.com", "gateway.discord.gg", "cdn.discordapp.com", "media.discordapp.net", "ptb.discord.com", "example.com"} {
		leaf, err := x509.ParseCertificate(config.Certificates[0].Certificate[0])
		if err != nil {
			t.Fatal(err)
		}
		_, err = leaf.Verify(x509.VerifyOptions{Roots: a.Pool(), DNSName: name, CurrentTime: now.Add(time.Minute)})
		if believed := name != "example.com"; (err == nil) != believed {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := get("127.0.0.2", a.Pool()); err == nil {
		t.Error("an address that the certificate does not name was trusted")
	}
	other := open(t, filepath.Join(t.TempDir(), "other"))
	var unknown x509.UnknownAuthorityError
	if err := get("127.0.0.1", other.Pool()); !errors.As(err, &unknown) {
		t.Errorf("by another authority: %v", err)
	}
}

func TestOnlyLoopbackIsVouchedFor(t *testing.T) {
	a := open(t, filepath.Join(t.TempDir(), "sim"))
	for host, may := range map[string]bool{
		"127.0.0.1": true, "127.8.9.1": true, "::1": true, "localhost": true,
		"": false, "0.0.0.0": false, "::": false, "192.0.2.1": false, "discord.com": false, "localhost.example.com": false,
	} {
		if _, err := a.Server(host); (err == nil) != may {
			t.Errorf("%q: %v", host, err)
		}
	}
}

// A holder of the key can sign a certificate for any name, but clients reject the certificate if the authority may not
// sign that name.
func TestACertificateForAnotherNameIsNotBelieved(t *testing.T) {
	base := filepath.Join(t.TempDir(), "sim")
	a := open(t, base)
	signer, err := tls.LoadX509KeyPair(a.File(), base+".ca.key")
	if err != nil {
		t.Fatal(err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, believed := range map[string]bool{"localhost": true, "discord.com": true, "example.com": false, "127.0.0.1": true, "192.0.2.1": false} {
		leaf := &x509.Certificate{SerialNumber: big.NewInt(2), NotBefore: now, NotAfter: now.Add(time.Hour)}
		if ip := net.ParseIP(name); ip != nil {
			leaf.IPAddresses = []net.IP{ip}
		} else {
			leaf.DNSNames = []string{name}
		}
		signed, err := x509.CreateCertificate(rand.Reader, leaf, signer.Leaf, key.Public(), signer.PrivateKey)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := x509.ParseCertificate(signed)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parsed.Verify(x509.VerifyOptions{Roots: a.Pool(), DNSName: name, CurrentTime: now.Add(time.Minute)}); (err == nil) != believed {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFilesThatCannotBeUsed(t *testing.T) {
	for name, spoil := range map[string]func(base string) error{
		"a key that others may read": func(base string) error { return os.Chmod(base+".ca.key", 0o640) },
		"a key that is none":         func(base string) error { return os.WriteFile(base+".ca.key", []byte("x"), 0o600) },
		"a certificate that is none": func(base string) error { return os.WriteFile(base+".ca.pem", nil, 0o644) },
		"a key of another one": func(base string) error {
			other, err := authority.Open(base+"2", now)
			if err != nil {
				return err
			}
			return os.Rename(other.File(), base+".ca.pem")
		},
	} {
		t.Run(name, func(t *testing.T) {
			base := filepath.Join(t.TempDir(), "sim")
			open(t, base)
			if err := spoil(base); err != nil {
				t.Fatal(err)
			}
			if _, err := authority.Open(base, now); !errors.Is(err, authority.ErrUnusable) {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("an expired certificate", func(t *testing.T) {
		base := filepath.Join(t.TempDir(), "sim")
		open(t, base)
		if _, err := authority.Open(base, now.AddDate(10, 0, 1)); !errors.Is(err, authority.ErrUnusable) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a missing key is made anew, with its certificate", func(t *testing.T) {
		base := filepath.Join(t.TempDir(), "sim")
		before, _ := os.ReadFile(open(t, base).File())
		if err := os.Remove(base + ".ca.key"); err != nil {
			t.Fatal(err)
		}
		if after, err := os.ReadFile(open(t, base).File()); err != nil || bytes.Equal(before, after) {
			t.Errorf("the certificate is still that of the lost key (%v)", err)
		}
	})
}
