package picture

import (
	"fmt"
	"image"
	"image/color"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// writer writes digits and Latin letters on a canvas.
type writer struct {
	canvas canvas
	faces  map[int]font.Face // by their size in pixels
}

func newWriter(c canvas, sizes ...int) (*writer, error) {
	f, err := opentype.Parse(gomedium.TTF)
	if err != nil {
		return nil, fmt.Errorf("read the font of charts: %w", err)
	}
	w := &writer{canvas: c, faces: make(map[int]font.Face)}
	for _, size := range sizes {
		face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			return nil, fmt.Errorf("scale the font of charts to %d pixels: %w", size, err)
		}
		w.faces[size] = face
	}
	return w, nil
}

// width is how many pixels a text is wide.
func (w *writer) width(size int, text string) int {
	return font.MeasureString(w.faces[size], text).Ceil()
}

// text writes from x on, on a base line at y.
func (w *writer) text(ink color.Color, size, x, y int, text string) {
	d := font.Drawer{Dst: w.canvas.image, Src: image.NewUniform(ink), Face: w.faces[size], Dot: fixed.P(x, y)}
	d.DrawString(text)
}
