package game_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
)

func TestNewRules(t *testing.T) {
	for _, test := range []struct {
		name               string
		width, height, run int
		ok                 bool
	}{
		{"classic", 3, 3, 3, true},
		{"the smallest", 1, 1, 1, true},
		{"the largest", 5, 5, 5, true},
		{"a run along the longer side only", 5, 1, 5, true},
		{"a run along the height only", 1, 5, 5, true},
		{"no columns", 0, 3, 3, false},
		{"no rows", 3, 0, 3, false},
		{"negative sizes", -3, -3, 3, false},
		{"too many columns", 6, 3, 3, false},
		{"too many rows", 3, 6, 3, false},
		{"sizes that overflow a byte", 259, 259, 259, false},
		{"no run", 3, 3, 0, false},
		{"a negative run", 3, 3, -1, false},
		{"a run longer than any side", 4, 3, 5, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			rules, err := game.NewRules(test.width, test.height, test.run)
			if !test.ok {
				if !errors.Is(err, game.ErrRules) || rules != (game.Rules{}) {
					t.Errorf("%v with error %v, want none and %v", rules, err, game.ErrRules)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := []int{rules.Width(), rules.Height(), rules.Run(), rules.Squares(), rules.Board().Len()}
			squares := test.width * test.height
			if diff := cmp.Diff([]int{test.width, test.height, test.run, squares, squares}, got); diff != "" {
				t.Errorf("width, height, run, squares, squares on the board (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseRules(t *testing.T) {
	if n := len(everyBoard(25)); n != 95 {
		t.Errorf("%d boards, want 95", n)
	}
	for _, rules := range append(everyRules(25), everyKeep(25)...) {
		if got, err := game.ParseRules(rules.String()); err != nil || got != rules {
			t.Errorf("%s was read as %s with error %v", rules, got, err)
		}
	}
	for _, text := range []string{
		"", "3", "3x3", "3x3x3x3", "xx", "3x3x", "03x3x3", "+3x3x3", "3 x3x3", "3X3X3", "3x3x3 ", "3x3xa", "３x3x3", "6x3x3", "3x3x4", "0x0x0",
	} {
		if got, err := game.ParseRules(text); !errors.Is(err, game.ErrRules) {
			t.Errorf("%q was read as %s with error %v, want %v", text, got, err, game.ErrRules)
		}
	}
	if got := game.Classic().String(); got != "3x3x3" {
		t.Errorf("classic is %s", got)
	}
}

func TestVariants(t *testing.T) {
	for _, test := range []struct {
		text, written string
		rules         game.Rules
		gravity       bool
		misere        bool
		keep          int
		vanish        bool
	}{
		{"5x4x4+gravity", "5x4x4+gravity", must(game.NewRules(5, 4, 4, game.Gravity())), true, false, 0, false},
		{"3x3x3+misere", "3x3x3+misere", must(game.NewRules(3, 3, 3, game.Misere())), false, true, 0, false},
		{"3x3x3+keep3", "3x3x3+keep3", must(game.NewRules(3, 3, 3, game.Keep(3))), false, false, 3, true},
		{"5x5x4+keep12", "5x5x4+keep12", must(game.NewRules(5, 5, 4, game.Keep(12))), false, false, 12, true},
		{"3x3x3+keep5", "3x3x3+keep5", must(game.NewRules(3, 3, 3, game.Keep(5))), false, false, 5, false},
		{"4x4x4+misere+gravity", "4x4x4+gravity+misere", must(game.NewRules(4, 4, 4, game.Gravity(), game.Misere())), true, true, 0, false},
	} {
		t.Run(test.text, func(t *testing.T) {
			got, err := game.ParseRules(test.text)
			if err != nil || got != test.rules || got.String() != test.written {
				t.Fatalf("read as %s with error %v, want %s", got, err, test.rules)
			}
			if got.Gravity() != test.gravity || got.Misere() != test.misere || got.Keep() != test.keep || got.Vanish() != test.vanish {
				t.Errorf("gravity %t, misere %t, keep %d, vanish %t; want %t, %t, %d, %t", got.Gravity(), got.Misere(), got.Keep(), got.Vanish(),
					test.gravity, test.misere, test.keep, test.vanish)
			}
			if again := must(game.NewRules(got.Width(), got.Height(), got.Run(), got.Variants()...)); again != got {
				t.Errorf("made again from its variants it is %s", again)
			}
		})
	}
}

func TestRulesAreRefusedWithTheReason(t *testing.T) {
	for text, reason := range map[string]string{
		"4x3x5":                 "a run is 1 to 4 there",
		"6x6x4":                 "sides are 1 to 5",
		"3x3x3+keep2":           "so few marks never make 3 in a row",
		"3x3x3+keep0":           "so few marks never make 3 in a row",
		"3x3x3+keep-3":          "so few marks never make 3 in a row",
		"3x3x3+keep9":           "a side never has so many marks on 9 squares",
		"3x3x3+keep999":         "a side never has so many marks on 9 squares",
		"3x3x3+keep":            "the number of marks to keep",
		"3x3x3+keep03":          "the number of marks to keep",
		"3x3x3+keepthree":       "the number of marks to keep",
		"4x4x3+keep4+gravity":   "keep4 with gravity",
		"4x4x3+gravity+keep4":   "keep4 with gravity",
		"3x3x3+misere+keep3":    "keep3 with misere",
		"3x3x3+misere+misere":   "misere twice",
		"3x3x3+keep3+keep4":     "keep twice",
		"4x4x4+gravity+gravity": "gravity twice",
		"3x3x3+torus":           "unknown variant",
		"3x3x3+":                "unknown variant",
		"3x3x3+Misere":          "unknown variant",
		"3x3x3 +misere":         "write columns x rows x run",
		"+misere":               "write columns x rows x run",
		"Classic":               "classic, 4x4, 5x5, infinite, drop, drop-5x5, misere",
	} {
		rules, err := game.ParseRules(text)
		if !errors.Is(err, game.ErrRules) || rules != (game.Rules{}) || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q was read as %s with error %v, want it to say %q", text, rules, err, reason)
		}
	}
	if rules, err := game.NewRules(3, 3, 3, game.Variant{}); !errors.Is(err, game.ErrRules) {
		t.Errorf("the zero variant gives %s and error %v", rules, err)
	}
}

func TestOffered(t *testing.T) {
	var got []string
	for _, offer := range game.Offered() {
		got = append(got, offer.Name+" "+offer.Rules.String())
		if rules, err := game.ParseRules(offer.Name); err != nil || rules != offer.Rules || rules.Title() != offer.Name {
			t.Errorf("%s was read as %s, called %s, with error %v", offer.Name, rules, rules.Title(), err)
		}
		if rules, is := game.OnOffer(offer.Name); !is || rules != offer.Rules {
			t.Errorf("%s is %s, on offer: %t", offer.Name, rules, is)
		}
		if rules, err := game.ParseRules(offer.Rules.String()); err != nil || rules != offer.Rules {
			t.Errorf("%s was read as %s with error %v", offer.Rules, rules, err)
		}
	}
	want := []string{
		"classic 3x3x3", "4x4 4x4x4", "5x5 5x5x4", "infinite 3x3x3+keep3",
		"drop 5x4x4+gravity", "drop-5x5 5x5x4+gravity", "misere 3x3x3+misere",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("offered (-want +got):\n%s", diff)
	}
	if got := must(game.NewRules(4, 3, 3)).Title(); got != "4x3x3" {
		t.Errorf("the title of a rule set that is not offered is %s", got)
	}
	for _, text := range []string{"", "3x3x3", "Classic", "4x3x3"} {
		if rules, is := game.OnOffer(text); is {
			t.Errorf("%q is the name of %s", text, rules)
		}
	}
}

func TestSquareNames(t *testing.T) {
	rules := must(game.NewRules(4, 3, 3))
	var names []string
	for s := range rules.Board().All() {
		names = append(names, rules.Name(s))
	}
	want := []string{"a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2", "a3", "b3", "c3", "d3"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if got := rules.Name(12); got != "?" {
		t.Errorf("off the board is %s", got)
	}

	for _, rules := range everyRules(25) {
		for s := range rules.Board().All() {
			if got, err := rules.ParseSquare(rules.Name(s)); err != nil || got != s {
				t.Errorf("%s: %s was read as %d with error %v, want %d", rules, rules.Name(s), got, err, s)
			}
		}
	}
	for _, name := range []string{"", "a", "1", "11", "aa", "a0", "a4", "e1", "A1", "1a", " a1", "a1 ", "a10", "?", "ａ1"} {
		if got, err := rules.ParseSquare(name); !errors.Is(err, game.ErrSquare) {
			t.Errorf("%q was read as %d with error %v, want %v", name, got, err, game.ErrSquare)
		}
	}
	for _, rules := range []game.Rules{{}, game.Classic()} {
		if _, err := rules.ParseSquare("d4"); !errors.Is(err, game.ErrSquare) {
			t.Errorf("%s: error %v, want %v", rules, err, game.ErrSquare)
		}
	}
}

func TestBitboard(t *testing.T) {
	set := game.SetOf(8, 0, 24, 8)
	if diff := cmp.Diff([]game.Square{0, 8, 24}, slices.Collect(set.All())); diff != "" {
		t.Errorf("squares (-want +got):\n%s", diff)
	}
	if set.Len() != 3 || !set.Has(24) || set.Has(1) || set.Has(255) {
		t.Errorf("%d squares; has 24: %t, 1: %t, 255: %t", set.Len(), set.Has(24), set.Has(1), set.Has(255))
	}
	for s := range set.All() {
		if s == 8 {
			break // a visit may end early
		}
	}
}

func TestMark(t *testing.T) {
	for mark, want := range map[game.Mark]struct {
		text     string
		opponent game.Mark
	}{game.X: {"X", game.O}, game.O: {"O", game.X}, game.None: {".", game.None}} {
		if mark.String() != want.text || mark.Opponent() != want.opponent {
			t.Errorf("%s against %s, want %s against %s", mark, mark.Opponent(), want.text, want.opponent)
		}
	}
}
