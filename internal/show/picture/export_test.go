package picture

import (
	"image"
	"image/color"
	"time"

	"tictactoe/game"
)

// Ink is a colour of charts, and what it has to stand out from.
type Ink struct {
	Name  string
	Ink   color.RGBA
	On    []color.RGBA
	Words bool // it writes
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

// BoardInks are the colours around the tiles of boards, by the names of the buttons that have them.
var BoardInks = map[string]color.RGBA{"grey on dark": squareInk, "green": wonInk, "red": lostInk}

// BoardGround is what the names of columns and rows are written on, and BoardText what they are written in.
var BoardGround, BoardText = boardInk, textInk

// TileIn returns the place of the tile of a square on the picture of a board.
func TileIn(b Board, size int, at game.Square) image.Rectangle {
	l := layOut(b, size)
	return l.tile().Add(l.at(int(at)).Min)
}
