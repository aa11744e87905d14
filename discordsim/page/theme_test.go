package page_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The table combines colours of text with background colours. WCAG AA requires a contrast of 4.5 for small text, and
// of 3 for icons.
func TestTheColoursOfBothThemesCanBeRead(t *testing.T) {
	t.Parallel()
	everywhere := strings.Fields("chat side raised sheet input hover here row rail private mentioned code")
	chat := strings.Fields("chat raised sheet row private mentioned")
	tests := []struct {
		text   []string
		behind []string
		least  float64
	}{
		{strings.Fields("text strong"), everywhere, 4.5},
		{strings.Fields("muted"), strings.Fields("chat side raised sheet input hover row rail private mentioned code"), 4.5},
		{strings.Fields("strong"), strings.Fields("here"), 4.5},
		{strings.Fields("link error"), chat, 4.5},
		{strings.Fields("mention"), strings.Fields("mention-back"), 4.5},
		{strings.Fields("white"), strings.Fields("primary primary-hover success success-hover danger danger-hover"), 4.5},
		{strings.Fields("secondary-text"), strings.Fields("secondary secondary-hover"), 4.5},
		{strings.Fields("icon muted focus online-text"), strings.Fields("chat side sheet input"), 3},
	}
	for i, theme := range []string{"light", "dark"} {
		colours := themeColours(t, i)
		for _, test := range tests {
			for _, text := range test.text {
				for _, behind := range test.behind {
					if got := contrast(colours[text], colours[behind]); !(got >= test.least) {
						t.Errorf("%s: --%s on --%s has a contrast of %.2f, want %.1f", theme, text, behind, got, test.least)
					}
				}
			}
		}
	}
}

// themeColours returns the colours of the style sheet by name: the light theme's for 0, the dark theme's for 1.
func themeColours(t *testing.T, theme int) map[string][3]float64 {
	t.Helper()
	sheet, err := os.ReadFile("page/style.css")
	if err != nil {
		t.Fatal(err)
	}
	colours := map[string][3]float64{"white": {1, 1, 1}}
	for _, m := range regexp.MustCompile(`--([\w-]+): (?:light-dark\((#\w+), (#\w+)\)|(#\w+));`).FindAllStringSubmatch(string(sheet), -1) {
		value := m[2+theme]
		if m[4] != "" {
			value = m[4]
		}
		colours[m[1]] = rgb(t, value)
	}
	if len(colours) < 30 {
		t.Fatalf("only %d colours were found in the style sheet", len(colours))
	}
	return colours
}

func rgb(t *testing.T, hex string) (c [3]float64) {
	t.Helper()
	digits := strings.TrimPrefix(hex, "#")
	if len(digits) < 6 { // #abc is #aabbcc
		long := ""
		for _, d := range digits {
			long += fmt.Sprintf("%c%c", d, d)
		}
		digits = long
	}
	for i := range c {
		v, err := strconv.ParseUint(digits[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatalf("%s is no colour: %v", hex, err)
		}
		c[i] = float64(v) / 255
	}
	return c
}

func contrast(a, b [3]float64) float64 {
	light := func(c [3]float64) float64 {
		for i, v := range c {
			if c[i] = v / 12.92; v > 0.03928 {
				c[i] = math.Pow((v+0.055)/1.055, 2.4)
			}
		}
		return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2]
	}
	x, y := light(a), light(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}
