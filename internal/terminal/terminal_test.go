package terminal_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
	"tictactoe/internal/locale"
	"tictactoe/internal/match"
	"tictactoe/internal/terminal"
)

var update = flag.Bool("update", false, "write the goldens anew")

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

// echoing shows what is typed, as a terminal does.
type echoing struct {
	lines io.Reader
	out   io.Writer
}

func (e echoing) Read(p []byte) (int, error) {
	n, err := e.lines.Read(p[:min(1, len(p))]) // line by line, or it would all be shown before it is asked for
	e.out.Write(p[:n])
	return n, err
}

func words(t *testing.T) locale.Words {
	t.Helper()
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	return book.In("en-US")
}

func TestTranscripts(t *testing.T) {
	for _, tt := range []struct {
		name       string
		typed      string
		engine     string
		humanFirst bool
		size       [3]int
	}{
		{"win", "a1 b1 c1", "a2 b2", true, [3]int{3, 3, 3}},
		{"loss", "a2 b2", "a1 b1 c1", false, [3]int{3, 3, 3}},
		{"draw", "1 3 2a 3b c3", "b1 b2 c2 a3", true, [3]int{3, 3, 3}},
		{"bad-input", "|what?|b2|2b|d4|0|10|2b2|\x1b[31mb1|B1|q", "a1 a2", true, [3]int{3, 3, 3}},
		{"end-of-input", "b2|", "a1", true, [3]int{3, 3, 3}},
		{"quit", "b2|quit", "a1", true, [3]int{3, 3, 3}},
		{"four-columns", "11|q", "a1", true, [3]int{4, 3, 3}},
		{"five-by-five", "3c|25|exit", "a1 b1", true, [3]int{5, 5, 4}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rules, err := game.NewRules(tt.size[0], tt.size[1], tt.size[2])
			if err != nil {
				t.Fatal(err)
			}
			separator := " "
			if strings.Contains(tt.typed, "|") {
				separator = "|"
			}
			typed := strings.Join(strings.Split(tt.typed, separator), "\n") + "\n"
			if strings.HasSuffix(tt.typed, "|") {
				typed = strings.TrimSuffix(typed, "\n")
			}
			var out bytes.Buffer
			g := terminal.Game{
				In: echoing{strings.NewReader(typed), &out}, Out: &out, Words: words(t),
				Engine: &scripted{rules, strings.Fields(tt.engine)}, Level: "easy", Rules: rules, HumanFirst: tt.humanFirst,
			}
			if err := g.Play(t.Context()); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", tt.name+".golden")
			if *update {
				if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), out.String()); d != "" {
				t.Error(d)
			}
		})
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
		want  string // the square; empty: refused
	}{
		{game.Classic(), "b2", "b2"}, {game.Classic(), "2b", "b2"}, {game.Classic(), "B2", "b2"}, {game.Classic(), " 2B\t", "b2"},
		{game.Classic(), "a1", "a1"}, {game.Classic(), "3c", "c3"}, {game.Classic(), "1", "a1"}, {game.Classic(), "9", "c3"}, {game.Classic(), "4", "a2"},
		{five, "25", "e5"}, {five, "5e", "e5"}, {five, "11", "a3"},
		{game.Classic(), "", ""}, {game.Classic(), "0", ""}, {game.Classic(), "10", ""}, {game.Classic(), "-1", ""}, {game.Classic(), "d1", ""},
		{game.Classic(), "a4", ""}, {game.Classic(), "4a", ""}, {game.Classic(), "bb", ""}, {game.Classic(), "22", ""}, {game.Classic(), "b22", ""},
		{game.Classic(), "b 2", ""}, {game.Classic(), "é", ""}, {game.Classic(), "99999999999999999999", ""}, {game.Classic(), "0b", ""}, {five, "26", ""},
	} {
		s, err := terminal.ParseMove(tt.rules, tt.text)
		switch {
		case tt.want == "" && err == nil:
			t.Errorf("%q is taken for %s", tt.text, tt.rules.Name(s))
		case tt.want == "":
			if !strings.Contains(err.Error(), "type") {
				t.Errorf("%q: %v does not say what to type", tt.text, err)
			}
		case err != nil || tt.rules.Name(s) != tt.want:
			t.Errorf("%q: %s, %v", tt.text, tt.rules.Name(s), err)
		}
	}
}

// broken fails at reading or writing.
type broken struct{}

var errBroken = errors.New("broken pipe")

func (broken) Read([]byte) (int, error)  { return 0, errBroken }
func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestErrorsEndTheGame(t *testing.T) {
	game := func() *terminal.Game {
		return &terminal.Game{
			In: strings.NewReader("b2\na2\n"), Out: io.Discard, Words: words(t), Engine: &scripted{game.Classic(), []string{"a1"}},
			Level: "easy", Rules: game.Classic(), HumanFirst: true,
		}
	}
	t.Run("of the input", func(t *testing.T) {
		g := game()
		g.In = broken{}
		if err := g.Play(t.Context()); !errors.Is(err, errBroken) {
			t.Error(err)
		}
	})
	t.Run("of the output", func(t *testing.T) {
		g := game()
		g.Out = broken{}
		if err := g.Play(t.Context()); !errors.Is(err, errBroken) {
			t.Error(err)
		}
	})
	t.Run("of the engine", func(t *testing.T) {
		if err := game().Play(t.Context()); err == nil || !strings.Contains(err.Error(), "the script has ended") {
			t.Error(err)
		}
	})
	t.Run("of an engine that plays what cannot be played, without blaming the person", func(t *testing.T) {
		g := game()
		g.Engine = &scripted{g.Rules, []string{"b2"}}
		err := g.Play(t.Context())
		if refusal := (*match.Refusal)(nil); err == nil || errors.As(err, &refusal) {
			t.Error(err)
		}
	})
}
