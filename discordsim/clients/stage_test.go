package clients

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/discordsim"
)

const application = "1100000000000000001"

var token = base64.RawStdEncoding.EncodeToString([]byte(application)) + ".fixed.secret"

// patience is how long a client may take to start, to reconnect or to wait for a rate limit.
const patience = 30 * time.Second

// stage is a simulator at an address that stays the same when it is restarted.
type stage struct {
	*discordsim.Sim
	url     string
	server  *httptest.Server
	config  discordsim.Config
	handler atomic.Pointer[http.Handler] // nil while the simulator is shut

	mu        sync.Mutex
	exchanges []discordsim.Exchange // the exchanges with the bot since the last call of forget
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{}
	s.config = discordsim.Config{
		State: filepath.Join(t.TempDir(), "state"),
		Spec:  os.Getenv("DISCORD_OPENAPI"),
		Record: func(e discordsim.Exchange) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.exchanges = append(s.exchanges, e)
		},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler := s.handler.Load()
		if handler == nil {
			panic(http.ErrAbortHandler)
		}
		(*handler).ServeHTTP(w, r)
	}))
	s.url, s.server = server.URL, server
	s.open(t)
	t.Cleanup(func() {
		s.shut(t)
		server.Close()
	})
	return s
}

func (s *stage) open(t *testing.T) {
	t.Helper()
	s.config.BotName = "tictactoe"
	sim, err := discordsim.New(s.config)
	if err != nil {
		t.Fatal(err)
	}
	handler := sim.Handler()
	s.Sim = sim
	s.handler.Store(&handler)
}

func (s *stage) shut(t *testing.T) {
	t.Helper()
	s.handler.Store(nil)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// refused returns the statuses of 400 and above that the bot has got since the last call of forget.
func (s *stage) refused() (statuses []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.exchanges {
		if e.Status >= 400 {
			statuses = append(statuses, fmt.Sprintf("%d %s %s %s", e.Status, e.Method, e.Path, e.Response))
		}
	}
	return statuses
}

func (s *stage) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.exchanges = nil
}

// call makes an HTTP request to the simulator, as another process does. Unless into is nil, it decodes the response
// into it.
func (s *stage) call(t *testing.T, method, path, body string, into any) (status int) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(path, "/api/") {
		r.Header.Set("Authorization", "Bot "+token)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && into != nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil || into != nil && answer.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %s %s, %v", method, path, answer.Status, text, err)
	}
	return answer.StatusCode
}

// overview is a part of the response of GET /sim/state.
type overview struct {
	Channels []struct{ ID, Name string }
	Commands []discordsim.Command
	Bots     []struct {
		User      struct{ ID, Username string }
		Connected bool
	}
}

func (s *stage) overview(t *testing.T) (o overview) {
	t.Helper()
	s.call(t, "GET", "/sim/state", "", &o)
	return o
}

func (s *stage) connected(t *testing.T) bool {
	t.Helper()
	bots := s.overview(t).Bots
	return len(bots) == 1 && bots[0].Connected
}

func (s *stage) channel(t *testing.T, name string) (id string) {
	t.Helper()
	for _, c := range s.overview(t).Channels {
		if c.Name == name {
			return c.ID
		}
	}
	t.Fatalf("no channel %q", name)
	return ""
}

// until waits until a condition holds, and checks it after every event of the simulator.
func (s *stage) until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", s.url+"/sim/events?as=alice", nil)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	news := make(chan struct{}, 1)
	go func() {
		defer close(news)
		for lines := bufio.NewScanner(stream.Body); lines.Scan(); {
			select {
			case news <- struct{}{}:
			default: // a check is already due
			}
		}
	}()
	for range news {
		if holds() {
			return
		}
	}
	t.Fatalf("waited in vain: %s", what)
}

// command uses a slash command, which must be answered.
func (s *stage) command(t *testing.T, as, channel, name string, options map[string]any) discordsim.Result {
	t.Helper()
	return answered(t)(s.User(as).Command(t.Context(), channel, name, options))
}

// answered fails the test unless an interaction is answered, by a message or a modal.
func answered(t *testing.T) func(discordsim.Result, error) discordsim.Result {
	t.Helper()
	return func(r discordsim.Result, err error) discordsim.Result {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != discordsim.Answered || r.Message == nil && r.Modal == nil {
			t.Fatalf("status %s, message %v, error %v", r.Status, r.Message, r.Error)
		}
		return r
	}
}

// seen returns the messages that a person sees in general, oldest first.
func (s *stage) seen(t *testing.T, by string) []*discordsim.Message {
	t.Helper()
	messages, err := s.User(by).Messages("general")
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

// sees reports whether the newest messages that a person sees in general have these texts, in this order.
func (s *stage) sees(t *testing.T, by string, texts ...string) bool {
	t.Helper()
	var contents []string
	for _, m := range s.seen(t, by) {
		contents = append(contents, m.Content)
	}
	return len(contents) >= len(texts) && slices.Equal(contents[len(contents)-len(texts):], texts)
}

// client describes a library, and how to start the demo bot on that library.
type client struct {
	name  string
	build func(t *testing.T) *exec.Cmd // skips the test if a tool is missing
}

var all = []client{{"discordgo", discordgo}, {"disgo", disgo}, {"discord.js", discordJS}}

func discordgo(t *testing.T) *exec.Cmd { return goBot(t, "discordgo") }

func disgo(t *testing.T) *exec.Cmd {
	downloaded(t, "disgo")
	return goBot(t, "disgo")
}

// downloaded skips the test if the libraries of a module are missing, and says how to get them. Tests download
// nothing.
func downloaded(t *testing.T, module string) {
	t.Helper()
	if out, err := offline("list", "-C", module, "-deps", "./...").CombinedOutput(); err != nil {
		unprepared(t, module, "go -C discordsim/clients/"+module+" mod download", string(out))
	}
}

func offline(arguments ...string) *exec.Cmd {
	cmd := exec.Command("go", arguments...)
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=readonly", "GOWORK=off")
	return cmd
}

func goBot(t *testing.T, folder string) *exec.Cmd {
	t.Helper()
	dependsOn(t, folder)
	program := filepath.Join(t.TempDir(), "bot")
	if out, err := offline("build", "-C", folder, "-ldflags=-s -w", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", folder, err, out)
	}
	return exec.Command(program)
}

func discordJS(t *testing.T) *exec.Cmd { return node(t, "discord.js", "bot.js") }

func node(t *testing.T, library string, arguments ...string) *exec.Cmd {
	t.Helper()
	program, err := exec.LookPath("node")
	if err != nil {
		unprepared(t, "node", "apt-get install nodejs npm", err.Error())
	}
	if _, err := os.Stat(filepath.Join("discordjs", "node_modules", filepath.FromSlash(library))); err != nil {
		unprepared(t, "node", "npm --prefix discordsim/clients/discordjs ci", err.Error())
	}
	dependsOn(t, "discordjs")
	cmd := exec.Command(program, arguments...)
	cmd.Dir = "discordjs"
	return cmd
}

// dependsOn lets go test notice changes in a folder of a bot, so that it does not reuse cached results.
func dependsOn(t *testing.T, folder string) {
	t.Helper()
	if _, err := os.ReadDir(folder); err != nil {
		t.Fatal(err)
	}
}

// unprepared skips a test whose tools are not installed, or fails the test if TICTACTOE_REQUIRE contains the word.
func unprepared(t *testing.T, word, remedy, why string) {
	t.Helper()
	if slices.Contains(strings.Split(os.Getenv("TICTACTOE_REQUIRE"), ","), word) {
		t.Fatalf("TICTACTOE_REQUIRE asks for %s: %s (%s)", word, remedy, why)
	}
	t.Skipf("needs, once: %s", remedy)
}

// output collects the output of a bot.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.more <- struct{}{}:
	default:
	}
	return o.text.Write(text)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// start runs a bot until the test is over.
func (s *stage) start(t *testing.T, bot *exec.Cmd, environment ...string) *output {
	t.Helper()
	said := &output{more: make(chan struct{}, 1)}
	bot.Stdout, bot.Stderr = said, said
	bot.Env = append(append(os.Environ(), "DISCORD_URL="+s.url, "DISCORD_TOKEN="+token), environment...)
	input, err := bot.StdinPipe()
	if err == nil {
		err = bot.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		input.Close()
		stop := time.AfterFunc(patience, func() { bot.Process.Kill() })
		defer stop.Stop()
		var code *exec.ExitError
		if err := bot.Wait(); err != nil && !errors.As(err, &code) {
			t.Error(err)
		} else if err != nil {
			t.Errorf("the bot ended with %v", err)
		}
		if t.Failed() {
			t.Logf("the bot said:\n%s", said)
		}
	})
	return said
}

// wait waits until the bot has printed the words.
func (o *output) wait(t *testing.T, words string) {
	t.Helper()
	for late := time.After(patience); !strings.Contains(o.String(), words); {
		select {
		case <-o.more:
		case <-late:
			t.Fatalf("the bot has not said %q", words)
		}
	}
}

func TestTheLockFileNamesNoRegistry(t *testing.T) {
	lock, err := os.ReadFile(filepath.Join("discordjs", "package-lock.json"))
	if err != nil || !bytes.Contains(lock, []byte(`"integrity"`)) || bytes.Contains(lock, []byte(`"resolved"`)) {
		t.Errorf("npm should write what it checks and not where it was found, as .npmrc says (%v)", err)
	}
}
