package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"

	"tictactoe/discordsim"
)

func TestStartErrors(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() })
	refusing := newRefusingDiscord(t)
	sim, err := discordsim.New(discordsim.Config{})
	if err != nil {
		t.Fatal(err)
	}
	local := httptest.NewServer(sim.Handler())
	t.Cleanup(func() { sim.Close(); local.Close() })

	plain := func(name, content string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) { write(t, filepath.Join(dir, name), []byte(content)) }
	}
	token := "DISCORD_TOKEN=" + secretToken
	utf16Token := plain("token", "\xff\xfe"+strings.Join(strings.Split(secretToken, ""), "\x00")+"\x00\n\x00")
	tests := []struct {
		name    string
		prepare func(t *testing.T, dir string)
		env     []string
		args    string // DIR stands for the folder that must stay unchanged
		code    int
		says    []string
	}{
		{"a playground on a port in use", nil, nil, "playground --listen " + taken.Addr().String() + " --db DIR/a/x.db", exitFailure, []string{"in use", "--listen"}},
		{"a sim on a port in use", nil, nil, "sim --listen " + taken.Addr().String() + " --state DIR/a/x", exitFailure, []string{"in use", "--listen"}},
		{"an address without a port", nil, nil, "playground --listen nonsense --db DIR/a/x.db", exitFailure, []string{`"nonsense"`, "--listen 127.0.0.1:"}},

		{"no token", nil, nil, "serve --db DIR/a/x.db", exitConfig, []string{"DISCORD_TOKEN", "README", "tictactoe playground"}},
		{"a token file that is not there", nil, []string{"DISCORD_TOKEN_FILE=/nowhere/token"}, "serve --db DIR/a/x.db", exitConfig, []string{"DISCORD_TOKEN_FILE", "/nowhere/token"}},
		{"a token of two words", nil, []string{token + " " + secret}, "serve --db DIR/a/x.db", exitConfig, []string{"DISCORD_TOKEN", "one word"}},

		{"a token in quotation marks", nil, []string{"DISCORD_TOKEN='" + secretToken + "'"}, "serve --db DIR/a/x.db", exitConfig, []string{"DISCORD_TOKEN has quotation marks"}},
		{"a token file in UTF-16", utf16Token, []string{"DISCORD_TOKEN_FILE=DIR/token"}, "serve --db DIR/a/x.db", exitConfig, []string{"DISCORD_TOKEN_FILE (DIR/token)", "UTF-16"}},
		{"a malformed token for doctor", utf16Token, []string{"DISCORD_TOKEN_FILE=DIR/token"}, "doctor --db DIR/a/x.db", exitConfig, []string{"PROBLEM  token", "UTF-16"}},
		{"a malformed token for emoji", utf16Token, []string{"DISCORD_TOKEN_FILE=DIR/token"}, "emoji prune --db DIR/a/x.db", exitConfig, []string{"UTF-16"}},
		{"a proxy that is none", nil, []string{token, "HTTPS_PROXY=http://me:" + secret + "#@:99"}, "serve --db DIR/a/x.db", exitConfig, []string{"HTTPS_PROXY is not the URL of a proxy such as http://"}},
		{"a proxy of another kind for emoji", nil, []string{token, "http_proxy=socks5://me:" + secret + "@h:1"}, "emoji prune --db DIR/a/x.db", exitConfig, []string{"http_proxy is not the URL"}},

		{"a playground below a file", plain("file", "x"), nil, "playground --listen 127.0.0.1:0 --db DIR/file/x.db", exitConfig, []string{"file/x.db", "cannot be written", "not a directory"}},
		{"a sim below a file", plain("file", "x"), nil, "sim --listen 127.0.0.1:0 --state DIR/file/x", exitConfig, []string{"file/x", "cannot be written", "not a directory"}},
		{"a bot below a file", plain("file", "x"), []string{token}, "serve --db DIR/file/x.db", exitConfig, []string{"file/x.db", "cannot be written", "not a directory"}},
		{"a database that is a folder", nil, []string{token}, "serve --db DIR", exitConfig, []string{"cannot be written", "regular file"}},

		{"a damaged database", damagedDatabase, []string{token}, "serve --db DIR/x.db", exitConfig, []string{"x.db", "damaged", "restore"}},
		{"a database of a newer version", newerDatabase, []string{token}, "serve --db DIR/x.db", exitConfig, []string{"x.db", "newer version"}},
		{"a text file", plain("x.db", strings.Repeat("Dear diary, ", 999)), []string{token}, "serve --db DIR/x.db", exitConfig, []string{"x.db", "no database of this program"}},
		{"somebody else's database", foreignDatabase, []string{token}, "serve --db DIR/x.db", exitConfig, []string{"x.db", "no database of this program"}},
		{"a state that is none", plain("x", "Dear diary\n"), nil, "sim --listen 127.0.0.1:0 --state DIR/x", exitConfig, []string{"damaged", "/x ", "delete"}},

		{"a heartbeat without pause", nil, nil, "sim --state DIR/a/x --heartbeat 10ms", exitUsage, []string{"--heartbeat", "10ms"}},
		{"no shard at once", nil, nil, "sim --state DIR/a/x --max-concurrency 0", exitUsage, []string{"--max-concurrency"}},
		{"an address for interactions that is in use", nil, []string{token}, "serve --db DIR/a/x.db --http " + taken.Addr().String() + " --public-key " + strings.Repeat("5a", 32), exitFailure, []string{"in use", "--http"}},
		{"interactions over HTTP without a key", nil, []string{token}, "serve --db DIR/a/x.db --http 127.0.0.1:0", exitUsage, []string{"--public-key", "TICTACTOE_PUBLIC_KEY", "developer portal"}},
		{"a key that is none", nil, []string{token, "TICTACTOE_PUBLIC_KEY=5a"}, "serve --db DIR/a/x.db --http 127.0.0.1:0", exitUsage, []string{"--public-key", "64 hexadecimal digits"}},
		{"an endpoint that is no address", nil, nil, "sim --state DIR/a/x --endpoint 127.0.0.1:8081", exitUsage, []string{"--endpoint", "http://127.0.0.1:8081/interactions"}},
		{"an unknown flag", nil, []string{token}, "serve --db DIR/a/x.db --nonsense", exitUsage, []string{"--nonsense", "tictactoe serve --help"}},
		{"an unknown command", nil, nil, "nonsense", exitUsage, []string{"nonsense", "tictactoe --help"}},
		{"an address of Discord that is none", nil, []string{token}, "serve --db DIR/a/x.db --discord-url nonsense", exitUsage, []string{"--discord-url", "http://127.0.0.1:8080"}},
		{"a policy that is no address", nil, []string{token}, "serve --db DIR/a/x.db --privacy-url privacy.md", exitUsage, []string{"--privacy-url", "privacy.md", "https://example.com/privacy"}},
		{"terms of another kind", nil, []string{token}, "serve --db DIR/a/x.db --terms-url javascript:alert(1)", exitUsage, []string{"--terms-url", "javascript"}},
		{"a page that is no address", nil, []string{token, "TICTACTOE_WEB_URL=game.html"}, "serve --db DIR/a/x.db", exitUsage, []string{"--web-url", "game.html", "https://example.com/game/"}},
		{"a page with a fragment", nil, nil, "playground --db DIR/a/x.db --web-url https://example.com/#game", exitUsage, []string{"--web-url", "#game"}},
		{"a rate below nothing", nil, []string{token}, "serve --db DIR/a/x.db --user-rate=-1", exitUsage, []string{"--user-rate", "-1"}},
		{"a rate that is no number", nil, []string{token}, "serve --db DIR/a/x.db --user-rate=NaN", exitUsage, []string{"--user-rate", "NaN"}},
		{"an address of Discord with a path", nil, []string{token}, "serve --db DIR/a/x.db --discord-url http://127.0.0.1:1/api", exitUsage, []string{"--discord-url", "/api"}},
		{"an address of Discord of another kind", nil, []string{token}, "serve --db DIR/a/x.db --discord-url ws://127.0.0.1:1", exitUsage, []string{"--discord-url", "http://127.0.0.1:8080"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if test.prepare != nil {
				test.prepare(t, dir)
			}
			before := contents(t, dir)
			env := make([]string, len(test.env))
			for i, set := range test.env {
				env[i] = strings.ReplaceAll(set, "DIR", dir)
			}
			p := start(t, env, fieldsIn(dir, test.args)...)
			p.wantExit(test.code)
			for _, part := range test.says {
				p.wantSaid(strings.ReplaceAll(part, "DIR", dir))
			}
			if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
				t.Errorf("files were changed (-before +after)\n%s", diff)
			}
		})
	}

	t.Run("a database that cannot be migrated", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		unmigratableDatabase(t, dir)
		db := filepath.Join(dir, "x.db")
		p := start(t, []string{token}, "serve", "--db", db)
		p.wantExit(exitConfig)
		p.wantSaid("this version cannot migrate", "install the version again that ran before", "tictactoe db restore --db "+db+" "+db+".before-")
	})
	for name, discord := range map[string]struct{ url, token string }{
		"a token that the gateway refuses": {refusing.URL, secretToken},
		"a token that the API refuses":     {local.URL, secret},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, []string{"DISCORD_TOKEN=" + discord.token}, "serve", "--db", filepath.Join(t.TempDir(), "x.db"), "--discord-url", discord.url)
			p.wantExit(exitConfig)
			p.wantSaid("token is not valid", "developer portal")
		})
	}
}

// fieldsIn splits arguments and replaces DIR with a folder, whose name may contain a space.
func fieldsIn(dir, args string) []string {
	fields := strings.Fields(args)
	for i := range fields {
		fields[i] = strings.ReplaceAll(fields[i], "DIR", dir)
	}
	return fields
}

// newRefusingDiscord returns a Discord that rejects every token: its gateway closes with 4004 after IDENTIFY.
func newRefusingDiscord(t *testing.T) *httptest.Server {
	t.Helper()
	upgrader := websocket.Upgrader{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			fmt.Fprintf(w, `{"url":"ws://%s","shards":1,"session_start_limit":{"total":1000,"remaining":999,"reset_after":0,"max_concurrency":1}}`, r.Host)
			return
		}
		ws, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer ws.Close()
		ws.WriteJSON(map[string]any{"op": 10, "d": map[string]any{"heartbeat_interval": 40000}})
		ws.ReadMessage() // reads IDENTIFY
		ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(4004, "Authentication failed."), time.Now().Add(patience))
		ws.ReadMessage() // reads the bot's close frame
	}))
	t.Cleanup(server.Close)
	return server
}

func TestALocalDiscordThatOthersCanReachWarns(t *testing.T) {
	t.Parallel()
	for listen, want := range map[string]bool{"127.0.0.1:0": false, "0.0.0.0:0": true} {
		p := start(t, nil, "sim", "--listen", listen, "--state", filepath.Join(t.TempDir(), "x.discord"))
		p.discord()
		if got := strings.Contains(p.said.String(), "other machines can reach"); got != want {
			t.Errorf("listening on %s: warned is %t, want %t\n%s", listen, got, want, p.said)
		}
	}
}

func TestThePageIsAtThePrintedAddress(t *testing.T) {
	t.Parallel()
	tests := []struct{ listen, opened, host string }{
		{"127.0.0.1:0", "127.0.0.1", "localhost"},
		{"localhost:0", "localhost", "127.0.0.1"},
		{":0", "127.0.0.1", "192.0.2.7"},
		{"0.0.0.0:0", "127.0.0.1", "192.0.2.7"},
	}
	for _, test := range tests {
		t.Run("with --listen "+test.listen, func(t *testing.T) {
			t.Parallel()
			p := start(t, nil, "playground", "--listen", test.listen, "--db", filepath.Join(t.TempDir(), "x.db"))
			d := p.discord()
			d.awaitBot()
			host, port, err := net.SplitHostPort(d.address())
			if err != nil || host != test.opened || port == "0" {
				t.Fatalf("the program printed the address %s", d.url)
			}
			for name, want := range map[string]int{d.address(): 200, test.host + ":" + port: 200, "evil.example:" + port: 421} {
				request, err := http.NewRequestWithContext(t.Context(), "GET", d.url, nil)
				if err != nil {
					t.Fatal(err)
				}
				request.Host = name
				response, err := d.client.Do(request)
				if err != nil {
					t.Fatal(err)
				}
				response.Body.Close()
				if response.StatusCode != want {
					t.Errorf("for the host %s the page answers %d, want %d", name, response.StatusCode, want)
				}
			}
		})
	}
}

func TestTheSimObeysItsFlags(t *testing.T) {
	t.Parallel()
	p := start(t, nil, "sim", "--listen", "127.0.0.1:0", "--state", filepath.Join(t.TempDir(), "x"),
		"--heartbeat", "5s", "--max-concurrency", "16", "--privileged-intents")
	address := p.discord().url
	request, err := http.NewRequestWithContext(t.Context(), "GET", address+"/api/v10/gateway/bot", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bot "+playgroundToken)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || !strings.Contains(string(body), `"max_concurrency":16`) {
		t.Errorf("the limits are %s, %v", body, err)
	}
	ws, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(address, "http")+"/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	for _, want := range []string{`"heartbeat_interval":5000`, `"t":"READY"`} {
		_, text, err := ws.ReadMessage()
		if err != nil || !strings.Contains(string(text), want) {
			t.Fatalf("got %s, %v; want %s", text, err, want)
		}
		// The test identifies with all privileged intents.
		ws.WriteMessage(websocket.TextMessage, []byte(`{"op":2,"d":{"token":"`+playgroundToken+`","intents":33026,"properties":{"os":"linux","browser":"test","device":"test"}}}`))
	}
}
