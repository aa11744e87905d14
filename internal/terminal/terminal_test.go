package terminal_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/file/golden"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
	"tictactoe/internal/terminal"
)

var update = flag.Bool("update", false, "write the goldens again")

const (
	linesFile   = "testdata/lines.txt"   // games printed line by line
	screensFile = "testdata/screens.txt" // games on the full screen
)

// scripted is an engine that plays the given squares in turn.
type scripted struct {
	rules   game.Rules
	squares []string
}

func (e *scripted) Choose(context.Context, game.Position) (game.Square, error) {
	if len(e.squares) == 0 {
		return 0, errors.New("the script has ended")
	}
	name := e.squares[0]
	e.squares = e.squares[1:]
	return e.rules.ParseSquare(name)
}

// echoing is a reader that also prints the typed text, as a terminal does.
type echoing struct {
	lines io.Reader
	out   io.Writer
}

func (e echoing) Read(p []byte) (int, error) {
	n, err := e.lines.Read(p[:min(1, len(p))]) // line by line, because otherwise all input would be echoed before the game asks for it
	e.out.Write(p[:n])
	return n, err
}

// newGame returns a game with the given rules. A side is "human", or a level and its moves, as in "easy a1 b2".
func newGame(t *testing.T, rules, x, o string, starter game.Mark) *terminal.Game {
	t.Helper()
	parsed, err := game.ParseRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	solver, err := ai.NewSolver(parsed)
	if err != nil {
		t.Fatal(err)
	}
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	hinter, err := ai.NewEngine(ai.Unbeatable, solver, rand.NewPCG(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	side := func(text string) terminal.Side {
		words := strings.Fields(text)
		if words[0] == "human" {
			return terminal.Side{}
		}
		level, err := ai.ParseLevel(words[0])
		if err != nil {
			t.Fatal(err)
		}
		return terminal.Side{Level: level, Engine: &scripted{parsed, words[1:]}}
	}
	return &terminal.Game{
		Out: io.Discard, Words: book.In("en"), X: side(x), O: side(o), Rules: parsed, Starter: starter, Solver: solver, Hinter: hinter,
	}
}

func TestTranscripts(t *testing.T) {
	for _, tt := range []struct {
		name, rules, x, o string
		starter           game.Mark
		typed             string // the typed lines; | ends a line
	}{
		{"win", "classic", "human", "easy a2 b2", game.X, "A1|1B|c1|"},
		{"loss", "classic", "textbook a1 b1 c1", "human", game.X, "a2|b2|"},
		{"draw", "classic", "human", "easy b1 b2 c2 a3", game.X, "1|3|2a|3b|c3|"},
		{"o-begins", "classic", "human", "easy a1 a2", game.O, "b2|q|"},
		{"bad-input", "classic", "human", "easy a1 a2", game.X, "|what?|b2|2b|d4|0|10|2b2|\x1b[31mb1|B1|q|"},
		{"end-of-input", "classic", "human", "easy a1", game.X, "b2|"},
		{"hint", "classic", "human", "easy a2 b2", game.X, "a1|b1|h|quit|"},
		{"hint-on-a-large-board", "4x4", "human", "easy", game.X, "h|q|"},
		{"two-people", "classic", "human", "human", game.X, "a1|b2|quit|"},
		{"help", "classic", "human", "easy", game.X, "?|help|q|"},
		{"undo", "classic", "human", "easy a1 a3", game.X, "undo|b2|u|b2|q|"},
		{"review-and-next-round", "classic", "human", "easy a2 b2 c3", game.X, "a1|b1|c1|r|h|n|q|"},
		{"taken-column", "drop", "human", "human", game.X, "a1|a4|a1|a1|a1|a1|q|"},
		{"teacher-names-the-threat", "classic", "human", "teacher b2 c1", game.X, "a1|b3|q|"},
		{"two-computers", "classic", "textbook a1 b1 c1", "easy a2 b2", game.X, ""},
		{"misere", "misere", "human", "easy a1", game.X, "b2|?|q|"},
		{"infinite", "infinite", "human", "unbeatable a2 b2 c3", game.X, "a1|b1|c2|q|"},
		{"drop", "drop", "human", "easy a3", game.X, "a1|q|"},
		{"won-by-force", "4x4x3", "human", "unbeatable b2", game.O, "q|"},
		{"five-by-five", "5x5", "human", "easy a1 b1", game.X, "3c|25|q|"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			g := newGame(t, tt.rules, tt.x, tt.o, tt.starter)
			g.In, g.Out = echoing{strings.NewReader(strings.ReplaceAll(tt.typed, "|", "\n")), &out}, &out
			if err := g.PlayLines(t.Context()); err != nil {
				t.Fatal(err)
			}
			golden.Compare(t, linesFile, tt.name, out.String(), *update)
		})
	}
	t.Run("by lot", func(t *testing.T) {
		var out bytes.Buffer
		g := newGame(t, "infinite", "human", "easy b2", game.O)
		g.In, g.Out, g.ByLot = strings.NewReader(""), &out, true
		if err := g.PlayLines(t.Context()); err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, linesFile, "by-lot", out.String(), *update)
	})
}

// TestTheWordsOfPromptsAreTaken plays the same rounds in each language, with the words that the prompts and the help offer, and
// with keys.
func TestTheWordsOfPromptsAreTaken(t *testing.T) {
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	even := strings.NewReplacer("、", ", ", "，", ", ")
	g := newGame(t, "classic", "human", "human", game.X)
	played := func(lines ...string) string {
		t.Helper()
		var out bytes.Buffer
		g.In, g.Out, g.Hinter = strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, &scripted{g.Rules, []string{"b2"}}
		if err := g.PlayLines(t.Context()); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	for _, name := range locale.Languages() {
		g.Words = book.In(name)
		word := func(order string) string { return g.Say(view.T("terminal.label."+order, nil)) }
		byKey := played("?", "h", "b2", "2a", "5", "nothing", "u", "u", "a1", "a2", "b1", "b2", "c1", "r", "n", "q")
		byWord := played(word("help"), word("hint"), "b2", "2a", "5", "nothing", word("undo"), strings.ToUpper(word("undo")),
			"a1", "a2", "b1", "b2", "c1", word("review"), word("next"), word("quit"))
		if d := cmp.Diff(byKey, byWord); d != "" {
			t.Errorf("%s: words and keys lead to different results: %s", name, d)
		}
		for _, offer := range []string{
			"?", "2b", ", " + word("hint"), ", " + word("undo"),
			g.Say(view.AnyText(view.T("terminal.label.next", nil), view.T("terminal.label.review", nil), view.T("terminal.label.quit", nil))) + "> ",
		} {
			if !strings.Contains(even.Replace(byWord), even.Replace(offer)) {
				t.Errorf("%s: no prompt offers %q", name, offer)
			}
		}
	}
}

func TestEveryGoldenIsUsed(t *testing.T) {
	source := ""
	for _, name := range []string{"screen_test.go", "terminal_test.go", "puzzle_test.go", "course_test.go", "show_test.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source += string(text)
	}
	for _, path := range []string{linesFile, screensFile} {
		drawings, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`(?m)^-- (.+) --$`).FindAllSubmatch(drawings, -1) {
			if name := string(found[1]); !strings.Contains(source, `"`+name+`"`) {
				t.Errorf("%s: no test draws %q", path, name)
			}
		}
	}
}

func TestParseMove(t *testing.T) {
	five, err := game.NewRules(5, 5, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		rules game.Rules
		text  string
		want  string // the square; empty if the text names no square
	}{
		{game.Classic(), "b2", "b2"}, {game.Classic(), "2b", "b2"}, {game.Classic(), "B2", "b2"}, {game.Classic(), " 2B\t", "b2"},
		{game.Classic(), "a1", "a1"}, {game.Classic(), "3c", "c3"}, {game.Classic(), "1", "a1"}, {game.Classic(), "9", "c3"}, {game.Classic(), "4", "a2"},
		{five, "25", "e5"}, {five, "5e", "e5"}, {five, "11", "a3"},
		{game.Classic(), "", ""}, {game.Classic(), "0", ""}, {game.Classic(), "10", ""}, {game.Classic(), "-1", ""}, {game.Classic(), "d1", ""},
		{game.Classic(), "a4", ""}, {game.Classic(), "4a", ""}, {game.Classic(), "bb", ""}, {game.Classic(), "22", ""}, {game.Classic(), "b22", ""},
		{game.Classic(), "b 2", ""}, {game.Classic(), "é", ""}, {game.Classic(), "99999999999999999999", ""}, {game.Classic(), "0b", ""}, {five, "26", ""},
	} {
		s, ok := terminal.ParseMove(tt.rules, tt.text)
		switch {
		case ok != (tt.want != ""):
			t.Errorf("%q: %v", tt.text, ok)
		case ok && tt.rules.Name(s) != tt.want:
			t.Errorf("%q: %s", tt.text, tt.rules.Name(s))
		}
	}
}

// broken is a stream that fails when it is read or written.
type broken struct{}

var errBroken = errors.New("broken pipe")

func (broken) Read([]byte) (int, error)  { return 0, errBroken }
func (broken) Write([]byte) (int, error) { return 0, errBroken }

// cracked is a writer that fails at one write.
type cracked struct{ failed bool }

func (c *cracked) Write(p []byte) (int, error) {
	if !c.failed {
		c.failed = true
		return 0, errBroken
	}
	return len(p), nil
}

func TestErrorsEndTheGame(t *testing.T) {
	play := func(t *testing.T, engine string, change func(*terminal.Game)) error {
		g := newGame(t, "classic", "human", "easy "+engine, game.X)
		g.In = strings.NewReader("b2\na2\n")
		change(g)
		return g.PlayLines(t.Context())
	}
	t.Run("an error of the input", func(t *testing.T) {
		if err := play(t, "a1", func(g *terminal.Game) { g.In = broken{} }); !errors.Is(err, errBroken) {
			t.Error(err)
		}
	})
	t.Run("an error of the output", func(t *testing.T) {
		if err := play(t, "a1", func(g *terminal.Game) { g.Out = broken{} }); !errors.Is(err, errBroken) {
			t.Error(err)
		}
	})
	t.Run("an error of the output is returned once", func(t *testing.T) {
		if err := play(t, "a1", func(g *terminal.Game) { g.Out = &cracked{} }); !errors.Is(err, errBroken) {
			t.Error(err)
		}
	})
	t.Run("an error of the output before a computer moves", func(t *testing.T) {
		if err := play(t, "", func(g *terminal.Game) { g.Out, g.X = broken{}, g.O }); !errors.Is(err, errBroken) {
			t.Error(err)
		}
	})
	t.Run("an error of the engine", func(t *testing.T) {
		if err := play(t, "a1", func(*terminal.Game) {}); err == nil || !strings.Contains(err.Error(), "the script has ended") {
			t.Error(err)
		}
	})
	t.Run("an engine that plays an illegal square is not asked again", func(t *testing.T) {
		err := play(t, "b2 a1", func(*terminal.Game) {})
		if illegal := (*game.IllegalMoveError)(nil); !errors.As(err, &illegal) {
			t.Error(err)
		}
	})
}
