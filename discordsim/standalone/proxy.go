package standalone

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"tictactoe/discordsim/page"
)

// proxy is a CONNECT proxy that connects Discord's host names to the simulator and refuses other names. With
// HTTPS_PROXY and the authority's certificate, it also serves programs that have Discord's addresses compiled in.
type proxy struct {
	address string // host and port, as programs on this machine reach it
	front   *http.Server
	back    *http.Server // serves TLS to the clients of the proxy
	tunnels tunnels
}

// openProxy serves a proxy at an address.
func (s *Site) openProxy(listen string) error {
	if s.authority == nil {
		if err := s.openAuthority(); err != nil {
			return fmt.Errorf("--proxy: %w", err)
		}
	}
	config, err := s.authority.Server("localhost")
	if err != nil {
		return fmt.Errorf("--proxy: %w", err)
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return fmt.Errorf("--proxy: %w; choose an address such as 127.0.0.1:0", err)
	}
	_, reachable := addresses(listen, listener.Addr())
	p := &proxy{address: reachable, tunnels: tunnels{open: make(chan net.Conn), closed: make(chan struct{})}}
	p.back = &http.Server{Handler: discordPaths(s.server.Handler), TLSConfig: config, ReadHeaderTimeout: 10 * time.Second, ErrorLog: s.server.ErrorLog}
	p.front = &http.Server{Handler: p, ReadHeaderTimeout: 10 * time.Second, ErrorLog: s.server.ErrorLog}
	s.proxy = p
	for _, serve := range []func() error{
		func() error { return p.back.ServeTLS(&p.tunnels, "", "") },
		func() error { return p.front.Serve(listener) },
	} {
		go func() {
			if err := serve(); !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
				s.failed <- err
			}
		}()
	}
	return nil
}

// close ends the proxy and its tunnels.
func (p *proxy) close() error {
	return errors.Join(p.front.Close(), p.back.Close())
}

// ServeHTTP answers CONNECT for Discord's names, and refuses everything else.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, port, err := net.SplitHostPort(r.Host)
	switch {
	case r.Method != http.MethodConnect:
		http.Error(w, "this is discordsim's proxy for HTTPS_PROXY: it answers CONNECT only, not "+r.Method, http.StatusMethodNotAllowed)
	case err != nil || port != "443" || !page.DiscordHost(strings.ToLower(host)):
		http.Error(w, fmt.Sprintf("discordsim's proxy leads to Discord's names at port 443 only, not to %s: list that address in NO_PROXY", r.Host),
			http.StatusForbidden)
	default:
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		conn.SetDeadline(time.Time{})
		if _, err := conn.Write([]byte("HTTP/1.1 200 Connection established\r\n\r\n")); err != nil {
			conn.Close()
			return
		}
		p.tunnels.add(conn)
	}
}

// discordPaths returns a handler that maps the hosts of Discord's gateway and of its files to the simulator's paths.
func discordPaths(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _, _ := strings.Cut(strings.ToLower(r.Host), ":")
		path := r.URL.Path
		switch {
		case (name == "discord.gg" || strings.HasSuffix(name, ".discord.gg")) && !strings.HasPrefix(path, "/ws"):
			path = "/ws" + strings.TrimSuffix(path, "/")
		case name == "cdn.discordapp.com", name == "media.discordapp.net":
			path = "/api/cdn" + strings.TrimPrefix(path, "/api/cdn")
		}
		if path != r.URL.Path {
			r = r.Clone(r.Context())
			r.URL.Path, r.URL.RawPath = path, ""
		}
		next.ServeHTTP(w, r)
	})
}

// tunnels is a listener whose connections come from the method add.
type tunnels struct {
	open   chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// add passes a connection to Accept, or closes it if the listener is closed.
func (t *tunnels) add(conn net.Conn) {
	select {
	case t.open <- conn:
	case <-t.closed:
		conn.Close()
	}
}

// Accept returns the next connection.
func (t *tunnels) Accept() (net.Conn, error) {
	select {
	case conn := <-t.open:
		return conn, nil
	case <-t.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept.
func (t *tunnels) Close() error {
	t.once.Do(func() { close(t.closed) })
	return nil
}

// Addr returns an empty address, since tunnels have none.
func (t *tunnels) Addr() net.Addr { return &net.TCPAddr{} }
