package picture_test

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"math"
	"os"
	"slices"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"tictactoe/game"
	"tictactoe/internal/show/picture"
)

// sheetFile is a picture of all tiles on their buttons; the pages about emoji link to it.
const sheetFile = "../../../docs/images/marks.png"

func TestTheSheetOfMarksIsUpToDate(t *testing.T) {
	want := fewColours(sheet(t))
	if *update {
		var b bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, want); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(sheetFile, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	file, err := os.ReadFile(sheetFile)
	if err != nil {
		t.Fatal(err)
	}
	got := decode(t, file)
	if got.Bounds() != want.Bounds() {
		t.Fatalf("%s is %v large, want %v: run the test with -update", sheetFile, got.Bounds(), want.Bounds())
	}
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			r, g, b, _ := got.At(x, y).RGBA()
			wr, wg, wb, _ := want.At(x, y).RGBA()
			if far(r, wr) || far(g, wg) || far(b, wb) {
				t.Fatalf("%s differs from the drawing at %d, %d: run the test with -update", sheetFile, x, y)
			}
		}
	}
}

// far reports whether two colour values differ by more than the floating-point arithmetic of other processors explains.
func far(a, b uint32) bool { return max(a, b)-min(a, b) > 3<<8 }

// These are sizes on the sheet. A tile is twice as large as in Discord.
const (
	names, head  = 290, 44
	cell, button = 74, 58
	emojiSize    = 44
)

// sheet draws a table: it has a column for each tile, and for each kind of colour vision rows for both themes with enabled and
// disabled buttons.
func sheet(t *testing.T) *image.RGBA {
	words := sheetFont(t)
	all := tiles()
	ways := []string{"all colours", "greyscale", "protanopia", "deuteranopia", "tritanopia"}
	img := image.NewRGBA(image.Rect(0, 0, names+len(all)*cell, head+4*len(ways)*cell))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	write := func(x, y int, text string) {
		d := font.Drawer{Dst: img, Src: image.Black, Face: words, Dot: fixed.P(x, y)}
		d.DrawString(text)
	}
	for i, k := range all {
		name := k.String()
		switch {
		case k.mark == game.None && k.look == picture.Better:
			name = "better"
		case k.mark == game.None:
			name = "empty"
		}
		write(names+i*cell+(cell-font.MeasureString(words, name).Ceil())/2, head-14, name)
	}
	y := head
	for _, way := range ways {
		for _, theme := range []string{"dark", "light"} {
			for _, off := range []bool{false, true} {
				label := way + ", " + theme
				if off {
					label += ", disabled"
				}
				write(10, y+cell/2+6, label)
				row := image.Rect(names, y, img.Bounds().Max.X, y+cell)
				draw.Draw(img, row, image.NewUniform(rgb(pages[theme])), image.Point{}, draw.Src)
				for i, k := range all {
					drawButton(img, image.Pt(names+i*cell, y), k, theme, off)
				}
				look(img, row, eyes[way])
				y += cell
			}
		}
	}
	return img
}

func sheetFont(t *testing.T) font.Face {
	f, err := opentype.Parse(gomedium.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: 16, DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	return face
}

// drawButton draws a tile on the button that it has on boards.
func drawButton(img *image.RGBA, at image.Point, k kind, theme string, off bool) {
	behind := buttons["grey on "+theme]
	switch k.look {
	case picture.Winning:
		behind = buttons["green"]
	case picture.Losing:
		behind = buttons["red"]
	}
	var opaque image.Image = image.Opaque
	if off {
		opaque = image.NewUniform(color.Alpha{uint8(math.Round(faded * 255))})
	}
	inside := func(size int) image.Rectangle {
		gap := (cell - size) / 2
		return image.Rect(gap, gap, gap+size, gap+size).Add(at)
	}
	whole := image.NewRGBA(image.Rect(0, 0, button, button))
	draw.Draw(whole, whole.Bounds(), image.NewUniform(rgb(behind)), image.Point{}, draw.Src)
	margin := (button - emojiSize) / 2
	draw.Draw(whole, whole.Bounds().Inset(margin), picture.Tile(k.mark, k.look, emojiSize), image.Point{}, draw.Over)
	draw.DrawMask(img, inside(button), whole, image.Point{}, opaque, image.Point{}, draw.Over)
}

// look replaces the colours in a part of a picture by the colours that a kind of vision sees.
func look(img *image.RGBA, part image.Rectangle, see func(light) light) {
	encode := func(v float64) uint8 {
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		return uint8(math.Round(255 * v))
	}
	seen := make(map[color.RGBA]color.RGBA)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			c := img.RGBAAt(x, y)
			if _, known := seen[c]; !known {
				l := see(linear(c))
				seen[c] = color.RGBA{encode(l[0]), encode(l[1]), encode(l[2]), 0xff}
			}
			img.SetRGBA(x, y, seen[c])
		}
	}
}

// fewColours reduces a picture to its 256 most frequent colours. All other pixels, on the edges of shapes, get the nearest of
// these.
func fewColours(img *image.RGBA) *image.Paletted {
	pixels := make(map[color.RGBA]int)
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			pixels[img.RGBAAt(x, y)]++
		}
	}
	order := slices.SortedFunc(maps.Keys(pixels), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(pixels[b], pixels[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var palette color.Palette
	for _, c := range order[:256] {
		palette = append(palette, c)
	}
	out := image.NewPaletted(img.Bounds(), palette)
	nearest := make(map[color.RGBA]uint8)
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			c := img.RGBAAt(x, y)
			if _, known := nearest[c]; !known {
				nearest[c] = uint8(palette.Index(c))
			}
			out.SetColorIndex(x, y, nearest[c])
		}
	}
	return out
}
