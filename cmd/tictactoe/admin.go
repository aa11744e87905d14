package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	_ "net/http/pprof" // registers its pages in http.DefaultServeMux, which nothing else uses
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/net/netutil"

	"tictactoe/bot"
	"tictactoe/discordsim/ownhost"
	"tictactoe/internal/match"
)

const (
	// readyTime bounds how long a readiness check waits for the database.
	readyTime = time.Second
	// adminTimeout bounds how long a connection may be idle, and how long a request may take to arrive. If other machines can reach the
	// address, it also bounds the answer; if not, a profile may take as long as the request says.
	adminTimeout = 10 * time.Second
	// maxAdmin bounds the connections that are open at once. More wait until one is closed.
	maxAdmin = 64
)

// adminHandler serves liveness, readiness, metrics and, if profiles is set, profiles to the operator. Profiles show parts of the memory, so
// they are only for this machine. While current holds nil, because the database is not open yet, the bot is alive but not ready, and has no
// metrics.
func adminHandler(current *atomic.Pointer[app], profiles bool) http.Handler {
	mux := http.NewServeMux()
	started := func(serve func(a *app, w http.ResponseWriter, r *http.Request)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if a := current.Load(); a != nil {
				serve(a, w, r)
				return
			}
			w.WriteHeader(http.StatusServiceUnavailable)
			io.WriteString(w, "database: not open yet\n")
		}
	}
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") })
	mux.HandleFunc("GET /readyz", started(func(a *app, w http.ResponseWriter, r *http.Request) {
		said, ok := a.ready(r.Context())
		if !ok {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		io.WriteString(w, said)
	}))
	mux.HandleFunc("GET /metrics", started(func(a *app, w http.ResponseWriter, r *http.Request) {
		promhttp.HandlerFor(a.metrics.registry, promhttp.HandlerOpts{
			ErrorHandling: promhttp.ContinueOnError, // omits only the metrics that cannot be collected now
		}).ServeHTTP(w, r)
	}))
	if profiles {
		mux.Handle("GET /debug/pprof/", http.DefaultServeMux)
	}
	return mux
}

// ready reports in ok whether the bot is connected to Discord and the database works. said describes the state of both, for people.
func (a *app) ready(ctx context.Context) (said string, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	ok = true
	check := func(name string, err error) {
		if err != nil {
			said, ok = said+name+": "+err.Error()+"\n", false
			return
		}
		said += name + ": ok\n"
	}
	from := "gateway"
	if a.overHTTP {
		from = "http"
	}
	check(from, disconnected(a.bot.State()))
	check("database", a.databaseReady(ctx))
	return said, ok
}

// databaseReady returns an error unless the database answers, is undamaged and can save.
func (a *app) databaseReady(ctx context.Context) error {
	if err := a.health.err(); err != nil {
		return err
	}
	_, err := a.store.LastSeen(ctx, match.Partition{})
	return err
}

// disconnected returns an error that names the shards that are not connected, or nil if all are.
func disconnected(s bot.State) error {
	if s.Connected {
		return nil
	}
	var missing []string
	for _, id := range slices.Sorted(maps.Keys(s.Shards)) {
		if !s.Shards[id] {
			missing = append(missing, strconv.Itoa(id))
		}
	}
	if s.Of <= 1 || len(missing) == 0 {
		return errors.New("not connected")
	}
	return fmt.Errorf("not connected: shard %s of %d", strings.Join(missing, ", "), s.Of)
}

// healthCommand prints what the bot answers to /readyz. It is the image's HEALTHCHECK, because the image has no curl.
type healthCommand struct {
	Admin string `env:"TICTACTOE_ADMIN" required:"" placeholder:"ADDR" help:"The admin port of the bot, as 127.0.0.1:9090."`
}

// Run returns an error, for which the exit code is 1, unless the bot is ready.
func (c healthCommand) Run(ctx context.Context, s surroundings) error {
	ctx, cancel := context.WithTimeout(ctx, adminTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.Admin+"/readyz", nil)
	if err != nil {
		return err
	}
	resp, err := new(http.Transport).RoundTrip(request) // not through a proxy
	if err != nil {
		return fmt.Errorf("asking the bot whether it is ready: %w", err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(s.stdout, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return errors.New("the bot is not ready")
	}
	return nil
}

// serveAdmin serves the operator until stop is called. It may be called before current holds the app.
func serveAdmin(listener net.Listener, current *atomic.Pointer[app], log *slog.Logger) (stop func()) {
	bound, tcp := listener.Addr().(*net.TCPAddr)
	local := tcp && bound.IP.IsLoopback()
	log.Info("admin port open", "address", listener.Addr().String(), "profiles", local)
	if !local {
		log.Warn("other machines can reach the admin port and read the metrics; it serves no profiles", "address", listener.Addr().String())
	}
	handler := adminHandler(current, local)
	// Only refuses requests for other host names, so that no web page can read the port through a browser. At an address that is not local,
	// the bot does not know its own host names.
	if local {
		handler = ownhost.Only(listener.Addr().String(), nil, handler)
	}
	server := &http.Server{
		Handler: handler, ReadTimeout: adminTimeout, MaxHeaderBytes: 16 << 10,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	if !local {
		server.WriteTimeout = adminTimeout
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		if err := server.Serve(netutil.LimitListener(listener, maxAdmin)); !errors.Is(err, http.ErrServerClosed) {
			log.Error("the admin port is closed", "err", err)
		}
	}()
	return func() { server.Close(); <-served }
}
