package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"
)

// svgCell is how many units of an SVG's own coordinates a cell has.
const svgCell = 100

// SVG draws the board as lines that are sharp at any size; size is how large it is shown where nothing else is said. The title says in
// words what is to be seen, for whoever does not see it.
func (b Board) SVG(size int, title string) ([]byte, error) {
	if err := checkSize(size); err != nil {
		return nil, err
	}
	rows := len(b.squares) / b.columns
	most := max(b.columns, rows)
	l := layOut(b, int((float64(most)+around)*svgCell))
	scale := float64(size) / float64(max(l.width, l.height))
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %d %d" role="img">`+"\n<title>",
		number3(scale*float64(l.width)), number3(scale*float64(l.height)), l.width, l.height)
	if err := xml.EscapeText(&out, []byte(title)); err != nil {
		return nil, fmt.Errorf("write the title of a board: %w", err)
	}
	fmt.Fprintf(&out, "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", l.width, l.height, hex(cardEdgeInk))
	fmt.Fprintf(&out, "<rect x=\"1\" y=\"1\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", l.width-2, l.height-2, hex(boardInk))
	l.writeTiles(&out, b)
	fmt.Fprintf(&out, "<g fill=\"%s\" font-family=\"sans-serif\" font-size=\"%d\" text-anchor=\"middle\">\n", hex(textInk), l.text)
	for _, n := range l.labels() {
		fmt.Fprintf(&out, "<text x=\"%d\" y=\"%d\">%s</text>\n", n.x, n.y+l.text*36/100, n.text)
	}
	out.WriteString("</g>\n</svg>\n")
	return out.Bytes(), nil
}

// writeTiles draws each kind of square once, and uses it wherever there is one.
func (l layout) writeTiles(out *bytes.Buffer, b Board) {
	var kinds []square
	for _, s := range b.squares {
		if !slices.Contains(kinds, s) {
			kinds = append(kinds, s)
		}
	}
	out.WriteString("<defs>\n")
	for i, s := range kinds {
		side := l.cell - 2*l.gap
		fmt.Fprintf(out, "<g id=\"s%d\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%s\" fill=\"%s\"/>\n", i, l.gap, l.gap, side, side,
			number3(cornerRadius*float64(l.cell)), hex(s.look.ground()))
		tile := l.tile()
		for _, layer := range layersOf(s.mark, s.look, 4*smooth) {
			fmt.Fprintf(out, "<path fill=\"%s\" d=\"%s\"/>\n", hex(layer.ink), pathOf(layer.shapes, float64(tile.Min.X), float64(tile.Dx())))
		}
		out.WriteString("</g>\n")
	}
	out.WriteString("</defs>\n")
	for i, s := range b.squares {
		at := l.at(i).Min
		fmt.Fprintf(out, "<use href=\"#s%d\" x=\"%d\" y=\"%d\"/>\n", slices.Index(kinds, s), at.X, at.Y)
	}
}

// pathOf writes shapes as the data of a path. Their unit is so many of the SVG's, and their corner is so far from its own.
func pathOf(shapes []shape, corner, unit float64) string {
	var d strings.Builder
	for _, s := range shapes {
		for i, p := range s {
			verb := "L"
			if i == 0 {
				verb = "M"
			}
			d.WriteString(verb + number3(corner+unit*p.x) + " " + number3(corner+unit*p.y))
		}
		d.WriteString("Z")
	}
	return d.String()
}

// number3 writes a number with three digits after the point at most.
func number3(v float64) string {
	text := strconv.FormatFloat(v, 'f', 3, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
