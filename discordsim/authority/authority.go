// Package authority is a certificate authority for servers on one's own machine. Its certificate is valid only for
// loopback names and addresses and for Discord's names, so a program that trusts it trusts it for no other server.
package authority

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// ErrUnusable means that the files of an authority cannot be used. The error
// says why, and what to do.
var ErrUnusable = errors.New("the certificate authority cannot be used")

const (
	validFor     = 10 * 365 * 24 * time.Hour
	leafValidFor = 365 * 24 * time.Hour
	// backdated is how long before now a certificate begins to be valid, for clients whose clocks are behind.
	backdated = time.Hour
)

// names and networks are the names and addresses for which an authority can sign certificates.
var (
	names    = append([]string{"localhost"}, discord...)
	networks = []*net.IPNet{
		{IP: net.IPv4(127, 0, 0, 0).To4(), Mask: net.CIDRMask(8, 32)},
		{IP: net.IPv6loopback, Mask: net.CIDRMask(128, 128)},
	}
)

// discord are Discord's domains, each of which includes its subdomains.
var discord = []string{"discord.com", "discord.gg", "discordapp.com", "discordapp.net"}

// Authority signs the certificates of servers.
type Authority struct {
	file   string
	signer tls.Certificate
	now    time.Time
}

// Open returns the authority whose files are base+".ca.pem" and base+".ca.key". It makes a new authority if either is
// missing. It refuses a key file that anyone but its owner can read.
func Open(base string, now time.Time) (*Authority, error) {
	certFile, keyFile := base+".ca.pem", base+".ca.key"
	cert, err := os.ReadFile(certFile)
	var key []byte
	if err == nil {
		key, err = readKey(keyFile)
	}
	if errors.Is(err, fs.ErrNotExist) {
		cert, key, err = create(certFile, keyFile, now)
	}
	if err != nil {
		return nil, err
	}
	signer, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("%w: %s and %s: %w; delete both to have a new one made, which has to be trusted anew", ErrUnusable, certFile, keyFile, err)
	}
	if expires := signer.Leaf.NotAfter; now.After(expires) {
		return nil, fmt.Errorf("%w: %s expired on %s; delete it to have a new one made, which has to be trusted anew", ErrUnusable, certFile, expires.Format(time.DateOnly))
	}
	if !slices.Equal(signer.Leaf.PermittedDNSDomains, names) {
		return nil, fmt.Errorf("%w: %s does not vouch for %v; delete it to have a new one made, which has to be trusted anew", ErrUnusable, certFile, names)
	}
	return &Authority{file: certFile, signer: signer, now: now}, nil
}

// File returns the path of the certificate that clients have to trust, in PEM.
func (a *Authority) File() string { return a.file }

// Pool returns a pool with the authority's certificate alone.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.signer.Leaf)
	return pool
}

// Server makes a certificate for a server at the given host, a loopback name or address. The certificate is also
// valid for localhost, 127.0.0.1 and ::1, and for Discord's names.
func (a *Authority) Server(host string) (*tls.Config, error) {
	leaf := template("local Discord", a.now, leafValidFor)
	leaf.DNSNames = []string{"localhost"}
	for _, name := range discord {
		leaf.DNSNames = append(leaf.DNSNames, name, "*."+name)
	}
	leaf.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	leaf.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	leaf.KeyUsage = x509.KeyUsageDigitalSignature
	switch ip := net.ParseIP(host); {
	case ip != nil && ip.IsLoopback():
		leaf.IPAddresses = append(leaf.IPAddresses, ip)
	case host == "localhost":
	default:
		return nil, fmt.Errorf("TLS is for loopback names and addresses such as 127.0.0.1 and localhost, not for %q", host)
	}
	if leaf.NotAfter.After(a.signer.Leaf.NotAfter) {
		leaf.NotAfter = a.signer.Leaf.NotAfter
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a server's key: %w", err)
	}
	signed, err := x509.CreateCertificate(rand.Reader, leaf, a.signer.Leaf, key.Public(), a.signer.PrivateKey)
	if err != nil {
		return nil, fmt.Errorf("signing a server's certificate: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{signed, a.signer.Certificate[0]}, PrivateKey: key}}}, nil
}

func template(name string, now time.Time, valid time.Duration) *x509.Certificate {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		panic(fmt.Sprintf("authority: no random number: %v", err)) // crypto/rand never fails
	}
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name},
		NotBefore: now.Add(-backdated), NotAfter: now.Add(valid), BasicConstraintsValid: true,
	}
}

// create makes an authority and writes its files.
func create(certFile, keyFile string, now time.Time) (cert, key []byte, err error) {
	root := template("discordsim local authority", now, validFor)
	root.IsCA, root.MaxPathLenZero = true, true
	root.KeyUsage = x509.KeyUsageCertSign
	root.PermittedDNSDomainsCritical, root.PermittedDNSDomains, root.PermittedIPRanges = true, names, networks
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("making the authority's key: %w", err)
	}
	signed, err := x509.CreateCertificate(rand.Reader, root, root, private.Public(), private)
	if err != nil {
		return nil, nil, fmt.Errorf("making the authority's certificate: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, nil, fmt.Errorf("encoding the authority's key: %w", err)
	}
	cert = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})
	key = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	if err := write(keyFile, key, 0o600); err != nil {
		return nil, nil, err
	}
	return cert, key, write(certFile, cert, 0o644)
}

// write writes a file atomically.
func write(file string, text []byte, mode fs.FileMode) error {
	draft, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*") // only its owner can read it
	if err != nil {
		return fmt.Errorf("keeping the certificate authority: %w", err)
	}
	_, err = draft.Write(text)
	err = errors.Join(err, draft.Chmod(mode), draft.Sync(), draft.Close())
	if err == nil {
		err = os.Rename(draft.Name(), file)
	}
	if err != nil {
		os.Remove(draft.Name())
		return fmt.Errorf("keeping the certificate authority in %s: %w", file, err)
	}
	return nil
}

// readKey reads the key. It refuses a file that anyone but its owner can read.
func readKey(file string) ([]byte, error) {
	about, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("reading the certificate authority's key: %w", err)
	}
	if mode := about.Mode().Perm(); runtime.GOOS != "windows" && mode&0o077 != 0 {
		return nil, fmt.Errorf("%w: others may read its key %s (mode %04o); delete it to have a new one made, or make it yours alone: chmod 600", ErrUnusable, file, mode)
	}
	key, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the certificate authority's key: %w", err)
	}
	return key, nil
}
