// Package page serves the web page of the local Discord: channels, messages, buttons and commands as people know them
// from Discord, for several people in one or several windows. It holds no state; everything that the page shows and
// does goes through the simulator's HTTP calls (docs/simulator.md).
package page

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"embed"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"tictactoe/discordsim/ownhost"
)

//go:embed page
var content embed.FS

// Options says where the page is served.
type Options struct {
	// Listen is the address that the server listens on, such as
	// "127.0.0.1:8080". A Host header may name its host or a loopback name.
	Listen string
}

// Handler serves the page at "/" and passes requests to "/sim/", "/api/" and "/ws" to the simulator. It only answers
// requests whose Host names this server, so that a foreign site cannot use it by pointing its own name at a loopback
// address, and it refuses changes that a foreign site asks for. For bots, it accepts the other names that [botHost]
// lists.
func Handler(sim http.Handler, opts Options) http.Handler {
	own := http.NewServeMux()
	own.Handle("/sim/", sim)
	own.Handle("/", assets())

	mux := http.NewServeMux()
	bots := ownhost.Only(opts.Listen, botHost, sameSite(sim))
	mux.Handle("/api/", bots)
	mux.Handle("/ws", bots)
	mux.Handle("/ws/", bots)
	mux.Handle("/sim/events", ownhost.Only(opts.Listen, nil, sameSite(sim))) // not compressed, so that each event is sent at once
	mux.Handle("/", ownhost.Only(opts.Listen, nil, sameSite(compress(own))))
	return mux
}

// botHost reports whether a bot may call this server by a host name. A bot may use
// Discord's own names, which stay in the Host header if the bot's HTTP transport
// replaces only the address. It may also use names without a dot and names below
// ".internal", by which containers call each other. No foreign site can have any
// of these names.
func botHost(name string) bool {
	if DiscordHost(name) || strings.HasSuffix(name, ".internal") {
		return true
	}
	return name != "" && !strings.ContainsAny(name, ".:")
}

// DiscordHost reports whether a name is one of Discord's domains or below one of them.
func DiscordHost(name string) bool {
	for _, own := range [...]string{"discord.com", "discord.gg", "discordapp.com", "discordapp.net"} {
		if name == own || strings.HasSuffix(name, "."+own) {
			return true
		}
	}
	return false
}

// sameSite refuses changes that a page of another site asks for. It accepts every request to one of Discord's names,
// since only a bot, and no page, can send such a request to this server.
func sameSite(next http.Handler) http.Handler {
	protected := http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, _, _ := strings.Cut(r.Host, ":"); DiscordHost(name) {
			next.ServeHTTP(w, r)
			return
		}
		protected.ServeHTTP(w, r)
	})
}

// contentTypes are the types, by file name extension, of the files that are served. The machine's own table is not
// used, because it may differ, and with nosniff the page does not start if a type is wrong.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".mjs":  "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
}

func assets() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		files, policy := served()
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
		file, ok := files[name]
		kind, known := contentTypes[path.Ext(name)]
		if !ok || !known { // no such file, a folder, or a part of a bundled file
			http.NotFound(w, r)
			return
		}
		header.Set("Content-Type", kind)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(file))
	})
}

// leastZipped is the length in bytes from which a response is compressed. A shorter one takes a single packet anyway.
const leastZipped = 1400

// compress compresses the files of the page and the simulator's JSON, which slow connections wait for.
func compress(next http.Handler) http.Handler {
	writers := &sync.Pool{New: func() any { // a writer takes 800 KB, so responses share them
		zip, _ := gzip.NewWriterLevel(nil, gzip.BestCompression) // cannot fail, since the level exists
		return zip
	}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Vary", "Accept-Encoding")
		if !takesGzip(r) {
			next.ServeHTTP(w, r)
			return
		}
		r.Header.Del("Range") // a range refers to the uncompressed content
		z := &zipped{ResponseWriter: w, writers: writers}
		next.ServeHTTP(z, r)
		z.finish()
	})
}

// takesGzip reports whether a response may be compressed. It recognises only the plain word gzip, which every browser
// sends. A client that uses another form, such as a weight, gets the file uncompressed.
func takesGzip(r *http.Request) bool {
	for offer := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		if strings.TrimSpace(offer) == "gzip" {
			return true
		}
	}
	return false
}

// zipped is a response whose body is compressed if the first part of it has leastZipped bytes.
type zipped struct {
	http.ResponseWriter
	writers *sync.Pool
	status  int          // the status to send with the first part of the body; 0 stands for 200
	begun   bool         // the status is sent
	zip     *gzip.Writer // nil if the body is not compressed
}

func (z *zipped) WriteHeader(status int) { z.status = cmp.Or(z.status, status) }

func (z *zipped) Write(content []byte) (int, error) {
	if !z.begun {
		if len(content) >= leastZipped {
			z.Header().Set("Content-Encoding", "gzip")
			z.Header().Del("Content-Length")
			z.zip = z.writers.Get().(*gzip.Writer)
			z.zip.Reset(z.ResponseWriter)
		}
		z.begin()
	}
	if z.zip == nil {
		return z.ResponseWriter.Write(content)
	}
	return z.zip.Write(content)
}

func (z *zipped) begin() {
	z.begun = true
	z.ResponseWriter.WriteHeader(cmp.Or(z.status, http.StatusOK))
}

// finish sends the rest of the response.
func (z *zipped) finish() {
	if !z.begun {
		z.begin()
	}
	if z.zip != nil {
		z.zip.Close() // fails only if the client has disconnected
		z.writers.Put(z.zip)
	}
}

// served returns the files of the page by name, some of them as [bundle] makes them, and the content security policy.
var served = sync.OnceValues(func() (files map[string][]byte, policy string) {
	html, later, maker, policy := bundle()
	files = map[string][]byte{"index.html": []byte(html), "later.mjs": []byte(later), "maker.mjs": []byte(maker)}
	fs.WalkDir(content, "page", func(name string, entry fs.DirEntry, err error) error {
		short := strings.TrimPrefix(name, "page/")
		if _, ok := files[short]; ok || err != nil || entry.IsDir() || path.Ext(name) == ".mjs" || path.Ext(name) == ".css" {
			return err
		}
		files[short], err = fs.ReadFile(content, name)
		return err
	})
	return files, policy
})
