package ai_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/longtest"
)

// A witness holds a position as two lists of squares, the oldest mark first, and checks the claim of a sentence by trying all moves.
// It shares no code with the package: it walks over the board to find lines.
type witness struct {
	width, height, run, keep int
	gravity, misere          bool
	mover, other             []int
}

func witnessOf(p game.Position) witness {
	r := p.Rules()
	w := witness{width: r.Width(), height: r.Height(), run: r.Run(), gravity: r.Gravity(), misere: r.Misere()}
	lists := map[string][]int{}
	if r.Vanish() {
		w.keep = r.Keep()
		for _, field := range strings.Fields(p.String())[:2] { // as in "X:a1,b2 O:c3 X"
			mark, names, _ := strings.Cut(field, ":")
			for name := range strings.SplitSeq(names, ",") {
				if name != "" {
					lists[mark] = append(lists[mark], int(name[0]-'a')+w.width*int(name[1]-'1'))
				}
			}
		}
	} else {
		for i, c := range strings.ReplaceAll(strings.Fields(p.String())[0], "/", "") {
			lists[string(c)] = append(lists[string(c)], i)
		}
	}
	w.mover, w.other = lists[p.Turn().String()], lists[p.Turn().Opponent().String()]
	return w
}

// line reports whether the marks contain a line.
func (w witness) line(marks []int) bool {
	for from := range w.width * w.height {
		for _, step := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
			x, y, n := from%w.width, from/w.width, 0
			for x >= 0 && x < w.width && y < w.height && n < w.run && slices.Contains(marks, y*w.width+x) {
				x, y, n = x+step[0], y+step[1], n+1
			}
			if n == w.run {
				return true
			}
		}
	}
	return false
}

func (w witness) empty(s int) bool {
	return !slices.Contains(w.mover, s) && !slices.Contains(w.other, s)
}

// moves returns the legal moves; there are none once the game is over.
func (w witness) moves() []int {
	var moves []int
	if w.line(w.mover) || w.line(w.other) {
		return nil
	}
	for s := range w.width * w.height {
		if w.empty(s) && !(w.gravity && s+w.width < w.width*w.height && w.empty(s+w.width)) {
			moves = append(moves, s)
		}
	}
	return moves
}

// passed returns the same board with the other side to move.
func (w witness) passed() witness {
	w.mover, w.other = w.other, w.mover
	return w
}

func (w witness) play(s int) witness {
	marks := append(slices.Clone(w.mover), s)
	if w.keep > 0 && len(marks) > w.keep {
		marks = marks[1:]
	}
	w.mover = marks
	return w.passed()
}

// completes returns the squares on which the side to move completes a line, and wins the squares on which it wins by a line.
func (w witness) completes() []int {
	return slices.DeleteFunc(w.moves(), func(s int) bool { return !w.line(w.play(s).other) })
}

func (w witness) wins() []int {
	if w.misere {
		return nil
	}
	return w.completes()
}

// forks reports whether the move threatens to win in two places, and wins after every answer.
func (w witness) forks(s int) bool {
	next := w.play(s)
	if len(next.moves()) == 0 || len(next.passed().wins()) < 2 {
		return false
	}
	for _, answer := range next.moves() {
		if after := next.play(answer); after.line(after.other) || len(after.wins()) == 0 {
			return false
		}
	}
	return true
}

func (w witness) forkSquares() []int {
	return slices.DeleteFunc(w.moves(), func(s int) bool { return !w.forks(s) })
}

// claim returns the error in a reason for a move of the side to move, or the empty string. The function worth returns the exact
// value of a position; it is nil if values are unknown.
func (w witness) claim(why ai.Reason, s int, worth func(witness) ai.Eval) string {
	if !slices.Contains(w.moves(), s) {
		return "the move is not legal"
	}
	next, threats, opened := w.play(s), squaresOf(why.Threats), squaresOf(why.Opened)
	pressing := next.passed().wins()
	others := slices.DeleteFunc(w.moves(), func(o int) bool { return o == s })
	switch why.Kind {
	case ai.Wins:
		return unless(slices.Contains(w.wins(), s), "it does not win")
	case ai.Blocks:
		return unless(slices.Contains(w.passed().wins(), s), "nobody would win there")
	case ai.Forks:
		return unless(w.forks(s) && slices.Equal(pressing, threats), "it is no fork on these squares")
	case ai.Threatens:
		return unless(len(pressing) == 1 && slices.Equal(pressing, threats) && len(next.wins()) == 0, "it does not threaten that")
	case ai.Stacks:
		if len(next.wins()) > 0 || len(pressing) != 1 || !slices.Equal(pressing, threats) {
			return "it does not threaten that"
		}
		for _, answer := range next.moves() {
			if wins := next.play(answer).wins(); len(wins) == 0 || answer == threats[0] && !slices.Equal(wins, opened) {
				return "the threat can be met"
			}
		}
		return ""
	case ai.Frees:
		if len(threats) != 1 || threats[0] != next.mover[0] || len(next.wins()) > 0 {
			return "the mark there does not vanish next, or the other side wins first"
		}
		for _, answer := range next.moves() {
			if !slices.Contains(next.play(answer).wins(), threats[0]) {
				return "the square can be defended"
			}
		}
		return ""
	case ai.Strands:
		all := next.moves()
		return unless(w.misere && len(all) > 0 && slices.Equal(next.completes(), all), "some answer is no line")
	case ai.Avoids:
		return unless(w.misere && len(others) > 0 && slices.Equal(w.completes(), others), "it is not the one that is no line")
	case ai.Resists:
		return unless(worth == nil || worth(w).Value == ai.Loss, "the game is not lost")
	case ai.StopsFork:
		if len(next.forkSquares()) > 0 {
			return "there is a fork after it"
		}
		for _, o := range others {
			if worth == nil {
				return ""
			}
			forks := w.play(o).forkSquares()
			if lost := -worth(w.play(o)).Value < worth(w).Value; lost && (len(forks) == 0 || !includes(forks, threats)) {
				return fmt.Sprintf("no such fork after %d", o)
			}
		}
	}
	if worth == nil {
		return ""
	}
	return w.keeps(why, s, worth)
}

// keeps returns the error in a reason about the value that the move keeps, or the empty string.
func (w witness) keeps(why ai.Reason, s int, worth func(witness) ai.Eval) string {
	now := worth(w)
	keeping := slices.DeleteFunc(w.moves(), func(o int) bool { return -worth(w.play(o)).Value != now.Value })
	if !slices.Contains(keeping, s) {
		return "it does not keep the value"
	}
	if zone := w.zone(why.Zone); why.Zone != ai.NoZone {
		open := slices.DeleteFunc(slices.Clone(zone), func(o int) bool { return !w.empty(o) })
		if !slices.Equal(open, keeping) || len(keeping) == len(w.moves()) {
			return "others keep the value too, or not all of the zone do"
		}
	} else if why.Kind == ai.Only && len(keeping) > 1 {
		return "others keep the value too"
	}
	switch why.Kind {
	case ai.Forces:
		return unless(now.Value == ai.Win && (now.Plies+1)/2 == why.In, fmt.Sprintf("it is a %s", now))
	case ai.Only, ai.StopsFork, ai.Holds:
		return unless(now.Value == why.Value && len(keeping) < len(w.moves()), "it is not what the position is worth, or cannot go wrong")
	default:
		return fmt.Sprintf("unknown kind %d", why.Kind)
	}
}

func (w witness) zone(z ai.Zone) []int {
	right, bottom := w.width-1, w.width*(w.height-1)
	switch z {
	case ai.Centre:
		return []int{w.width * w.height / 2}
	case ai.Corners:
		return []int{0, right, bottom, bottom + right}
	default:
		return []int{1, 3, 5, 7}
	}
}

// harmClaim returns the error in the harm of a move, or the empty string.
func (w witness) harmClaim(harm ai.Harm, s int, worth func(witness) ai.Eval) string {
	next, answers := w.play(s), squaresOf(harm.Answer.Squares)
	before := w.passed().wins()
	switch harm.Kind {
	case ai.Completes:
		return unless(w.misere && next.line(next.other), "it completes no line that loses")
	case ai.Releases:
		return unless(worth == nil || worth(w).Value == ai.Win && worth(next).Value == ai.Draw, "a win has not become a draw")
	case ai.Misses:
		met := len(answers) > 0 && includes(before, answers) && includes(next.wins(), answers)
		return unless(met && harm.Answer.Kind == ai.Wins, "the other side did not threaten that, or does not any more")
	case ai.Allows:
		if harm.Answer.Kind == ai.Forces {
			if worth == nil {
				return ""
			}
			e := worth(next)
			return unless(e.Value == ai.Win && (e.Plies+1)/2 == harm.Answer.In, fmt.Sprintf("the other side has a %s", e))
		}
		for _, answer := range answers {
			if fault := next.claim(harm.Answer, answer, worth); fault != "" {
				return fault
			}
			if harm.Answer.Kind == ai.Wins && slices.Contains(before, answer) {
				return "the other side could win there before"
			}
		}
		return unless(len(answers) > 0, "it does not say how")
	}
	if worth == nil {
		return ""
	}
	now, then := worth(w), worth(next)
	same := -then.Value == now.Value && (now.Value != ai.Loss || then.Plies+1 == now.Plies)
	return unless(same, fmt.Sprintf("there was harm: from %s to %s for the other side", now, then))
}

func unless(ok bool, fault string) string {
	if ok {
		return ""
	}
	return fault
}

func squaresOf(set game.Bitboard) []int {
	var squares []int
	for s := range set.All() {
		squares = append(squares, int(s))
	}
	return squares
}

func includes(all, some []int) bool {
	return !slices.ContainsFunc(some, func(s int) bool { return !slices.Contains(all, s) })
}

// everySentence checks all sentences about each legal move of the positions, and returns how often each sentence occurred.
func everySentence(t *testing.T, solver *ai.Solver, all []game.Position, worth func(witness) ai.Eval) map[string]int {
	t.Helper()
	said := map[string]int{}
	for _, p := range all {
		w := witnessOf(p)
		for s := range p.Legal().All() {
			r := solver.Review(must(game.ReplayFrom(p, s)))[0]
			complain := func(what, fault string) {
				if fault != "" {
					t.Errorf("%s, %s to move, %s: %s: %s", p, p.Turn(), p.Rules().Name(s), what, fault)
				}
			}
			if why := ai.ReasonFor(p, s); why.Kind != ai.NoReason {
				complain("at sight "+why.Kind.String(), w.claim(why, int(s), nil))
			}
			harm := r.Harm(p)
			complain(fmt.Sprintf("harm %d, %s", harm.Kind, harm.Answer.Kind), w.harmClaim(harm, int(s), worth))
			said[fmt.Sprintf("harm %d %s", harm.Kind, harm.Answer.Kind)]++
			advice := r.Advice()
			if r.Grade.Error() != (advice.Squares == r.Better && r.Played.Value < r.Best.Value) {
				complain("advice", fmt.Sprintf("%b for a %s", advice.Squares, r.Grade))
			}
			if right := !advice.Squares.Has(s) || advice.Eval == r.Played; !right {
				complain("advice", "a move that was not the best is praised")
			}
			why := advice.Reason(p)
			for _, better := range squaresOf(why.Squares) {
				if why.Kind == ai.Forks || why.Kind == ai.Stacks || why.Kind == ai.Threatens {
					better = squaresOf(why.Squares)[0] // the square to which the threats of the reason belong
				}
				complain("for "+why.Kind.String(), w.claim(why, better, worth))
			}
			if why.Kind == ai.NoReason && r.Grade != ai.Ungraded {
				complain("advice", fmt.Sprintf("no reason for the best moves after a %q", r.Grade))
			}
			said["why "+why.Kind.String()]++
			if t.Failed() {
				return said
			}
		}
	}
	return said
}

// remembering returns a function with the values that a judge finds, by witness, and a function that adds a position.
func remembering(j *judge) (worth func(witness) ai.Eval, learn func(game.Position)) {
	known := map[string]ai.Eval{}
	key := func(w witness) string { return fmt.Sprint(w.sorted().mover, w.sorted().other) }
	return func(w witness) ai.Eval {
			e, ok := known[key(w)]
			if !ok {
				panic("a position that cannot be reached: " + key(w))
			}
			return e
		}, func(p game.Position) {
			known[key(witnessOf(p))] = j.of(p)
		}
}

// sorted returns the witness with its marks in the order of squares, if their age does not matter.
func (w witness) sorted() witness {
	if w.keep == 0 {
		w.mover, w.other = slices.Sorted(slices.Values(w.mover)), slices.Sorted(slices.Values(w.other))
	}
	return w
}

func TestEverySentenceAboutAMoveIsTrue(t *testing.T) {
	t.Run("classic", func(t *testing.T) {
		t.Parallel()
		everySentenceOf(t, "classic",
			ai.Wins, ai.Blocks, ai.Forks, ai.StopsFork, ai.Only, ai.Forces, ai.Threatens, ai.Holds, ai.Resists)
	})
	t.Run("misere", func(t *testing.T) {
		t.Parallel()
		everySentenceOf(t, "misere", ai.Strands, ai.Avoids, ai.Only, ai.Forces, ai.Holds, ai.Resists)
	})
}

func TestEverySentenceAboutAMoveIsTrueWhereMarksFall(t *testing.T) {
	t.Parallel()
	everySentenceOf(t, "4x3x3+gravity", ai.Wins, ai.Blocks, ai.Forks, ai.Stacks, ai.Only, ai.Forces, ai.Holds, ai.Resists)
}

func TestEverySentenceAboutAMoveIsTrueWhereMarksVanish(t *testing.T) {
	longtest.Only(t)
	everySentenceOf(t, "infinite", ai.Wins, ai.Blocks, ai.Frees, ai.Only, ai.Forces, ai.Holds, ai.Resists)
}

// everySentenceOf checks all sentences about every move of a rule set. Reasons of the given kinds have to occur.
func everySentenceOf(t *testing.T, name string, kinds ...ai.ReasonKind) {
	t.Helper()
	rules := must(game.ParseRules(name))
	worth, learn := remembering(newJudge(rules))
	all := positions(rules)
	for _, p := range all {
		learn(p)
	}
	if rules.Vanish() { // a sentence that is true of a position is true of its images
		all = slices.DeleteFunc(all, func(p game.Position) bool { return p != p.Canonical() })
	}
	said := everySentence(t, must(ai.NewSolver(rules)), all, worth)
	for _, what := range slices.Sorted(maps.Keys(said)) {
		t.Logf("%7d %s", said[what], what)
	}
	for _, kind := range kinds {
		if said["why "+kind.String()] == 0 {
			t.Errorf("no move was a %q", kind)
		}
	}
}

// TestSentencesOnLargeBoardsAreTrue takes values from the solver itself, and checks the parts of sentences that are visible on the
// board.
func TestSentencesOnLargeBoardsAreTrue(t *testing.T) {
	longtest.Only(t)
	for _, name := range []string{"4x4", "5x5", "drop", "drop-5x5"} {
		t.Run(name, func(t *testing.T) {
			rules := must(game.ParseRules(name))
			solver := must(ai.NewSolver(rules))
			random := rand.New(rand.NewPCG(1, 2))
			var all []game.Position
			for range 12 {
				for p := game.Start(rules); p.Legal() != 0; {
					moves := squaresOf(p.Legal())
					p = must(p.Play(game.Square(moves[random.IntN(len(moves))])))
					if p.Ply() > rules.Squares()/2 {
						all = append(all, p)
					}
				}
			}
			said := everySentence(t, solver, all, nil)
			t.Log(said)
		})
	}
}

func TestExplanations(t *testing.T) {
	type said struct {
		harm, answer, why string
		at, because       string // squares of the answer, and squares for which the reason holds
		zone              ai.Zone
	}
	for _, test := range []struct {
		name, rules, moves string // the last move is explained
		want               said
	}{
		{"only the centre holds against a corner", "classic", "a1 b1",
			said{"allows", "wins by force", "only move", "", "b2", ai.Centre}},
		{"only a corner holds against the centre", "classic", "b2 b1",
			said{"allows", "wins by force", "only move", "", "a1 c1 a3 c3", ai.Corners}},
		{"only an edge holds between two corners", "classic", "a1 b2 c3 c1",
			said{"allows", "two threats", "stops a fork", "a3", "b1 a2 c2 b3", ai.Edges}},
		{"a won game is drawn", "classic", "a1 b1 c1", said{"releases", "", "wins by force", "", "a2 b2 a3", ai.NoZone}},
		{"a won game is lost", "classic", "a1 c1 b1", said{"allows", "wins by force", "wins by force", "", "a2 a3 c3", ai.NoZone}},
		{"a win at once is overlooked", "classic", "a1 b1 a2 c1 b2", said{"", "", "winning move", "", "a3", ai.NoZone}},
		{"a fork is overlooked", "classic", "a1 b1 c2 c1 a3", said{"", "", "two threats", "", "a2 b2", ai.NoZone}},
		{"a block is missed", "classic", "a1 b1 a2 c1", said{"misses", "winning move", "must block", "a3", "a3", ai.NoZone}},
		{"5x5: b2 is met by the centre alone", "5x5", "b2 c2", said{"allows", "wins by force", "only move", "", "c3", ai.Centre}},
		{"infinite: only an edge wins", "infinite", "b2", said{"releases", "", "wins by force", "", "b1 a2 c2 b3", ai.Edges}},
		{"infinite: a square gets free", "infinite", "a1 b1 c1 a2 b3 c2", said{"allows", "a square gets free", "a square gets free", "b2", "a3", ai.NoZone}},
		{"misere: only the centre holds", "misere", "a1", said{"allows", "wins by force", "only move", "", "b2", ai.Centre}},
		{"misere: a line loses", "misere", "a1 b1 c1 a2 b2 c2 a3", said{"completes", "", "avoids a line", "", "b3", ai.NoZone}},
		{"drop: a column at the side loses", "drop", "a4", said{"allows", "wins by force", "holds", "", "b4 c4 d4", ai.NoZone}},
		{"a move that was right", "classic", "a1 b2", said{"", "", "only move", "", "b2", ai.Centre}},
	} {
		t.Run(test.name, func(t *testing.T) {
			rules := must(game.ParseRules(test.rules))
			var squares []game.Square
			for name := range strings.FieldsSeq(test.moves) {
				squares = append(squares, must(rules.ParseSquare(name)))
			}
			record := must(game.Replay(rules, squares...))
			p := record.First(record.Len() - 1).Position()
			review := must(ai.NewSolver(rules)).Review(record)
			r := review[len(review)-1]
			harm, why := r.Harm(p), r.Advice().Reason(p)
			names := func(set game.Bitboard) string {
				var names []string
				for s := range set.All() {
					names = append(names, rules.Name(s))
				}
				return strings.Join(names, " ")
			}
			harms := map[ai.HarmKind]string{ai.Completes: "completes", ai.Misses: "misses", ai.Allows: "allows", ai.Releases: "releases"}
			got := said{harms[harm.Kind], harm.Answer.Kind.String(), why.Kind.String(), names(harm.Answer.Squares), names(why.Squares), why.Zone}
			if got != test.want {
				t.Errorf("%s, then %s: %+v, want %+v", p, rules.Name(r.Square), got, test.want)
			}
		})
	}
}

func TestReasonFor(t *testing.T) {
	for _, test := range []struct {
		name, rules, position string
		square                string
		want                  ai.ReasonKind
		text, threats         string
	}{
		{"a win comes before a block", "3x3x3", "XX./OO./...", "c1", ai.Wins, "winning move", ""},
		{"a block", "3x3x3", "XX./.O./...", "c1", ai.Blocks, "must block", ""},
		{"a fork", "3x3x3", "XO./.X./..O", "a2", ai.Forks, "two threats", "c2 a3"},
		{"two threats, and the other side wins first", "3x3x3", "XO./.XO/.O.", "c3", ai.Wins, "winning move", ""},
		{"two threats come too late", "3x3x3", "X.O/..O/X..", "b1", ai.NoReason, "", ""},
		{"a threat", "3x3x3", "X.O/.../...", "a3", ai.Threatens, "a threat", "a2"},
		{"an open three", "5x5x4", "...../.XX../O.O../...../.....", "d1", ai.NoReason, "", ""},
		{"a three that is open on both sides", "5x5x4", "...../..XX./O.O../...../.....", "b2", ai.Forks, "two threats", "a2 e2"},
		{"completing a line is no win in misere", "3x3x3+misere", "XX./OO./...", "c1", ai.NoReason, "", ""},
		{"the only square without a line", "3x3x3+misere", "XX./OXO/O..", "b3", ai.NoReason, "", ""},
		{"an illegal move", "3x3x3", "XX./OO./...", "a1", ai.NoReason, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			rules := must(game.ParseRules(test.rules))
			p := must(game.ParsePosition(rules, test.position))
			got := ai.ReasonFor(p, must(rules.ParseSquare(test.square)))
			var threats []string
			for s := range got.Threats.All() {
				threats = append(threats, rules.Name(s))
			}
			if got.Kind != test.want || got.Kind.String() != test.text || strings.Join(threats, " ") != test.threats {
				t.Errorf("%q, threats %v; want %q", got.Kind, threats, test.want)
			}
		})
	}
}

// TestFavour compares the favoured moves of every drawn position of the classic board with what people do after each move.
func TestFavour(t *testing.T) {
	solver := must(ai.NewSolver(game.Classic()))
	favoured := func(p game.Position) (all, few game.Bitboard) {
		advice, ok := solver.AdviseWithin(t.Context(), p)
		if !ok {
			t.Fatal("no advice")
		}
		return advice.Squares, solver.Favour(p, advice).Squares
	}
	names := func(squares game.Bitboard) (names []string) {
		for s := range squares.All() {
			names = append(names, game.Classic().Name(s))
		}
		return names
	}
	for position, want := range map[string]string{
		".../.../...": "a1 c1 a3 c3", // only one reply holds
		"X../.O./...": "c3",          // the trap of the two corners
		"XX./.O./...": "c1",          // must block
		"XXO/OOX/X..": "b3 c3",       // nobody can win any more
	} {
		p, err := game.ParsePosition(game.Classic(), position)
		if err != nil {
			t.Fatal(err)
		}
		if _, few := favoured(p); strings.Join(names(few), " ") != want {
			t.Errorf("in %s it favours %v, want %s", position, names(few), want)
		}
	}
	engine, err := ai.NewEngine(ai.Unbeatable, solver, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range positions(game.Classic()) {
		if p.Legal() == 0 {
			continue
		}
		all, few := favoured(p)
		odds, err := engine.Odds(p)
		if err != nil {
			t.Fatal(err)
		}
		if few == 0 || few&^all != 0 || few&^odds.Squares() != 0 {
			t.Fatalf("in %s it favours %v of %v", p, names(few), names(all))
		}
	}
}
