package picture

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"strconv"
)

// Podium is the data of a picture of up to three players with their medals and points.
type Podium []Step

// Step is a player on a podium. The first step is the highest, in the middle, the second is left of it, and the third right of it.
type Step struct {
	Place  int // from 1 to 3; players with equal results share a place
	Points int
	Name   string // left out if the font lacks a letter of it
}

// Sizes in a podium, in pixels.
const (
	podiumWidth, podiumHeight = 600, 320
	stepWidth, medalRadius    = 160, 40
	medalText, pointsText     = 52, 44
	nameText                  = 24
)

// medals are the colours of the medals by place. Their digits say the same as their colours.
func medals() []color.RGBA { return []color.RGBA{ratingInk, seasonInk, rgb(0xe0995e)} }

// PNG draws the podium, with 600 by 320 pixels and a palette. The same podium always gives the same picture.
func (p Podium) PNG() ([]byte, error) {
	c := newCanvas(podiumWidth, podiumHeight, 1)
	w, err := newWriter(c, medalText, pointsText, nameText)
	if err != nil {
		return nil, err
	}
	c.fill(cardEdgeInk, roundBox(0, 0, podiumWidth, podiumHeight, 14))
	c.fill(cardInk, roundBox(2, 2, podiumWidth-2, podiumHeight-2, 12))
	for i, s := range p[:min(len(p), 3)] {
		column, height := []int{1, 0, 2}[i], []int{170, 130, 90}[s.Place-1]
		left := (podiumWidth-3*stepWidth)/2 + column*stepWidth
		top, middle := podiumHeight-margin-height, left+stepWidth/2
		c.rect(bandEdgeInk, left+4, top, left+stepWidth-4, podiumHeight-margin)
		c.rect(bandInk, left+4, top+4, left+stepWidth-4, podiumHeight-margin)
		c.fill(medals()[s.Place-1], circle(float64(middle), float64(top-medalRadius-10), medalRadius))
		w.middle(cardInk, medalText, middle, top-medalRadius-10, strconv.Itoa(s.Place))
		w.middle(textInk, pointsText, middle, top+(height-nameText)/2, strconv.Itoa(s.Points))
		if w.has(s.Name) {
			w.middle(textInk, nameText, middle, podiumHeight-margin-nameText, w.fit(nameText, stepWidth-16, s.Name))
		}
	}
	inks := color.Palette{color.RGBA{}, cardEdgeInk, cardInk, bandInk, bandEdgeInk, textInk}
	meet := [][2]color.RGBA{{{}, cardEdgeInk}, {cardEdgeInk, cardInk}, {bandInk, textInk}}
	for _, medal := range medals() {
		inks, meet = append(inks, medal), append(meet, [2]color.RGBA{cardInk, medal})
	}
	var out bytes.Buffer
	if err := png.Encode(&out, paletted(c.image, blended(inks, meet, 16))); err != nil {
		return nil, fmt.Errorf("encode a podium: %w", err)
	}
	return out.Bytes(), nil
}
