// Package picture draws pictures: marks for the bot's emoji, boards, animations of games, and charts of ratings.
//
// A tile is the picture of a square. A mark is on a plate, so that it stands out from a button of any colour. Tiles differ in shape and in
// lightness, never in colour alone: X is dark on a light plate, and O is light on a dark plate. The last move has a frame, the mark that
// leaves next is grey inside a dashed edge, a winning mark is on a star, and a losing mark is on an octagon. An empty square has a small
// diamond, which nobody takes for an O, or a star if it would have been better.
package picture

import (
	"image"
	"image/color"
	"math"

	"tictactoe/game"
)

// Look is the state of a square that its tile shows besides the mark.
type Look uint8

// The looks.
const (
	Plain   Look = iota
	Last         // the latest move
	Leaving      // a mark that disappears with the next move
	Winning      // part of a line that has won
	Losing       // part of a line that has lost
	Better       // an empty square that would have been a better move
)

// String returns the word for the look in names of emoji. For Plain it is empty.
func (l Look) String() string {
	return [...]string{"", "last", "leaves", "wins", "loses", "better"}[l]
}

// Colours are the colours of a tile's mark and plate.
type Colours struct{ Mark, Plate color.RGBA }

// ColoursOf returns the colours of a mark with a look. An empty square has no plate: Mark is then the colour of the diamond or star, and
// Plate the colour of the edge around that.
func ColoursOf(m game.Mark, l Look) Colours {
	switch {
	case m == game.None && l == Better:
		return Colours{Mark: rgb(0xffe27a), Plate: rgb(0x0c0d0f)}
	case m == game.None:
		return Colours{Mark: rgb(0xffffff), Plate: rgb(0x18191c)}
	}
	c := colours[l][m-game.X]
	return Colours{rgb(c[0]), rgb(c[1])}
}

// colours are the colours of X and O by look, first the mark's and then the plate's. A test checks the contrast on every button, also when
// the button is pale on a white or a dark page.
var colours = [...][2][2]uint32{
	Plain:   {{0x0b1745, 0xf2f5ff}, {0xffe9c4, 0x2a1000}},
	Last:    {{0x0b1745, 0xf2f5ff}, {0xffe9c4, 0x2a1000}},
	Leaving: {{0x2b2f38, 0xb4b8c2}, {0xd5d8df, 0x3a3e47}},
	Winning: {{0x100b00, 0xffdc55}, {0xffe27a, 0x141000}},
	Losing:  {{0x4d0505, 0xffe9e5}, {0xffe2dc, 0x300404}},
}

func rgb(c uint32) color.RGBA {
	return color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 0xff}
}

// Tile draws a square of a board, size pixels wide and high, on a transparent ground. The look of an empty square is Plain or Better.
func Tile(m game.Mark, l Look, size int) *image.RGBA {
	t := newCanvas(size, size, float32(size))
	for _, layer := range layersOf(m, l, stepsAt(size)) {
		t.fill(layer.ink, layer.shapes...)
	}
	return t.image
}

// layer is a part of a tile in one colour. Later layers are painted over earlier ones.
type layer struct {
	ink    color.RGBA
	shapes []shape
}

// stepsAt returns the number of segments of a circle on a tile with the given width in pixels. For emoji, which have 128 pixels, it must
// never change: they are uploaded again if a single pixel changes.
func stepsAt(size int) int {
	if size <= 128 {
		return smooth
	}
	return 4 * smooth
}

// layersOf returns the layers of a tile from back to front. The tile's side has length 1, and circles have the given number of steps.
func layersOf(m game.Mark, l Look, steps int) []layer {
	c := ColoursOf(m, l)
	disc := func(radius float64) shape { return arc(0.5, 0.5, radius, 0, 2*math.Pi, steps) }
	switch {
	case m == game.None && l == Better:
		return []layer{{c.Plate, []shape{star(5, 0.5, 0.5)}}, {c.Mark, []shape{star(5, 0.38, 0.5)}}}
	case m == game.None:
		return []layer{{c.Plate, []shape{polygon(4, 0.21, 0)}}, {c.Mark, []shape{polygon(4, 0.12, 0)}}}
	}
	plate, reach, thick := plateOf(c, l)
	if m == game.X {
		near, far := 0.5-reach*0.92, 0.5+reach*0.92
		return append(plate, layer{c.Mark, []shape{bar(near, near, far, far, thick), bar(far, near, near, far, thick)}})
	}
	return append(plate, layer{c.Mark, []shape{disc(reach + thick/2)}}, layer{c.Plate, []shape{disc(reach - thick/2)}})
}

// plateOf returns the layers below a mark. reach and thick are how far the mark's lines reach from the middle and how thick they are.
func plateOf(c Colours, l Look) (plate []layer, reach, thick float64) {
	switch l {
	case Leaving:
		plate = []layer{{c.Plate, []shape{box(0.08, 0.2)}}}
		for _, dash := range dashes(0.08, 0.05) {
			plate = append(plate, layer{c.Mark, []shape{dash}})
		}
		return plate, 0.25, 0.07
	case Winning:
		return []layer{{c.Mark, []shape{star(12, 0.5, 0.84)}}, {c.Plate, []shape{star(12, 0.46, 0.84)}}}, 0.22, 0.14
	case Losing:
		return []layer{{c.Mark, []shape{polygon(8, 0.53, math.Pi/8)}}, {c.Plate, []shape{polygon(8, 0.48, math.Pi/8)}}}, 0.22, 0.13
	case Last:
		return []layer{{c.Plate, []shape{box(0.02, 0.2)}}, {c.Mark, []shape{box(0.06, 0.17)}}, {c.Plate, []shape{box(0.12, 0.12)}}}, 0.2, 0.12
	default:
		return []layer{{c.Plate, []shape{box(0.02, 0.2)}}}, 0.25, 0.15
	}
}

// box returns a square with round corners, at the distance inset from the edges of the tile.
func box(inset, radius float64) shape { return roundBox(inset, inset, 1-inset, 1-inset, radius) }

// polygon returns a regular polygon around the middle of the tile. The first corner is at the angle from, in radians.
func polygon(corners int, radius, from float64) (s shape) {
	for i := range corners {
		sin, cos := math.Sincos(from + 2*math.Pi*float64(i)/float64(corners))
		s = append(s, point{0.5 + radius*cos, 0.5 + radius*sin})
	}
	return s
}

// star returns a star with the given number of points, the first point at the top. The distance of the inner corners from the middle is the
// radius times waist.
func star(points int, radius, waist float64) (s shape) {
	for i := range 2 * points {
		r := radius
		if i%2 == 1 {
			r *= waist
		}
		sin, cos := math.Sincos(math.Pi * (float64(i)/float64(points) - 0.5))
		s = append(s, point{0.5 + r*cos, 0.5 + r*sin})
	}
	return s
}

// dashes returns short lines along the edges of a box, three on each side.
func dashes(inset, thick float64) (s []shape) {
	near, far := inset, 1-inset
	for _, at := range []float64{0.3, 0.5, 0.7} {
		from, to := at-0.05, at+0.05
		s = append(s, bar(from, near, to, near, thick), bar(from, far, to, far, thick),
			bar(near, from, near, to, thick), bar(far, from, far, to, thick))
	}
	return s
}
