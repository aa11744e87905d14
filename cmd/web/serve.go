package main

import (
	"bytes"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"
)

// handler serves the files of a built page. A file with a compressed form beside it, such as app.mjs.br, is sent in that form to browsers
// that can read it. Other servers of static files do the same: the page needs nothing more.
func handler(files map[string][]byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if name == "" {
			name = "index.html"
		}
		content, is := files[name]
		if !is || !fs.ValidPath(name) {
			http.NotFound(w, r)
			return
		}
		header := w.Header()
		header.Set("Content-Type", typeOf(name))
		header.Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cache-Control", "no-cache")
		if strings.Contains(name, "/") { // in the folder that is named after its content
			header.Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		header.Set("Vary", "Accept-Encoding")
		for _, form := range []struct{ encoding, ext string }{{"br", ".br"}, {"gzip", ".gz"}} {
			if small, is := files[name+form.ext]; is && strings.Contains(r.Header.Get("Accept-Encoding"), form.encoding) {
				header.Set("Content-Encoding", form.encoding)
				content = small
				break
			}
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	})
}

// typeOf returns the media type of a file, which must not depend on the tables of the machine.
func typeOf(name string) string {
	switch path.Ext(name) {
	case ".mjs", ".js":
		return "text/javascript; charset=utf-8"
	case ".wasm":
		return "application/wasm"
	case ".webmanifest":
		return "application/manifest+json"
	case ".json":
		return "application/json"
	case ".svg":
		return "image/svg+xml"
	default:
		return mime.TypeByExtension(path.Ext(name))
	}
}
