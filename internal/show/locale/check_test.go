package locale_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// TestTheFilesOfAllLanguagesAreComplete reports missing and superfluous texts of all languages, by file and line. With -v it also lists the
// inherited texts that nobody has read.
func TestTheFilesOfAllLanguagesAreComplete(t *testing.T) {
	problems, err := locale.Check(os.DirFS("texts"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if p.Inherited() {
			t.Logf("texts/%s", p)
		} else {
			t.Errorf("texts/%s", p)
		}
	}
}

func TestCheck(t *testing.T) {
	const english = `{
  "go": "Go to {{.Place}}, or press ` + "`/tictactoe ai`" + `",
  "moves": {"one": "one move of {{.Name}}", "other": "{{.PluralCount}} moves of {{.Name}}"},
  "action.stop": "Stop"
}`
	check := func(t *testing.T, file, text string, want ...string) {
		t.Helper()
		problems, err := locale.Check(fstest.MapFS{"en.json": {Data: []byte(english)}, file: {Data: []byte(text)}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range problems {
			got = append(got, p.String())
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}
	whole := `{
  "go": "Los nach {{.Place}}, oder ` + "`/tictactoe ai`" + `",
  "moves": {"one": "ein Zug von {{.Name}}", "other": "{{.PluralCount}} Züge von {{.Name}}"},
  "action.stop": "Halt"
}`
	t.Run("a complete language", func(t *testing.T) { check(t, "de.json", whole) })
	for name, tt := range map[string]struct{ file, from, to, problem string }{
		"a missing key":                          {"de.json", ",\n  \"action.stop\": \"Halt\"", "", "de.json: action.stop: it is missing"},
		"a superfluous key":                      {"de.json", `"action.stop": "Halt"`, `"action.stop": "Halt", "stay": "Bleib"`, "de.json:4: stay: English has no such text"},
		"a key twice":                            {"de.json", `"action.stop": "Halt"`, "\"action.stop\": \"Halt\",\n  \"action.stop\": \"Stopp\"", "de.json:5: action.stop: it stands on line 4 already"},
		"a missing argument":                     {"de.json", "{{.Place}}", "dort", "de.json:2: go: {{.Place}} is missing"},
		"a misspelt argument":                    {"de.json", "Züge von {{.Name}}", "Züge von {{.Name}} auf {{.Square}}", "de.json:3: moves: English has no {{.Square}}"},
		"an argument that is not written as one": {"de.json", "{{.Place}}", "{{.Place}} {{Place}}", "de.json:2: go: an argument is written {{.Name}}"},
		"a missing command":                      {"de.json", "`/tictactoe ai`", "spiele", "de.json:2: go: `/tictactoe ai` is missing"},
		"a missing plural form":                  {"de.json", `"one": "ein Zug von {{.Name}}", `, "", `de.json:3: moves: the plural form "one" is missing`},
		"an unknown plural form":                 {"de.json", `"one":`, `"several": "{{.PluralCount}} Züge von {{.Name}}", "one":`, `de.json:3: moves: there is no plural form "several" here`},
		"a superfluous plural form":              {"de.json", `"one":`, `"few": "{{.PluralCount}} Züge von {{.Name}}", "one":`, `de.json:3: moves: there is no plural form "few" here`},
		"a button with too much on it":           {"de.json", "Halt", "Halt, und zwar jetzt, ganz und gar!", "de.json:4: action.stop: it has 35 characters, 1 more than there is room for"},
		"markup":                                 {"de.json", "Halt", "**Halt**", "de.json:4: action.stop: it has markup; how things look is the style's"},
		"space around":                           {"de.json", "Halt", "Halt ", "de.json:4: action.stop: it is empty, or has space around it"},
		"a count that is missing":                {"de.json", "{{.PluralCount}} Züge", "Züge", "de.json:3: moves: {{.PluralCount}} is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(whole, tt.from, tt.to, 1)
			if text == whole {
				t.Fatalf("the file has no %q", tt.from)
			}
			check(t, tt.file, text, tt.problem)
		})
	}
	t.Run("a language with more plural forms, whose form one covers more numbers than 1", func(t *testing.T) {
		check(t, "ru.json", `{
  "go": "{{.Place}} `+"`/tictactoe ai`"+`", "action.stop": "Стоп",
  "moves": {"one": "ход {{.Name}}", "few": "{{.PluralCount}} хода {{.Name}}", "many": "{{.PluralCount}} ходов {{.Name}}"}
}`, "ru.json:3: moves: {{.PluralCount}} is missing")
	})
	t.Run("a form for exactly 1 beside a form one that covers more numbers", func(t *testing.T) {
		check(t, "ru.json", `{
  "go": "{{.Place}} `+"`/tictactoe ai`"+`", "action.stop": "Стоп",
  "moves": {"=1": "один ход {{.Name}}", "one": "{{.PluralCount}} ход {{.Name}}", "few": "{{.PluralCount}} хода {{.Name}}", "many": "{{.PluralCount}} ходов {{.Name}}"}
}`)
	})
	t.Run("a form for exactly 1 in a language without plural forms", func(t *testing.T) {
		check(t, "ja.json", `{
  "go": "{{.Place}} `+"`/tictactoe ai`"+`", "action.stop": "止",
  "moves": {"=1": "{{.Name}}の一手", "other": "{{.Name}}の{{.PluralCount}}手"}
}`)
	})
	t.Run("a form one without its number that also covers 0, unless there is a form for exactly 0", func(t *testing.T) {
		const french = `{
  "go": "{{.Place}} ` + "`/tictactoe ai`" + `", "action.stop": "Stop",
  "moves": {"=0": "aucun coup de {{.Name}}", "one": "un coup de {{.Name}}", "other": "{{.PluralCount}} coups de {{.Name}}"}
}`
		check(t, "fr.json", french)
		check(t, "fr.json", strings.Replace(french, `"=0": "aucun coup de {{.Name}}", `, "", 1), "fr.json:3: moves: {{.PluralCount}} is missing")
	})
	t.Run("a list with too few items", func(t *testing.T) {
		problems, err := locale.Check(fstest.MapFS{"en.json": {Data: []byte(`{"date.months": "January, February"}`)}})
		if want := "en.json:1: date.months: it has 2 items with commas between them, not 12"; err != nil || len(problems) != 1 || problems[0].String() != want {
			t.Error(problems, err)
		}
	})
	const unread = `inherited, not looked at (1, from en.json); once they are read, write "%s": "%s" under "inherited"`
	t.Run("a region with only the differing texts, which inherits unread texts", func(t *testing.T) {
		check(t, "en-GB.json", `{"action.stop": "Halt"}`,
			"en-GB.json: go.*: "+fmt.Sprintf(unread, "go", "ad6e8b7a"), "en-GB.json: moves.*: "+fmt.Sprintf(unread, "moves", "a678af71"))
	})
	t.Run("a region that inherits texts read before their last change, and texts unchanged since they were read", func(t *testing.T) {
		check(t, "en-GB.json", `{"action.stop": "Halt", "inherited": {"go": "00000000", "moves": "a678af71"}}`,
			"en-GB.json: go.*: "+fmt.Sprintf(unread, "go", "ad6e8b7a"))
	})
	t.Run("the form of a name", func(t *testing.T) {
		const russian = `{
  "go": "{{.Place}} ` + "`/tictactoe ai`" + `", "action.stop": "Стоп", "name.of": "игрока {{.Name}}",
  "moves": {"one": "{{.PluralCount}} ход {{.Name.of}}", "few": "{{.PluralCount}} хода {{.Name.of}}", "many": "{{.PluralCount}} ходов {{.Name.of}}"}
}`
		want := []string{"ru.json:2: name.of: {{.Name}} is missing"}
		for _, name := range []string{"name.computer.of", "name.crowd.of", "name.hidden.of", "name.left.of", "name.team.of", "name.unknown.of"} {
			for range 3 {
				want = append(want, "ru.json:3: moves: {{.Name.of}} needs "+name)
			}
		}
		check(t, "ru.json", strings.Replace(russian, "игрока {{.Name}}", "игрока", 1), want...)
	})
	t.Run("a region of a language without a file", func(t *testing.T) {
		check(t, "es-419.json", `{"action.stop": "Alto"}`, "es-419.json: go: it is missing", "es-419.json: moves: it is missing")
	})
}

func TestARegionUsesTheWordsOfItsParent(t *testing.T) {
	book, err := locale.ReadBook(fstest.MapFS{
		"en.json":     {Data: []byte(`{"hello": "Hello", "colour": "color", "bye": "Bye"}`)},
		"en-GB.json":  {Data: []byte(`{"colour": "colour"}`)},
		"es.json":     {Data: []byte(`{"hello": "Hola", "colour": "color"}`)},
		"es-419.json": {Data: []byte(`{"hello": "Qué tal"}`)},
		"zh-TW.json":  {Data: []byte(`{"hello": "你好"}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for tongue, want := range map[string]string{
		"en-US": "Hello color Bye", "en-GB": "Hello colour Bye", "es-ES": "Hola color Bye", "es-419": "Qué tal color Bye",
		"zh-TW": "你好 color Bye", "pt-BR": "Hello color Bye",
	} {
		var said []string
		for _, key := range []string{"hello", "colour", "bye"} {
			said = append(said, book.In(tongue).Say(view.T(key, nil), visible{}))
		}
		if got := strings.Join(said, " "); got != want {
			t.Errorf("%s says %q, want %q", tongue, got, want)
		}
	}
}
