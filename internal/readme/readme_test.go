// Package readme_test tests the documentation against the program: commands, flags, files, links and
// snippets.
package readme_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	// The import makes go test compile SQLite once before this test, which then builds the program. Otherwise go test would compile
	// SQLite for other packages at the same moment.
	_ "tictactoe/store/sqlite"
)

// root is the path of the repository's root folder.
var root = filepath.Join("..", "..")

// program is the path of the tictactoe that was built for these tests.
var program string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "tictactoe-readme-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	program = filepath.Join(folder, "tictactoe")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "./cmd/tictactoe")
	build.Dir = root
	if said, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v: %v\n%s", build, err, said)
		return 1
	}
	return m.Run()
}

func TestTheReadmeBeginsWithTheTwoCommands(t *testing.T) {
	for _, p := range readPages(t) {
		if p.name != "README.md" {
			continue
		}
		if len(p.fences) == 0 {
			t.Fatal("the README has no block of code")
		}
		var commands []string
		for _, line := range p.fences[0].lines {
			command, _, _ := strings.Cut(line, "#")
			commands = append(commands, strings.TrimSpace(command))
		}
		if diff := cmp.Diff([]string{"go run ./cmd/tictactoe playground", "go test ./..."}, commands); diff != "" {
			t.Error(diff)
		}
		return
	}
	t.Fatal("no README.md")
}

func TestCommandsInThePages(t *testing.T) {
	watch(t)
	count := 0
	for _, p := range readPages(t) {
		t.Run(p.name, func(t *testing.T) {
			for _, f := range p.fences {
				if f.language != "sh" {
					continue
				}
				for _, line := range joined(f.lines) {
					count++
					if err := checkLine(line); err != nil {
						t.Errorf("%s\n%v", line, err)
					}
				}
			}
			for _, span := range p.spans {
				if !strings.HasPrefix(span, "tictactoe ") && !strings.HasPrefix(span, "go run ") && !strings.HasPrefix(span, "go test ") {
					continue
				}
				count++
				if err := checkLine(span); err != nil {
					t.Errorf("`%s`\n%v", span, err)
				}
			}
		})
	}
	if count < 20 {
		t.Errorf("found only %d commands; is the test looking in the right places?", count)
	}
}

func TestCommandsInTheFilesForHosts(t *testing.T) {
	watch(t)
	t.Run("the image runs a command that exists", func(t *testing.T) {
		var entry, args []string
		for _, line := range lines(t, "Dockerfile") {
			for instruction, into := range map[string]*[]string{"ENTRYPOINT ": &entry, "CMD ": &args} {
				if list, ok := strings.CutPrefix(line, instruction); ok {
					if err := json.Unmarshal([]byte(list), into); err != nil {
						t.Fatalf("%s: %v", line, err)
					}
				}
			}
		}
		if diff := cmp.Diff([]string{"/tictactoe"}, entry); diff != "" {
			t.Error(diff)
		}
		if len(args) == 0 {
			t.Error("no CMD")
		}
		if err := checkProgram(args); err != nil {
			t.Error(err)
		}
	})
	t.Run("the service runs a command that exists", func(t *testing.T) {
		started := 0
		for _, line := range lines(t, "deploy/tictactoe.service") {
			if command, ok := strings.CutPrefix(line, "ExecStart="); ok {
				started++
				if err := checkLine(command); err != nil {
					t.Error(err)
				}
			}
		}
		if started != 1 {
			t.Errorf("%d lines begin with ExecStart=, want 1", started)
		}
	})
}

func TestWrongCommandsAreFound(t *testing.T) {
	watch(t)
	tests := []struct {
		name, line string
		wrong      bool
	}{
		{"a command as it is", "go run ./cmd/tictactoe play -O easy", false},
		{"an unknown flag", "tictactoe playground --nonsense", true},
		{"an unknown flag of the source's own command", "go run ./cmd/tictactoe serve --nonsense", true},
		{"a flag of another command", "tictactoe sim --slots 1", true},
		{"an unknown command", "tictactoe fly", true},
		{"a level that does not exist", "tictactoe play -O hopeless", true},
		{"a value that is no number", "tictactoe play --seed many", true},
		{"an argument too many", "tictactoe version now", true},
		{"behind a variable, a pipe and a comment", "DISCORD_TOKEN=x tictactoe serve 2>&1 | cat # --nonsense", false},
		{"an unknown flag behind a pipe", "echo b2 | tictactoe play --nonsense", true},
		{"an unknown flag in a container", "docker run --rm -it tictactoe play --nonsense", true},
		{"a flag of the container's own", "docker run --rm --publish 1:1 tictactoe play", false},
		{"another image", "docker run --rm something play", true},
		{"a package that is not there", "go test ./internal/nothing", true},
		{"all packages below one that is there", "go test ./internal/...", false},
		{"a file that is not there", "bash .ci/nothing", true},
		{"a file that is there", "sudo cp deploy/tictactoe.service /etc/systemd/system/", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := checkLine(tt.line); (err != nil) != tt.wrong {
				t.Errorf("%s: %v", tt.line, err)
			}
		})
	}
}

func TestEveryBlockHasALanguage(t *testing.T) {
	known := []string{"sh", "go", "js", "python", "json", "text", "ini", "mermaid", "sql"}
	for _, p := range readPages(t) {
		for _, f := range p.fences {
			if !slices.Contains(known, f.language) {
				t.Errorf("%s: a block in the language %q; commands are sh, the other known languages are %v", p.name, f.language, known)
			}
		}
	}
}

func TestLinksLeadSomewhere(t *testing.T) {
	pages := readPages(t)
	slugs := map[string]map[string]bool{}
	for _, p := range pages {
		slugs[p.name] = p.slugs
	}
	for _, p := range pages {
		for _, link := range p.links {
			if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
				continue
			}
			file, anchor, _ := strings.Cut(link, "#")
			target := p.name
			if file != "" {
				target = path.Join(path.Dir(p.name), file)
			}
			if _, err := os.Stat(filepath.Join(root, target)); err != nil {
				t.Errorf("%s: %s does not exist", p.name, link)
			} else if anchor != "" && !slugs[target][anchor] {
				t.Errorf("%s: %s has no heading #%s", p.name, target, anchor)
			}
		}
	}
}

func TestNamedFilesExist(t *testing.T) {
	for _, p := range readPages(t) {
		for _, span := range p.spans {
			if err := checkPath(span); err != nil {
				t.Errorf("%s: %v", p.name, err)
			}
		}
	}
}

var variable = regexp.MustCompile(`\b(?:TICTACTOE|DISCORD)_[A-Z_]+\b`)

func TestNamedVariablesExist(t *testing.T) {
	known := map[string]bool{}
	for _, name := range watch(t) {
		if filepath.Ext(name) == ".go" && filepath.Dir(name) != filepath.Join(root, "internal", "readme") {
			for _, v := range variable.FindAllString(read(t, name), -1) {
				known[v] = true
			}
		}
	}
	files := []string{"Dockerfile", "deploy/tictactoe.service", ".ci/run", "deploy/compose/compose.yml",
		"deploy/kubernetes/bot.yml", "deploy/kubernetes/gateway.yml"}
	for _, p := range readPages(t) {
		files = append(files, p.name)
	}
	for _, file := range files {
		for _, v := range variable.FindAllString(read(t, filepath.Join(root, file)), -1) {
			if !known[v] {
				t.Errorf("%s: no code reads the variable %s", file, v)
			}
		}
	}
}

func TestTheInviteAsksForWhatTheBotNeeds(t *testing.T) {
	found := false
	for _, word := range strings.FieldsFunc(read(t, filepath.Join(root, "README.md")), func(r rune) bool { return strings.ContainsRune(" \n<>()`", r) }) {
		link, err := url.Parse(word)
		if err != nil || link.Path != "/oauth2/authorize" {
			continue
		}
		found = true
		want := fmt.Sprint(discordgo.PermissionViewChannel | discordgo.PermissionSendMessages | discordgo.PermissionAttachFiles | discordgo.PermissionReadMessageHistory |
			discordgo.PermissionCreatePublicThreads | discordgo.PermissionSendMessagesInThreads)
		if got := link.Query().Get("permissions"); got != want {
			t.Errorf("the invite asks for permissions %s, want %s", got, want)
		}
		if got, want := link.Query().Get("scope"), "bot applications.commands"; got != want {
			t.Errorf("the invite asks for scopes %q, want %q", got, want)
		}
	}
	if !found {
		t.Error("the README has no link to invite the bot")
	}
}

func TestTheListingFitsItsFields(t *testing.T) {
	listing := read(t, filepath.Join(root, "docs", "listing.md"))
	for title, most := range map[string]int{"Summary": 200, "Short text": 400} {
		_, text, _ := strings.Cut(listing, "**"+title+".** ")
		text, _, _ = strings.Cut(text, "\n\n")
		if n := len([]rune(text)); n == 0 || n > most {
			t.Errorf("%s has %d characters, want 1 to %d", title, n, most)
		}
	}
}

func TestGoSnippetsCompile(t *testing.T) {
	watch(t)
	for _, p := range readPages(t) {
		if p.name == "docs/testing-your-bot.md" {
			continue // the blocks of this page are parts of files that discordsim/clients builds and runs
		}
		for i, f := range p.fences {
			if f.language != "go" {
				continue
			}
			t.Run(fmt.Sprintf("%s block %d", p.name, i+1), func(t *testing.T) {
				if said, err := compile(t, strings.Join(f.lines, "\n")); err != nil {
					t.Errorf("%v\n%s", err, said)
				}
			})
		}
	}
	t.Run("a snippet that does not compile is found", func(t *testing.T) {
		said, err := compile(t, "package snippet\n\nimport \"tictactoe/game\"\n\nvar _ = game.NoSuchThing\n")
		if err == nil || !strings.Contains(string(said), "NoSuchThing") {
			t.Errorf("%v\n%s", err, said)
		}
	})
}

// compile builds a file as if it belonged to a package of this module.
func compile(t *testing.T, source string) (said []byte, err error) {
	t.Helper()
	folder := t.TempDir()
	file, overlay := filepath.Join(folder, "snippet.go"), filepath.Join(folder, "overlay.json")
	whole, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	replace, err := json.Marshal(map[string]any{
		"Replace": map[string]string{filepath.Join(whole, "internal", "readme", "snippet", "snippet.go"): file},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{file: []byte(source), overlay: replace} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "build", "-overlay", overlay, "./internal/readme/snippet")
	cmd.Dir = root
	return cmd.CombinedOutput()
}

// watch walks through all folders of the module, and returns the names of the files. It makes go test notice when a file changes: a
// separate process builds the program and the snippets, and go test, which does not see what that process reads, would otherwise repeat
// a cached result.
func watch(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != root && strings.HasPrefix(entry.Name(), ".") {
			return filepath.SkipDir
		}
		if !entry.IsDir() {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func lines(t *testing.T, name string) []string {
	t.Helper()
	return strings.Split(read(t, filepath.Join(root, name)), "\n")
}
