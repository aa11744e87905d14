// Package playground is the web page on top of the local Discord: channels,
// messages, buttons and commands as a person knows them from Discord, for
// several people in one window or in several. It holds no state of its own;
// everything the page shows and does goes through the simulator's HTTP calls
// (docs/simulator.md).
package playground

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed page
var page embed.FS

// Options says where the page is served.
type Options struct {
	// Listen is the address that the server listens on, such as
	// "127.0.0.1:8080". Its host is accepted in the Host header beside the
	// loopback names.
	Listen string
}

// Handler serves the page at "/" and hands "/sim/", "/api/" and "/ws" on to
// the simulator. The page and "/sim/" answer only to a Host that is this
// server's own, so that a foreign site cannot reach them by pointing its name
// at a loopback address, and refuse changes that a foreign site asks for.
// "/api/" and "/ws" are for bots, which send neither Origin nor a Host that
// could be relied on.
func Handler(sim http.Handler, opts Options) http.Handler {
	own := http.NewServeMux()
	own.Handle("/sim/", sim)
	own.Handle("/", assets())
	guarded := hostCheck(opts.Listen, http.NewCrossOriginProtection().Handler(own))

	mux := http.NewServeMux()
	mux.Handle("/api/", sim)
	mux.Handle("/ws", sim)
	mux.Handle("/ws/", sim)
	mux.Handle("/", guarded)
	return mux
}

// policy lets the page load its own files and talk to its own server, and
// nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// contentTypes are fixed here because the machine's own table may differ, and
// with nosniff a wrong type is a page that does not start.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".mjs":  "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
}

func assets() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cache-Control", "no-store")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			header.Set("Allow", "GET, HEAD")
			http.Error(w, "the page can only be read", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		content, err := fs.ReadFile(page, path.Join("page", name))
		kind, known := contentTypes[path.Ext(name)]
		if err != nil || !known { // absent, a folder, or not part of the page
			http.NotFound(w, r)
			return
		}
		header.Set("Content-Type", kind)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
	})
}

func hostCheck(listen string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !ownHost(r.Host, listen) {
			http.Error(w, fmt.Sprintf("this server is not %q; open it by the address it printed", r.Host), http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}
