package page_test

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tictactoe/discordsim/page"
)

func TestTheRightRequestsReachTheSimulator(t *testing.T) {
	t.Parallel()
	sim := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "sim "+r.URL.Path) })
	handler := page.Handler(sim, page.Options{Listen: "192.0.2.7:8080"})
	tests := []struct {
		name, method, path, host string
		header                   map[string]string
		status                   int
		body                     string // a part of the response's body
	}{
		{"the page is served on a loopback address", "GET", "/", "127.0.0.1:8080", nil, 200, "later.mjs"},
		{"the page is served on localhost", "GET", "/?as=bob", "localhost:8080", nil, 200, "later.mjs"},
		{"the page is served on IPv6 loopback", "GET", "/", "[::1]:8080", nil, 200, "later.mjs"},
		{"the page is served on the listen host", "GET", "/", "192.0.2.7:8080", nil, 200, "later.mjs"},
		{"a foreign name that points here gets nothing", "GET", "/", "evil.example:8080", nil, 421, "not"},
		{"a name that only starts like localhost gets nothing", "GET", "/", "localhost.evil.example", nil, 421, "not"},
		{"another address gets nothing", "GET", "/", "192.0.2.8:8080", nil, 421, "not"},
		{"an empty host gets nothing", "GET", "/", "", nil, 421, "not"},
		{"the second script is served", "GET", "/later.mjs", "127.0.0.1", nil, 200, "Composer"},
		{"a module is served inside the script alone", "GET", "/live.mjs", "127.0.0.1", nil, 404, ""},
		{"an unknown file is not found", "GET", "/nope.mjs", "127.0.0.1", nil, 404, ""},
		{"a folder is not found", "GET", "/vendor", "127.0.0.1", nil, 404, ""},
		{"the page cannot be written", "POST", "/", "127.0.0.1", nil, 405, ""},
		{"the simulator's calls pass", "GET", "/sim/state", "127.0.0.1", nil, 200, "sim /sim/state"},
		{"the simulator's calls check the host", "GET", "/sim/state", "evil.example", nil, 421, ""},
		{"a script without an origin may write", "POST", "/sim/click", "127.0.0.1", nil, 200, "sim /sim/click"},
		{"the page itself may write", "POST", "/sim/click", "127.0.0.1:8080", map[string]string{"Origin": "http://127.0.0.1:8080", "Sec-Fetch-Site": "same-origin"}, 200, "sim"},
		{"a foreign site may not write", "POST", "/sim/click", "127.0.0.1:8080", map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}, 403, ""},
		{"an old browser's foreign site may not write", "POST", "/sim/click", "127.0.0.1:8080", map[string]string{"Origin": "https://evil.example"}, 403, ""},
		{"a bot may use the address", "POST", "/api/v10/interactions/1/t/callback", "127.0.0.1:8080", nil, 200, "sim /api/v10"},
		{"a bot may use Discord's name", "POST", "/api/v10/interactions/1/t/callback", "discord.com", nil, 200, "sim /api/v10"},
		{"a bot may use a name of Discord's for files", "GET", "/api/cdn/x", "cdn.discordapp.com", nil, 200, "sim /api/cdn"},
		{"a bot in a container may use the name of another", "GET", "/api/v10/gateway", "sim:8080", nil, 200, "sim /api/v10"},
		{"a bot in a container may use the name of the machine", "GET", "/api/v10/gateway", "host.docker.internal:8080", nil, 200, "sim /api/v10"},
		{"a page whose name points here cannot read interactions", "GET", "/api/v10/users/@me", "evil.example:8080", nil, 421, "not"},
		{"nor connect to the gateway", "GET", "/ws?v=9", "evil.example:8080", nil, 421, "not"},
		{"a name that only ends like Discord's gets nothing", "GET", "/api/v10/gateway", "evildiscord.com", nil, 421, "not"},
		{"a name that only begins like Discord's gets nothing", "GET", "/api/v10/gateway", "discord.com.evil.example", nil, 421, "not"},
		{"an empty host gets nothing of a bot's", "GET", "/api/v10/gateway", "", nil, 421, "not"},
		{"the page is not served by Discord's name", "GET", "/", "discord.com", nil, 421, "not"},
		{"a foreign site may not play a bot", "POST", "/api/v10/channels/1/messages", "127.0.0.1:8080", map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}, 403, ""},
		{"a bot may carry any origin to Discord's name", "POST", "/api/v9/channels/1/messages", "discord.com", map[string]string{"Origin": "https://discord.com", "Sec-Fetch-Site": "cross-site"}, 200, "sim"},
		{"the gateway may use Discord's name", "GET", "/ws?v=9", "gateway.discord.gg", nil, 200, "sim /ws"},
		{"the gateway may end in a slash", "GET", "/ws/?v=9", "gateway.discord.gg", nil, 200, "sim /ws/"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			request := httptest.NewRequest(test.method, "http://x"+test.path, nil)
			request.Host = test.host
			for k, v := range test.header {
				request.Header.Set(k, v)
			}
			response := httptest.NewRecorder()
			handler.ServeHTTP(response, request)
			if response.Code != test.status || !strings.Contains(response.Body.String(), test.body) {
				t.Errorf("got %d %.200q, want %d and %q", response.Code, response.Body, test.status, test.body)
			}
		})
	}
}

func TestAServerOnEveryAddressTakesLiteralAddressesOnly(t *testing.T) {
	t.Parallel()
	for _, listen := range []string{":8080", "0.0.0.0:8080", "[::]:8080"} {
		handler := page.Handler(http.NotFoundHandler(), page.Options{Listen: listen})
		for host, want := range map[string]int{"192.0.2.7:8080": 200, "[2001:db8::1]:8080": 200, "evil.example:8080": 421} {
			request := httptest.NewRequest("GET", "http://x/", nil)
			request.Host = host
			response := httptest.NewRecorder()
			handler.ServeHTTP(response, request)
			if response.Code != want {
				t.Errorf("listening on %s, host %s: got %d, want %d", listen, host, response.Code, want)
			}
		}
	}
}

// get requests a file of the page from a handler, as a browser that accepts the encoding does.
func get(t *testing.T, handler http.Handler, name, encoding string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequest("GET", "http://127.0.0.1/"+name, nil)
	request.Header.Set("Accept-Encoding", encoding)
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, request)
	return response
}

func TestEveryFileOfThePageIsServedSafely(t *testing.T) {
	t.Parallel()
	handler := page.Handler(http.NotFoundHandler(), page.Options{})
	scripts := ""
	for _, name := range []string{"", "later.mjs", "maker.mjs"} {
		scripts += get(t, handler, name, "identity").Body.String()
	}
	err := fs.WalkDir(os.DirFS("page"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if ending := filepath.Ext(name); ending == ".css" || ending == ".mjs" {
			if inside := `modules["` + name + `"]=`; ending == ".mjs" && strings.Count(scripts, inside) != 1 {
				t.Errorf("%s is inside the scripts %d times", name, strings.Count(scripts, inside))
			}
			if name != "later.mjs" && name != "maker.mjs" {
				return nil
			}
		}
		response := get(t, handler, name, "identity")
		if whole, err := os.ReadFile(filepath.Join("page", name)); err != nil || response.Code != 200 {
			t.Errorf("%s: status %d, %v", name, response.Code, err)
		} else if ending := filepath.Ext(name); ending != ".html" && ending != ".mjs" && !bytes.Equal(response.Body.Bytes(), whole) {
			t.Errorf("%s: the response is not the file", name)
		}
		for header, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
		} {
			if got := response.Header().Get(header); got != want {
				t.Errorf("%s: %s is %q, want %q", name, header, got, want)
			}
		}
		policy := response.Header().Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: the policy %q lacks %q", name, policy, want)
			}
		}
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
			t.Errorf("%s: the policy is loose: %q", name, policy)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The limits keep the page fast on a phone with a slow connection.
func TestThePageIsSmall(t *testing.T) {
	t.Parallel()
	handler := page.Handler(http.NotFoundHandler(), page.Options{})
	for name, most := range map[string]int{"index.html": 38 << 10, "later.mjs": 20 << 10, "maker.mjs": 7 << 10} {
		response := get(t, handler, name, "br, gzip")
		if n := response.Body.Len(); n > most || response.Header().Get("Content-Encoding") != "gzip" {
			t.Errorf("%s takes %d bytes in the encoding %q, want at most %d in gzip", name, n, response.Header().Get("Content-Encoding"), most)
		}
	}
}

func TestShortResponsesAreNotCompressed(t *testing.T) {
	t.Parallel()
	short, long := strings.Repeat("x", 1399), strings.Repeat("x", 1400)
	for body, want := range map[string]string{short: "", long: "gzip"} {
		sim := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusTeapot)
			io.WriteString(w, body)
		})
		response := get(t, page.Handler(sim, page.Options{}), "sim/state", "gzip")
		if got := response.Header().Get("Content-Encoding"); got != want || response.Code != http.StatusTeapot {
			t.Errorf("%d bytes have the encoding %q and status %d, want %q and 418", len(body), got, response.Code, want)
		}
	}
}

// The page's own scripts must not use functions that make HTML from strings.
func TestNoScriptMakesMarkupFromStrings(t *testing.T) {
	t.Parallel()
	forbidden := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|https?://[a-z]`)
	names, err := fs.Glob(os.DirFS("page"), "*.mjs")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scripts found: %v", err)
	}
	for _, name := range names {
		source, err := os.ReadFile("page/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if hit := forbidden.Find(source); hit != nil {
			t.Errorf("%s contains %q", name, hit)
		}
	}
}
