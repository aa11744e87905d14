package picture

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// writer writes digits and Latin letters on a canvas.
type writer struct {
	canvas canvas
	faces  map[int]font.Face // keyed by size in pixels
}

// medium is the font of all pictures.
var medium = sync.OnceValues(func() (*opentype.Font, error) { return opentype.Parse(gomedium.TTF) })

func newWriter(c canvas, sizes ...int) (*writer, error) {
	f, err := medium()
	if err != nil {
		return nil, fmt.Errorf("read the font of pictures: %w", err)
	}
	w := &writer{canvas: c, faces: make(map[int]font.Face)}
	for _, size := range sizes {
		face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			return nil, fmt.Errorf("scale the font of pictures to %d pixels: %w", size, err)
		}
		w.faces[size] = face
	}
	return w, nil
}

// width returns the width of a text in pixels. size is the size of the font in pixels.
func (w *writer) width(size int, text string) int {
	return font.MeasureString(w.faces[size], text).Ceil()
}

// has reports whether the font has a glyph for each character of a text.
func (w *writer) has(text string) bool {
	f, err := medium()
	return err == nil && !strings.ContainsFunc(text, func(r rune) bool {
		glyph, err := f.GlyphIndex(nil, r)
		return err != nil || glyph == 0
	})
}

// fit cuts a text that is wider than most pixels.
func (w *writer) fit(size, most int, text string) string {
	for letters := []rune(text); w.width(size, text) > most && len(letters) > 0; {
		letters = letters[:len(letters)-1]
		text = string(letters) + "…"
	}
	return text
}

// text writes a text that begins at x, on a base line at y.
func (w *writer) text(ink color.Color, size, x, y int, text string) {
	d := font.Drawer{Dst: w.canvas.image, Src: image.NewUniform(ink), Face: w.faces[size], Dot: fixed.P(x, y)}
	d.DrawString(text)
}

// middle writes a text whose middle is at x and y. The height of digits decides about the vertical middle, because letters differ in
// height.
func (w *writer) middle(ink color.Color, size, x, y int, text string) {
	w.text(ink, size, x-w.width(size, text)/2, y+size*36/100, text)
}
