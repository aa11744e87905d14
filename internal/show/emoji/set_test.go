package emoji_test

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tictactoe/game"
	"tictactoe/internal/show/emoji"
	"tictactoe/internal/show/picture"
)

var update = flag.Bool("update", false, "draw the pictures again")

func TestThePicturesOfEmojiAreUpToDate(t *testing.T) {
	drawn := make(map[string]bool)
	for _, e := range emoji.Set() {
		name := strings.TrimPrefix(emoji.Of("", e.Mark, e.Look).Name, "mark_")
		if drawn[name] {
			continue
		}
		drawn[name] = true
		want := picture.Tile(e.Mark, e.Look, emoji.Size)
		file := "tiles/" + name + ".png"
		if *update {
			var b bytes.Buffer
			if err := png.Encode(&b, want); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := png.Decode(bytes.NewReader(e.Picture()))
		if err != nil {
			t.Fatal(err)
		}
		if got.Bounds() != want.Bounds() {
			t.Fatalf("%s is %v large, want %v", file, got.Bounds(), want.Bounds())
		}
		for y := range emoji.Size {
			for x := range emoji.Size {
				r, g, b, a := got.At(x, y).RGBA()
				wr, wg, wb, wa := want.At(x, y).RGBA()
				// A PNG file stores colours without premultiplied opacity, so they lose some precision where the opacity is low.
				if far(a, wa) || far(r, wr) || far(g, wg) || far(b, wb) {
					t.Fatalf("%s differs from the drawing at %d, %d: run the test with -update", file, x, y)
				}
			}
		}
	}
	files, err := os.ReadDir("tiles")
	if err != nil || len(files) != len(drawn) {
		t.Errorf("%d pictures are drawn, but %d have files (%v)", len(drawn), len(files), err)
	}
}

// far reports whether two colour values differ by more than the floating-point arithmetic of other processors explains.
func far(a, b uint32) bool { return max(a, b)-min(a, b) > 3<<8 }

func TestNamesOfEmojiDescribeSquares(t *testing.T) {
	for _, c := range []struct {
		square string
		mark   game.Mark
		look   picture.Look
		want   string
	}{
		{"a1", game.None, picture.Plain, "a1_empty"},
		{"a1", game.None, picture.Better, "a1_better"},
		{"b2", game.X, picture.Plain, "b2_x"},
		{"b2", game.X, picture.Last, "b2_x_last"},
		{"c3", game.O, picture.Winning, "c3_o_wins"},
		{"c1", game.X, picture.Leaving, "c1_x_leaves"},
		{"a3", game.O, picture.Losing, "a3_o_loses"},
		{"", game.O, picture.Plain, "mark_o"},
	} {
		if got := emoji.Of(c.square, c.mark, c.look).Name; got != c.want {
			t.Errorf("the emoji is called %q, want %q", got, c.want)
		}
	}
}

func TestMatchesHaveTheirPicturesFirst(t *testing.T) {
	var looks []picture.Look
	squares := map[string]bool{}
	for _, e := range emoji.Set()[:2+9*7] { // two marks for texts, and for each square of the smallest board the empty square and either mark in three states
		name, _, _ := strings.Cut(e.Name, "_")
		squares[name] = true
		if !slices.Contains(looks, e.Look) {
			looks = append(looks, e.Look)
		}
	}
	if len(squares) != 10 || len(looks) != 3 {
		t.Errorf("the first pictures are of %d squares in %v", len(squares), looks)
	}
	stars := 0
	for _, e := range slices.Backward(emoji.Set()) {
		if e.Look != picture.Better {
			break
		}
		stars++
	}
	if stars != 25 {
		t.Errorf("the last %d pictures are stars, want 25", stars)
	}
}

func TestTheSetFitsDiscordsLimits(t *testing.T) {
	valid := regexp.MustCompile(`^[A-Za-z0-9_]{2,32}$`)
	names := make(map[string]bool)
	for _, e := range emoji.Set() {
		if !valid.MatchString(e.Name) || names[e.Name] {
			t.Errorf("Discord would refuse the name %q", e.Name)
		}
		names[e.Name] = true
		if size := len(e.Picture()); size > 256<<10 {
			t.Errorf("the picture of %s has %d bytes", e.Name, size)
		}
	}
	t.Logf("%d emoji", len(names))
	for _, name := range []string{"a1_empty", "e5_o_last", "e4_x_wins", "c3_o_leaves", "b2_x_loses", "mark_x", "d4_better"} {
		if !names[name] {
			t.Errorf("the set has no %s", name)
		}
	}
	if names["e5_x_leaves"] || names["e5_x_loses"] {
		t.Error("the set has an emoji that no board shows")
	}
}
