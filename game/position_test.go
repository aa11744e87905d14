package game_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
)

func TestPositionsAgreeWithTheJudge(t *testing.T) {
	t.Run("all positions of small boards", func(t *testing.T) {
		for _, rules := range append(append(everyRules(6), everyKeep(5)...), offeredOn(9)...) {
			j := judgeOf(rules)
			for _, starter := range []game.Mark{game.X, game.O} {
				if starter == game.O && rules.Squares() == 9 && rules != game.Classic() {
					continue // slow, and no different from the games that X begins
				}
				for _, layer := range reachable(game.StartWith(rules, starter)) {
					for _, p := range layer {
						j.check(t, p)
					}
				}
			}
		}
	})

	t.Run("random games with all rule sets", func(t *testing.T) {
		random := rand.New(rand.NewPCG(1, 2))
		for _, rules := range append(everyRules(25), everyKeep(25)...) {
			j := judgeOf(rules)
			for range 3 {
				p := game.Start(rules)
				for j.check(t, p); p.Legal() != 0 && random.IntN(60) > 0; j.check(t, p) {
					p = must(p.Play(anyOf(random, p.Legal())))
				}
			}
		}
	})
}

// offeredOn lists the offered rule sets with at most the given number of squares.
func offeredOn(squares int) []game.Rules {
	var all []game.Rules
	for _, offer := range game.Offered() {
		if offer.Rules.Squares() <= squares {
			all = append(all, offer.Rules)
		}
	}
	return all
}

func anyOf(random *rand.Rand, squares game.Bitboard) game.Square {
	n := random.IntN(squares.Len())
	for s := range squares.All() {
		if n == 0 {
			return s
		}
		n--
	}
	panic("no squares")
}

func TestEveryLineOfEveryBoardWins(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, rules := range everyBoard(25) {
		for _, line := range judgeOf(rules).lines {
			others := rules.Board() &^ game.SetOf(line...)
			if others.Len() < len(line)-1 {
				continue // the other side has no room for its moves, since the board is little more than the line
			}
			for _, i := range random.Perm(len(line)) {
				line[0], line[i] = line[i], line[0]
			}
			p := game.Start(rules)
			for i, s := range line {
				if i > 0 {
					reply := anyOf(random, others)
					others &^= game.SetOf(reply)
					p = must(p.Play(reply))
				}
				p = must(p.Play(s))
			}
			if p.Outcome() != game.XWins || p.Line() != game.SetOf(line...) {
				t.Errorf("%s %s: %s with %b, want X wins with %b", rules, p, p.Outcome(), p.Line(), game.SetOf(line...))
			}
		}
	}
}

func TestLine(t *testing.T) {
	for _, test := range []struct{ name, rules, position, line string }{
		{"nothing before the third mark", "3x3x3", "XX./OO./...", ".../.../..."},
		{"a row", "3x3x3", "XXX/OO./...", "XXX/.../..."},
		{"a column of O", "3x3x3", "XOX/.O./XO.", ".X./.X./.X."},
		{"a diagonal", "3x3x3", "X.O/OX./..X", "X../.X./..X"},
		{"the other diagonal", "3x3x3", "O.X/OX./X..", "..X/.X./X.."},
		{"both lines that one move has closed", "3x3x3", "XXX/XOO/XOO", "XXX/X../X.."},
		{"three lines at once", "5x5x3", "X...X/.X.X./OOXOO/O.X.O/..X..", "X...X/.X.X./..X../..X../..X.."},
		{"more than the run", "5x1x3", "XXXOO", "XXX.."},
		{"a run longer than needed", "5x5x4", "XXXXX/OOO.O/...../...../.....", "XXXXX/...../...../...../....."},
		{"a line that loses", "3x3x3+misere", "XXX/OO./...", "XXX/.../..."},
		{"marks that have fallen", "4x3x3+gravity", "..../OO../XXX.", "..../..../XXX."},
		{"nothing that goes round the edge", "4x4x3", "..XX/XOO./.O../....", "..../..../..../...."},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := game.ParsePosition(must(game.ParseRules(test.rules)), test.position)
			if err != nil {
				t.Fatal(err)
			}
			var got []byte
			for i, c := range p.String() {
				width := p.Rules().Width() + 1
				s := game.Square(i/width*p.Rules().Width() + i%width)
				switch {
				case c == '/':
					got = append(got, '/')
				case p.Line().Has(s):
					got = append(got, 'X')
				default:
					got = append(got, '.')
				}
			}
			if diff := cmp.Diff(test.line, string(got)); diff != "" {
				t.Errorf("line (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCanBeWon(t *testing.T) {
	wide := func(rules game.Rules, err error) game.Rules { return rules }(game.NewRules(4, 4, 4))
	for _, c := range []struct {
		name, position string
		rules          game.Rules
		want           bool
	}{
		{"an empty board", ".../.../...", game.Classic(), true},
		{"a line is open", "XO./OX./X.O", game.Classic(), true},
		{"two squares are left, one for each side", "XXO/OOX/X..", game.Classic(), false},
		{"two squares are left, and one wins", "XXO/XXO/O..", game.Classic(), true},
		{"the last square", "XOX/XOO/OX.", game.Classic(), false},
		{"won", "XXX/OO./...", game.Classic(), false},
		{"every line has both marks", "X..O/.OOX/OXX./.XO.", wide, false},
		{"one line is open", ".XOO/X.O./O.X./XO.X", wide, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := game.ParsePosition(c.rules, c.position)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.CanBeWon(); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestPlayRefuses(t *testing.T) {
	for _, test := range []struct {
		name, position string
		square         game.Square
		reason         game.Reason
		message        string
	}{
		{"a taken square", "X../.O./...", 4, game.Taken,
			"illegal move b2 in X../.O./...: the square is taken"},
		{"one's own square", "X../.O./...", 0, game.Taken,
			"illegal move a1 in X../.O./...: the square is taken"},
		{"the first square off the board", ".../.../...", 9, game.OffBoard,
			"illegal move 9 in .../.../...: the square is not on the board"},
		{"a square that no board has", ".../.../...", 255, game.OffBoard,
			"illegal move 255 in .../.../...: the square is not on the board"},
		{"an empty square after a win", "XXX/OO./...", 8, game.GameOver,
			"illegal move c3 in XXX/OO./...: the game is over"},
		{"a taken square after a win", "XXX/OO./...", 0, game.GameOver,
			"illegal move a1 in XXX/OO./...: the game is over"},
		{"any square of a full board", "XXO/OOX/XXO", 4, game.GameOver,
			"illegal move b2 in XXO/OOX/XXO: the game is over"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := must(game.ParsePosition(game.Classic(), test.position))
			after, err := p.Play(test.square)
			var illegal *game.IllegalMoveError
			if !errors.As(err, &illegal) {
				t.Fatalf("error %v, want an IllegalMoveError", err)
			}
			if *illegal != (game.IllegalMoveError{Position: p, Square: test.square, Reason: test.reason}) {
				t.Errorf("refused %d in %s because %s, want %d in %s because %s",
					illegal.Square, illegal.Position, illegal.Reason, test.square, p, test.reason)
			}
			if diff := cmp.Diff(test.message, err.Error()); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
			if after != p {
				t.Errorf("the position became %s", after)
			}
		})
	}

	t.Run("everything in the zero value", func(t *testing.T) {
		var illegal *game.IllegalMoveError
		if _, err := (game.Position{}).Play(0); !errors.As(err, &illegal) || illegal.Reason != game.OffBoard {
			t.Errorf("error %v, want OffBoard", err)
		}
	})
}

func TestMarksFall(t *testing.T) {
	rules := must(game.ParseRules("3x3x3+gravity"))
	p := must(game.ParsePosition(rules, ".../O../X.."))
	for s, want := range map[game.Square]game.Reason{
		0: 0, 1: game.Floating, 2: game.Floating, 3: game.Taken, 4: game.Floating, 5: game.Floating, 6: game.Taken, 7: 0, 8: 0, 9: game.OffBoard,
	} {
		_, err := p.Play(s)
		var illegal *game.IllegalMoveError
		if errors.As(err, &illegal) != (want != 0) || want != 0 && illegal.Reason != want {
			t.Errorf("%s: error %v, want reason %d", rules.Name(s), err, want)
		}
	}
	var landings []game.Square
	for s := range game.Square(9) {
		landings = append(landings, p.Landing(s))
	}
	if diff := cmp.Diff([]game.Square{0, 7, 8, 0, 7, 8, 0, 7, 8}, landings); diff != "" {
		t.Errorf("landings (-want +got):\n%s", diff)
	}
	_, err := p.Play(1)
	if want := "illegal move b1 in .../O../X..: the square below is empty"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestMarksVanish(t *testing.T) {
	r := must(game.Replay(must(game.ParseRules("infinite")), 0, 1, 4, 5))
	p := r.Position()
	for _, step := range []struct {
		play               game.Square
		after, vanishing   string
		threatsX, threatsO string
	}{
		{6, "X:a1,b2,a3 O:b1,c2 O", "", "c1", ""}, // a1 disappears with the next mark, so a2 and c3 would not win
		{3, "X:a1,b2,a3 O:b1,c2,a2 X", "a1", "c1", ""},
		{8, "X:b2,a3,c3 O:b1,c2,a2 O", "b1", "b3", ""},
		{7, "X:b2,a3,c3 O:c2,a2,b3 X", "b2", "", ""},
	} {
		next, err := p.Play(step.play)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{next.String(), names(next, next.Vanishing()), names(next, next.Threats(game.X)), names(next, next.Threats(game.O))}
		want := []string{step.after, step.vanishing, step.threatsX, step.threatsO}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after %s: position, vanishing, threats of X and O (-want +got):\n%s", p.Rules().Name(step.play), diff)
		}
		p = next
	}
	if _, err := p.Play(4); err == nil {
		t.Error("the square of the oldest mark could be played before that mark vanished")
	}
}

// names returns the names of a set of squares.
func names(p game.Position, squares game.Bitboard) string {
	var all []string
	for s := range squares.All() {
		all = append(all, p.Rules().Name(s))
	}
	return strings.Join(all, " ")
}

func TestWinner(t *testing.T) {
	for _, test := range []struct {
		rules, position string
		want            game.Mark
	}{
		{"3x3x3", "XXX/OO./...", game.X},
		{"3x3x3", "XX./OOO/X..", game.O},
		{"3x3x3", "XXO/OOX/XXO", game.None},
		{"3x3x3", "XX./OO./...", game.None},
		{"3x3x3+misere", "XXX/OO./...", game.O},
		{"3x3x3+misere", "XX./OOO/X..", game.X},
		{"infinite", "X:a1,b1,c1 O:a2,b2,c3 O", game.X},
	} {
		p := must(game.ParsePosition(must(game.ParseRules(test.rules)), test.position))
		if got := p.Outcome().Winner(); got != test.want {
			t.Errorf("%s %s: %s wins, want %s", test.rules, p, got, test.want)
		}
	}
}

func TestPlayLeavesTheReceiverUnchanged(t *testing.T) {
	p := must(game.ParsePosition(game.Classic(), "X../.O./..."))
	before := p
	for s, next := range p.Moves() {
		played := must(p.Play(s))
		if played != next {
			t.Errorf("%s: Moves leads to %s, Play to %s", p.Rules().Name(s), next, played)
		}
		if played == p || played.At(s) != game.X || played.Turn() != game.O || played.Ply() != 3 {
			t.Errorf("%s led to %s, %s to move at ply %d", p.Rules().Name(s), played, played.Turn(), played.Ply())
		}
	}
	if p != before {
		t.Errorf("the position became %s", p)
	}
}

func TestTurnFollowsTheStarter(t *testing.T) {
	for starter, want := range map[game.Mark]string{game.X: "XOXOXOXOX", game.O: "OXOXOXOXO", game.None: "XOXOXOXOX"} {
		p := game.StartWith(game.Classic(), starter)
		var turns string
		for _, s := range []game.Square{0, 1, 2, 4, 3, 5, 7, 6, 8} { // a draw
			turns += p.Turn().String()
			p = must(p.Play(s))
		}
		if turns != want || p.Outcome() != game.Draw {
			t.Errorf("starter %s: turns %s and then %s, want %s and a draw", starter, turns, p.Outcome(), want)
		}
	}
}

func TestMarksAndOutcomes(t *testing.T) {
	p := must(game.ParsePosition(game.Classic(), "X.O/.X./O.X"))
	want := map[game.Mark]game.Bitboard{
		game.X: game.SetOf(0, 4, 8), game.O: game.SetOf(2, 6), game.None: game.SetOf(1, 3, 5, 7),
	}
	for mark, squares := range want {
		if got := p.Marks(mark); got != squares {
			t.Errorf("marks of %s: %b, want %b", mark, got, squares)
		}
	}
	for _, p := range []game.Position{p, must(game.ParsePosition(game.Classic(), "X../.O./..X"))} {
		if mover, other := p.Sides(); mover != p.Marks(p.Turn()) || other != p.Marks(p.Turn().Opponent()) {
			t.Errorf("%s: sides %b and %b", p, mover, other)
		}
	}
	if got := p.At(25); got != game.None {
		t.Errorf("At returned %s for a square off the board", got)
	}

	for outcome, want := range map[game.Outcome]struct {
		text   string
		winner game.Mark
	}{
		game.InProgress: {"in progress", game.None},
		game.XWins:      {"X wins", game.X},
		game.OWins:      {"O wins", game.O},
		game.Draw:       {"draw", game.None},
	} {
		if outcome.String() != want.text || outcome.Winner() != want.winner {
			t.Errorf("%s has winner %s, want %s with %s", outcome, outcome.Winner(), want.text, want.winner)
		}
	}
	for mark, want := range map[game.Mark]game.Outcome{game.X: game.XWins, game.O: game.OWins, game.None: game.InProgress} {
		if got := game.WinFor(mark); got != want {
			t.Errorf("WinFor(%s) = %s, want %s", mark, got, want)
		}
	}
}

func TestPlayingAllocatesNothing(t *testing.T) {
	for _, test := range []struct{ rules, position string }{
		{"3x3x3", "XOX/.O./..."},
		{"5x5x4+gravity", "...../...../...../..O../.XXO."},
		{"3x3x3+keep3", "X:a1,b2,c2 O:a2,b3,c1 X"},
		{"3x3x3+misere", "XOX/.O./..."},
	} {
		p := must(game.ParsePosition(must(game.ParseRules(test.rules)), test.position))
		legal := slices.Max(slices.Collect(p.Legal().All())) // a refusal does allocate
		for name, run := range map[string]func(){
			"Play":      func() { p.Play(legal) },
			"Outcome":   func() { p.Outcome() },
			"Legal":     func() { p.Legal() },
			"Line":      func() { p.Line() },
			"Threats":   func() { p.Threats(game.X) },
			"Vanishing": func() { p.Vanishing() },
			"Moves": func() {
				for range p.Moves() {
				}
			},
			"Canonical": func() { p.Canonical() },
			"Perft":     func() { game.Perft(p, 4) },
		} {
			if n := testing.AllocsPerRun(100, run); n != 0 {
				t.Errorf("%s: %s allocates %v times", test.rules, name, n)
			}
		}
	}
}
