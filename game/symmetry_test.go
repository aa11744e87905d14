package game_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
)

func TestSymmetries(t *testing.T) {
	t.Run("a square board has eight different symmetries", func(t *testing.T) {
		p := must(game.ParsePosition(game.Classic(), "XO./.../..."))
		var got []string
		for _, y := range game.Classic().Symmetries() {
			got = append(got, p.Image(y).String())
		}
		want := []string{
			"XO./.../...", ".OX/.../...", ".../.../XO.", ".../.../.OX",
			"X../O../...", ".../O../X..", "..X/..O/...", ".../..O/..X",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("images (-want +got):\n%s", diff)
		}
	})

	t.Run("a rectangle has four symmetries", func(t *testing.T) {
		rules := must(game.NewRules(4, 3, 3))
		p := must(game.ParsePosition(rules, "XO../..../...."))
		var got []string
		for _, y := range rules.Symmetries() {
			got = append(got, p.Image(y).String())
		}
		want := []string{"XO../..../....", "..OX/..../....", "..../..../XO..", "..../..../..OX"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("images (-want +got):\n%s", diff)
		}
	})

	t.Run("a board with gravity has two symmetries", func(t *testing.T) {
		p := must(game.ParsePosition(must(game.ParseRules("3x3x3+gravity")), ".../X../OX."))
		var got []string
		for _, y := range p.Rules().Symmetries() {
			got = append(got, p.Image(y).String())
		}
		if diff := cmp.Diff([]string{".../X../OX.", ".../..X/.XO"}, got); diff != "" {
			t.Errorf("images (-want +got):\n%s", diff)
		}
	})

	t.Run("the image of a position keeps the order of its marks", func(t *testing.T) {
		p := must(game.ParsePosition(must(game.ParseRules("infinite")), "X:a1,b2,a2 O:c1,b1 O"))
		if got, want := p.Image(p.Rules().Symmetries()[1]).String(), "X:c1,b2,c2 O:a1,b1 O"; got != want {
			t.Errorf("mirrored it is %s, want %s", got, want)
		}
	})

	t.Run("every symmetry maps lines to lines and is a permutation of the squares", func(t *testing.T) {
		for _, rules := range append(everyRules(25), everyKeep(16)...) {
			lines := map[game.Bitboard]bool{}
			for _, line := range judgeOf(rules).lines {
				lines[game.SetOf(line...)] = true
			}
			for _, y := range rules.Symmetries() {
				var board game.Bitboard
				for s := range rules.Board().All() {
					board |= game.SetOf(rules.Image(s, y))
				}
				if board != rules.Board() {
					t.Errorf("%s, symmetry %d: the board is mapped to %b", rules, y, board)
				}
				for line := range lines {
					var image game.Bitboard
					for s := range line.All() {
						image |= game.SetOf(rules.Image(s, y))
					}
					if !lines[image] {
						t.Errorf("%s, symmetry %d: line %b is mapped to %b, which is not a line", rules, y, line, image)
					}
				}
			}
		}
	})
}

func TestCanonical(t *testing.T) {
	for _, text := range []string{
		"3x3x3", "3x2x2", "4x1x2", "3x3x3+gravity", "2x3x2+gravity", "3x2x3+misere", "3x2x2+keep2", "5x1x2+keep2", "2x2x2+keep2",
	} {
		rules := must(game.ParseRules(text))
		for _, starter := range []game.Mark{game.X, game.O} {
			for _, layer := range reachable(game.StartWith(rules, starter)) {
				for _, p := range layer {
					canonical := p.Canonical()
					isImage := false
					for _, y := range rules.Symmetries() {
						image := p.Image(y)
						if image.Canonical() != canonical {
							t.Fatalf("%s %s and its image %s have different canonical positions", rules, p, image)
						}
						if image.Outcome() != p.Outcome() || image.Turn() != p.Turn() || image.Starter() != p.Starter() {
							t.Fatalf("%s %s and its image %s differ in outcome, side to move or starter", rules, p, image)
						}
						for s, next := range p.Moves() {
							if after, err := image.Play(rules.Image(s, y)); err != nil || after != next.Image(y) {
								t.Fatalf("%s %s and its image %s differ after the same move", rules, p, image)
							}
						}
						isImage = isImage || image == canonical
					}
					if !isImage {
						t.Fatalf("%s: the canonical position %s of %s is no image of it", rules, canonical, p)
					}
				}
			}
		}
	}
}
