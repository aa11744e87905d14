package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"time"
)

// Chart is the data of a picture that shows a player's rating over time. The picture has digits, dates and numbers of seasons but no names,
// because no font has all scripts of the world.
type Chart struct {
	Ratings []Rating // in order of time; some times may be equal
	Seasons []Season // in order of their starts
	// Provisional draws a question mark after the last rating.
	Provisional bool
}

// Rating is the rating of a player after a match.
type Rating struct {
	At        time.Time
	Value     float64
	Deviation float64 // the rating deviation; the band reaches two deviations up and down
}

// Season is a season whose start is marked in the chart, unless it is before the first rating.
type Season struct {
	Number int // from 1; the picture has "S2"
	Start  time.Time
}

// ErrNoRatings means that a chart has no rating to draw.
var ErrNoRatings = errors.New("a chart needs a rating")

// Sizes in a chart, in pixels. A phone shows the chart at less than half its size, and the digits are still 12 pixels high.
const (
	chartWidth, chartHeight = 800, 400
	axisText, lastText      = 28, 34
	margin                  = 18
	ratingWidth, bandWidth  = 5, 2.5 // the widths of the rating's line and of the edges of the band
	fewRatings              = 40     // up to this number, each rating has a dot
)

// The colours of a chart. It has its own background and edge, because Discord does not say whether the reader's theme is dark or light.
var (
	cardInk     = rgb(0x111318)
	cardEdgeInk = rgb(0x838995)
	gridInk     = rgb(0x858c98)
	bandInk     = rgb(0x22364f)
	bandEdgeInk = rgb(0x6a96d0)
	seasonInk   = rgb(0xd5d9e2)
	textInk     = rgb(0xeceef2)
	ratingInk   = rgb(0xffd166)
)

// PNG draws the chart, with 800 by 400 pixels and a palette. The same chart always gives the same picture.
func (c Chart) PNG() ([]byte, error) {
	if len(c.Ratings) == 0 {
		return nil, ErrNoRatings
	}
	p, err := c.layOut()
	if err != nil {
		return nil, err
	}
	p.drawCard()
	p.drawBand()
	p.drawGrid()
	p.drawDates()
	p.drawSeasons(c.Seasons)
	p.drawRatings()
	var out bytes.Buffer
	if err := png.Encode(&out, paletted(p.canvas.image, chartPalette())); err != nil {
		return nil, fmt.Errorf("encode a chart: %w", err)
	}
	return out.Bytes(), nil
}

// plot maps values and times to places on the picture.
type plot struct {
	canvas
	write   *writer
	area    image.Rectangle
	values  span
	step    float64 // distance between two lines of the grid
	times   span    // in seconds
	ratings []Rating
	last    string // the label of the last rating
}

// span is a range of values. to is always greater than from.
type span struct{ from, to float64 }

// part returns where a value is in the span: 0 at the beginning, 1 at the end.
func (s span) part(v float64) float64 { return (v - s.from) / (s.to - s.from) }

// layOut chooses the scales, and reserves room for the labels on both sides.
func (c Chart) layOut() (*plot, error) {
	first, last := c.Ratings[0], c.Ratings[len(c.Ratings)-1]
	p := &plot{canvas: newCanvas(chartWidth, chartHeight, 1), times: span{seconds(first.At), seconds(last.At)}, ratings: c.Ratings}
	if p.times.from == p.times.to {
		p.times.from -= 24 * 60 * 60 // with only one time, the rating is at the right, where the last one always is
	}
	p.values, p.step = scaleOf(c.Ratings)
	p.last = number(last.Value)
	if c.Provisional {
		p.last += "?"
	}
	write, err := newWriter(p.canvas, axisText, lastText)
	if err != nil {
		return nil, err
	}
	p.write = write
	wide := 0
	for _, v := range p.lines() {
		wide = max(wide, p.write.width(axisText, number(v)))
	}
	top := margin + 16
	if len(c.Seasons) > 0 {
		top += 28 // for the numbers of seasons
	}
	p.area = image.Rect(margin+wide+14, top, chartWidth-margin-24-p.write.width(lastText, p.last), chartHeight-margin-48)
	return p, nil
}

// scaleOf returns a range between round values that contains all ratings, and the step of the grid. Parts of the band may be outside of the
// range.
func scaleOf(ratings []Rating) (values span, step float64) {
	const leastSpan, leastRoom, lines = 100, 20, 6
	low, high := ratings[0].Value, ratings[0].Value
	for _, r := range ratings {
		low, high = min(low, r.Value), max(high, r.Value)
	}
	room := max(leastRoom, min(2*ratings[len(ratings)-1].Deviation, max(leastSpan, high-low)))
	low, high = low-room, high+room
	step = 10
	for i := 0; (math.Ceil(high/step)-math.Floor(low/step))+1 > lines; i++ {
		step *= []float64{2, 2.5, 2}[i%3] // 20, 50, 100 and so on
	}
	return span{math.Floor(low/step) * step, math.Ceil(high/step) * step}, step
}

// lines returns the ratings at which the grid has lines.
func (p *plot) lines() (all []float64) {
	for v := p.values.from; v <= p.values.to+p.step/2; v += p.step {
		all = append(all, v)
	}
	return all
}

func (p *plot) x(at float64) float64 {
	return float64(p.area.Min.X) + p.times.part(at)*float64(p.area.Dx())
}

// y returns the vertical place of a rating in pixels. For a value far outside of the picture it returns a nearer place, so that lines do
// not get too long.
func (p *plot) y(value float64) float64 {
	part := min(2, max(-1, p.values.part(value)))
	return float64(p.area.Max.Y) - part*float64(p.area.Dy())
}

func (p *plot) drawCard() {
	const radius, edge = 24, 3
	p.fill(cardEdgeInk, roundBox(0, 0, chartWidth, chartHeight, radius))
	p.fill(cardInk, roundBox(edge, edge, chartWidth-edge, chartHeight-edge, radius-edge))
}

// drawBand draws the band of two deviations above and below the rating.
func (p *plot) drawBand() {
	upper, lower := make(shape, len(p.ratings)), make(shape, len(p.ratings))
	for i, r := range p.ratings {
		x := p.x(seconds(r.At))
		upper[i] = point{x, p.y(r.Value + 2*r.Deviation)}
		lower[i] = point{x, p.y(r.Value - 2*r.Deviation)}
	}
	around := append(shape(nil), upper...)
	for i := range lower {
		around = append(around, lower[len(lower)-1-i])
	}
	p.fillIn(p.area, bandInk, around)
	edges := append(stroke(upper, bandWidth), stroke(lower, bandWidth)...)
	if p.ratings[0].At.Equal(p.ratings[len(p.ratings)-1].At) {
		edges = stroke(around, bandWidth) // with one time, the band has no width
	}
	p.fillIn(image.Rect(p.area.Min.X, p.area.Min.Y, p.area.Max.X+2, p.area.Max.Y), bandEdgeInk, edges...)
}

func (p *plot) drawGrid() {
	for _, v := range p.lines() {
		y := int(math.Round(p.y(v)))
		p.rect(gridInk, p.area.Min.X, y, p.area.Max.X, y+1)
		label := number(v)
		p.write.text(textInk, axisText, p.area.Min.X-14-p.write.width(axisText, label), y+10, label)
	}
}

// drawDates writes as many dates below the plot as there is room for.
func (p *plot) drawDates() {
	free := 0
	for _, tick := range datesOf(p.times, func(label string) float64 {
		room := float64(p.write.width(axisText, label) + 30)
		return room / float64(p.area.Dx()) * (p.times.to - p.times.from)
	}) {
		x := int(math.Round(p.x(tick.at)))
		wide := p.write.width(axisText, tick.label)
		left := min(max(margin, x-wide/2), chartWidth-margin-wide)
		if left < free {
			continue
		}
		p.rect(textInk, x-1, p.area.Max.Y+1, x+1, p.area.Max.Y+11)
		p.write.text(textInk, axisText, left, p.area.Max.Y+40, tick.label)
		free = left + wide + margin
	}
}

// drawSeasons draws a dashed line at the start of each season, and the season's number above the line. If lines would nearly touch, it
// draws only the first. Numbers without room are left out.
func (p *plot) drawSeasons(seasons []Season) {
	const apart, dash, gap = 8, 10, 8
	line, free := 0, 0
	for _, s := range seasons {
		at := seconds(s.Start)
		if at <= p.times.from || at > p.times.to {
			continue
		}
		x := int(math.Round(p.x(at)))
		if x < line {
			continue
		}
		line = x + apart
		for y := p.area.Min.Y; y < p.area.Max.Y; y += dash + gap {
			p.rect(seasonInk, x-1, y, x+1, min(y+dash, p.area.Max.Y))
		}
		label := fmt.Sprintf("S%d", s.Number)
		wide := p.write.width(axisText, label)
		left := min(x-wide/2, chartWidth-margin-wide)
		if left < free {
			continue
		}
		p.write.text(textInk, axisText, left, p.area.Min.Y-12, label)
		free = left + wide + margin
	}
}

// drawRatings draws the line of the rating, dots if there are few ratings, and the last rating with its value.
func (p *plot) drawRatings() {
	through := make(shape, len(p.ratings))
	for i, r := range p.ratings {
		through[i] = point{p.x(seconds(r.At)), p.y(r.Value)}
	}
	p.fillIn(p.area.Inset(-ratingWidth), ratingInk, stroke(through, ratingWidth)...)
	dots := through[len(through)-1:]
	if len(p.ratings) <= fewRatings {
		dots = through
	}
	for i, at := range dots {
		radius := 6.5
		if i == len(dots)-1 {
			radius = 10
		}
		p.fillIn(p.around(at, radius+3), cardInk, circle(at.x, at.y, radius+2.5))
		p.fillIn(p.around(at, radius+3), ratingInk, circle(at.x, at.y, radius))
	}
	last := p.ratings[len(p.ratings)-1]
	p.write.text(ratingInk, lastText, p.area.Max.X+24, int(math.Round(p.y(last.Value)))+12, p.last)
}

// around returns the square around a point, up to a distance to each side.
func (p *plot) around(at point, distance float64) image.Rectangle {
	return image.Rect(int(at.x-distance), int(at.y-distance), int(at.x+distance)+2, int(at.y+distance)+2).Intersect(p.image.Bounds())
}

// number formats a rating.
func number(v float64) string {
	return fmt.Sprintf("%.0f", math.Round(v)+0) // + 0 makes -0 to 0
}

func seconds(t time.Time) float64 { return float64(t.Unix()) + float64(t.Nanosecond())/1e9 }

// chartPalette has all colours of a chart, and shades between colours that meet.
func chartPalette() color.Palette {
	meet := [][2]color.RGBA{
		{{}, cardEdgeInk}, {cardEdgeInk, cardInk}, {cardInk, textInk}, {cardInk, ratingInk}, {cardInk, bandInk}, {cardInk, bandEdgeInk},
		{bandInk, bandEdgeInk}, {bandInk, ratingInk}, {bandEdgeInk, ratingInk}, {gridInk, ratingInk}, {seasonInk, ratingInk},
		{gridInk, cardInk}, {seasonInk, cardInk},
	}
	inks := color.Palette{color.RGBA{}, cardEdgeInk, cardInk, gridInk, bandInk, bandEdgeInk, seasonInk, textInk, ratingInk}
	return blended(inks, meet, 16)
}

// blended returns a palette with the given inks. For each pair of colours that meet in the picture, it also has the shades that divide the
// way from one colour to the other into the given number of steps.
func blended(inks color.Palette, meet [][2]color.RGBA, steps int) color.Palette {
	for _, pair := range meet {
		for i := 1; i < steps; i++ {
			mix := func(a, b uint8) uint8 { return uint8((int(a)*(steps-i) + int(b)*i + steps/2) / steps) }
			a, b := pair[0], pair[1]
			inks = append(inks, color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), mix(a.A, b.A)})
		}
	}
	return inks
}

// paletted returns the image with each pixel in the nearest colour of a palette.
func paletted(img *image.RGBA, colours color.Palette) *image.Paletted {
	out := image.NewPaletted(img.Bounds(), colours)
	nearest := make(map[color.RGBA]uint8)
	var c color.RGBA
	index := uint8(colours.Index(c))
	for i := range out.Pix {
		if pix := img.Pix[4*i : 4*i+4]; c != (color.RGBA{pix[0], pix[1], pix[2], pix[3]}) {
			c = color.RGBA{pix[0], pix[1], pix[2], pix[3]}
			known := false
			if index, known = nearest[c]; !known {
				index = uint8(colours.Index(c))
				nearest[c] = index
			}
		}
		out.Pix[i] = index
	}
	return out
}
