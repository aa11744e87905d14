package commands_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/discordsim/check"
	"tictactoe/internal/file/golden"
)

var update = flag.Bool("update", false, "write the goldens again")

// specPath returns the path of Discord's OpenAPI description.
func specPath() string {
	if path := os.Getenv("DISCORD_OPENAPI"); path != "" {
		return path
	}
	return filepath.Join("..", "..", "shared", "discord-openapi.json")
}

// checkers returns the checkers for all message bodies: one with hand-written rules and, if the file exists, one with Discord's
// description.
func checkers(t testing.TB) []*check.Checker {
	t.Helper()
	paths := []string{""}
	if _, err := os.Stat(specPath()); err == nil {
		paths = append(paths, specPath())
	} else if strings.Contains(os.Getenv("TICTACTOE_REQUIRE"), "openapi") {
		t.Fatalf("Discord's OpenAPI description is required: %v", err)
	}
	var all []*check.Checker
	for _, path := range paths {
		c, err := check.New(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

// accepted fails unless Discord would accept the callback and know all of its fields.
func accepted(t testing.TB, all []*check.Checker, body []byte) {
	t.Helper()
	for _, c := range all {
		if refusal := c.CallbackOn(body, true); refusal != nil {
			t.Errorf("Discord refuses it: %v", refusal)
		}
		if findings := c.Findings(check.Callback, body); len(findings) != 0 {
			t.Errorf("Discord ignores %q", findings)
		}
	}
}

// inJSON lists the screens whose whole body is a golden, too. Every field that the encoder writes occurs in one of them.
var inJSON = []string{
	"challenge", "challenge-expired", "challenge-open-told", "match", "match-middle", "match-won", "resign-asked", "computer-begins", "review-mistake",
	"leaderboard-first-page", "games", "settings-blocking", "privacy-export", "privacy-linked", "picture", "admin-places", "admin-told", "admin-reset-asked", "season-asked", "arena-form",
	"refused-verb", "suggest-squares-of-another-match",
}

// TestReplies draws every screen. It also fails if no golden comes from some route, or if a refusal or apology is in no golden.
func TestReplies(t *testing.T) {
	all := checkers(t)
	routes, said := map[string]bool{}, map[string]bool{}
	counted := map[string]map[string]int{} // the components of each screen
	const bodies = "testdata/replies/bodies.json.txt"
	written := map[string][]string{} // for each field, the screens in which the encoder writes it
	for area, screens := range screens {
		t.Run(area, func(t *testing.T) {
			file := filepath.Join("testdata", "replies", area+".txt")
			counted[area] = map[string]int{}
			for name, reply := range screens {
				t.Run(name, func(t *testing.T) {
					d := newDesk(t)
					r := reply(d)
					said[text(r.Components)] = true
					counted[area][name] = count(r.Components)
					maps.Copy(routes, d.routes)
					body := callback(t, r)
					accepted(t, all, body)
					if strings.Contains(string(body), "no value") {
						t.Error("a text has an unfilled gap")
					}
					if area == "refused" && (r.Kind != bot.Post || !r.Private || len(r.Ping) > 0) {
						t.Error("a refusal is not private")
					}
					golden.Compare(t, file, name, drawn(t, body), *update)
					if slices.Contains(inJSON, name) {
						golden.Compare(t, bodies, name, string(body), *update)
					}
					for _, thing := range things(t, body) {
						written[thing] = append(written[thing], name)
					}
				})
			}
			golden.Only(t, file, slices.Collect(maps.Keys(screens)), *update)
		})
	}
	golden.Only(t, bodies, inJSON, *update)
	t.Run("the largest message of each area has room", func(t *testing.T) { goldenFile(t, "room-of-replies.txt", rooms(counted)) })
	t.Run("every golden belongs to a screen", func(t *testing.T) { everyGolden(t) })
	t.Run("every route leads to a golden", func(t *testing.T) { everyRoute(t, routes) })
	t.Run("every refusal is in a golden", func(t *testing.T) { everyRefusal(t, said) })
	t.Run("every written field is in a JSON golden", func(t *testing.T) {
		for thing, names := range written {
			if !slices.ContainsFunc(names, func(name string) bool { return slices.Contains(inJSON, name) }) {
				slices.Sort(names)
				t.Errorf("%s is in %q only", thing, names)
			}
		}
	})
}

// everyGolden checks that every golden belongs to an existing area and screen.
func everyGolden(t *testing.T) {
	t.Helper()
	want := []string{"bodies.json.txt"}
	for area := range screens {
		want = append(want, area+".txt")
	}
	files, err := os.ReadDir("testdata/replies")
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, file := range files {
		got = append(got, file.Name())
	}
	slices.Sort(want)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// things returns the fields of each kind of object in a body. For fields that determine a look or an action, it adds the value.
func things(t *testing.T, body []byte) (all []string) {
	t.Helper()
	var walk func(kind string, value any)
	walk = func(kind string, value any) {
		switch value := value.(type) {
		case map[string]any:
			if is, ok := value["type"]; ok {
				kind = fmt.Sprintf("%s of type %v", kind, is)
			}
			for name, v := range value {
				thing := kind + ": " + name
				if _, is := v.(bool); is || slices.Contains([]string{"style", "flags", "accent_color"}, name) {
					thing = fmt.Sprintf("%s %v", thing, v)
				}
				all = append(all, thing)
				if name == "component" || name == "components" {
					name = "a component"
				}
				walk(name, v)
			}
		case []any:
			for _, v := range value {
				walk(kind, v)
			}
		}
	}
	var whole any
	if err := json.Unmarshal(body, &whole); err != nil {
		t.Fatal(err)
	}
	walk("a callback", whole)
	return all
}

// everyRoute checks that a golden comes from each route.
func everyRoute(t *testing.T, routes map[string]bool) {
	t.Helper()
	router := bot.NewRouter()
	newDesk(t).commands.Route(router)
	for _, route := range router.Routes() {
		if !routes[route] {
			t.Errorf("no golden comes from %q", route)
		}
	}
}

// everyRefusal checks that each refusal and apology with a text is in a golden.
func everyRefusal(t *testing.T, said map[string]bool) {
	t.Helper()
	raw, err := os.ReadFile("../internal/show/locale/texts/en.json")
	if err != nil {
		t.Fatal(err)
	}
	var texts map[string]any
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	// On Discord, the answer to these refusals is the current board.
	silent := []string{"refusal.unknown", "refusal.stale", "refusal.finished", "refusal.time"}
	gap := regexp.MustCompile(`\\\{\\\{[^}]*\}\\\}`)
	for key, words := range texts {
		if !strings.HasPrefix(key, "refusal.") && !strings.HasPrefix(key, "error.") || slices.Contains(silent, key) {
			continue
		}
		pattern := regexp.MustCompile("^" + gap.ReplaceAllString(regexp.QuoteMeta(words.(string)), ".+") + "$")
		if !slices.ContainsFunc(slices.Collect(maps.Keys(said)), pattern.MatchString) {
			t.Errorf("no golden has the text %s", key)
		}
	}
}

func write(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// goldenFile compares a text with a whole file.
func goldenFile(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	got = append(got, '\n')
	if *update {
		write(t, file, got)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Error(d)
	}
}
