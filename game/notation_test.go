package game_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
	"tictactoe/internal/longtest"
)

func TestParsePositionRefuses(t *testing.T) {
	for _, test := range []struct {
		name, position string
		want           []game.Problem
	}{
		{"too few rows", "XO./...", []game.Problem{game.WrongSize}},
		{"too many rows", "XO./.../.../...", []game.Problem{game.WrongSize}},
		{"a row too short", "XO/.../...", []game.Problem{game.WrongSize}},
		{"a row too long", "XO.../.../...", []game.Problem{game.WrongSize}},
		{"no rows and a square too few", "XO......", []game.Problem{game.WrongSize}},
		{"no rows and a square too many", "XO........", []game.Problem{game.WrongSize}},
		{"nothing", "", []game.Problem{game.WrongSize}},
		{"a strange character", "XO?/.../...", []game.Problem{game.WrongCharacter}},
		{"a zero for an O", "X0./.../...", []game.Problem{game.WrongCharacter}},
		{"a character of several bytes", "XO❌/.../...", []game.Problem{game.WrongCharacter}},
		{"bytes that are no text", "XO\xff/.../...", []game.Problem{game.WrongCharacter}},
		{"a tab", "XO\t/.../...", []game.Problem{game.WrongCharacter}},
		{"two spaces before the side to move", "XO./.../...  X", []game.Problem{game.WrongSize}},
		{"no space before the side to move", "XO./.../...X", []game.Problem{game.WrongSize}},
		{"two moves in a row", "XX./.../...", []game.Problem{game.WrongCount}},
		{"two moves in a row of the second side", "OO./.../...", []game.Problem{game.WrongCount}},
		{"the side to move that has moved", "O../.../... O", []game.Problem{game.WrongCount}},
		{"the side to move that has moved, being X", "X../.../... X", []game.Problem{game.WrongCount}},
		{"two moves in a row by the side that is not to move", "XX./.../... O", []game.Problem{game.WrongCount}},
		{"two winners", "XXX/OOO/...", []game.Problem{game.TwoWinners}},
		{"two winners, X having moved last", "XXX/OOO/X..", []game.Problem{game.TwoWinners}},
		{"a reply to the winning move", "XXX/OO./O..", []game.Problem{game.PlayAfterWin}},
		{"a move after the second side has won", "XX./OOO/XX.", []game.Problem{game.PlayAfterWin}},

		{"size and character", "X?/.../...", []game.Problem{game.WrongSize, game.WrongCharacter}},
		{"size and count", "XXX/X..", []game.Problem{game.WrongSize, game.WrongCount}},
		{"size and side to move", "O../.....O O", []game.Problem{game.WrongSize, game.WrongCount}},
		{"size, counting marks beside the board", "....X/.../..O/XX.", []game.Problem{game.WrongSize, game.WrongCount}},
		{"size, character and count", "XX#/XX", []game.Problem{game.WrongSize, game.WrongCharacter, game.WrongCount}},
		{"character and count", "XXX/X.#/...", []game.Problem{game.WrongCharacter, game.WrongCount}},
		{"character and two winners", "XXX/OOO/..#", []game.Problem{game.WrongCharacter, game.TwoWinners}},
		{"count and two winners", "XXX/OOO/XX.", []game.Problem{game.WrongCount, game.TwoWinners}},
		{"two winners, O having begun", "XXX/OOO/O..", []game.Problem{game.TwoWinners}},
		{"side to move and two winners", "XXX/OOO/O.. O", []game.Problem{game.WrongCount, game.TwoWinners}},
		{"play after a win, O having begun", "XXX/OO./OO.", []game.Problem{game.PlayAfterWin}},
		{"side to move and play after a win", "OOO/XX./X.. O", []game.Problem{game.PlayAfterWin}},
		{"count and play after a win", "OOO/XX./XX. O", []game.Problem{game.PlayAfterWin}},
		{"all problems that can occur at once", "XXX/OOO/OO#",
			[]game.Problem{game.WrongCharacter, game.WrongCount, game.TwoWinners}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := game.ParsePosition(game.Classic(), test.position)
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

func TestParsePositionRefusesTwoSeparateLines(t *testing.T) {
	// X has one mark more, as after a winning move. But the two lines share no square, so one of them was complete before that move.
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
		t.Errorf("got %s", got)
	}
}

func TestParsePositionAcceptsReachablePositionsOnly(t *testing.T) {
	longtest.Only(t)
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
		// Each position is written with its side to move, and also without it if the board alone determines it.
		reached := map[string]game.Position{}
		for _, starter := range []game.Mark{game.X, game.O} {
			for _, layer := range reachable(game.StartWith(rules, starter)) {
				for _, p := range layer {
					board := drawn(p)
					reached[board+" "+p.Turn().String()] = p
					if starter == game.X || p.Turn() == game.X {
						reached[board] = p
					}
				}
			}
		}
		accepted := 0
		boards(rules, func(board string) {
			for _, text := range []string{board, board + " X", board + " O"} {
				p, err := game.ParsePosition(rules, text)
				want, ok := reached[text]
				switch {
				case ok && err != nil:
					t.Errorf("%s: refused: %v", rules, err)
				case ok && p != want:
					t.Errorf("%s: %s was read as %s", rules, text, p)
				case !ok && err == nil:
					t.Errorf("%s: %s was accepted", rules, text)
				case !ok && p != (game.Position{}):
					t.Errorf("%s: %s was refused, but came with a position", rules, text)
				}
				if err == nil {
					accepted++
				}
			}
		})
		if accepted != len(reached) {
			t.Errorf("%s: %d texts accepted, but %d texts describe reachable positions", rules, accepted, len(reached))
		}
	}
}

// drawn returns the notation of a board without the side to move.
func drawn(p game.Position) string {
	var rows []string
	for y := range p.Rules().Height() {
		var row string
		for x := range p.Rules().Width() {
			row += p.At(game.Square(y*p.Rules().Width() + x)).String()
		}
		rows = append(rows, row)
	}
	return strings.Join(rows, "/")
}

func TestParsePositionAcceptsReachablePositionsOnlyIfMarksVanish(t *testing.T) {
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
			most++ // one mark more than a side can have
		}
		j, read := judgeOf(rules), 0
		for _, x := range queues(rules.Board(), most) {
			for _, o := range queues(rules.Board()&^game.SetOf(x...), most) {
				for _, s := range []state{
					{side{game.X, x}, side{game.O, o}}, {side{game.O, o}, side{game.X, x}},
				} {
					text := j.print(s, true)
					want, isReachable := reached[game.X][text]
					if !isReachable {
						want, isReachable = reached[game.O][text]
					}
					p, err := game.ParsePosition(rules, text)
					if p != want || isReachable != (err == nil) || err == nil && p.String() != text {
						t.Fatalf("%s: %s was read as %s with error %v; reachable: %t", rules, text, p, err, isReachable)
					}
					if isReachable {
						read++
						if _, ok := reached[p.Starter()][text]; !ok {
							t.Fatalf("%s: the starter is %s, but no game that this side begins leads to %s", rules, p.Starter(), text)
						}
					}
				}
			}
		}
		if read == 0 {
			t.Errorf("%s: no position was accepted", rules)
		}
	}
}

func TestParsePositionRefusesByVariant(t *testing.T) {
	for _, test := range []struct {
		name, rules, position string
		want                  []game.Problem
		detail                string
	}{
		{"floating marks, by name", "4x4x4+gravity", "X.../..O./..../....", []game.Problem{game.FloatingMark}, "nothing below a1, c2"},
		{"a floating mark beside a wrong count", "4x3x3+gravity", "..../X.../....", []game.Problem{game.FloatingMark}, "nothing below a2"},
		{"count and floating", "4x3x3+gravity", "..../X.../.X..", []game.Problem{game.WrongCount, game.FloatingMark}, "nothing below a2"},
		{"columns that were not filled in turn", "3x4x4+gravity", "O../O../X../X..", []game.Problem{game.WrongOrder}, "taking turns"},
		{"columns that require each other to be filled first", "2x4x4+gravity", "XX/XX/OO/OO", []game.Problem{game.WrongOrder}, "taking turns"},
		{"a move after a line", "4x3x3+gravity", "O.../OO../XXX.", []game.Problem{game.PlayAfterWin}, "X had 3 in a row and O moved again"},
		{"a line that the last move cannot have closed", "4x3x3+gravity", "O.../OXO./XXX.", []game.Problem{game.PlayAfterWin},
			"X has lines that the last move cannot have closed"},
		{"everything after a line in misere", "3x3x3+misere", "XXX/OO./O..", []game.Problem{game.PlayAfterWin}, "X had 3 in a row and O moved again"},
		{"two lines in misere", "3x3x3+misere", "XXX/OOO/...", []game.Problem{game.TwoWinners}, ""},

		{"a board where marks vanish", "infinite", "X../.../...", []game.Problem{game.WrongForm}, "as in X:a1,b2 O:c3 O"},
		{"nothing", "infinite", "", []game.Problem{game.WrongForm}, ""},
		{"no side to move", "infinite", "X:a1 O:", []game.Problem{game.WrongForm}, ""},
		{"sides in the wrong order", "infinite", "O:a1 X: X", []game.Problem{game.WrongForm}, ""},
		{"a square off the board", "infinite", "X:d4 O: O", []game.Problem{game.WrongSquare}, "there is no \"d4\""},
		{"a square listed twice", "infinite", "X:a1 O:a1 X", []game.Problem{game.WrongSquare}, "a1 is listed twice"},
		{"an empty name", "infinite", "X:a1,,b1 O:c1,c2 O", []game.Problem{game.WrongSquare}, "there is no \"\""},
		{"too many marks", "infinite", "X:a1,b1,b2,c3 O:a2,a3,c1 O", []game.Problem{game.WrongCount}, "only 3 of either stay"},
		{"more marks than a board has squares", "infinite", "X:" + strings.Repeat("a1,", 40) + "b1 O: O",
			[]game.Problem{game.WrongSquare, game.WrongCount}, "X has 41"},
		{"the wrong side to move", "infinite", "X:a1 O: X", []game.Problem{game.WrongCount}, "with X to move"},
		{"a side that waited", "infinite", "X:a1,b1 O: O", []game.Problem{game.WrongCount}, "X has 2 and O has 0"},
		{"the side to move that has moved", "infinite", "X: O:a1 O", []game.Problem{game.WrongCount}, "with O to move"},
		{"the side to move that has moved, on a board", "3x3x3", "X../.../... X", []game.Problem{game.WrongCount}, "with X to move"},
		{"two winners", "infinite", "X:a1,b1,c1 O:a2,b2,c2 X", []game.Problem{game.TwoWinners}, ""},
		{"play after a win", "infinite", "X:a1,b1,c1 O:a2,b2,c3 X", []game.Problem{game.PlayAfterWin}, "X had 3 in a row"},
		{"a line older than the newest mark", "5x5x3+keep4", "X:a1,b1,c1,e5 O:a2,b2,d4,a5 O", []game.Problem{game.PlayAfterWin},
			"X has lines that the last move cannot have closed"},
		{"several problems at once", "infinite", "X:a1,b1,c1,a9 O:a1 X",
			[]game.Problem{game.WrongSquare, game.WrongCount}, "there is no \"a9\", a1 is listed twice"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := game.ParsePosition(must(game.ParseRules(test.rules)), test.position)
			var refused *game.PositionError
			if !errors.As(err, &refused) {
				t.Fatalf("read as %s with error %v, want a PositionError", p, err)
			}
			if diff := cmp.Diff(test.want, refused.Problems); diff != "" {
				t.Errorf("problems of %v (-want +got):\n%s", err, diff)
			}
			if !strings.Contains(err.Error(), test.detail) {
				t.Errorf("%q does not say %q", err, test.detail)
			}
		})
	}
}

func TestParsePositionAcceptsInformalNotation(t *testing.T) {
	for _, test := range []struct{ name, rules, text, want, turn string }{
		{"as it is written", "3x3x3", "X.O/.X./..O", "X.O/.X./..O", "X"},
		{"spaces for empty squares", "3x3x3", "X O/ X /  O", "X.O/.X./..O", "X"},
		{"no slashes", "3x3x3", "X.O.X...O", "X.O/.X./..O", "X"},
		{"spaces and no slashes", "3x3x3", "XXO O X O", "XXO/.O./X.O", "X"},
		{"spaces at the end", "3x3x3", "XO       ", "XO./.../...", "X"},
		{"nothing but spaces", "3x3x3", "         ", ".../.../...", "X"},
		{"small letters", "3x3x3", "xxo o x o", "XXO/.O./X.O", "X"},
		{"a rectangle", "4x3x3", "X  O X  O   ", "X..O/.X../O...", "X"},
		{"rows of a rectangle", "3x4x3", "X../ O /.X.", "", ""},
		{"O having begun", "3x3x3", "O../.../...", "O../.../...", "X"},
		{"O having begun and won", "3x3x3", "OOO/XX./...", "OOO/XX./...", "X"},
		{"X having begun where nothing forces it", "3x3x3", "X../.O./...", "X../.O./...", "X"},
		{"X one ahead", "3x3x3", "X../.../...", "X../.../...", "O"},
		{"O having begun and being to move", "3x3x3", "X../.O./... O", "X../.O./... O", "O"},
		{"O to begin", "3x3x3", ".../.../... O", ".../.../... O", "O"},
		{"a side to move that follows anyway", "3x3x3", "X../.O./... X", "X../.O./...", "X"},
		{"a side to move in a small letter", "3x3x3", "x../.o./... o", "X../.O./... O", "O"},
		{"a side to move after spaces and no slashes", "3x3x3", "X   O     O", "X../.O./... O", "O"},
		{"a mark on the last square and no side to move", "3x3x3", "X O/ X /  O", "X.O/.X./..O", "X"},
		{"one square", "1x1x1", ". O", ". O", "O"},
		{"a side that moved to move", "3x3x3", "X../.../... X", "", ""},
		{"O two ahead", "3x3x3", "OO./.../...", "", ""},
		{"a win that only O could have let happen", "3x3x3", "XXX/OO./O..", "", ""},
		{"two spaces too few", "3x3x3", "XXO O X", "", ""},
		{"something else for an empty square", "3x3x3", "X-O/.X./..O", "", ""},
		{"marks that fall", "4x4x4+gravity", "            X O ", "..../..../..../X.O.", "X"},
		{"one row", "5x1x3", "X O  ", "X.O..", "X"},
		{"one column", "1x3x3", "X O", "X/./O", "X"},
		{"where marks vanish", "infinite", "X:a1,b2 O:c3 O", "X:a1,b2 O:c3 O", "O"},
		{"where marks vanish, O having begun", "infinite", "X: O:c3 X", "X: O:c3 X", "X"},
		{"where marks vanish, in other letters and with more space", "infinite", " x:A1,B2  o:C3 o ", "X:a1,b2 O:c3 O", "O"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := game.ParsePosition(must(game.ParseRules(test.rules)), test.text)
			if test.want == "" {
				var refused *game.PositionError
				if !errors.As(err, &refused) || refused.Text != test.text {
					t.Errorf("read as %s with error %v, want a PositionError", p, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if p.String() != test.want || p.Turn().String() != test.turn {
				t.Errorf("read as %s with %s to move, want %s with %s", p, p.Turn(), test.want, test.turn)
			}
		})
	}
}

// TestParsePositionReadsString parses the notation of every position of every game.
func TestParsePositionReadsString(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for _, rules := range append(everyRules(25), everyKeep(25)...) {
		for _, starter := range []game.Mark{game.X, game.O} {
			p := game.StartWith(rules, starter)
			for plies := 0; ; plies++ {
				for _, text := range []string{p.String(), strings.ToLower(strings.ReplaceAll(p.String(), ".", " "))} {
					again, err := game.ParsePosition(rules, text)
					if err != nil || again != p || again.Turn() != p.Turn() || again.Starter() != p.Starter() {
						t.Fatalf("%s: %q was read as %s with error %v", rules, text, again, err)
					}
				}
				if p.Legal() == 0 || plies > 40 {
					break
				}
				p = must(p.Play(anyOf(random, p.Legal())))
			}
		}
	}
}
