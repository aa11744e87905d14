// Package arch_test checks the architecture: it reads the imports of every Go file and compares them with a table. An import that
// the table does not allow is forbidden.
//
// The test parses the files itself instead of asking the go command. So it also checks the files for other systems, and go test runs it
// again when a file changes.
package arch_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "tictactoe"

// row lists the packages that a package may import. A word is the folder of a package of this module, or the short name of another
// module.
type row struct {
	of    string
	may   string // the packages that every file of the package may import
	tests string // further packages that its tests may import; "*" means any package of this module
	not   string // folders of the standard library that are forbidden
}

// outsideRules and outsideCore list the folders of the standard library that the rules of the game and the core must not import. The
// rules know only the board, and the context that stops a player's search for a move. The core knows no network, files or pictures.
const (
	outsideRules = "crypto database embed encoding html io log math/rand net os reflect sync testing text time"
	outsideCore  = "database embed encoding html io net os testing text"
)

// above lists the folders from which no package of internal except the lab may import, whatever its row says.
var above = []string{"bot", "commands", "store", "cmd", "discordsim"}

// table lists all packages, innermost first. Only cmd may import commands, a store or the playground; nothing imports cmd.
var table = []row{
	{of: "game", not: outsideRules},
	{of: "ai", may: "game", not: "database encoding html io net os testing text"}, // the opening book is embedded
	{of: "migrations"},

	{of: "internal/match/clock", not: outsideCore},
	{of: "internal/puzzles/puzzle", may: "game ai", not: outsideCore},
	{of: "internal/ranking/rating", not: outsideCore},
	{of: "internal/match", may: "internal/match/clock internal/ranking/rating game x/sync", tests: "store/sqlite store/sqlite/sqlitetest", not: outsideCore},
	{of: "internal/arena", may: "internal/match internal/match/clock internal/ranking/rating game", tests: "internal/boards/board store/sqlite store/sqlite/sqlitetest", not: outsideCore},
	{of: "internal/match/background", may: "internal/match/clock internal/match", not: outsideCore},
	{of: "internal/ranking/score", may: "internal/match game", tests: "ai", not: outsideCore},
	{of: "internal/ranking/ladder", may: "internal/match internal/server/policy internal/ranking/rating internal/ranking/score internal/ranking/season game", not: outsideCore},
	{of: "internal/people/profile", may: "internal/match/background internal/match/clock internal/replica/lease internal/match internal/ranking/score game ai", not: outsideCore},
	{of: "internal/people/archive", may: "internal/match game", not: outsideCore},
	{of: "internal/boards/board", may: "internal/match", not: outsideCore},
	{of: "internal/boards/messages", may: "discordgo"},
	{of: "internal/server/policy", may: "internal/match", not: outsideCore},
	{of: "internal/ranking/season", may: "internal/match internal/server/policy", not: outsideCore},
	{of: "internal/ranking/roster", may: "internal/match internal/match/clock internal/ranking/rankrole internal/server/policy", not: outsideCore},
	{of: "internal/ranking/rankrole", may: "game internal/match internal/match/background internal/match/clock internal/ranking/ladder internal/ranking/score internal/ranking/season internal/replica/lease internal/server/policy", not: outsideCore},
	{of: "internal/puzzles/daily", may: "game internal/match internal/puzzles/puzzle", not: outsideCore},
	{of: "internal/server/posting", may: "internal/match internal/server/policy internal/puzzles/puzzle", not: outsideCore},
	{of: "internal/people/user", may: "internal/arena internal/puzzles/daily internal/ranking/ladder internal/ranking/rankrole internal/ranking/rating internal/match internal/server/policy internal/people/profile internal/ranking/score internal/ranking/season", not: outsideCore},
	{of: "internal/server/venue", may: "internal/match/clock internal/match", not: outsideCore},
	{of: "internal/replica/claim", not: outsideCore},
	{of: "internal/replica/lease", not: outsideCore},
	{of: "internal/replica/session", not: outsideCore},
	{of: "internal/computer", may: "ai game internal/match internal/people/archive", not: outsideCore},
	{of: "internal/show/picture", may: "game x/image"},
	{of: "internal/show/emoji", may: "game internal/show/picture"},
	{of: "internal/puzzles/course", may: "game", tests: "ai", not: outsideCore},
	{of: "internal/show/view", may: "internal/arena internal/puzzles/course internal/people/archive internal/puzzles/daily internal/puzzles/puzzle internal/match game internal/ranking/score internal/ranking/rating internal/ranking/ladder internal/ranking/rankrole internal/people/profile internal/people/user internal/server/policy internal/server/posting internal/ranking/season ai", tests: "internal/show/gallery internal/show/locale", not: outsideCore},
	{of: "internal/show/locale", may: "game internal/arena internal/match internal/show/view x/text"},
	{of: "internal/show/gallery", may: "ai game internal/arena internal/people/archive internal/puzzles/course internal/puzzles/daily internal/ranking/ladder internal/ranking/rankrole internal/show/locale internal/match internal/server/policy internal/server/posting internal/people/profile internal/puzzles/puzzle internal/ranking/rating internal/ranking/score internal/ranking/season internal/people/user internal/show/view", not: "database net os testing"},

	{of: "internal/longtest"}, // the switch that enables long tests
	{of: "internal/file/draft"},
	{of: "internal/file/golden", may: "go-cmp"}, // compares the output of tests with files of drawings
	{of: "internal/file/printable"},

	{
		of: "store/storetest", may: "internal/arena store/internal/sqlstore store/internal/column internal/people/archive internal/puzzles/daily internal/puzzles/puzzle internal/match/clock internal/match internal/ranking/rating internal/ranking/ladder internal/ranking/rankrole internal/ranking/roster internal/people/profile game internal/ranking/score internal/boards/board internal/people/user internal/server/policy internal/server/posting internal/ranking/season internal/server/venue internal/show/emoji internal/replica/lease internal/replica/session internal/replica/claim go-cmp rapid",
		tests: "*",
	},
	{of: "store/transfer", tests: "* sqlite3 pgx"}, // the package knows tables and rows, but not their meaning
	{of: "store/internal/column", may: "internal/arena internal/people/archive internal/match internal/server/policy internal/ranking/rating internal/file/printable game goose"},
	{
		of:  "store/internal/sqlstore", // the package knows no driver
		may: "store/internal/column internal/arena internal/people/archive internal/puzzles/daily internal/puzzles/puzzle internal/match/clock internal/match internal/ranking/rating internal/ranking/ladder internal/ranking/rankrole internal/people/profile game internal/ranking/score internal/boards/board internal/people/user internal/server/policy internal/server/posting internal/ranking/season internal/server/venue internal/show/emoji internal/replica/lease internal/replica/session internal/replica/claim",
	},
	{
		of:    "store/sqlite",
		may:   "store/internal/column store/internal/sqlstore store/transfer internal/file/draft internal/match migrations sqlite3 goose",
		tests: "*",
	},
	{
		of:    "store/postgres",
		may:   "store/internal/column store/internal/sqlstore store/transfer internal/match/clock internal/match migrations pgx goose",
		tests: "*",
	},
	{of: "store/sqlite/sqlitetest", may: "store/sqlite"},                             // temporary database files for tests
	{of: "store/postgres/pgserver", may: "pgx"},                                      // a temporary Postgres server
	{of: "store/postgres/pgtest", may: "store/postgres store/postgres/pgserver pgx"}, // a temporary Postgres server for tests

	{of: "bot/backoff"}, // the pauses between attempts that fail
	{of: "bot/rest", may: "bot/backoff internal/boards/messages internal/show/emoji discordgo x/time"},
	{of: "bot/gateway", may: "bot/backoff bot/rest internal/replica/lease internal/replica/session discordgo websocket x/time"},
	{of: "bot/endpoint", may: "x/net x/sync x/time"},
	{of: "bot", may: "bot/backoff bot/rest bot/gateway bot/endpoint internal/boards/messages internal/replica/claim internal/replica/lease internal/replica/session discordgo x/sync x/time", tests: "discordsim discordsim/simtest websocket"},
	{of: "internal/boards", may: "discordgo internal/arena internal/boards/board internal/boards/messages internal/match internal/match/background internal/match/clock internal/puzzles/puzzle internal/ranking/season internal/server/policy internal/server/posting", tests: "*"},
	{
		of:    "commands",
		may:   "internal/arena internal/puzzles/course bot bot/rest discordgo internal/people/archive internal/puzzles/daily internal/puzzles/puzzle internal/ranking/season internal/show/emoji internal/show/picture internal/match internal/show/view internal/show/locale game internal/ranking/score internal/ranking/rating internal/ranking/ladder internal/ranking/rankrole internal/ranking/roster internal/people/profile internal/boards/board internal/people/user internal/server/policy internal/server/posting internal/boards internal/boards/messages internal/replica/claim ai",
		tests: "*",
	},
	{of: "internal/terminal/console", may: "x/term"},
	{of: "internal/terminal", may: "internal/puzzles/course internal/puzzles/daily internal/puzzles/puzzle internal/match internal/show/view game ai internal/show/locale internal/ranking/score bubbletea lipgloss", tests: "*"},

	{
		of:  "internal/browser",
		may: "ai game internal/match internal/computer internal/people/archive internal/puzzles/course internal/puzzles/daily internal/puzzles/puzzle internal/ranking/score internal/show/locale internal/show/view",
		not: "database encoding html net os testing", // it is compiled for browsers
	},

	{of: "discordsim/check", may: "jsonschema"},
	{of: "discordsim/world", may: "discordsim/check"}, // the state under its only lock; it knows no protocol
	{of: "discordsim/transcript", may: "discordsim/world"},
	{of: "discordsim/faults", may: "discordsim/world"},
	{of: "discordsim/gateway", may: "discordsim/world discordsim/transcript discordsim/faults websocket compress"},
	{of: "discordsim/rest", may: "discordsim/world discordsim/check discordsim/transcript discordsim/faults"},
	{of: "discordsim/people", may: "discordsim/world discordsim/check"},
	{of: "discordsim/seed", may: "discordsim/world discordsim/check discordsim/transcript discordsim/faults discordsim/rest discordsim/people"},
	{of: "discordsim/control", may: "discordsim/world discordsim/check discordsim/transcript discordsim/faults discordsim/gateway discordsim/rest discordsim/people"},
	{
		of:    "discordsim", // the package connects the packages below it
		may:   "discordsim/world discordsim/check discordsim/transcript discordsim/faults discordsim/gateway discordsim/rest discordsim/people discordsim/seed discordsim/control",
		tests: "discordsim/simtest discordgo websocket compress x/text",
	},
	{of: "discordsim/simtest"}, // the helpers with which tests reach a simulator
	{of: "discordsim/clients", tests: "discordsim/authority discordsim game ai"},
	{of: "discordsim/clients/discordgo", may: "discordgo"},
	{of: "discordsim/clients/discordgo/ping", may: "discordgo", tests: "discordsim"},
	{of: "discordsim/authority"}, // certificates for servers on this machine
	{of: "discordsim/ownhost"},   // the host names under which a server on this machine answers
	{of: "discordsim/page", may: "discordsim/ownhost minify", tests: "* chromedp cdproto"},
	{of: "discordsim/standalone", may: "discordsim discordsim/authority discordsim/page", tests: "discordgo websocket"}, // the simulator as a program
	// The soak test judges all other packages, and shares texts and constants with them.
	{of: "internal/lab/proof", may: "game ai"},
	{of: "internal/lab/soak", may: "bot game internal/match internal/puzzles/daily internal/show/locale internal/show/view discordsim store/postgres/pgserver sqlite3 pgx", tests: "*"},

	{
		of: "cmd/tictactoe",
		may: "game ai internal/arena internal/people/archive internal/puzzles/daily internal/puzzles/puzzle internal/file/draft internal/file/printable internal/match/background internal/computer internal/match/clock internal/match internal/ranking/score internal/ranking/ladder internal/ranking/rankrole internal/ranking/roster internal/people/profile internal/boards/board internal/boards internal/boards/messages internal/people/user internal/server/policy internal/server/posting internal/ranking/season internal/server/venue internal/show/emoji internal/show/picture internal/replica/lease internal/replica/session internal/replica/claim internal/show/view internal/show/locale store/sqlite store/postgres store/transfer " +
			"bot bot/rest bot/gateway bot/endpoint commands internal/terminal discordsim discordsim/ownhost discordsim/standalone internal/terminal/console kong tint prometheus x/net",
		tests: "* pgx sqlite3 discordgo websocket chromedp cdproto",
	},

	{of: "cmd/discordsim", may: "discordsim discordsim/standalone"},
	{of: "cmd/web", may: "game internal/browser internal/show/locale internal/show/picture kong minify brotli", tests: "ai internal/longtest internal/puzzles/puzzle chromedp cdproto"},
	{of: "cmd/web/wasm", may: "game internal/browser internal/computer internal/match internal/puzzles/puzzle internal/show/locale"},
	{of: "cmd/lab", may: "game ai internal/lab/proof internal/lab/soak internal/show/gallery internal/show/locale internal/terminal/console store/sqlite store/postgres kong", tests: "store/postgres/pgtest internal/longtest go-cmp"},

	{of: "internal/arch"},
	{of: "internal/readme", tests: "store/sqlite discordgo yaml"},
}

// modules are the modules of others that some package may import, by their short names.
var modules = map[string]string{
	"brotli":     "github.com/andybalholm/brotli",
	"bubbletea":  "charm.land/bubbletea/v2",
	"cdproto":    "github.com/chromedp/cdproto",
	"chromedp":   "github.com/chromedp/chromedp",
	"compress":   "github.com/klauspost/compress",
	"minify":     "github.com/tdewolff/minify/v2",
	"discordgo":  "github.com/bwmarrin/discordgo",
	"go-cmp":     "github.com/google/go-cmp",
	"yaml":       "go.yaml.in/yaml/v3",
	"goleak":     "go.uber.org/goleak",
	"goose":      "github.com/pressly/goose/v3",
	"jsonschema": "github.com/santhosh-tekuri/jsonschema/v6",
	"kong":       "github.com/alecthomas/kong",
	"lipgloss":   "charm.land/lipgloss/v2",
	"pgx":        "github.com/jackc/pgx/v5",
	"prometheus": "github.com/prometheus/client_golang",
	"rapid":      "pgregory.net/rapid",
	"sqlite3":    "github.com/mattn/go-sqlite3",
	"tint":       "github.com/lmittmann/tint",
	"websocket":  "github.com/gorilla/websocket",
	"x/term":     "github.com/charmbracelet/x/term",
	"x/image":    "golang.org/x/image",
	"x/net":      "golang.org/x/net",
	"x/sync":     "golang.org/x/sync",
	"x/text":     "golang.org/x/text",
	"x/time":     "golang.org/x/time",
}

// everyTest lists what the tests of every package may import.
const everyTest = "internal/file/golden internal/longtest go-cmp rapid goleak"

func TestImports(t *testing.T) {
	root := filepath.Join("..", "..")
	uses, err := scan(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range violations(table, uses) {
		t.Error(v)
	}
	t.Run("every row of the table is about a package that exists", func(t *testing.T) {
		for _, r := range table {
			if files, err := filepath.Glob(filepath.Join(root, r.of, "*.go")); err != nil || len(files) == 0 {
				t.Errorf("%s has a row and no Go file (%v)", r.of, err)
			}
		}
	})
	t.Run("every word of a row is imported there", func(t *testing.T) {
		for _, r := range table {
			for word := range strings.FieldsSeq(r.may) {
				if !r.imports(word, false, uses) {
					t.Errorf("%s may import %s and does not", r.of, word)
				}
			}
			for word := range strings.FieldsSeq(r.tests) {
				if word != "*" && !r.imports(word, true, uses) {
					t.Errorf("the tests of %s may import %s and do not", r.of, word)
				}
			}
		}
	})
	t.Run("every module is a word of the table", func(t *testing.T) {
		words := strings.Fields(everyTest)
		for _, r := range table {
			words = append(words, strings.Fields(r.may+" "+r.tests)...)
		}
		for word := range modules {
			if !slices.Contains(words, word) {
				t.Errorf("no row names %s", word)
			}
		}
	})
	t.Run("every word of the table is a row or a module", func(t *testing.T) {
		for _, r := range table {
			for word := range strings.FieldsSeq(r.may + " " + r.tests + " " + everyTest) {
				if word != "*" && modules[word] == "" && !slices.ContainsFunc(table, func(r row) bool { return r.of == word }) {
					t.Errorf("%s: %q is neither a row nor a module", r.of, word)
				}
			}
		}
	})
}

func TestRooms(t *testing.T) {
	root := filepath.Join("..", "..")
	uses, err := scan(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range circles(uses) {
		t.Error(c)
	}
	lines, whole := map[string]int{}, 0
	for _, u := range uses {
		if u.test() {
			continue
		}
		source, err := os.ReadFile(filepath.Join(root, u.file))
		if err != nil {
			t.Fatal(err)
		}
		n := strings.Count(string(source), "\n")
		lines[roomOf(u.of)] += n
		whole += n
	}
	for room, n := range lines {
		if room != "" && n > whole/4 {
			t.Errorf("%s has %d of %d lines, which is more than a quarter", room, n, whole)
		}
	}
}

func TestPlantedCircles(t *testing.T) {
	ours := func(of string, imports ...string) use {
		for i := range imports {
			imports[i] = module + "/" + imports[i]
		}
		return use{of: of, file: of + "/x.go", imports: imports}
	}
	match, numbers := ours("internal/match", "internal/ranking/rating"), ours("internal/ranking/rating")
	ladder := ours("internal/ranking/ladder", "internal/match", "internal/ranking/rating")
	for _, tt := range []struct {
		name   string
		uses   []use
		caught bool
	}{
		{"a package that imports nothing of ours closes no circle", []use{match, numbers, ladder}, false},
		{"two rooms import each other", []use{ladder, ours("internal/match", "internal/ranking/ladder")}, true},
		{"three rooms do", []use{ladder, ours("internal/match", "internal/boards"), ours("internal/boards", "internal/ranking/ladder")}, true},
		{"packages of one room may import each other", []use{ours("internal/show/view", "internal/show/locale"), ours("internal/show/locale", "game")}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if found := circles(tt.uses); len(found) > 0 != tt.caught {
				t.Errorf("caught %q", found)
			}
		})
	}
}

func TestInternalImportsNoHigherPackages(t *testing.T) {
	for _, tt := range []struct {
		of, imported string
		caught       bool
	}{
		{"internal/boards", "bot", true},
		{"internal/match", "store/sqlite", true},
		{"internal/show/view", "commands", true},
		{"internal/terminal", "discordsim/check", true},
		{"internal/lab/soak", "discordsim", false},
		{"store/sqlite", "store/transfer", false},
	} {
		allowing := row{of: tt.of, may: tt.imported}
		if why := allowing.refuses(module+"/"+tt.imported, false); why != "" != tt.caught {
			t.Errorf("%s imports %s although its row names it: %q", tt.of, tt.imported, why)
		}
		if why := (row{of: tt.of, tests: "*"}).refuses(module+"/"+tt.imported, true); why != "" {
			t.Errorf("a test of %s may not import %s: %s", tt.of, tt.imported, why)
		}
	}
}

// The program that hosts run must not contain tools that only developers need.
func TestTheBotDoesNotDependOnTheLab(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "tictactoe/cmd/tictactoe").Output()
	if err != nil {
		t.Fatal(err)
	}
	for path := range strings.Lines(string(out)) {
		if path = strings.TrimSpace(path); strings.HasPrefix(path, "tictactoe/internal/lab") || path == "tictactoe/store/postgres/pgserver" {
			t.Errorf("cmd/tictactoe depends on %s", path)
		}
	}
}

// A program that parses a log line would lose a value whose key occurs twice or is a key of slog.
func TestLogLinesHaveEachKeyOnce(t *testing.T) {
	uses, err := scan(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range uses {
		if u.test() {
			continue
		}
		source, err := os.ReadFile(filepath.Join("..", "..", u.file))
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range repeatedKeys(t, string(source)) {
			t.Errorf("%s: a log line repeats the key %s", u.file, key)
		}
	}
	for line, want := range map[string]string{
		`log.Info("credited", "time", "5s")`: `"time"`, `a.log.Warn("ended", "err", err, "n", 2, "err", again)`: `"err"`, `log.With("level", 3)`: `"level"`,
		`log.Error("failed", "at", "time", "err", err)`: "",
	} {
		if got := strings.Join(repeatedKeys(t, "package p\n\nfunc f() { "+line+" }"), " "); got != want {
			t.Errorf("%s: found %q, want %q", line, got, want)
		}
	}
}

// repeatedKeys returns the literal keys that a log line of a Go file repeats.
func repeatedKeys(t *testing.T, source string) (repeated []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	first := map[string]int{"Debug": 1, "Info": 1, "Warn": 1, "Error": 1, "With": 0} // the index of the first key among the arguments
	for node := range ast.Preorder(file) {
		call, is := node.(*ast.CallExpr)
		if !is {
			continue
		}
		method, is := call.Fun.(*ast.SelectorExpr)
		if !is {
			continue
		}
		i, logs := first[method.Sel.Name]
		seen := map[string]bool{`"time"`: true, `"level"`: true, `"msg"`: true, `"source"`: true}
		for ; logs && i < len(call.Args); i += 2 {
			if key, is := call.Args[i].(*ast.BasicLit); is && seen[key.Value] {
				repeated = append(repeated, key.Value)
			} else if is {
				seen[key.Value] = true
			}
		}
	}
	return repeated
}

func TestPlantedViolations(t *testing.T) {
	const discordgo = "github.com/bwmarrin/discordgo"
	tests := []struct {
		name, file string
		imports    []string
		caught     bool
	}{
		{"the rules import the computer player", "game/x.go", []string{"tictactoe/ai"}, true},
		{"the rules look at a clock", "game/x.go", []string{"time"}, true},
		{"a test of the rules looks at a clock", "game/x_test.go", []string{"time"}, false},
		{"a test of the rules imports the core", "game/x_test.go", []string{"tictactoe/internal/match"}, true},
		{"the rules count bits", "game/x.go", []string{"math/bits", "errors"}, false},
		{"the core speaks HTTP", "internal/match/x.go", []string{"net/http"}, true},
		{"the core knows Discord", "internal/match/x.go", []string{discordgo}, true},
		{"commands import a store", "commands/x.go", []string{"tictactoe/store/sqlite"}, true},
		{"a test of commands imports a store", "commands/x_test.go", []string{"tictactoe/store/sqlite"}, false},
		{"the runtime learns a game", "bot/x.go", []string{"tictactoe/game"}, true},
		{"a test of the runtime learns a game", "bot/x_test.go", []string{"tictactoe/game"}, true},
		{"the simulator imports the client it is to judge", "discordsim/x.go", []string{discordgo}, true},
		{"the simulator imports us", "discordsim/x.go", []string{"tictactoe/internal/match"}, true},
		{"a file for another system imports what it may not", "internal/show/view/x_windows.go", []string{discordgo}, true},
		{"somebody imports cmd", "internal/terminal/x.go", []string{"tictactoe/cmd/tictactoe"}, true},
		{"somebody's test imports cmd", "commands/x_test.go", []string{"tictactoe/cmd/tictactoe"}, true},
		{"cmd imports a test's suite", "cmd/tictactoe/x.go", []string{"tictactoe/store/storetest"}, true},
		{"somebody imports an unlisted module", "commands/x.go", []string{"example.com/left/pad"}, true},
		{"a name that begins like an allowed one", "bot/x.go", []string{discordgo + "fork"}, true},
		{"a package inside of an allowed module", "internal/show/locale/x.go", []string{"golang.org/x/text/language"}, false},
		{"somebody calls C", "store/sqlite/x.go", []string{"C"}, true},
		{"a package without a row", "internal/util/x.go", []string{"fmt"}, true},
		{"a package without a row and without an import", "internal/util/x.go", nil, true},
		{"test data is nobody's package", "game/testdata/x.go", []string{discordgo}, false},
		{"another module keeps its own house", "tools/x.go", []string{discordgo}, false},
		{"its own package, from outside", "game/x_test.go", []string{"tictactoe/game"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			source := "package x\n"
			for _, i := range tt.imports {
				source += fmt.Sprintf("import _ %q\n", i)
			}
			write(t, root, "go.mod", "module tictactoe\n")
			write(t, root, "tools/go.mod", "module tools\n")
			write(t, root, tt.file, source)
			uses, err := scan(root)
			if err != nil {
				t.Fatal(err)
			}
			found := violations(table, uses)
			if caught := len(found) > 0; caught != tt.caught {
				t.Errorf("caught %v, want %v: %q", caught, tt.caught, found)
			}
			for _, v := range found {
				if !strings.Contains(v, path.Dir(tt.file)) {
					t.Errorf("%q does not name the package", v)
				}
			}
		})
	}
}

// use holds the imports of one file.
type use struct {
	of      string // the folder of the package
	file    string
	imports []string
}

func (u use) test() bool { return strings.HasSuffix(u.file, "_test.go") }

// roomOf returns the room of a package, which is its folder one level below internal. It is empty outside of internal.
func roomOf(of string) string {
	parts := strings.SplitN(of, "/", 3)
	if len(parts) < 2 || parts[0] != "internal" {
		return ""
	}
	return path.Join(parts[:2]...)
}

// circles returns the rooms that import themselves through another room, not counting tests. An import of a package that imports
// nothing of this module does not count, because it cannot close a circle.
func circles(uses []use) (found []string) {
	imports := map[string]map[string]bool{} // imports of packages of this module, by package
	for _, u := range uses {
		for _, i := range u.imports {
			if ours, is := strings.CutPrefix(i, module+"/"); is && !u.test() {
				if imports[u.of] == nil {
					imports[u.of] = map[string]bool{}
				}
				imports[u.of][ours] = true
			}
		}
	}
	rooms := map[string]map[string]bool{}
	for of, all := range imports {
		from := roomOf(of)
		for ours := range all {
			if to := roomOf(ours); from != "" && to != "" && to != from && len(imports[ours]) > 0 {
				if rooms[from] == nil {
					rooms[from] = map[string]bool{}
				}
				rooms[from][to] = true
			}
		}
	}
	for start := range rooms {
		reached, next := map[string]bool{}, []string{start}
		for len(next) > 0 {
			room := next[0]
			next = next[1:]
			for to := range rooms[room] {
				if !reached[to] {
					reached[to] = true
					next = append(next, to)
				}
			}
		}
		if reached[start] {
			found = append(found, fmt.Sprintf("%s imports rooms that import it: the circle is among %v", start, slices.Sorted(maps.Keys(reached))))
		}
	}
	return found
}

// scan reads the imports of every Go file of the module at root.
func scan(root string) ([]use, error) {
	var uses []use
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		inside = filepath.ToSlash(inside)
		if entry.IsDir() {
			if inside != "." && notOurs(name, entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if path.Ext(inside) != ".go" {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		u := use{of: path.Dir(inside), file: inside}
		for _, spec := range file.Imports {
			i, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return fmt.Errorf("%s: import %s: %w", inside, spec.Path.Value, err)
			}
			u.imports = append(u.imports, i)
		}
		uses = append(uses, u)
		return nil
	})
	return uses, err
}

// notOurs reports whether a folder belongs to another module, or is one that the go command ignores.
func notOurs(folder, name string) bool {
	if name == "testdata" || name == "vendor" || name == "node_modules" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

// violations returns the imports that the table does not allow, one sentence for each.
func violations(table []row, uses []use) []string {
	found := map[string]bool{}
	for _, u := range uses {
		i := slices.IndexFunc(table, func(r row) bool { return r.of == u.of })
		if i < 0 {
			found[fmt.Sprintf("%s: %s has no row in the table of internal/arch", u.file, u.of)] = true
			continue
		}
		for _, imported := range u.imports {
			if why := table[i].refuses(imported, u.test()); why != "" {
				found[fmt.Sprintf("%s: %s may not import %s: %s", u.file, u.of, imported, why)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// refuses returns why a file of the package may not import a path. It returns the empty string if the file may.
func (r row) refuses(imported string, test bool) string {
	allowed := r.may
	if test {
		allowed += " " + r.tests + " " + everyTest
	}
	words := strings.Fields(allowed)
	if imported == module || strings.HasPrefix(imported, module+"/") {
		ours := strings.TrimPrefix(imported, module+"/")
		switch {
		case !test && within(r.of, "internal") && !within(r.of, "internal/lab") && slices.ContainsFunc(above, func(a string) bool { return within(ours, a) }):
			return "it stands above internal, which declares what it needs of it"
		case test && ours == r.of, slices.Contains(words, ours):
			return ""
		case strings.HasPrefix(ours, "cmd/"):
			return "nobody imports cmd"
		case slices.Contains(words, "*"):
			return ""
		}
		return "its row in the table of internal/arch does not name it"
	}
	if first, _, _ := strings.Cut(imported, "/"); strings.Contains(first, ".") {
		for _, word := range words {
			if within(imported, modules[word]) {
				return ""
			}
		}
		return "its row in the table of internal/arch does not name that module"
	}
	switch {
	case imported == "C" || imported == "unsafe" || imported == "plugin":
		return "that is not memory-safe Go"
	case test:
		return ""
	}
	for outside := range strings.FieldsSeq(r.not) {
		if within(imported, outside) {
			return outside + " stays outside of this package"
		}
	}
	return ""
}

// imports reports whether a file of the package, or a test of it if test is set, imports a package that the word stands for.
func (r row) imports(word string, test bool, uses []use) bool {
	return slices.ContainsFunc(uses, func(u use) bool {
		return u.of == r.of && u.test() == test && slices.ContainsFunc(u.imports, func(imported string) bool {
			return imported == module+"/"+word || within(imported, modules[word])
		})
	})
}

// within reports whether an import path is root or below root.
func within(imported, root string) bool {
	return root != "" && (imported == root || strings.HasPrefix(imported, root+"/"))
}

func write(t *testing.T, root, name, content string) {
	t.Helper()
	full := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
