package game_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
)

// The tests in this file use published numbers: 5,478 positions and 765 up to symmetry (GamesmanClassic, mttt.c), 255,168
// games (Bottomley), 549,946 nodes of the tree.

func TestPerft(t *testing.T) {
	want := []uint64{1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0}
	for _, starter := range []game.Mark{game.X, game.O} {
		var got []uint64
		for depth := range want {
			got = append(got, game.Perft(game.StartWith(game.Classic(), starter), depth))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s begins (-want +got):\n%s", starter, diff)
		}
	}

	t.Run("there is one way to play no move, even if the game is over", func(t *testing.T) {
		over := must(game.ParsePosition(game.Classic(), "XXX/OO./..."))
		for _, depth := range []int{0, -1} {
			if got := game.Perft(over, depth); got != 1 {
				t.Errorf("Perft(%s, %d) = %d, want 1", over, depth, got)
			}
		}
		if got := game.Perft(over, 1); got != 0 {
			t.Errorf("Perft(%s, 1) = %d, want 0", over, got)
		}
	})
}

func TestPositionsOfClassic(t *testing.T) {
	for _, starter := range []game.Mark{game.X, game.O} {
		t.Run(starter.String()+" begins", func(t *testing.T) {
			var positions, canonical []int
			var total, totalCanonical int
			finished := map[game.Outcome]int{}
			finishedByPly := map[int]int{}
			finishedCanonical := map[game.Outcome]int{}
			for ply, layer := range reachable(game.StartWith(game.Classic(), starter)) {
				classes := map[game.Position]bool{}
				for _, p := range layer {
					if p.Ply() != ply {
						t.Errorf("%s: ply %d, want %d", p, p.Ply(), ply)
					}
					classes[p.Canonical()] = true
					if o := p.Outcome(); o != game.InProgress {
						finished[o]++
						finishedByPly[ply]++
					}
				}
				for p := range classes {
					if o := p.Outcome(); o != game.InProgress {
						finishedCanonical[o]++
					}
				}
				positions, canonical = append(positions, len(layer)), append(canonical, len(classes))
				total += len(layer)
				totalCanonical += len(classes)
			}

			if total != 5478 || totalCanonical != 765 {
				t.Errorf("%d positions, %d up to symmetry; want 5478 and 765", total, totalCanonical)
			}
			if diff := cmp.Diff([]int{1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78}, positions); diff != "" {
				t.Errorf("positions by ply (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]int{1, 3, 12, 38, 108, 174, 204, 153, 57, 15}, canonical); diff != "" {
				t.Errorf("positions up to symmetry by ply (-want +got):\n%s", diff)
			}
			first, second := game.WinFor(starter), game.WinFor(starter.Opponent())
			if diff := cmp.Diff(map[game.Outcome]int{first: 626, second: 316, game.Draw: 16}, finished); diff != "" {
				t.Errorf("finished positions (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(map[game.Outcome]int{first: 91, second: 44, game.Draw: 3}, finishedCanonical); diff != "" {
				t.Errorf("finished positions up to symmetry (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(map[int]int{5: 120, 6: 148, 7: 444, 8: 168, 9: 78}, finishedByPly); diff != "" {
				t.Errorf("finished positions by ply (-want +got):\n%s", diff)
			}
		})
	}
}

// A tally counts finished games, and the nodes of the tree above and including them.
type tally struct {
	Nodes    int
	Outcomes map[game.Outcome]int
	Lengths  map[int]map[game.Outcome]int
}

func (c *tally) walk(p game.Position) {
	c.Nodes++
	if o := p.Outcome(); o != game.InProgress {
		c.Outcomes[o]++
		if c.Lengths[p.Ply()] == nil {
			c.Lengths[p.Ply()] = map[game.Outcome]int{}
		}
		c.Lengths[p.Ply()][o]++
		return
	}
	for s := range p.Legal().All() {
		c.walk(must(p.Play(s)))
	}
}

func tallyOf(p game.Position) tally {
	c := tally{Outcomes: map[game.Outcome]int{}, Lengths: map[int]map[game.Outcome]int{}}
	c.walk(p)
	return c
}

func TestGamesOfClassic(t *testing.T) {
	got := tallyOf(game.Start(game.Classic()))
	want := tally{
		Nodes:    549946,
		Outcomes: map[game.Outcome]int{game.XWins: 131184, game.OWins: 77904, game.Draw: 46080}, // 255,168
		Lengths: map[int]map[game.Outcome]int{
			5: {game.XWins: 1440},
			6: {game.OWins: 5328},
			7: {game.XWins: 47952},
			8: {game.OWins: 72576},
			9: {game.XWins: 81792, game.Draw: 46080},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("games (-want +got):\n%s", diff)
	}

	type subtree struct{ Nodes, X, O, Draws int }
	corner := subtree{59705, 14652, 7896, 5184}
	edge := subtree{63905, 14232, 10176, 5184}
	centre := subtree{55505, 15648, 5616, 4608}
	for s, want := range []subtree{corner, edge, corner, edge, centre, edge, corner, edge, corner} {
		c := tallyOf(must(game.Start(game.Classic()).Play(game.Square(s))))
		got := subtree{c.Nodes, c.Outcomes[game.XWins], c.Outcomes[game.OWins], c.Outcomes[game.Draw]}
		if got != want {
			t.Errorf("after %s: %+v, want %+v", game.Classic().Name(game.Square(s)), got, want)
		}
	}
}

// TestGamesOfClassicUpToSymmetry expects 26,830 games, if moves to images of the same position count as one move.
func TestGamesOfClassicUpToSymmetry(t *testing.T) {
	byOutcome, byLength := map[game.Outcome]int{}, map[int]int{}
	ways := map[game.Position]int{game.Start(game.Classic()): 1}
	for len(ways) > 0 {
		next := map[game.Position]int{}
		for p, n := range ways {
			if o := p.Outcome(); o != game.InProgress {
				byOutcome[o] += n
				byLength[p.Ply()] += n
				continue
			}
			images := map[game.Position]bool{}
			for _, after := range p.Moves() {
				images[after.Canonical()] = true
			}
			for after := range images {
				next[after] += n
			}
		}
		ways = next
	}
	want := map[game.Outcome]int{game.XWins: 13957, game.OWins: 8005, game.Draw: 4868}
	if diff := cmp.Diff(want, byOutcome); diff != "" {
		t.Errorf("games by outcome (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[int]int{5: 172, 6: 579, 7: 5115, 8: 7426, 9: 13538}, byLength); diff != "" {
		t.Errorf("games by length (-want +got):\n%s", diff)
	}
}

func TestPerftAgreesWithTheJudge(t *testing.T) {
	for _, rules := range append(everyRules(6), everyKeep(6)...) {
		for depth := range rules.Squares() + 2 {
			got, want := game.Perft(game.Start(rules), depth), judgeOf(rules).perft(stateOf(game.Start(rules)), depth)
			if got != want {
				t.Errorf("%s: Perft(%d) = %d, want %d", rules, depth, got, want)
			}
		}
	}
	for text, depth := range map[string]int{
		"3x3x3+keep3": 7, "3x3x3+misere": 7, "3x3x3+keep4": 7, "4x3x3+gravity+misere": 8, "5x4x4+gravity": 7, "4x4x4": 4, "5x5x4": 3,
		"5x5x3": 4, "5x5x4+gravity": 6, "5x5x4+keep4": 3,
	} {
		start := game.Start(must(game.ParseRules(text)))
		if got, want := game.Perft(start, depth), judgeOf(start.Rules()).perft(stateOf(start), depth); got != want {
			t.Errorf("%s: Perft(%d) = %d, want %d", text, depth, got, want)
		}
	}
}

// TestGamesOfDrop expects 356,232 games of four in a row with gravity on four columns and three rows (OEIS A342329).
func TestGamesOfDrop(t *testing.T) {
	got := tallyOf(game.Start(must(game.NewRules(4, 3, 4, game.Gravity()))))
	games := 0
	for _, n := range got.Outcomes {
		games += n
	}
	if games != 356232 {
		t.Errorf("%d games, want 356,232", games)
	}
}

// TestGamesOfMisere expects the games of classic with the winners exchanged.
func TestGamesOfMisere(t *testing.T) {
	got := tallyOf(game.Start(must(game.ParseRules("misere"))))
	want := map[game.Outcome]int{game.OWins: 131184, game.XWins: 77904, game.Draw: 46080}
	if diff := cmp.Diff(want, got.Outcomes); diff != "" || got.Nodes != 549946 {
		t.Errorf("%d nodes, want 549,946; outcomes (-want +got):\n%s", got.Nodes, diff)
	}
}

// TestPositionsOfInfinite expects 73,450 positions from the view of the side to move if each side keeps three marks on 3x3 and the
// order of the marks counts. In 6,768 of them the game is over.
func TestPositionsOfInfinite(t *testing.T) {
	rules := must(game.ParseRules("infinite"))
	j := judgeOf(rules)
	seen := map[string]bool{}
	over, most := 0, 0
	for _, layer := range reachable(game.Start(rules)) {
		for _, p := range layer {
			most = max(most, p.Ply())
			s := stateOf(p)
			s.mover.mark, s.other.mark = game.X, game.O
			if text := j.print(s, true); !seen[text] {
				seen[text] = true
				if p.Outcome() != game.InProgress {
					over++
				}
			}
			if p.Outcome() == game.Draw {
				t.Errorf("%s is drawn", p)
			}
		}
	}
	if len(seen) != 73450 || over != 6768 || most != 6 {
		t.Errorf("%d positions, %d of them over, with up to %d marks; want 73,450, 6,768 and 6", len(seen), over, most)
	}
}
