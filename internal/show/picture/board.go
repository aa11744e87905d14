package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"sync"

	"tictactoe/game"
)

// Board is a position to be drawn: the mark and the look of each square.
type Board struct {
	columns int
	squares []Square // row by row
}

// Square is the mark and the look of a tile.
type Square struct {
	Mark game.Mark
	Look Look
}

// NewBoard returns the board with the given squares, row by row.
func NewBoard(columns int, squares []Square) Board { return Board{columns, squares} }

// BoardOf returns the board after the last move of a game. If over is true, the game is over, for example by resignation, so no mark is
// shown as leaving.
func BoardOf(r game.Record, over bool) Board {
	p := r.Position()
	b := Board{columns: p.Rules().Width(), squares: make([]Square, p.Rules().Squares())}
	var leaving game.Bitboard
	if !over && r.Outcome() == game.InProgress {
		leaving = p.Vanishing()
	}
	won := Winning
	if p.Rules().Misere() {
		won = Losing
	}
	for i := range b.squares {
		at := game.Square(i)
		b.squares[i].Mark = p.At(at)
		switch {
		case p.Line().Has(at):
			b.squares[i].Look = won
		case leaving.Has(at):
			b.squares[i].Look = Leaving
		case r.Len() > 0 && r.Square(r.Len()-1) == at:
			b.squares[i].Look = Last
		}
	}
	return b
}

func columnName(column int) string { return string(rune('a' + column)) }
func rowName(row int) string       { return string(rune('1' + row)) }

// The sizes of pictures of boards, in pixels of the longer side. The smallest picture can still be read.
const (
	MinSize     = 128
	MaxSize     = 2048
	DefaultSize = 512
)

// checkSize returns an error if the size of a picture is out of bounds.
func checkSize(size int) error {
	if size < MinSize || size > MaxSize {
		return fmt.Errorf("a picture of %d pixels: a size is from %d to %d", size, MinSize, MaxSize)
	}
	return nil
}

// PNG draws the board, opaque and with a fixed palette. size is the number of pixels of the longer side. The same board always gives the
// same picture.
func (b Board) PNG(size int) ([]byte, error) {
	if err := checkSize(size); err != nil {
		return nil, err
	}
	p, err := newPainter(b, size)
	if err != nil {
		return nil, err
	}
	img := p.whole(b)
	img.Palette = img.Palette[:len(img.Palette)-1] // without the transparent colour
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		return nil, fmt.Errorf("encode a board: %w", err)
	}
	return out.Bytes(), nil
}

// The colours around the tiles. Squares have the colours of Discord's buttons.
var (
	boardInk  = cardInk
	squareInk = rgb(0x4e5058)
	wonInk    = rgb(0x248046)
	lostInk   = rgb(0xda373c)
)

// ground returns the colour of a square around a tile with the given look.
func (l Look) ground() color.RGBA {
	switch l {
	case Winning:
		return wonInk
	case Losing:
		return lostInk
	default:
		return squareInk
	}
}

// boardPalette has all colours of boards, and shades between colours that meet. The last colour is transparent. All boards share the
// palette, so that colours need not be counted, and the pictures of an animation need no palettes of their own.
var boardPalette = sync.OnceValue(func() color.Palette {
	const steps = 10
	empty := ColoursOf(game.None, Plain)
	better := ColoursOf(game.None, Better)
	inks := color.Palette{boardInk, cardEdgeInk, textInk, squareInk, wonInk, lostInk, empty.Mark, empty.Plate, better.Mark, better.Plate}
	meet := [][2]color.RGBA{
		{boardInk, textInk}, {boardInk, squareInk}, {boardInk, wonInk}, {boardInk, lostInk},
		{empty.Mark, empty.Plate}, {empty.Plate, squareInk}, {better.Mark, better.Plate}, // the plates are much alike
	}
	for _, m := range []game.Mark{game.X, game.O} {
		for _, l := range []Look{Plain, Leaving, Winning, Losing} { // Last has the colours of Plain
			c, ground := ColoursOf(m, l), l.ground()
			inks = append(inks, c.Mark, c.Plate)
			meet = append(meet, [2]color.RGBA{c.Mark, c.Plate})
			switch l {
			case Plain:
				meet = append(meet, [2]color.RGBA{c.Plate, ground})
			case Leaving:
				meet = append(meet, [2]color.RGBA{c.Plate, ground}, [2]color.RGBA{c.Mark, ground})
			default: // the background has the colour of the mark
				meet = append(meet, [2]color.RGBA{c.Mark, ground})
			}
		}
	}
	return append(blended(inks, meet, steps), color.RGBA{})
})

// layout has the places of the squares of a board, in pixels.
type layout struct {
	columns, rows int
	cell          int // from one square to the next
	gap           int // between the edge of a cell and its square
	left, top     int // the left and top edges of the first cell
	width, height int
	text          int // the size of the letters and figures
}

// around is the room beside the squares, in cells. Most of it is to the left and above, for the names of rows and columns.
const around = 0.65

// layOut returns the layout with the largest cells that leave room for the names of columns and rows.
func layOut(b Board, size int) layout {
	l := layout{columns: b.columns, rows: len(b.squares) / b.columns}
	most := max(l.columns, l.rows)
	l.cell = int(float64(size) / (float64(most) + around))
	l.gap = max(1, l.cell/32)
	rest := size - most*l.cell
	l.left = rest * 3 / 4
	l.top = l.left
	l.width, l.height = rest+l.columns*l.cell, rest+l.rows*l.cell
	l.text = max(11, l.cell*3/8)
	return l
}

// inside returns the rectangle of the square, relative to its cell.
func (l layout) inside() image.Rectangle { return image.Rect(0, 0, l.cell, l.cell).Inset(l.gap) }

// tile returns the rectangle of the tile, relative to its cell.
func (l layout) tile() image.Rectangle { return l.inside().Inset(int(tileInset * float64(l.cell))) }

// at returns the rectangle of the cell of square i in the picture.
func (l layout) at(i int) image.Rectangle {
	return image.Rect(0, 0, l.cell, l.cell).Add(image.Pt(l.left+i%l.columns*l.cell, l.top+i/l.columns*l.cell))
}

// labels returns the names of columns and rows, with the point at which the middle of each is drawn.
func (l layout) labels() (names []label) {
	for column := range l.columns {
		names = append(names, label{columnName(column), l.left + column*l.cell + l.cell/2, l.top / 2})
	}
	for row := range l.rows {
		names = append(names, label{rowName(row), l.left / 2, l.top + row*l.cell + l.cell/2})
	}
	return names
}

type label struct {
	text string
	x, y int
}

// border is the width of the edge around a picture in pixels. Without it the board would not stand out on an equally dark page.
const border = 2

// painter draws boards with the same layout.
type painter struct {
	layout
	empty   *image.Paletted            // the board without its squares
	sprites map[Square]*image.Paletted // drawn cells, so that each is drawn only once
}

func newPainter(b Board, size int) (*painter, error) {
	l := layOut(b, size)
	p := &painter{layout: l, sprites: make(map[Square]*image.Paletted)}
	c := newCanvas(l.width, l.height, 1)
	c.rect(cardEdgeInk, 0, 0, l.width, l.height)
	c.rect(boardInk, border, border, l.width-border, l.height-border)
	w, err := newWriter(c, l.text)
	if err != nil {
		return nil, err
	}
	for _, n := range l.labels() {
		w.middle(textInk, l.text, n.x, n.y, n.text)
	}
	p.empty = paletted(c.image, boardPalette())
	return p, nil
}

// whole draws a whole board.
func (p *painter) whole(b Board) *image.Paletted {
	img := image.NewPaletted(p.empty.Rect, p.empty.Palette)
	copy(img.Pix, p.empty.Pix)
	for i, s := range b.squares {
		p.put(img, i, s)
	}
	return img
}

// put draws a square in its place.
func (p *painter) put(img *image.Paletted, i int, s Square) {
	sprite, at := p.sprite(s), p.at(i)
	for y := range p.cell {
		from := y * sprite.Stride
		copy(img.Pix[img.PixOffset(at.Min.X, at.Min.Y+y):], sprite.Pix[from:from+p.cell])
	}
}

// sprite returns the picture of a square's cell.
func (p *painter) sprite(s Square) *image.Paletted {
	if drawn := p.sprites[s]; drawn != nil {
		return drawn
	}
	c := newCanvas(p.cell, p.cell, float32(p.cell))
	c.rect(boardInk, 0, 0, p.cell, p.cell)
	gap := float64(p.gap) / float64(p.cell)
	c.fill(s.Look.ground(), roundBox(gap, gap, 1-gap, 1-gap, cornerRadius))
	draw.Draw(c.image, p.tile(), Tile(s.Mark, s.Look, p.tile().Dx()), image.Point{}, draw.Over)
	drawn := paletted(c.image, boardPalette())
	p.sprites[s] = drawn
	return drawn
}

// The radius of the corners of a square, and the distance of its tile from its edges, in cells.
const cornerRadius, tileInset = 0.1, 0.07
