package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tictactoe/discordsim/standalone"
)

// program is a local Discord that runs in this process.
type program struct {
	t     *testing.T
	ready standalone.Ready
	file  string // the ready file
	stop  func() (code int, printed string)
}

// open runs the program with the flags, a free port and a ready file.
func open(t *testing.T, flags ...string) *program {
	t.Helper()
	p := &program{t: t, file: filepath.Join(t.TempDir(), "ready.json")}
	ctx, cancel := context.WithCancel(context.Background())
	var out bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, append([]string{"--listen", "127.0.0.1:0", "--ready-file", p.file, "--openapi="}, flags...), &out, &out)
	}()
	p.stop = sync.OnceValues(func() (int, string) {
		cancel()
		return <-ended, out.String()
	})
	t.Cleanup(func() { p.stop() })
	watch := time.NewTicker(5 * time.Millisecond)
	defer watch.Stop()
	for range watch.C {
		text, err := os.ReadFile(p.file)
		if err == nil {
			if err := json.Unmarshal(text, &p.ready); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			return p
		}
		select {
		case code := <-ended:
			ended <- code // for stop
			t.Fatalf("ended with %d: %s", code, out.String())
		default:
		}
	}
	return nil
}

// ask calls the simulator and returns the body of a response with status 200.
func (p *program) ask(method, path, body string) string {
	p.t.Helper()
	r, err := http.NewRequest(method, p.ready.URL+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != 200 {
		p.t.Fatalf("%s %s: %d %s %v", method, path, response.StatusCode, text, err)
	}
	return string(text)
}

// bot makes a REST call as the first application's bot.
func (p *program) bot(method, path, body string) {
	p.t.Helper()
	r, err := http.NewRequest(method, p.ready.API+"/v10"+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bot "+p.ready.Token)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		text, _ := io.ReadAll(response.Body)
		p.t.Fatalf("%s %s: %d %s", method, path, response.StatusCode, text)
	}
}

func TestTheReadyFileSaysAllThatATestNeeds(t *testing.T) {
	t.Parallel()
	p := open(t)
	r := p.ready
	for name, missing := range map[string]bool{
		"url":         !strings.HasPrefix(r.URL, "http://127.0.0.1:"),
		"api":         r.API != r.URL+"/api",
		"gateway":     r.Gateway != "ws"+strings.TrimPrefix(r.URL, "http")+"/ws",
		"token":       r.Token == "",
		"application": r.Application == "",
		"public key":  len(r.PublicKey) != 64,
		"process":     r.PID != os.Getpid(),
		"server":      r.Guilds["Playground"] == "",
		"channel":     r.Channels["general"] == "",
		"people":      r.Users["alice"] == "" || r.Users["bob"] == "" || r.Users["carol"] == "",
	} {
		if missing {
			t.Errorf("no %s in %+v", name, r)
		}
	}
	request, err := http.NewRequest("GET", r.API+"/v10/users/@me", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bot "+r.Token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var self struct{ ID, Username string }
	if err := json.NewDecoder(response.Body).Decode(&self); err != nil || self.ID != r.Application || self.Username != "bot" {
		t.Errorf("the token is of %+v, %v", self, err)
	}
	if code, printed := p.stop(); code != 0 || !strings.Contains(printed, "DISCORD_TOKEN="+r.Token) {
		t.Errorf("ended with %d: %s", code, printed)
	}
	if _, err := os.Stat(p.file); !os.IsNotExist(err) {
		t.Errorf("the ready file of a stopped program is still there: %v", err)
	}
}

func TestEightAtOnceShareNothing(t *testing.T) {
	t.Parallel()
	var programs []*program
	used := map[string]bool{} // the addresses and files of all programs
	for range 8 {
		p := open(t, "--proxy", "127.0.0.1:0")
		for _, own := range []string{p.ready.URL, p.ready.Proxy, p.ready.Authority} {
			if own == "" || used[own] {
				t.Errorf("%q is another's too", own)
			}
			used[own] = true
		}
		programs = append(programs, p)
	}
	for i, p := range programs {
		p.ask("POST", "/sim/users", fmt.Sprintf(`{"username":"guest-%d"}`, i))
	}
	for i, p := range programs {
		state := p.ask("GET", "/sim/state", "")
		for j := range programs {
			if got, want := strings.Contains(state, fmt.Sprintf(`"guest-%d"`, j)), i == j; got != want {
				t.Errorf("program %d knows guest %d: %t", i, j, got)
			}
		}
	}
}

func TestAStateFileKeepsThePeople(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "new", "state")
	p := open(t, "--state", state)
	p.ask("POST", "/sim/users", `{"username":"dave"}`)
	p.stop()
	if again := open(t, "--state", state); again.ready.Users["dave"] == "" {
		t.Errorf("dave is not among %v", again.ready.Users)
	}
}

func TestNothingIsLeftOfAnAuthorityWithoutAState(t *testing.T) {
	t.Parallel()
	p := open(t, "--tls")
	if !strings.HasPrefix(p.ready.URL, "https://") || !strings.HasPrefix(p.ready.Gateway, "wss://") {
		t.Errorf("not over TLS: %+v", p.ready)
	}
	if _, err := os.Stat(p.ready.Authority); err != nil {
		t.Error(err)
	}
	p.stop()
	if _, err := os.Stat(filepath.Dir(p.ready.Authority)); !os.IsNotExist(err) {
		t.Errorf("the authority's folder is still there: %v", err)
	}
}

func TestTheFirstBotHasTheNameThatTheFlagSays(t *testing.T) {
	t.Parallel()
	for want, flags := range map[string][]string{"bot": nil, "quiz": {"--bot", "quiz"}} {
		p := open(t, flags...)
		r, _ := http.NewRequest("GET", p.ready.API+"/v10/users/@me", nil)
		r.Header.Set("Authorization", "Bot "+p.ready.Token)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		state := p.ask("GET", "/sim/state", "")
		if !strings.Contains(state, `"username":"`+want+`"`) || strings.Contains(state, "tictactoe") {
			t.Errorf("with %v: %s", flags, state)
		}
	}
}

func TestTheDocumentedSeedOpens(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/simulator.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "\n## A seed\n")
	_, rest, _ = strings.Cut(rest, "```json\n")
	seed, _, found := strings.Cut(rest, "```\n")
	file := filepath.Join(t.TempDir(), "seed.json")
	if err := os.WriteFile(file, []byte(strings.Replace(seed, "100000000000000001", "100000000000000007", 1)), 0o600); err != nil || !found {
		t.Fatalf("no seed on the page, %v", err)
	}
	p := open(t, "--seed", file)
	if r := p.ready; r.Application != "100000000000000007" || r.Users["ann"] != "200000000000000001" || r.Guilds["Quiz night"] == "" || r.Channels["stage"] == "" {
		t.Errorf("ready says %+v", r)
	}
	if id, _, _ := strings.Cut(p.ready.Token, "."); id != base64.RawStdEncoding.EncodeToString([]byte("100000000000000007")) {
		t.Errorf("the token is %s", p.ready.Token)
	}
	p.ask("POST", "/sim/users", `{"username":"dave"}`)
	if after := p.ask("POST", "/sim/reset", ""); strings.Contains(after, "dave") || !strings.Contains(after, `"name":"ping"`) {
		t.Errorf("after a reset: %s", after)
	}
}

func TestTranscriptsOfTwoRunsAreCompared(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	record := func(name, content string) string {
		p := open(t)
		for _, who := range []string{"alice", "bob"} {
			p.bot("POST", "/channels/"+p.ready.Channels["general"]+"/messages", `{"content":"hello `+who+`"}`)
		}
		p.bot("POST", "/channels/"+p.ready.Channels["general"]+"/messages", `{"content":"`+content+`"}`)
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(p.ask("GET", "/sim/transcript", "")), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	first, same, other := record("first", "bye"), record("same", "bye"), record("other", "good night")
	for _, c := range []struct {
		args []string
		code int
		says []string
	}{
		{[]string{first, same}, 0, []string{""}},
		{[]string{first, other}, exitFailure, []string{"--- " + first, "\n- {", "bye", "\n+ {", "good night", "transcripts differ"}},
		{[]string{first}, exitUsage, []string{"two transcripts"}},
		{[]string{first, filepath.Join(folder, "none")}, exitUsage, []string{"none"}},
		{[]string{first, "main_test.go"}, exitUsage, []string{"main_test.go: line 1 is no line of a transcript"}},
	} {
		var out bytes.Buffer
		code := run(t.Context(), append([]string{"diff"}, c.args...), &out, &out)
		for _, want := range c.says {
			if code != c.code || !strings.Contains(out.String(), want) {
				t.Errorf("diff %v: %d %s, want %q", c.args, code, out.String(), want)
			}
		}
		if c.code == 0 && out.Len() > 0 {
			t.Errorf("equal transcripts print %s", out.String())
		}
	}
}

func TestHealthIsAsked(t *testing.T) {
	t.Parallel()
	p := open(t)
	if code := run(t.Context(), []string{"--healthy", p.ready.URL}, io.Discard, io.Discard); code != 0 {
		t.Errorf("a running one: %d", code)
	}
	p.stop()
	if code := run(t.Context(), []string{"--healthy", p.ready.URL}, io.Discard, io.Discard); code != exitFailure {
		t.Errorf("a stopped one: %d", code)
	}
}

func TestWrongUseIsRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "diary")
	if err := os.WriteFile(file, []byte("Dear diary\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]struct {
		code int
		says string
	}{
		"--state=":                     {exitUsage, "--state is empty"},
		"--bot=":                       {exitUsage, "--bot is empty"},
		"--colour":                     {exitUsage, "colour"},
		"quickly":                      {exitUsage, "quickly"},
		"--heartbeat 10ms":             {exitUsage, "--heartbeat is a second or more"},
		"--max-concurrency 0":          {exitUsage, "--max-concurrency is 1 or more"},
		"--endpoint 127.0.0.1:8081":    {exitUsage, "http://127.0.0.1:8081/interactions"},
		"--log-level loud":             {exitUsage, "loud"},
		"--listen nowhere":             {exitFailure, "--listen 127.0.0.1:8081"},
		"--state " + file:              {exitConfig, "damaged"},
		"--state " + file + "/x":       {exitConfig, "cannot be written"},
		"--ready-file /nowhere/at/all": {exitFailure, "--ready-file"},
		"--seed " + file:               {exitFailure, "seed: line 1"},
		"--seed /nowhere/at/all":       {exitFailure, "--seed"},
		"--openapi " + file:            {exitFailure, "schemas"},
	} {
		var out bytes.Buffer
		args := append([]string{"--openapi="}, strings.Fields(line)...) // overrides the environment variable that names a file
		if !strings.Contains(line, "--listen") {
			args = append([]string{"--listen", "127.0.0.1:0"}, args...)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		code := run(ctx, args, &out, &out)
		cancel()
		if code != want.code || !strings.Contains(out.String(), want.says) {
			t.Errorf("%s: %d %s", line, code, out.String())
		}
	}
}

func TestHelpListsEachFlag(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if code := run(t.Context(), []string{"--help"}, &out, io.Discard); code != 0 {
		t.Fatalf("ended with %d", code)
	}
	for _, flag := range []string{"--listen ADDRESS", "--state FILE", "--ready-file FILE", "--bot NAME", "--no-rate-limits", "(:memory:)", "(41.25s)"} {
		if !strings.Contains(out.String(), flag) {
			t.Errorf("no %s in\n%s", flag, out.String())
		}
	}
}

// maxSize is the largest size of the program, in bytes.
const maxSize = 12_000_000

func TestTheProgramNeedsNoCompilerAndIsSmall(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "discordsim")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxSize {
		t.Errorf("the program has %d bytes, more than %d", info.Size(), maxSize)
	}
	out, err := exec.Command(file, "--help").Output()
	if err != nil || !bytes.Contains(out, []byte("A Discord on this machine")) {
		t.Errorf("%v: %s", err, out)
	}
}
