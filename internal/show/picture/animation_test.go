package picture_test

import (
	"bytes"
	"errors"
	"image"
	"image/draw"
	"image/gif"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
	"tictactoe/internal/show/picture"
)

// endless are the moves of a game that reaches the same position repeatedly until it is drawn.
const endless = "a1 a2 b1 b2 c2 c1 b3 c3 a1 a2 b1 b2 c2 c1 b3 c3 a1 a2 b1 b2 c2 c1"

// games lists the games whose animations are in testdata, by the name of the file.
var games = map[string]shown{
	"won":      boards["won"],
	"resigned": boards["resigned"],
	"drop":     boards["drop"],
	"endless":  {rules: "infinite", moves: endless, over: true},
}

func animated(t testing.TB, r game.Record, over bool) *gif.GIF {
	t.Helper()
	g, err := gif.DecodeAll(bytes.NewReader(animation(t, r, over, picture.AnimationSize(r))))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func animation(t testing.TB, r game.Record, over bool, size int) []byte {
	t.Helper()
	file, err := picture.GIF(r, over, size)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// frames returns the pictures of an animation as a viewer shows them, each drawn over the pictures before it.
func frames(g *gif.GIF) (all [][]byte) {
	screen := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	for _, img := range g.Image {
		draw.Draw(screen, img.Rect, img, img.Rect.Min, draw.Over)
		all = append(all, slices.Clone(screen.Pix))
	}
	return all
}

func TestAnimationsEqualTheirGoldens(t *testing.T) {
	t.Parallel()
	same := func(a, b []byte) bool {
		got, err := gif.DecodeAll(bytes.NewReader(a))
		if err != nil {
			t.Fatal(err)
		}
		want, err := gif.DecodeAll(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		return slices.EqualFunc(frames(got), frames(want), bytes.Equal) && slices.Equal(got.Delay, want.Delay)
	}
	for name, g := range games {
		golden(t, "game-"+name+".gif", animation(t, record(t, g), g.over, picture.MinSize), same)
	}
}

func TestTheSameGameIsTheSameFile(t *testing.T) {
	t.Parallel()
	for name, g := range games {
		if r := record(t, g); !bytes.Equal(animation(t, r, g.over, 200), animation(t, r, g.over, 200)) {
			t.Errorf("%s was drawn twice, and the files differ", name)
		}
	}
}

// TestAnAnimationShowsTheBoardAfterEachMove compares the pictures that a viewer shows with the picture of each position.
func TestAnAnimationShowsTheBoardAfterEachMove(t *testing.T) {
	t.Parallel()
	for name, g := range games {
		r, size := record(t, g), picture.MinSize
		file, err := gif.DecodeAll(bytes.NewReader(animation(t, r, g.over, size)))
		if err != nil {
			t.Fatal(err)
		}
		shown := frames(file)
		if line := r.Position().Line(); line != 0 {
			shown = slices.Delete(shown, len(shown)-2, len(shown)-1) // the last move, before its line
		}
		if len(shown) != r.Len()+1 {
			t.Errorf("%s: %d pictures for %d moves", name, len(shown), r.Len())
			continue
		}
		for move, got := range shown {
			b := picture.BoardOf(r.First(move), g.over && move == r.Len())
			if want := pixels(t, boardPNG(t, b, size)); !bytes.Equal(got, want) {
				t.Errorf("%s: picture %d is not the board after %d moves", name, move, move)
			}
		}
	}
}

func TestAnAnimationDrawsOnlyWhatChanges(t *testing.T) {
	t.Parallel()
	g := animated(t, record(t, boards["won"]), false)
	cell := picture.TileIn(boardOf(t, boards["won"]), g.Config.Width, 0).Dx()
	square := g.Image[1].Rect.Dx() * g.Image[1].Rect.Dy()
	for i, img := range g.Image[1 : len(g.Image)-1] { // the last picture draws the line
		wide, high := img.Rect.Dx(), img.Rect.Dy()
		if i == 0 && (wide > 2*cell || high > 2*cell) {
			t.Errorf("the first move changes one square, and %v is drawn", img.Rect)
		}
		clear := 0
		for _, c := range img.Pix {
			if _, _, _, a := img.Palette[c].RGBA(); a == 0 {
				clear++
			}
		}
		if drawn := wide*high - clear; drawn > 2*square { // the new mark, and the one before without its frame
			t.Errorf("picture %d draws %d pixels, and a square has %d", i+1, drawn, square)
		}
	}
}

func TestAnAnimationEndsWithItsLineAndBeginsAnew(t *testing.T) {
	t.Parallel()
	g := animated(t, record(t, boards["won"]), false)
	if g.LoopCount != 0 {
		t.Errorf("the animation is shown %d times, want for ever", g.LoopCount)
	}
	want := []int{100, 80, 80, 80, 80, 70, 400} // the empty board, four moves, the fifth move, and its line
	if diff := cmp.Diff(want, g.Delay); diff != "" {
		t.Error(diff)
	}
}

func TestAGameWithoutMovesIsNotAnimated(t *testing.T) {
	t.Parallel()
	if _, err := picture.GIF(record(t, boards["empty"]), true, 384); !errors.Is(err, picture.ErrNoMoves) {
		t.Error(err)
	}
}

// maxAnimation is the largest allowed size in bytes of an animation with its [picture.AnimationSize].
const maxAnimation = 100 << 10

// TestAnimationsAreSmall plays random games with every offered rule set, and checks the sizes of their animations. If marks vanish,
// it uses long games.
func TestAnimationsAreSmall(t *testing.T) {
	t.Parallel()
	for _, offer := range game.Offered() {
		largest, small := 0, picture.MaxSize
		for seed := range uint64(12) {
			r := randomGame(t, offer.Rules, seed)
			size := picture.AnimationSize(r)
			n := len(animation(t, r, true, size))
			if n > maxAnimation {
				t.Errorf("%s: %d moves take %d bytes at %d pixels, want at most %d", offer.Name, r.Len(), n, size, maxAnimation)
			}
			largest, small = max(largest, n), min(small, size)
		}
		t.Logf("%s: at most %d bytes, at least %d pixels", offer.Name, largest, small)
	}
}

// randomGame returns a game of random moves that do not end the game, as long as there are such moves.
func randomGame(t testing.TB, rules game.Rules, seed uint64) game.Record {
	t.Helper()
	random, r := rand.New(rand.NewPCG(seed, 1)), game.NewRecord(game.Start(rules))
	for r.Outcome() == game.InProgress {
		legal := slices.Collect(r.Position().Legal().All())
		random.Shuffle(len(legal), func(i, j int) { legal[i], legal[j] = legal[j], legal[i] })
		var next game.Record
		for _, s := range legal {
			var err error
			if next, err = r.Play(s); err != nil {
				t.Fatal(err)
			}
			if next.Outcome() == game.InProgress {
				break
			}
		}
		r = next
	}
	return r
}
