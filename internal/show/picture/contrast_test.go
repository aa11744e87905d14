package picture_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"os"
	"strings"
	"testing"

	"tictactoe/game"
	"tictactoe/internal/show/picture"
)

// The colours of buttons in Discord's client, and the backgrounds behind them. The simulator's page uses the same colours.
var (
	buttons = map[string]uint32{
		"blue": 0x5865f2, "green": 0x248046, "red": 0xda373c, "grey on dark": 0x4e5058, "grey on light": 0xe0e2e6,
	}
	pages = map[string]uint32{"dark": 0x313338, "dark container": 0x2b2d31, "light": 0xffffff, "light container": 0xf2f3f5}
)

// The contrast that a mark must have with its plate. WCAG 2.2 requires 4.5 for text (1.4.3) and 3 for other parts (1.4.11). It
// requires nothing for disabled buttons; this test requires 3.
const (
	pressable = 4.5
	disabled  = 3.0
	faded     = 0.5 // the opacity of a disabled button
)

// looks are the looks that a square with a mark can have.
var looks = []picture.Look{picture.Plain, picture.Last, picture.Leaving, picture.Winning, picture.Losing}

func TestThePageHasTheseColours(t *testing.T) {
	css, err := os.ReadFile("../../../discordsim/page/page/style.css")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range buttons {
		if !strings.Contains(string(css), fmt.Sprintf("#%06x", c)) {
			t.Errorf("the page's style has no %s, #%06x", name, c)
		}
	}
}

func TestAMarkStandsOutFromItsPlate(t *testing.T) {
	for name, see := range eyes {
		for _, tile := range tiles() {
			c := picture.ColoursOf(tile.mark, tile.look)
			if got := contrast(see(linear(c.Mark)), see(linear(c.Plate))); got < pressable {
				t.Errorf("%s, %v: contrast %.2f, want at least %.1f", name, tile, got, pressable)
			}
			if tile.look == picture.Leaving {
				continue // this look occurs only during the match, when each square can be pressed
			}
			for page, behind := range pages {
				mark, plate := through(c.Mark, rgb(behind)), through(c.Plate, rgb(behind))
				if got := contrast(see(linear(mark)), see(linear(plate))); got < disabled {
					t.Errorf("%s, %v disabled on the %s page: contrast %.2f, want at least %.1f", name, tile, page, got, disabled)
				}
			}
		}
	}
}

// TestTilesTellApart compares the lightness of any two tiles on each button at 22 pixels, the width at which Discord shows an emoji
// on a button.
func TestTilesTellApart(t *testing.T) {
	const size, least = 22, 0.1 // the smallest measured difference is between the first and the last move of a side
	for name, see := range eyes {
		for button, behind := range buttons {
			all := tiles()
			for i, a := range all {
				for _, b := range all[:i] {
					if got := difference(lightness(a, size, behind, see), lightness(b, size, behind, see)); got < least {
						t.Errorf("%s on a %s button: %v and %v differ by %.3f, want at least %.2f", name, button, a, b, got, least)
					}
				}
			}
		}
	}
}

func TestALeavingMarkIsFainterThanTheOthers(t *testing.T) {
	for _, m := range []game.Mark{game.X, game.O} {
		c := picture.ColoursOf(m, picture.Leaving)
		faint := contrast(linear(c.Mark), linear(c.Plate))
		for _, look := range looks {
			c := picture.ColoursOf(m, look)
			if got := contrast(linear(c.Mark), linear(c.Plate)); look != picture.Leaving && got < 1.3*faint {
				t.Errorf("%v %v has a contrast of %.1f, a leaving one %.1f", m, look, got, faint)
			}
		}
	}
}

// kind is one of the possible tiles.
type kind struct {
	mark game.Mark
	look picture.Look
}

func (k kind) String() string { return strings.TrimSpace(k.mark.String() + " " + k.look.String()) }

func tiles() []kind {
	all := []kind{{game.None, picture.Plain}, {game.None, picture.Better}}
	for _, m := range []game.Mark{game.X, game.O} {
		for _, l := range looks {
			all = append(all, kind{m, l})
		}
	}
	return all
}

// light is a colour in linear light: red, green and blue from 0 to 1.
type light [3]float64

// linear decodes sRGB (IEC 61966-2-1).
func linear(c color.RGBA) light {
	decode := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return light{decode(c.R), decode(c.G), decode(c.B)}
}

// luminance is relative luminance as WCAG 2.2 defines it.
func (l light) luminance() float64 { return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2] }

// contrast returns the contrast ratio of WCAG 2.2.
func contrast(a, b light) float64 {
	low, high := a.luminance(), b.luminance()
	if low > high {
		low, high = high, low
	}
	return (high + 0.05) / (low + 0.05)
}

// eyes are kinds of colour vision. The matrices are from Machado, Oliveira and Fernandes, "A Physiologically-based Model for
// Simulation of Color Vision Deficiency" (2009), for severity 1.
var eyes = map[string]func(light) light{
	"all colours":  func(l light) light { return l },
	"greyscale":    func(l light) light { y := l.luminance(); return light{y, y, y} },
	"protanopia":   seen(0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998),
	"deuteranopia": seen(0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881),
	"tritanopia":   seen(1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900),
}

func seen(m ...float64) func(light) light {
	return func(l light) (out light) {
		for i := range out {
			out[i] = min(1, max(0, m[3*i]*l[0]+m[3*i+1]*l[1]+m[3*i+2]*l[2]))
		}
		return out
	}
}

func rgb(c uint32) color.RGBA { return color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 0xff} }

// through returns a colour at the opacity of a disabled button.
func through(c, behind color.RGBA) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(faded*float64(a) + (1-faded)*float64(b))) }
	return color.RGBA{mix(c.R, behind.R), mix(c.G, behind.G), mix(c.B, behind.B), 0xff}
}

// lightness returns CIE L* for each pixel of a tile on a background, from 0 to 1.
func lightness(k kind, size int, behind uint32, see func(light) light) []float64 {
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	draw.Draw(img, img.Bounds(), image.NewUniform(rgb(behind)), image.Point{}, draw.Src)
	draw.Draw(img, img.Bounds(), picture.Tile(k.mark, k.look, size), image.Point{}, draw.Over)
	var all []float64
	for y := range size {
		for x := range size {
			v := see(linear(img.RGBAAt(x, y))).luminance()
			if v > 216.0/24389 {
				v = 1.16*math.Cbrt(v) - 0.16
			} else {
				v *= 24389.0 / 2700
			}
			all = append(all, v)
		}
	}
	return all
}

// difference returns the root mean square of the differences.
func difference(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return math.Sqrt(sum / float64(len(a)))
}
