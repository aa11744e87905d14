package game_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"tictactoe/game"
)

func FuzzParsePosition(f *testing.F) {
	for _, text := range []string{"X.O/.X./..O", "xox/oxo/...", "XXX/OO./...", "XX/..", "", "❌⭕./.../...", "////", "XXXX./OOO.O/XXXX./OOO..", "X../.O./... O", ".../.../... O"} {
		f.Add("3x3x3", text)
		f.Add("5x4x4", text)
		f.Add("3x3x3+misere", text)
		f.Add("4x4x3+gravity", text)
		f.Add("infinite", text)
	}
	f.Add("4x3x3+gravity", "O.../OXO./XXX.")
	for _, text := range []string{"X:a1,b2 O:c3 O", "X: O: X", "X:a1,a1 O: X", "X:a1,b1,c1 O:a2,b2,c3 O", "X:a1,b2,c2 O:a2,b3,c1 O"} {
		f.Add("infinite", text)
		f.Add("4x4x3+keep4", text)
	}
	f.Fuzz(func(t *testing.T, rulesText, text string) {
		rules, err := game.ParseRules(rulesText)
		if err != nil {
			t.Skip()
		}
		p, err := game.ParsePosition(rules, text)
		if err != nil {
			var refused *game.PositionError
			if !errors.As(err, &refused) || len(refused.Problems) == 0 {
				t.Fatalf("error %v names no problem", err)
			}
			if !slices.IsSorted(refused.Problems) || len(slices.Compact(slices.Clone(refused.Problems))) != len(refused.Problems) {
				t.Fatalf("problems %v are unsorted or repeated", refused.Problems)
			}
			return
		}
		if again, err := game.ParsePosition(rules, p.String()); err != nil || again != p {
			t.Fatalf("%s was read again as %s with error %v", p, again, err)
		}
		// The position has the squares and the side to move of the text.
		squares := strings.NewReplacer("/", "", " ", ".").Replace(strings.ToUpper(text))
		if !rules.Vanish() {
			board, turn := squares[:rules.Squares()], squares[rules.Squares():]
			if board != strings.ReplaceAll(drawn(p), "/", "") || turn != "" && turn != "."+p.Turn().String() {
				t.Fatalf("%q was read as %s", text, p)
			}
		}
		judgeOf(p.Rules()).check(t, p)
	})
}

func FuzzParseSquare(f *testing.F) {
	for _, name := range []string{"a1", "c3", "e5", "A1", "1a", "", "a", "a11", "`1", "f1"} {
		f.Add("3x3x3", name)
		f.Add("5x5x4", name)
	}
	f.Fuzz(func(t *testing.T, rulesText, name string) {
		rules, err := game.ParseRules(rulesText)
		if err != nil {
			t.Skip()
		}
		s, err := rules.ParseSquare(name)
		if err != nil {
			if !errors.Is(err, game.ErrSquare) {
				t.Fatalf("error %v is not %v", err, game.ErrSquare)
			}
			return
		}
		if !rules.Board().Has(s) || rules.Name(s) != name {
			t.Fatalf("%q was read as %d, which is written %q", name, s, rules.Name(s))
		}
	})
}

func FuzzParseRules(f *testing.F) {
	for _, text := range []string{
		"3x3x3", "5x4x4", "1x1x1", "3x3x4", "03x3x3", "3x3", "x", "9x9x9", "", "classic", "infinite", "5x4x4+gravity",
		"3x3x3+keep3", "3x3x3+keep03", "3x3x3+keep-3", "3x3x3+misere+gravity", "3x3x3+", "3x3x3++misere",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := game.ParseRules(text)
		if err != nil {
			if !errors.Is(err, game.ErrRules) || rules != (game.Rules{}) {
				t.Fatalf("error %v with rules %s", err, rules)
			}
			return
		}
		inOrder := func(text string) []string { return slices.Sorted(strings.SplitSeq(text, "+")) }
		if rules.Title() != text && !slices.Equal(inOrder(rules.String()), inOrder(text)) {
			t.Fatalf("%q was read as %s", text, rules)
		}
		for _, text := range []string{rules.String(), rules.Title()} {
			if again, err := game.ParseRules(text); err != nil || again != rules {
				t.Fatalf("%q was read as %s with error %v", text, again, err)
			}
		}
		again, err := game.NewRules(rules.Width(), rules.Height(), rules.Run(), rules.Variants()...)
		if err != nil || again != rules {
			t.Fatalf("%s was made again as %s with error %v", rules, again, err)
		}
	})
}

// FuzzReplay plays any bytes as moves: a square is playable exactly when it is legal, and replaying the moves of a record gives
// an equal record.
func FuzzReplay(f *testing.F) {
	for _, offer := range game.Offered() {
		f.Add(offer.Name, []byte{4, 0, 2, 6, 5, 3})
		f.Add(offer.Name, []byte{12, 6, 7, 11, 13, 18, 8, 3})
		f.Add(offer.Name, []byte{20, 15, 21, 16, 22, 17})
	}
	f.Add("3x3x3", []byte{0, 0})
	f.Add("3x3x3", []byte{9, 255})
	f.Add("2x1x1", []byte{1, 0})
	f.Add("infinite", bytes.Repeat([]byte{0, 2, 1, 3, 5, 7, 8, 6}, 3))
	f.Fuzz(func(t *testing.T, rulesText string, moves []byte) {
		rules, err := game.ParseRules(rulesText)
		if err != nil {
			t.Skip()
		}
		j := judgeOf(rules)
		record := game.NewRecord(game.Start(rules))
		for _, move := range moves {
			p := record.Position()
			j.check(t, p)
			s := game.Square(move)
			next, err := record.Play(s)
			if playable := record.Outcome() == game.InProgress && p.Legal().Has(s); playable != (err == nil) {
				t.Fatalf("%s, %s: playing %d gives error %v, legal are %b", p, record.Outcome(), s, err, p.Legal())
			}
			replayed, replayErr := game.Replay(rules, append(record.Squares(), s)...)
			if (err == nil) != (replayErr == nil) || err == nil && !replayed.Equal(next) {
				t.Fatalf("%s: %d gives error %v, replayed error %v", p, s, err, replayErr)
			}
			var illegal *game.IllegalMoveError
			if err != nil && (!errors.As(err, &illegal) || illegal.Position != p || illegal.Square != s) {
				t.Fatalf("%s: the error of %d is %v", p, s, err)
			}
			record = next
		}
		if !rules.Vanish() && record.Position().Ply() != record.Len() {
			t.Fatalf("%d moves, %d marks", record.Len(), record.Position().Ply())
		}
		if outcome := record.Position().Outcome(); outcome != game.InProgress && record.Outcome() != outcome ||
			record.Len() > game.MaxPlies {
			t.Fatalf("after %d moves %s, the position %s", record.Len(), record.Outcome(), outcome)
		}
	})
}
