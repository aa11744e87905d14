package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/gif"

	"tictactoe/game"
)

// ErrNoMoves means that there is nothing to animate, because the game has no moves.
var ErrNoMoves = errors.New("an animation needs moves")

// AnimationSize returns how many pixels the longer side of a game's animation may have so that the file stays below 100 KB. The file grows
// with the number of changed squares and with their size. If marks vanish, each move changes twice as many squares.
func AnimationSize(r game.Record) int {
	const largest, budget = 384, 8000 // the budget bounds the number of changed squares times the pixels of a square's side
	rules := r.Start().Rules()
	most := max(rules.Width(), rules.Height())
	changed := 2
	if rules.Vanish() {
		changed = 4
	}
	cell := budget / max(1, changed*r.Len())
	return max(MinSize, min(largest, int((float64(most)+around)*float64(cell))))
}

// How long the parts of an animation are shown, in hundredths of a second.
const (
	showStart = 100
	showMove  = 80
	showFast  = 55 // a move of a long game
	showLine  = 70 // the last move, before the line is drawn
	showEnd   = 400
)

// GIF draws a game move by move, as an animation that repeats. The end is shown longest, first without and then with the line that the last
// move made. If over is true, the game is over, for example by resignation. The same game always gives the same file.
func GIF(r game.Record, over bool, size int) ([]byte, error) {
	if err := checkSize(size); err != nil {
		return nil, err
	}
	if r.Len() == 0 {
		return nil, ErrNoMoves
	}
	start := BoardOf(r.First(0), false)
	p, err := newPainter(start, size)
	if err != nil {
		return nil, err
	}
	film := &film{painter: p, shown: start}
	first := p.whole(start)
	film.Config = image.Config{ColorModel: first.Palette, Width: p.width, Height: p.height}
	film.add(first, showStart)
	for move := 1; move < r.Len(); move++ {
		film.change(BoardOf(r.First(move), false), moveTime(r.Len()))
	}
	end := BoardOf(r, over)
	if r.Position().Line() != 0 {
		film.change(end.withoutLine(r.Square(r.Len()-1)), showLine)
	}
	film.change(end, showEnd)
	var out bytes.Buffer
	if err := gif.EncodeAll(&out, &film.GIF); err != nil {
		return nil, fmt.Errorf("encode an animation: %w", err)
	}
	return out.Bytes(), nil
}

// moveTime returns how long each move is shown in a game with the given number of moves.
func moveTime(moves int) int {
	if moves > 12 {
		return showFast
	}
	return showMove
}

// withoutLine returns the board after the last move, without the line that this move has completed.
func (b Board) withoutLine(last game.Square) Board {
	plain := Board{b.columns, make([]Square, len(b.squares))}
	for i, s := range b.squares {
		plain.squares[i].Mark = s.Mark
	}
	plain.squares[last].Look = Last
	return plain
}

// film builds an animation from pictures, each of which is shown over the earlier ones.
type film struct {
	gif.GIF
	*painter
	shown Board // the board that the pictures so far show
}

func (f *film) add(img *image.Paletted, time int) {
	f.Image, f.Delay, f.Disposal = append(f.Image, img), append(f.Delay, time), append(f.Disposal, gif.DisposalNone)
}

// change adds the picture that turns the shown board into the next one. The picture has only the squares that differ.
func (f *film) change(next Board, time int) {
	var part image.Rectangle
	for i, s := range next.squares {
		if s != f.shown.squares[i] {
			part = part.Union(f.at(i))
		}
	}
	img := image.NewPaletted(part, f.empty.Palette)
	for i := range img.Pix {
		img.Pix[i] = f.transparent()
	}
	for i, s := range next.squares {
		if s != f.shown.squares[i] {
			f.put(img, i, s)
		}
	}
	f.add(img, time)
	f.shown = next
}

// transparent returns the index of the transparent colour in the palette.
func (f *film) transparent() uint8 { return uint8(len(f.empty.Palette) - 1) }
