package game_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
)

func TestSymmetries(t *testing.T) {
	t.Run("a square board has eight different ones", func(t *testing.T) {
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

	t.Run("a rectangle has four", func(t *testing.T) {
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

	t.Run("every one maps lines to lines and no two squares to one", func(t *testing.T) {
		for _, rules := range everyRules(25) {
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
					t.Errorf("%s, symmetry %d: the squares go to %b", rules, y, board)
				}
				for line := range lines {
					var image game.Bitboard
					for s := range line.All() {
						image |= game.SetOf(rules.Image(s, y))
					}
					if !lines[image] {
						t.Errorf("%s, symmetry %d: line %b goes to %b, which is none", rules, y, line, image)
					}
				}
			}
		}
	})
}

func TestCanonical(t *testing.T) {
	for _, rules := range []game.Rules{game.Classic(), must(game.NewRules(3, 2, 2)), must(game.NewRules(4, 1, 2))} {
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
						if image.Outcome() != p.Outcome() || image.Turn() != p.Turn() || image.Starter() != starter {
							t.Fatalf("%s %s and its image %s do not stand alike", rules, p, image)
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
