package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"tictactoe/game"
	"tictactoe/internal/show/picture"
)

// The page draws marks by itself, so that they can move, in the colours of the bot's emoji.
func TestMarksHaveTheColoursOfTheEmoji(t *testing.T) {
	content, err := page.ReadFile("page/style.css")
	if err != nil {
		t.Fatal(err)
	}
	style := string(content)
	for look := picture.Plain; look <= picture.Losing; look++ {
		for _, m := range []game.Mark{game.X, game.O} {
			c := picture.ColoursOf(m, look)
			class := "." + m.String()
			if name := look.String(); name != "" && look != picture.Last {
				class += "." + name
			}
			for part, colour := range map[string]string{
				"plate": fmt.Sprintf("#%02x%02x%02x", c.Plate.R, c.Plate.G, c.Plate.B), "stroke": fmt.Sprintf("#%02x%02x%02x", c.Mark.R, c.Mark.G, c.Mark.B),
			} {
				_, rule, found := strings.Cut(style, class+" ."+part)
				if rule, _, _ = strings.Cut(rule, "}"); !found || !strings.Contains(rule, colour) {
					t.Errorf("%s .%s is not %s", class, part, colour)
				}
			}
		}
	}
}

func TestLanguageFilesAreSmallAndWhole(t *testing.T) {
	files, err := languageFiles()
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		var texts map[string]any
		if err := json.Unmarshal(content, &texts); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for key := range texts {
			if strings.HasPrefix(key, "admin.") || strings.HasPrefix(key, "help.") {
				t.Errorf("%s has %s, which is about Discord", name, key)
			}
		}
	}
	if len(files) != 32 {
		t.Errorf("there are %d languages", len(files))
	}
}

// Packages that only servers need would make a first visit longer.
func TestTheProgramHasNoPartsOfServers(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "tictactoe/cmd/web/wasm")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	out, err := list.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name := range strings.Lines(string(out)) {
		switch name = strings.TrimSpace(name); name {
		case "log/slog", "encoding/json", "regexp", "crypto/rand", "net/http", "golang.org/x/text/language":
			t.Errorf("the program for browsers contains %s; leave its importer out with //go:build !js", name)
		}
	}
}
