// Package playground is the web page on top of the local Discord: channels,
// messages, buttons and commands as people know them from Discord, for
// several people in one window or in several. It holds no state of its own;
// everything the page shows and does goes through the simulator's HTTP calls
// (docs/simulator.md).
package playground

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"tictactoe/internal/ownhost"
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

// Handler serves the page at "/" and passes requests to "/sim/", "/api/" and
// "/ws" to the simulator. It only answers requests whose Host is this server's
// own, so that a foreign site cannot reach it by pointing its name at a
// loopback address, and it refuses changes that a foreign site asks for. Bots
// may name the server in more ways, which [botHost] lists.
func Handler(sim http.Handler, opts Options) http.Handler {
	own := http.NewServeMux()
	own.Handle("/sim/", sim)
	own.Handle("/", assets())

	mux := http.NewServeMux()
	bots := ownhost.Only(opts.Listen, botHost, sameSite(sim))
	mux.Handle("/api/", bots)
	mux.Handle("/ws", bots)
	mux.Handle("/ws/", bots)
	mux.Handle("/", ownhost.Only(opts.Listen, nil, sameSite(own)))
	return mux
}

// botHost reports whether a bot may call this server by a host name. It may use
// Discord's own names, which stay in the Host header if the bot's HTTP transport
// replaces only the address, names without a dot, and names below ".internal",
// as containers call each other. No foreign site can have any of these names.
func botHost(name string) bool {
	if discordHost(name) || strings.HasSuffix(name, ".internal") {
		return true
	}
	return name != "" && !strings.ContainsAny(name, ".:")
}

// discordHost reports whether a name is Discord's or below one of Discord's.
func discordHost(name string) bool {
	for _, own := range [...]string{"discord.com", "discord.gg", "discordapp.com"} {
		if name == own || strings.HasSuffix(name, "."+own) {
			return true
		}
	}
	return false
}

// sameSite refuses changes that a page of another site asks for. It accepts
// every request to a name of Discord's, since no page but only a bot can send
// such a request here.
func sameSite(next http.Handler) http.Handler {
	protected := http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, _, _ := strings.Cut(r.Host, ":"); discordHost(name) {
			next.ServeHTTP(w, r)
			return
		}
		protected.ServeHTTP(w, r)
	})
}

// policy is the content security policy of the page: it may load its own files
// and talk to its own server, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// contentTypes are the types by file name extension. They do not come from the
// machine's own table, because that may differ, and with nosniff the page does
// not start if a type is wrong.
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
		header.Set("Vary", "Accept-Encoding")
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
		if takesGzip(r) {
			header.Set("Content-Encoding", "gzip")
			content = zipped()[name]
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
	})
}

// takesGzip reports whether a response may be compressed. Every browser says so
// with the plain word gzip. A client that uses another form, such as a weight,
// gets the file uncompressed.
func takesGzip(r *http.Request) bool {
	for offer := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		if strings.TrimSpace(offer) == "gzip" {
			return true
		}
	}
	return false
}

// zipped returns the files of the page, compressed with gzip, by name.
var zipped = sync.OnceValue(func() map[string][]byte {
	files := map[string][]byte{}
	fs.WalkDir(page, "page", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(page, name)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		w := gzip.NewWriter(&b) // neither writing to memory nor reading what is embedded can fail
		w.Write(content)
		w.Close()
		files[strings.TrimPrefix(name, "page/")] = b.Bytes()
		return nil
	})
	return files
})
