package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"
)

// canvas is an image to draw shapes on. unit is the length 1 of shapes in pixels.
type canvas struct {
	image *image.RGBA
	unit  float32
}

func newCanvas(width, height int, unit float32) canvas {
	return canvas{image.NewRGBA(image.Rect(0, 0, width, height)), unit}
}

// point is a place in units of the canvas, from the upper left corner.
type point struct{ x, y float64 }

// shape is a closed line of straight segments. Round parts have many short segments.
type shape []point

// fill paints the area that the shapes cover. All shapes must have the same direction, clockwise or not.
func (c canvas) fill(ink color.Color, shapes ...shape) { c.fillIn(c.image.Bounds(), ink, shapes...) }

// fillIn does the same as fill, but paints only inside a part of the picture.
func (c canvas) fillIn(part image.Rectangle, ink color.Color, shapes ...shape) {
	var r vector.Rasterizer
	r.Reset(part.Dx(), part.Dy())
	left, top := float32(part.Min.X), float32(part.Min.Y)
	for _, s := range shapes {
		for i, p := range s {
			x, y := float32(p.x)*c.unit-left, float32(p.y)*c.unit-top
			if i == 0 {
				r.MoveTo(x, y)
			} else {
				r.LineTo(x, y)
			}
		}
		r.ClosePath()
	}
	r.DrawOp = draw.Over
	r.Draw(c.image, part, image.NewUniform(ink), image.Point{})
}

// rect paints a rectangle of whole pixels.
func (c canvas) rect(ink color.Color, left, top, right, bottom int) {
	draw.Draw(c.image, image.Rect(left, top, right, bottom), image.NewUniform(ink), image.Point{}, draw.Src)
}

// smooth is the number of segments with which an arc of up to 128 pixels looks round. coarse is enough for the end of a thin line.
const smooth, coarse = 24, 5

// arc returns an arc of a circle with the given number of steps. The angle of its first point is start, and the angle that it covers is
// extent, both in radians, clockwise from the right.
func arc(x, y, radius, start, extent float64, steps int) shape {
	s := make(shape, 0, 2*(steps+1)) // with room to append another arc
	for i := range steps + 1 {
		sin, cos := math.Sincos(start + extent*float64(i)/float64(steps))
		s = append(s, point{x + radius*cos, y + radius*sin})
	}
	return s
}

func circle(x, y, radius float64) shape { return arc(x, y, radius, 0, 2*math.Pi, smooth) }

// roundBox returns a rectangle with round corners.
func roundBox(left, top, right, bottom, radius float64) (s shape) {
	l, t, r, b := left+radius, top+radius, right-radius, bottom-radius
	for i, corner := range []point{{r, b}, {l, b}, {l, t}, {r, t}} {
		s = append(s, arc(corner.x, corner.y, radius, float64(i)*math.Pi/2, math.Pi/2, smooth)...)
	}
	return s
}

// bar returns a straight line with round ends.
func bar(x1, y1, x2, y2, thick float64) shape {
	return line(point{x1, y1}, point{x2, y2}, thick, smooth)
}

// line returns a straight line with round ends, each an arc with the given number of steps.
func line(from, to point, thick float64, steps int) shape {
	along := math.Atan2(to.y-from.y, to.x-from.x)
	return append(arc(to.x, to.y, thick/2, along-math.Pi/2, math.Pi, steps), arc(from.x, from.y, thick/2, along+math.Pi/2, math.Pi, steps)...)
}

// stroke returns a line through all points, as shapes.
func stroke(through shape, thick float64) []shape {
	s := make([]shape, 0, len(through))
	for i, p := range through[1:] {
		s = append(s, line(through[i], p, thick, coarse))
	}
	return s
}
