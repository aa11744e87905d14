package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/bot"
	"tictactoe/discordsim"
	"tictactoe/discordsim/simtest"
	"tictactoe/store/sqlite"
)

// administered returns a simulator, a bot that is connected to it, and the bot's admin port.
func administered(t *testing.T) (*discordsim.Sim, *app, *httptest.Server) {
	t.Helper()
	sim, err := discordsim.New(discordsim.Config{})
	if err != nil {
		t.Fatal(err)
	}
	discord := httptest.NewServer(sim.Handler())
	t.Cleanup(func() { sim.Close(); discord.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	a, err := newApp(ctx, settings{
		db: filepath.Join(t.TempDir(), "bot.db"), token: playgroundToken, discordURL: discord.URL, clock: sim.Clock(), log: slog.New(slog.DiscardHandler), backups: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	var current atomic.Pointer[app]
	admin := httptest.NewServer(adminHandler(&current, true))
	t.Cleanup(admin.Close)
	for path, want := range map[string]int{"/livez": http.StatusOK, "/readyz": http.StatusServiceUnavailable, "/metrics": http.StatusServiceUnavailable} {
		if status, said := get(t, admin.URL+path); status != want {
			t.Errorf("%s before the database is open: %d %q", path, status, said)
		}
	}
	current.Store(a)
	if status, said := get(t, admin.URL+"/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(said, "gateway: not connected") {
		t.Errorf("before it is connected: %d %q", status, said)
	}
	ended := make(chan error, 1)
	go func() { ended <- a.run(ctx) }()
	t.Cleanup(func() { cancel(); <-ended })
	waitUntil(t, "the bot is ready", func() bool { status, _ := get(t, admin.URL+"/readyz"); return status == http.StatusOK })
	return sim, a, admin
}

func TestReadyNamesTheMissingShards(t *testing.T) {
	for want, state := range map[string]bot.State{
		"<nil>":                          {Connected: true, Of: 2, Shards: map[int]bool{0: true}},
		"not connected":                  {},
		"not connected: shard 1, 3 of 4": {Of: 4, Shards: map[int]bool{0: true, 3: false, 1: false}},
	} {
		if got := fmt.Sprint(disconnected(state)); got != want {
			t.Errorf("%+v: %s", state, got)
		}
	}
}

func holding(a *app) *atomic.Pointer[app] {
	p := new(atomic.Pointer[app])
	p.Store(a)
	return p
}

// reachable is a listener whose address is not a loopback address.
type reachable struct{ net.Listener }

func (reachable) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 9090} }

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(raw)
}

func TestAdmin(t *testing.T) {
	t.Parallel()
	sim, a, admin := administered(t)

	t.Run("it is alive and ready, and names the connections", func(t *testing.T) {
		if status, said := get(t, admin.URL+"/livez"); status != 200 || said != "ok\n" {
			t.Errorf("%d %q", status, said)
		}
		if status, said := get(t, admin.URL+"/readyz"); status != 200 || said != "gateway: ok\ndatabase: ok\n" {
			t.Errorf("%d %q", status, said)
		}
	})

	t.Run("health says what readiness says", func(t *testing.T) {
		out, problems, code := runInProcess(t, "", "health", "--admin", strings.TrimPrefix(admin.URL, "http://"))
		if code != exitOK || out != "gateway: ok\ndatabase: ok\n" {
			t.Errorf("exit %d, %q, %s", code, out, problems)
		}
		starting := httptest.NewServer(adminHandler(new(atomic.Pointer[app]), false))
		address := strings.TrimPrefix(starting.URL, "http://")
		if out, problems, code = runInProcess(t, "", "health", "--admin", address); code != exitFailure || !strings.Contains(out, "not open yet") || !strings.Contains(problems, "not ready") {
			t.Errorf("before the database is open: exit %d, %q, %s", code, out, problems)
		}
		starting.Close()
		if out, problems, code = runInProcess(t, "", "health", "--admin", address); code != exitFailure || !strings.Contains(problems, "refused") {
			t.Errorf("without a bot: exit %d, %q, %s", code, out, problems)
		}
	})

	t.Run("actions of users are counted", func(t *testing.T) {
		waitUntil(t, "the commands are registered", func() bool {
			_, err := sim.User("alice").Command(t.Context(), "general", "tictactoe help", nil)
			return err == nil
		})
		r, err := sim.User("alice").Command(t.Context(), "general", "tictactoe ai", map[string]any{"level": "easy", "first": "me"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sim.User("alice").Click(t.Context(), r.Message.ID, discordsim.Button{Index: 0}); err != nil {
			t.Fatal(err)
		}
		if _, err := sim.User("bob").Click(t.Context(), r.Message.ID, discordsim.Button{CustomID: "forged:1", Forge: true}); err != nil {
			t.Fatal(err)
		}
		if _, err := sim.User("bob").Click(t.Context(), r.Message.ID, discordsim.Button{Index: 1}); err != nil {
			t.Fatal(err)
		}
		var said string
		for _, want := range []string{
			`tictactoe_interactions_total{kind="component play",outcome="answered"} 2`,
			`tictactoe_refusals_total{reason="not a player of this match"} 1`,
			`tictactoe_interactions_total{kind="command tictactoe ai",outcome="answered"} 1`,
			`tictactoe_interactions_total{kind="other",outcome="answered"} 1`,
			`tictactoe_answer_seconds_count{first="reply"} 5`,
			`tictactoe_gateway_connected{shard="0"} 1`, `tictactoe_gateway_connections_total{shard="0"} 1`, `tictactoe_shards 1`, `tictactoe_ready 1`, `tictactoe_matches_open 1`, `tictactoe_challenges_pending 0`, `tictactoe_ladders_stale 0`, `tictactoe_matches_rated_total 0`, `tictactoe_arena_matches_total 0`, `tictactoe_seasons_announced_total{outcome="posted"} 0`,
			`tictactoe_database_seconds_count{operation="save",result="ok"}`,
		} {
			waitUntil(t, want, func() bool { _, said = get(t, admin.URL+"/metrics"); return strings.Contains(said, "\n"+want) })
		}
	})

	t.Run("profiles are only for this machine", func(t *testing.T) {
		if status, _ := get(t, admin.URL+"/debug/pprof/goroutine?debug=1"); status != 200 {
			t.Error(status)
		}
		open := httptest.NewServer(adminHandler(holding(a), false))
		defer open.Close()
		for _, path := range []string{"/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/cmdline", "/"} {
			if status, _ := get(t, open.URL+path); status != http.StatusNotFound {
				t.Errorf("%s: %d", path, status)
			}
		}
		if status, _ := get(t, open.URL+"/metrics"); status != 200 {
			t.Error(status)
		}
	})

	t.Run("on a reachable address it logs a warning, and shows no profiles", func(t *testing.T) {
		listener, err := listenOn("--admin", "127.0.0.1:0", "")
		if err != nil {
			t.Fatal(err)
		}
		var said output
		defer serveAdmin(reachable{listener}, holding(a), slog.New(slog.NewTextHandler(&said, nil)))()
		if !strings.Contains(said.String(), "level=WARN") || !strings.Contains(said.String(), "192.0.2.7") {
			t.Errorf("the log is %s", said.String())
		}
		address := "http://" + listener.Addr().String()
		if status, _ := get(t, address+"/livez"); status != 200 {
			t.Error(status)
		}
		if status, _ := get(t, address+"/debug/pprof/heap"); status != http.StatusNotFound {
			t.Error(status)
		}
	})

	t.Run("strangers do not keep the operator out", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			listener, dial := simtest.Pipe()
			defer serveAdmin(reachable{listener}, new(atomic.Pointer[app]), slog.New(slog.DiscardHandler))()
			client := &http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}
			ask := func(header string) int {
				request, err := http.NewRequest(http.MethodGet, "http://bot.test/livez", nil)
				if err != nil {
					t.Fatal(err)
				}
				request.Header.Set("X-Padding", header)
				resp, err := client.Do(request)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				return resp.StatusCode
			}
			for i := range 100 {
				go func() {
					conn, err := dial(t.Context(), "", "")
					if err != nil {
						return // the listener was closed at the end of the test
					}
					defer conn.Close()
					io.WriteString(conn, []string{"", "GET /livez HTTP/1.1\r\nHost: x\r\n", "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"}[i%3])
					io.Copy(io.Discard, conn)
				}()
			}
			synctest.Wait()
			start := time.Now()
			if status := ask(""); status != http.StatusOK || time.Since(start) == 0 || time.Since(start) > 30*time.Second {
				t.Errorf("%d after %v", status, time.Since(start))
			}
			if status := ask(strings.Repeat("x", 30<<10)); status != http.StatusRequestHeaderFieldsTooLarge {
				t.Errorf("large header: %d", status)
			}
			time.Sleep(time.Second) // the server closes that connection half a second later
		})
	})

	t.Run("on this machine's own address it answers to no foreign name", func(t *testing.T) {
		listener, err := listenOn("--admin", "127.0.0.1:0", "")
		if err != nil {
			t.Fatal(err)
		}
		defer serveAdmin(listener, holding(a), slog.New(slog.DiscardHandler))()
		for host, want := range map[string]int{"": 200, "localhost:9090": 200, "evil.example:9090": http.StatusMisdirectedRequest} {
			request, err := http.NewRequest(http.MethodGet, "http://"+listener.Addr().String()+"/debug/pprof/heap", nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Host = host // an empty host means the address
			resp, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			if resp.Body.Close(); resp.StatusCode != want {
				t.Errorf("host %q: %d, want %d", host, resp.StatusCode, want)
			}
		}
	})

	t.Run("dashboard and alerts name only existing metrics", func(t *testing.T) {
		families, err := a.metrics.registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		there := map[string]bool{}
		for _, f := range families {
			there[f.GetName()] = true
			if f.GetType().String() == "HISTOGRAM" {
				there[f.GetName()+"_bucket"], there[f.GetName()+"_sum"], there[f.GetName()+"_count"] = true, true, true
			}
		}
		used := map[string]bool{}
		for _, file := range []string{"alerts.yml", "grafana.json"} {
			text, err := os.ReadFile(filepath.Join("..", "..", "deploy", file))
			if err != nil {
				t.Fatal(err)
			}
			names := regexp.MustCompile(`\b(tictactoe|go|process)_[a-z_]+`).FindAllString(string(text), -1)
			if len(names) < 8 {
				t.Errorf("%s names %q", file, names)
			}
			for _, name := range names {
				used[name] = true
				if !there[name] {
					t.Errorf("%s: there is no metric %s", file, name)
				}
			}
			if filepath.Ext(file) == ".json" && !json.Valid(text) {
				t.Errorf("%s is no JSON", file)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(there)) {
			if base := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "_bucket"), "_sum"), "_count"); strings.HasPrefix(name, "tictactoe_") &&
				!used[name] && !used[base+"_bucket"] && !used[base] {
				t.Errorf("no dashboard or alert uses %s", name)
			}
		}
	})
}

func TestAdminPorts(t *testing.T) {
	t.Parallel()
	sim, err := discordsim.New(discordsim.Config{})
	if err != nil {
		t.Fatal(err)
	}
	discord := httptest.NewServer(sim.Handler())
	t.Cleanup(func() { sim.Close(); discord.Close() })
	taken := httptest.NewServer(nil)
	t.Cleanup(taken.Close)

	t.Run("an address in use is reported before anything is done", func(t *testing.T) {
		dir := t.TempDir()
		p := start(t, []string{"DISCORD_TOKEN=" + secretToken}, "serve", "--db", filepath.Join(dir, "a", "x.db"), "--discord-url", discord.URL, "--admin", taken.Listener.Addr().String())
		p.wantExit(exitFailure)
		p.wantSaid("--admin", "in use")
		if got := contents(t, dir); len(got) != 1 {
			t.Errorf("it made %v", got)
		}
	})

	t.Run("the log has a line for each interaction, with searchable attributes and without tokens", func(t *testing.T) {
		p := start(t, []string{"DISCORD_TOKEN=" + secretToken}, "serve", "--db", filepath.Join(t.TempDir(), "x.db"), "--discord-url", discord.URL, "--admin", "127.0.0.1:0")
		var address string
		waitUntil(t, "the admin port is open", func() bool {
			found := regexp.MustCompile(`"admin port open","address":"([^"]+)","profiles":true`).FindStringSubmatch(p.said.String())
			if found != nil {
				address = found[1]
			}
			return found != nil
		})
		waitUntil(t, "it is ready", func() bool { status, _ := get(t, "http://"+address+"/readyz"); return status == 200 })
		var r discordsim.Result
		waitUntil(t, "the commands are registered", func() (ok bool) {
			var err error
			r, err = sim.User("alice").Command(t.Context(), "general", "tictactoe ai", map[string]any{"level": "easy", "first": "me"})
			return err == nil
		})
		click, err := sim.User("alice").Click(t.Context(), r.Message.ID, discordsim.Button{Index: 4})
		if err != nil {
			t.Fatal(err)
		}
		var line map[string]any
		waitUntil(t, "its line", func() bool {
			for text := range strings.SplitSeq(p.said.String(), "\n") {
				if strings.Contains(text, fmt.Sprintf(`"interaction":"%s"`, click.Interaction)) {
					return json.Unmarshal([]byte(text), &line) == nil
				}
			}
			return false
		})
		for key, want := range map[string]any{"level": "DEBUG", "msg": "interaction answered", "route": "component play", "shard": 0.0, "deferred": false} {
			if line[key] != want {
				t.Errorf("%s is %v, want %v", key, line[key], want)
			}
		}
		for _, key := range []string{"guild", "match", "heard_ms", "took_ms"} {
			if line[key] == nil || line[key] == "" || line[key] == 0.0 {
				t.Errorf("no %s in %v", key, line)
			}
		}
		p.stop()
	})
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	healthy := func(t *testing.T) (*discordsim.Sim, string) {
		sim, err := discordsim.New(discordsim.Config{})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(sim.Handler())
		t.Cleanup(func() { sim.Close(); server.Close() })
		return sim, server.URL
	}
	sim, local := healthy(t)
	simKey, signersKey := sim.Bot(ownID(secretToken)).VerifyKey(), strings.Repeat("5a", 32)
	answering := func(status int, path, body string) string { // returns a Discord that answers one path differently
		_, url := healthy(t)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, path) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				io.WriteString(w, body)
				return
			}
			if strings.HasSuffix(r.URL.Path, "/users/@me") {
				w.Header().Set("Date", "Mon, 02 Jan 2006 15:04:05 GMT")
			}
			proxied, err := http.NewRequest(r.Method, url+r.URL.RequestURI(), r.Body)
			if err != nil {
				t.Error(err)
				return
			}
			proxied.Header = r.Header
			resp, err := http.DefaultTransport.RoundTrip(proxied)
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(resp.StatusCode)
			io.Copy(w, resp.Body)
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	altered := func(path, body string) string { return answering(http.StatusOK, path, body) }
	existing := func(t *testing.T, dir string) {
		s, err := sqlite.Open(t.Context(), filepath.Join(dir, "x.db"))
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
	withRoles := func(t *testing.T, dir string) {
		existing(t, dir)
		change(t, filepath.Join(dir, "x.db"), "INSERT INTO rank_roles VALUES ('7', '71', 'classic', 'top1', ''), ('8', '81', 'classic', 'top1', '')")
	}
	damaged := func(t *testing.T, dir string) { damagedDatabase(t, dir) }
	older := func(t *testing.T, dir string) {
		existing(t, dir)
		change(t, filepath.Join(dir, "x.db"), "DELETE FROM goose_db_version; INSERT INTO goose_db_version (version_id, is_applied) VALUES (31, 1)")
	}
	for _, test := range []struct {
		name    string
		prepare func(t *testing.T, dir string)
		token   string
		url     string
		db      string
		code    int
		says    []string
	}{
		{"all is well before the first start", nil, secretToken, local, "DIR/a/x.db", exitOK, []string{"All is well", "will be made", "application 100000000000000001", "serve will register", "agrees with Discord's", "gateway      it can be reached"}},
		{"all is well with a database", existing, secretToken, local, "DIR/x.db", exitOK, []string{"All is well", "is sound, schema", "MiB left"}},
		{"a server with commands of its own", nil, secretToken, altered("/commands", `[{"id":"1","type":1,"name":"tictactoe","description":"Play"}]`), "DIR/x.db", exitConfig, []string{"hint     commands", `"Playground"`, "people see these twice: tictactoe", "which removes the server's"}},
		{"no token", nil, "", local, "DIR/x.db", exitConfig, []string{"PROBLEM  token", "DISCORD_TOKEN", "README", "DIR"}},
		{"a token that Discord refuses", nil, secret, local, "DIR/x.db", exitConfig, []string{"PROBLEM  token", "Reset Token"}},
		{"a damaged database", damaged, secretToken, local, "DIR/x.db", exitConfig, []string{"PROBLEM  database", "damaged", "restore"}},
		{"a database that cannot be migrated", unmigratableDatabase, secretToken, local, "DIR/x.db", exitConfig, []string{"PROBLEM  database", "this version cannot migrate the database", "keep the version of schema"}},
		{"a database that is too old", older, secretToken, local, "DIR/x.db", exitConfig, []string{"PROBLEM  database", "git checkout 39a184c5"}},
		{"a folder that cannot be written", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "file"), []byte("x")) }, secretToken, local, "DIR/file/x.db", exitConfig, []string{"PROBLEM", "--db"}},
		{"a Discord that does not answer", nil, secretToken, "http://" + ownAddress(t), "DIR/x.db", exitFailure, []string{"UNKNOWN", "refused", "status page"}},
		{"interactions that go elsewhere", nil, secretToken, altered("/applications/@me", `{"id":"100000000000000001","flags":0,"interactions_endpoint_url":"https://x.example/i"}`), "DIR/x.db", exitConfig, []string{"PROBLEM  endpoint", "https://x.example/i", "developer portal"}},
		{"an endpoint with its key", nil, secretToken, altered("/applications/@me", `{"id":"100000000000000001","flags":0,"verify_key":"`+signersKey+`","interactions_endpoint_url":"https://x.example/i"}`), "DIR/x.db --public-key " + signersKey, exitConfig, []string{"ok       key", "ok       endpoint     interactions go to https://x.example/i", "PROBLEM  clock"}},
		{"an endpoint that Discord does not know", nil, secretToken, local, "DIR/x.db --public-key " + simKey, exitOK, []string{"ok       key", "hint     endpoint", "set the Interactions Endpoint URL"}},
		{"the key of another application", nil, secretToken, local, "DIR/x.db --public-key " + signersKey, exitConfig, []string{"PROBLEM  key", "developer portal"}},
		{"privileged intents", nil, secretToken, altered("/applications/@me", `{"id":"100000000000000001","flags":32768,"interactions_endpoint_url":null}`), "DIR/x.db", exitConfig, []string{"hint     intents", "switch them off"}},
		{"no sessions left", nil, secretToken, altered("/gateway/bot", `{"url":"ws://x","shards":1,"session_start_limit":{"total":1000,"remaining":0,"reset_after":7200000,"max_concurrency":1}}`), "DIR/x.db", exitConfig, []string{"PROBLEM  sessions", "2h0m0s"}},
		{"a wrong clock", nil, secretToken, altered("/nowhere", ``), "DIR/x.db", exitConfig, []string{"PROBLEM  clock", "timedatectl"}},
		{"a server that gives too little", nil, secretToken, altered("/users/@me/guilds", `[{"id":"7","name":"Cave","permissions":"1024"},{"id":"8","name":"Castle","permissions":"8"}]`), "DIR/x.db", exitConfig, []string{`hint     permissions  "Cave" (7) does not give: Send Messages, Read Message History, Attach Files`}},
		{"a server where roles for ranks cannot be given", withRoles, secretToken, altered("/users/@me/guilds", `[{"id":"7","name":"Cave","permissions":"101376"},{"id":"8","name":"Castle","permissions":"268536832"},{"id":"9","name":"Hall","permissions":"101376"}]`), "DIR/x.db", exitConfig, []string{`hint     permissions  "Cave" (7) does not give: Manage Roles; roles for ranks stay as they are there`}},
		{"a server of another program", nil, secretToken, answering(404, "/users/@me", "<html>\n<h1>Not here: "+secretToken+"</h1>"), "DIR/x.db", exitFailure, []string{"UNKNOWN  Discord", "the answer does not have Discord's form: http://", "own user: HTTP 404 <html> <h1>Not here: [redacted]</h1>", "--discord-url"}},
		{"a page in place of an answer", nil, secretToken, altered("/users/@me", "<html>Welcome</html>"), "DIR/x.db", exitFailure, []string{"UNKNOWN  Discord", "own user: the answer is not of Discord's form", `in "<html>Welcome</html>"`}},
		{"an address that is banned", nil, secretToken, answering(429, "/users/@me", "<html><h1>Error 1015</h1><p>You are being rate limited</p></html>"), "DIR/x.db", exitFailure, []string{"UNKNOWN  Discord", "the bot or this machine's address is limited or banned", "Error 1015", "rate limited for "}},
		{"an address that is banned meanwhile", nil, secretToken, answering(429, "/gateway/bot", "error code: 1015"), "DIR/x.db", exitConfig, []string{"UNKNOWN  sessions     the bot or this machine's address is limited or banned", "UNKNOWN  emoji        the bot or this machine's address is limited or banned", "UNKNOWN  gateway      the bot or this machine's address is limited or banned"}},
		{"servers without permissions", nil, secretToken, altered("/users/@me/guilds", `[{"id":"7","name":"Cave"}]`), "DIR/x.db", exitConfig, []string{`hint     permissions  "Cave" (7) does not say what the bot may do there`}},
		{"no session limits", nil, secretToken, answering(404, "/gateway/bot", `{"message":"404: Not Found","code":0}`), "DIR/x.db", exitConfig, []string{"UNKNOWN  sessions     the answer does not have Discord's form: session limits: HTTP 404, code 0: 404: Not Found", "ok       commands", "ok       gateway"}},
		{"no application", nil, secretToken, answering(404, "/applications/@me", `{"message":"404: Not Found","code":0}`), "DIR/x.db", exitConfig, []string{"ok       token        it belongs to the bot", "UNKNOWN  application  the answer does not have Discord's form: own application: HTTP 404", "UNKNOWN  commands", "ok       sessions"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if test.prepare != nil {
				test.prepare(t, dir)
			}
			before := contents(t, dir)
			env := []string{}
			if test.token != "" {
				env = append(env, "DISCORD_TOKEN="+test.token)
			}
			args := append([]string{"doctor", "--discord-url", test.url, "--db"}, fieldsIn(dir, test.db)...)
			p := start(t, env, args...)
			p.wantExit(test.code)
			for _, part := range test.says {
				p.wantSaid(strings.ReplaceAll(part, "DIR", dir))
			}
			if after := contents(t, dir); !maps.Equal(before, after) {
				t.Error("doctor changed a file")
			}
		})
	}
}
