package picture_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"math"
	"os"
	"strings"
	"testing"

	"tictactoe/game"
	"tictactoe/internal/show/picture"
)

// shown is a game, and whether it is over for a reason other than its moves.
type shown struct {
	rules, moves string
	over         bool
}

// boards lists the games whose boards are in testdata, by the name of the file.
var boards = map[string]shown{
	"empty":     {rules: "classic"},
	"last":      {rules: "classic", moves: "b2 a1 c3"},
	"won":       {rules: "classic", moves: "a1 a2 b1 b2 c1"},
	"two-lines": {rules: "classic", moves: "a1 b1 c1 a2 a3 c2 c3 b3 b2"},
	"drawn":     {rules: "classic", moves: "a1 b1 c1 b2 a2 c2 b3 a3 c3"},
	"leaving":   {rules: "infinite", moves: "a1 b2 c3 a3 c1 b1 b3"},
	"resigned":  {rules: "infinite", moves: "a1 b2 c3 a3 c1 b1 b3", over: true},
	"misere":    {rules: "misere", moves: "a1 a2 b1 b2 c1"},
	"drop":      {rules: "drop", moves: "c4 c3 d4 b4 c2 d3"},
	"5x5":       {rules: "5x5", moves: "c3 a1 c2 b5 c4 e1 d2 a2 c1 "},
	"2x1":       {rules: "2x1x2", moves: "b1"},
}

// record returns the game with the moves of g.
func record(t testing.TB, g shown) game.Record {
	t.Helper()
	rules, err := game.ParseRules(g.rules)
	if err != nil {
		t.Fatal(err)
	}
	var squares []game.Square
	for name := range strings.FieldsSeq(g.moves) {
		s, err := rules.ParseSquare(name)
		if err != nil {
			t.Fatal(err)
		}
		squares = append(squares, s)
	}
	r, err := game.Replay(rules, squares...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func boardOf(t testing.TB, g shown) picture.Board { return picture.BoardOf(record(t, g), g.over) }

func boardPNG(t testing.TB, b picture.Board, size int) []byte {
	t.Helper()
	file, err := b.PNG(size)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// golden compares a picture with a file in testdata, or writes the file if the flag update is set.
func golden(t *testing.T, name string, got []byte, same func(got, want []byte) bool) {
	t.Helper()
	file := "testdata/" + name
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !same(got, want) {
		t.Errorf("the drawing differs from %s: run the test with -update and look at the picture", file)
	}
}

// samePixels returns a function that compares pictures by their pixels, because the bytes also depend on the compression of the Go
// release.
func samePixels(t *testing.T) func(a, b []byte) bool {
	return func(a, b []byte) bool { return bytes.Equal(pixels(t, a), pixels(t, b)) }
}

func TestBoardsEqualTheirGoldens(t *testing.T) {
	t.Parallel()
	for name, g := range boards {
		b := boardOf(t, g)
		golden(t, "board-"+name+".png", boardPNG(t, b, picture.MinSize), samePixels(t))
	}
	golden(t, "board-large.png", boardPNG(t, boardOf(t, boards["leaving"]), 1024), samePixels(t))
}

func TestTheSameBoardIsTheSameFile(t *testing.T) {
	t.Parallel()
	for name, g := range boards {
		if first := boardPNG(t, boardOf(t, g), 300); !bytes.Equal(first, boardPNG(t, boardOf(t, g), 300)) {
			t.Errorf("%s was drawn twice, and the files differ", name)
		}
	}
}

func TestThePictureOfABoardIsOpaqueAndAsLargeAsAsked(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]image.Point{
		128: {128, 128}, 333: {333, 333}, 1024: {1024, 1024}, 2048: {2048, 2048},
	} {
		img := decode(t, boardPNG(t, boardOf(t, boards["5x5"]), size))
		if got := img.Bounds().Size(); got != want {
			t.Errorf("%d pixels: %v", size, got)
		}
		if o, ok := img.(interface{ Opaque() bool }); !ok || !o.Opaque() {
			t.Errorf("%d pixels: the picture is not opaque", size)
		}
	}
	if got := decode(t, boardPNG(t, boardOf(t, boards["drop"]), 565)).Bounds().Size(); got != image.Pt(565, 465) {
		t.Errorf("a board of five columns and four rows is %v", got)
	}
}

func TestPicturesOfInvalidSizesAreRefused(t *testing.T) {
	t.Parallel()
	b, r := boardOf(t, boards["won"]), record(t, boards["won"])
	for _, size := range []int{-1, 0, 127, 2049, math.MaxInt} {
		if _, err := b.PNG(size); err == nil || !strings.Contains(err.Error(), "128 to 2048") {
			t.Errorf("a PNG of %d pixels: %v", size, err)
		}
		if _, err := picture.GIF(r, true, size); err == nil {
			t.Errorf("a GIF of %d pixels", size)
		}
	}
}

// TestTheSquaresOfABoardAreTheTiles tests that a picture of a board shows the same tiles as the emoji.
func TestTheSquaresOfABoardAreTheTiles(t *testing.T) {
	t.Parallel()
	const size = 1024
	for name, want := range map[string]map[string]kind{
		"leaving": {"c1": {game.X, picture.Plain}, "b2": {game.O, picture.Leaving}, "b3": {game.X, picture.Last}, "a2": {game.None, picture.Plain}},
		"won":     {"a1": {game.X, picture.Winning}, "c1": {game.X, picture.Winning}, "b2": {game.O, picture.Plain}},
		"misere":  {"b1": {game.X, picture.Losing}},
		"resigned": {
			"b2": {game.O, picture.Plain}, "b3": {game.X, picture.Last}, // no mark leaves any more
		},
	} {
		b, rules := boardOf(t, boards[name]), record(t, boards[name]).Position().Rules()
		img := decode(t, boardPNG(t, b, size))
		for square, k := range want {
			at, err := rules.ParseSquare(square)
			if err != nil {
				t.Fatal(err)
			}
			for _, other := range tiles() {
				if got := alike(img, picture.TileIn(b, size, at), other); got != (other == k) {
					t.Errorf("%s, %s: it looks like %q: %v", name, square, other, got)
				}
			}
		}
	}
}

// alike reports whether a part of a picture shows a tile on its background. It ignores blended colours at edges.
func alike(img image.Image, part image.Rectangle, k kind) bool {
	want := image.NewRGBA(image.Rectangle{Max: part.Size()})
	draw.Draw(want, want.Rect, image.NewUniform(rgb(ground(k))), image.Point{}, draw.Src)
	draw.Draw(want, want.Rect, picture.Tile(k.mark, k.look, part.Dx()), image.Point{}, draw.Over)
	off := 0
	for y := range part.Dy() {
		for x := range part.Dx() {
			a, b := want.RGBAAt(x, y), color.RGBAModel.Convert(img.At(part.Min.X+x, part.Min.Y+y)).(color.RGBA)
			if apart(a.R, b.R)+apart(a.G, b.G)+apart(a.B, b.B) > 50 {
				off++
			}
		}
	}
	return off < part.Dx()*part.Dy()/100
}

func apart(a, b uint8) int { return int(max(a, b) - min(a, b)) }

func TestBoardsHaveTheColoursOfTheirButtons(t *testing.T) {
	t.Parallel()
	for name, ink := range picture.BoardInks {
		if ink != rgb(buttons[name]) {
			t.Errorf("a square is %v where the button is %q, %06x", ink, name, buttons[name])
		}
	}
}

// TestABoardStandsOutFromAnyPage tests that the names of columns are readable, and that the edge of the picture is visible in both
// themes.
func TestABoardStandsOutFromAnyPage(t *testing.T) {
	t.Parallel()
	for name, see := range eyes {
		if got := contrast(see(linear(picture.BoardText)), see(linear(picture.BoardGround))); got < pressable {
			t.Errorf("%s: the names of columns have a contrast of %.1f", name, got)
		}
		for page, behind := range pages {
			if got := contrast(see(linear(picture.CardEdge)), see(linear(rgb(behind)))); got < disabled {
				t.Errorf("%s: the edge on the %s page has a contrast of %.1f", name, page, got)
			}
		}
	}
}

// TestSquaresTellApartOnTheSmallestPicture compares, for each kind of colour vision, the lightness of any two squares of a picture
// of five columns.
func TestSquaresTellApartOnTheSmallestPicture(t *testing.T) {
	t.Parallel()
	const size, least = 18, 0.1 // a tile is 18 pixels wide there
	for name, see := range eyes {
		all := tiles()
		for i, a := range all {
			for _, b := range all[:i] {
				got := difference(lightness(a, size, ground(a), see), lightness(b, size, ground(b), see))
				if a.look != picture.Better && b.look != picture.Better && got < least {
					t.Errorf("%s: %v and %v differ by %.3f, want at least %.2f", name, a, b, got, least)
				}
			}
		}
	}
}

// ground returns the colour behind a tile.
func ground(k kind) uint32 {
	switch k.look {
	case picture.Winning:
		return buttons["green"]
	case picture.Losing:
		return buttons["red"]
	default:
		return buttons["grey on dark"]
	}
}
