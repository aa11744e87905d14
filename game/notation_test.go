package game_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
)

func TestParsePositionRefuses(t *testing.T) {
	for _, test := range []struct {
		name, position string
		starter        game.Mark
		want           []game.Problem
	}{
		{"too few rows", "XO./...", game.X, []game.Problem{game.WrongSize}},
		{"too many rows", "XO./.../.../...", game.X, []game.Problem{game.WrongSize}},
		{"a row too short", "XO/.../...", game.X, []game.Problem{game.WrongSize}},
		{"a row too long", "XO.../.../...", game.X, []game.Problem{game.WrongSize}},
		{"no rows", "XO.......", game.X, []game.Problem{game.WrongSize}},
		{"nothing", "", game.X, []game.Problem{game.WrongSize}},
		{"a strange character", "XO?/.../...", game.X, []game.Problem{game.WrongCharacter}},
		{"a zero for an O", "X0./.../...", game.X, []game.Problem{game.WrongCharacter}},
		{"a character of several bytes", "XO❌/.../...", game.X, []game.Problem{game.WrongCharacter}},
		{"bytes that are no text", "XO\xff/.../...", game.X, []game.Problem{game.WrongCharacter}},
		{"a space", "XO / . /...", game.X, []game.Problem{game.WrongCharacter}},
		{"two moves in a row", "XX./.../...", game.X, []game.Problem{game.WrongCount}},
		{"two moves in a row of the second side", "OO./.../...", game.X, []game.Problem{game.WrongCount}},
		{"a mark of the second side alone", "O../.../...", game.X, []game.Problem{game.WrongStarter}},
		{"a mark of the second side alone, O beginning", "X../.../...", game.O, []game.Problem{game.WrongStarter}},
		{"two winners", "XXX/OOO/...", game.X, []game.Problem{game.TwoWinners}},
		{"two winners, X having moved last", "XXX/OOO/X..", game.X, []game.Problem{game.TwoWinners}},
		{"a reply to the winning move", "XXX/OO./O..", game.X, []game.Problem{game.PlayAfterWin}},
		{"a move after the second side has won", "XX./OOO/XX.", game.X, []game.Problem{game.PlayAfterWin}},

		{"size and character", "X?/.../...", game.X, []game.Problem{game.WrongSize, game.WrongCharacter}},
		{"size and count", "XXX/X..", game.X, []game.Problem{game.WrongSize, game.WrongCount}},
		{"size and starter", "O../...", game.X, []game.Problem{game.WrongSize, game.WrongStarter}},
		{"size, counting marks beside the board", "....X/.../..O/XX.", game.X, []game.Problem{game.WrongSize, game.WrongCount}},
		{"size, character and count", "XX#/XX", game.X, []game.Problem{game.WrongSize, game.WrongCharacter, game.WrongCount}},
		{"character and count", "XXX/X.#/...", game.X, []game.Problem{game.WrongCharacter, game.WrongCount}},
		{"character and two winners", "XXX/OOO/..#", game.X, []game.Problem{game.WrongCharacter, game.TwoWinners}},
		{"count and two winners", "XXX/OOO/XX.", game.X, []game.Problem{game.WrongCount, game.TwoWinners}},
		{"starter and two winners", "XXX/OOO/O..", game.X, []game.Problem{game.WrongStarter, game.TwoWinners}},
		{"starter and play after a win", "XXX/OO./OO.", game.X, []game.Problem{game.WrongStarter, game.PlayAfterWin}},
		{"starter, O beginning, and play after a win", "OOO/XX./XX.", game.O, []game.Problem{game.WrongStarter, game.PlayAfterWin}},
		{"everything that a text can have wrong at once", "XXX/OOO/OO#", game.X,
			[]game.Problem{game.WrongCharacter, game.WrongCount, game.TwoWinners}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := game.ParsePositionWith(game.Classic(), test.starter, test.position)
			var refused *game.PositionError
			if !errors.As(err, &refused) {
				t.Fatalf("error %v, want a PositionError", err)
			}
			if diff := cmp.Diff(test.want, refused.Problems); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if refused.Text != test.position {
				t.Errorf("text %q, want %q", refused.Text, test.position)
			}
			for _, p := range test.want {
				if !strings.Contains(err.Error(), p.String()) {
					t.Errorf("%q does not say %q", err, p)
				}
			}
		})
	}
}

func TestParsePositionRefusesLinesThatNoSingleMoveCloses(t *testing.T) {
	// X has one mark more, as after a winning move. But the rows do not meet, so one of them was there before.
	rules := must(game.NewRules(5, 4, 4))
	_, err := game.ParsePosition(rules, "XXXX./OOO.O/XXXX./OOO..")
	var refused *game.PositionError
	if !errors.As(err, &refused) {
		t.Fatalf("error %v, want a PositionError", err)
	}
	if diff := cmp.Diff([]game.Problem{game.PlayAfterWin}, refused.Problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestPositionErrorTellsTheDetails(t *testing.T) {
	_, err := game.ParsePosition(game.Classic(), "XX#/XX")
	want := `position "XX#/XX": wrong size: 2 rows, the board has 3; ` +
		`unknown character: '#' in row 1; write X, O and . for an empty square; ` +
		`wrong count of marks: X has 4 and O has 0, but they take turns`
	if err == nil || err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
}

func TestParsePositionAcceptsSmallLetters(t *testing.T) {
	p, err := game.ParsePosition(game.Classic(), "x.o/.X./o.x")
	if err != nil {
		t.Fatal(err)
	}
	if got := p.String(); got != "X.O/.X./O.X" {
		t.Errorf("it is %s", got)
	}
}

func TestParsePositionAcceptsExactlyWhatCanBeReached(t *testing.T) {
	boards := func(rules game.Rules, visit func(text string)) {
		var fill func(text string, left int)
		fill = func(text string, left int) {
			if left == 0 {
				visit(text)
				return
			}
			if n := rules.Squares() - left; n > 0 && n%rules.Width() == 0 {
				text += "/"
			}
			for _, cell := range []string{"X", "O", "."} {
				fill(text+cell, left-1)
			}
		}
		fill("", rules.Squares())
	}

	for _, rules := range everyRules(9) {
		for _, starter := range []game.Mark{game.X, game.O} {
			reached := map[string]game.Position{}
			for _, layer := range reachable(game.StartWith(rules, starter)) {
				for _, p := range layer {
					reached[p.String()] = p
				}
			}
			accepted := 0
			boards(rules, func(text string) {
				p, err := game.ParsePositionWith(rules, starter, text)
				want, ok := reached[text]
				switch {
				case ok && err != nil:
					t.Errorf("%s, %s begins: refused: %v", rules, starter, err)
				case ok && p != want:
					t.Errorf("%s, %s begins: %s was read as %s", rules, starter, text, p)
				case !ok && err == nil:
					t.Errorf("%s, %s begins: %s was accepted", rules, starter, text)
				case !ok && p != (game.Position{}):
					t.Errorf("%s, %s begins: %s was refused, but came with a position", rules, starter, text)
				}
				if err == nil {
					accepted++
				}
			})
			if accepted != len(reached) {
				t.Errorf("%s, %s begins: %d positions accepted, %d can be reached", rules, starter, accepted, len(reached))
			}
		}
	}
}

func TestParsePositionAcceptsExactlyWhatCanBeReachedWhereMarksVanish(t *testing.T) {
	// queues lists every order of up to n of the squares.
	var queues func(squares game.Bitboard, n int) [][]game.Square
	queues = func(squares game.Bitboard, n int) [][]game.Square {
		all := [][]game.Square{nil}
		if n == 0 {
			return all
		}
		for s := range squares.All() {
			for _, rest := range queues(squares&^game.SetOf(s), n-1) {
				all = append(all, append([]game.Square{s}, rest...))
			}
		}
		return all
	}

	for _, rules := range append(everyKeep(6), must(game.ParseRules("infinite"))) {
		if !rules.Vanish() {
			continue
		}
		reached := map[game.Mark]map[string]game.Position{}
		for _, starter := range []game.Mark{game.X, game.O} {
			reached[starter] = map[string]game.Position{}
			for _, layer := range reachable(game.StartWith(rules, starter)) {
				for _, p := range layer {
					reached[starter][p.String()] = p
				}
			}
		}
		most := rules.Keep()
		if rules.Squares() < 9 {
			most++ // one more than can be
		}
		j, read := judgeOf(rules), 0
		for _, x := range queues(rules.Board(), most) {
			for _, o := range queues(rules.Board()&^game.SetOf(x...), most) {
				for _, s := range []state{
					{side{game.X, x}, side{game.O, o}}, {side{game.O, o}, side{game.X, x}},
				} {
					text := j.print(s, true)
					either, canBe := reached[game.X][text]
					if !canBe {
						either, canBe = reached[game.O][text]
					}
					for starter, positions := range reached {
						want, ok := positions[text]
						if len(x) == rules.Keep() && len(o) == rules.Keep() {
							want, ok = either, canBe // who began is past telling
						}
						got, err := game.ParsePositionWith(rules, starter, text)
						if got != want || ok != (err == nil) {
							t.Fatalf("%s, %s begins: %s was read as %s with error %v; it can be reached: %t", rules, starter, text, got, err, ok)
						}
					}
					p, err := game.ReadPosition(rules, text)
					if canBe != (err == nil) || err == nil && p.String() != text {
						t.Fatalf("%s: %s was read as %s with error %v; it can be reached: %t", rules, text, p, err, canBe)
					}
					if canBe {
						read++
						if _, ok := reached[p.Starter()][text]; !ok {
							t.Fatalf("%s: %s cannot have begun %s", rules, p.Starter(), text)
						}
					}
				}
			}
		}
		if read == 0 {
			t.Errorf("%s: nothing was read", rules)
		}
	}
}
