package picture

import (
	"image"
	"image/color"
	"time"

	"tictactoe/game"
)

// Ink is a colour of charts, and the colours from which it must stand out.
type Ink struct {
	Name  string
	Ink   color.RGBA
	On    []color.RGBA
	Words bool // the ink is used for text
}

// Inks returns the inks of charts.
func Inks() []Ink {
	return []Ink{
		{"labels", textInk, []color.RGBA{cardInk}, true},
		{"the last rating's label and the line", ratingInk, []color.RGBA{cardInk, bandInk}, true},
		{"the grid", gridInk, []color.RGBA{cardInk, bandInk}, false},
		{"the edge of the band", bandEdgeInk, []color.RGBA{cardInk, bandInk}, false},
		{"the start of a season", seasonInk, []color.RGBA{cardInk, bandInk}, false},
		{"the edge of the card", cardEdgeInk, []color.RGBA{cardInk}, false},
	}
}

// CardEdge is the ink around a chart.
var CardEdge = cardEdgeInk

// Dates returns the labels below a plot that has room for the given number of labels.
func Dates(from, to time.Time, room float64) (labels []string) {
	times := span{seconds(from), seconds(to)}
	for _, d := range datesOf(times, func(string) float64 { return (times.to - times.from) / room }) {
		labels = append(labels, d.label)
	}
	return labels
}

// BoardInks are the background colours of squares on pictures of boards, by the buttons that have the same colour.
var BoardInks = map[string]color.RGBA{"grey on dark": squareInk, "green": wonInk, "red": lostInk}

// BoardGround is the background of the names of columns and rows, and BoardText the colour of these names.
var BoardGround, BoardText = boardInk, textInk

// TileIn returns the place of a square's tile on the picture of a board.
func TileIn(b Board, size int, at game.Square) image.Rectangle {
	l := layOut(b, size)
	return l.tile().Add(l.at(int(at)).Min)
}
