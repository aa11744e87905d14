package clients

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"tictactoe/discordsim"
	"tictactoe/discordsim/authority"
	"tictactoe/internal/longtest"
)

// pings are the bots of docs/testing-your-bot.md. They all do the same, each with a different library.
var pings = []ping{
	{name: "discordgo", file: "discordgo/ping/main.go", build: goPing("discordgo/ping", "")},
	{name: "disgo", file: "disgo/ping/main.go", build: goPing("disgo/ping", "disgo")},
	{name: "arikawa", file: "arikawa/main.go", build: goPing("arikawa", "arikawa")},
	{name: "discord.js", file: "discordjs/ping/discordjs.js", build: nodePing("discord.js", "discordjs.js", 18)},
	{name: "@discordjs/core", file: "discordjs/ping/core.js", build: nodePing("@discordjs/core", "core.js", 20)},
	{name: "oceanic.js", file: "discordjs/ping/oceanic.js", build: nodePing("oceanic.js", "oceanic.js", 18)},
	{name: "eris", file: "discordjs/ping/eris.js", build: nodePing("eris", "eris.js", 18), tls: true},
	{name: "seyfert", file: "discordjs/ping/seyfert.js", build: nodePing("seyfert", "seyfert.js", 18), tls: true,
		faults: discordsim.Faults{HelloDelayMS: 200}}, // seyfert loses a HELLO that arrives together with the response to the upgrade
	{name: "cloudstorm", file: "discordjs/ping/cloudstorm.js", build: nodePing("cloudstorm", "cloudstorm.js", 20),
		faults: discordsim.Faults{HelloDelayMS: 200}}, // for the same reason as seyfert
	{name: "@projectdysnomia/dysnomia", file: "discordjs/ping/dysnomia.js", build: nodePing("@projectdysnomia/dysnomia", "dysnomia.js", 18)},
	{name: "sapphire", file: "discordjs/ping/sapphire.js", build: nodePing("@sapphire/framework", "sapphire.js", 18)},
	{name: "discordx", file: "discordjs/ping/discordx.js", build: nodePing("discordx", "discordx.js", 18)},
	{name: "slash-create", file: "discordjs/ping/slash-create.js", build: nodePing("slash-create", "slash-create.js", 18), http: true},
	{name: "discord-hono", file: "discordjs/ping/discord-hono.mjs", build: nodePing("discord-hono", "discord-hono.mjs", 20), http: true},
	{name: "carbon", file: "discordjs/ping/carbon.mjs", build: nodePing("@buape/carbon", "carbon.mjs", 20), http: true},
	{name: "dressed", file: "discordjs/ping/dressed.mjs", build: nodePing("dressed", "dressed.mjs", 20), http: true},
	{name: "discord.py", file: "discordpy/ping.py", build: pythonPing},
}

// ping is a ping bot.
type ping struct {
	name  string
	file  string // docs/testing-your-bot.md shows a part of it
	build func(t *testing.T) *exec.Cmd
	tls   bool // whether its library always connects over TLS
	http  bool // whether it receives interactions at an endpoint
	// faults are switched on to avoid a bug of the library.
	faults discordsim.Faults
}

func TestEachLibrarySaysPong(t *testing.T) {
	longtest.Only(t)
	for _, p := range pings {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			bot := p.build(t)
			s, environment := p.stage(t)
			if err := s.SetFaults(p.faults); err != nil {
				t.Fatal(err)
			}
			said := s.start(t, bot, environment...)
			if p.http {
				const listens = "listening on 127.0.0.1:"
				said.wait(t, listens)
				_, line, _ := strings.Cut(said.String(), listens)
				port, _, _ := strings.Cut(line, ".\n")
				if err := s.Bot(application).SetEndpoint(t.Context(), "http://127.0.0.1:"+port+"/interactions"); err != nil {
					t.Fatal(err)
				}
			}
			s.until(t, "the bot is there with its command", func() bool {
				return (p.http || s.connected(t)) && len(s.overview(t).Commands) == 1
			})
			playsPing(t, s)
			s.SetRateLimits(false)
			playsPing(t, s) // without rate limits, responses lack their headers, which no library may need
		})
	}
}

// stage returns a simulator for the bot, and the environment of the bot.
func (p ping) stage(t *testing.T) (s *stage, environment []string) {
	t.Helper()
	s = newStage(t)
	if p.tls {
		base := filepath.Join(t.TempDir(), "sim")
		a, err := authority.Open(base, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewUnstartedServer(s.server.Config.Handler)
		if server.TLS, err = a.Server("127.0.0.1"); err != nil {
			t.Fatal(err)
		}
		server.StartTLS()
		t.Cleanup(server.Close)
		environment = append(environment, "DISCORD_URL="+server.URL, "NODE_EXTRA_CA_CERTS="+a.File())
	}
	return s, append(environment, "APPLICATION_ID="+application, "PUBLIC_KEY="+s.Bot(application).VerifyKey())
}

// inTime repeats an action until it is answered in time, as people do. On a busy machine an interpreter may take
// longer to answer than Discord waits, especially while it loads its libraries. If that happens, inTime sets late.
func inTime(t *testing.T, late *bool, do func() (discordsim.Result, error)) discordsim.Result {
	t.Helper()
	for range 5 {
		r, err := do()
		if err != nil || r.Status != discordsim.TimedOut {
			return answered(t)(r, err)
		}
		*late = true
	}
	t.Fatal("it never answers in time")
	return discordsim.Result{}
}

// playsPing uses the command, presses both buttons and fills in the form.
func playsPing(t *testing.T, s *stage) {
	t.Helper()
	var late bool
	press := func(message, label string) discordsim.Result {
		t.Helper()
		return inTime(t, &late, func() (discordsim.Result, error) {
			return s.User("bob").Click(t.Context(), message, discordsim.Button{Label: label})
		})
	}
	before := len(s.refused())
	pong := inTime(t, &late, func() (discordsim.Result, error) { return s.User("alice").Command(t.Context(), "general", "ping", nil) })
	says(t, pong, "pong")
	again := press(pong.Message.ID, "Again")
	says(t, again, "pong again")
	if again.Message.ID != pong.Message.ID {
		t.Errorf("message %s was edited, not %s", again.Message.ID, pong.Message.ID)
	}
	hello := inTime(t, &late, func() (discordsim.Result, error) {
		form := press(pong.Message.ID, "Name") // opened again each time, because a form can be submitted only once
		if form.Modal == nil || form.Modal.Title != "Who are you?" {
			t.Fatalf("got %+v", form)
		}
		return s.User("bob").Submit(t.Context(), form.Interaction, map[string]any{"name": "Ada"})
	})
	whispers(t, hello, "hello Ada")
	if refused := s.refused()[before:]; len(refused) > 0 && !late { // a late answer is refused
		t.Errorf("refused were %q", refused)
	}
}

// goPing returns a function that builds a program. module names the folder of the program's own module, if it has
// one.
func goPing(folder, module string) func(*testing.T) *exec.Cmd {
	return func(t *testing.T) *exec.Cmd {
		if module != "" {
			downloaded(t, module)
		}
		return goBot(t, folder)
	}
}

// nodePing returns a command that runs a script on a library. The library needs at least a version of
// Node.js.
func nodePing(library, script string, least int) func(*testing.T) *exec.Cmd {
	return func(t *testing.T) *exec.Cmd {
		cmd := node(t, library, filepath.Join("ping", script))
		version, err := exec.Command(cmd.Path, "--version").Output()
		if err != nil {
			t.Fatal(err)
		}
		major, _, _ := strings.Cut(strings.TrimPrefix(string(version), "v"), ".")
		if n, err := strconv.Atoi(major); err != nil || n < least {
			t.Skipf("its library needs Node.js %d, and this is %s", least, version)
		}
		return cmd
	}
}

// python is Debian's Python, which finds Debian's packages. Another Python may come first in the search path.
const python = "/usr/bin/python3"

func pythonPing(t *testing.T) *exec.Cmd {
	if out, err := exec.Command(python, "-c", "import discord").CombinedOutput(); err != nil {
		unprepared(t, "discordpy", "apt-get install python3-discord", string(out)+err.Error())
	}
	dependsOn(t, "discordpy")
	return exec.Command(python, filepath.Join("discordpy", "ping.py"))
}

// docs/testing-your-bot.md shows the part of a file between the lines with these comments.
const shownFrom, shownTo = "docs/testing-your-bot.md shows the lines from here on.", "docs/testing-your-bot.md shows the lines up to here."

// shown returns the part of a bot's file that docs/testing-your-bot.md shows.
func (p ping) shown(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(p.file))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	inside := false
	for line := range strings.Lines(string(text)) {
		switch mark := strings.TrimLeft(strings.TrimSpace(line), "/# "); {
		case mark == shownFrom:
			inside = true
		case mark == shownTo:
			inside = false
		case inside:
			lines = append(lines, line)
		}
	}
	part := strings.Trim(strings.Join(lines, ""), "\n")
	if part == "" || inside {
		t.Fatalf("%s should say %q and later %q", p.file, shownFrom, shownTo)
	}
	return part + "\n"
}

func TestThePageShowsTheBotsThatAreTried(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "testing-your-bot.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	files := append([]ping{
		{name: "In Go", file: "discordgo/ping/main_test.go"}, {name: "In JavaScript", file: "../drivers/ping.mjs"}, {name: "In Python", file: "../drivers/ping.py"},
	}, pings...)
	blocks := 0
	for _, language := range []string{"go", "js", "python"} {
		blocks += strings.Count(page, "\n```"+language+"\n")
	}
	if blocks != len(files) {
		t.Errorf("the page has %d blocks of code, of %d files", blocks, len(files))
	}
	for _, p := range files {
		_, section, found := strings.Cut(page, "\n### "+p.name+"\n")
		section, _, _ = strings.Cut(section, "\n### ")
		if !found || !strings.Contains(section, "\n```") || !strings.Contains(section, p.shown(t)+"```\n") {
			t.Errorf("under %q the page should show this, of %s:\n%s", p.name, p.file, p.shown(t))
		}
		if !strings.Contains(section, "](../"+path.Join("discordsim/clients", p.file)+")") {
			t.Errorf("under %q the page should link to %s", p.name, p.file)
		}
	}
}

// TestTheTestsOfThePagePass runs the tests in docs/testing-your-bot.md with the program discordsim and a bot, as
// readers do.
func TestTheTestsOfThePagePass(t *testing.T) {
	discordsim := filepath.Join(t.TempDir(), "discordsim")
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "testing-your-bot.md"))
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`(?m)^CGO_ENABLED=0 go build .*$`).FindString(string(page))
	build := exec.Command("sh", "-c", strings.Replace(command, "dist/discordsim", discordsim, 1))
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	bot := goPing("discordgo/ping", "")(t).Path
	dependsOn(t, "../drivers")
	for name, program := range map[string]string{"ping.mjs": "node", "ping.py": "python3"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(program); err != nil {
				unprepared(t, "node", "apt-get install nodejs python3", err.Error())
			}
			test := exec.Command(program, filepath.Join("..", "drivers", name), bot)
			test.Env = append(os.Environ(), "DISCORDSIM="+discordsim, "DISCORD_OPENAPI=", "PYTHONDONTWRITEBYTECODE=1")
			if said, err := test.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, said)
			}
		})
	}
}
