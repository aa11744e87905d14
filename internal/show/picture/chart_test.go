package picture_test

import (
	"bytes"
	"errors"
	"flag"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/internal/show/picture"
)

var update = flag.Bool("update", false, "draw the pictures again")

// charts returns the charts that are in testdata, by the name of the file.
func charts() map[string]picture.Chart {
	long := walk(2000, 26*time.Hour+17*time.Minute)
	return map[string]picture.Chart{
		"beginner": {Ratings: walk(12, 9*time.Minute), Provisional: true},
		"one":      {Ratings: walk(1, 0)},
		"equal":    {Ratings: flat(8)},
		"season": {Ratings: walk(220, 9*time.Hour), Seasons: []picture.Season{
			{Number: 1, Start: date(2026, 6, 1)}, {Number: 2, Start: date(2026, 9, 1)}, {Number: 3, Start: date(2026, 10, 1)},
		}},
		"years": {Ratings: long, Seasons: seasons(40)},
		"jumps": {Provisional: true, Ratings: []picture.Rating{
			{At: date(1999, 12, 31), Value: -999_999, Deviation: 350}, {At: date(2026, 2, 1), Value: 999_999, Deviation: 1},
			{At: date(2026, 2, 2), Value: 0, Deviation: 999_999}, {At: date(2051, 11, 3), Value: 4, Deviation: 60},
		}},
	}
}

func date(year, month, day int) time.Time {
	return time.Date(year, time.Month(month), day, 12, 0, 0, 0, time.UTC)
}

// walk returns the ratings of a player who wins and loses at random, with a fixed seed, and whose deviation shrinks.
func walk(matches int, apart time.Duration) (all []picture.Rating) {
	r := rand.New(rand.NewPCG(1, 2))
	at, value, deviation := date(2026, 8, 24), 1500.0, 350.0
	for range matches {
		deviation = max(62, deviation*0.9)
		value += (r.Float64() - 0.47) * deviation / 2
		at = at.Add(time.Duration((0.5 + r.Float64()) * float64(apart)))
		all = append(all, picture.Rating{At: at, Value: value, Deviation: deviation})
	}
	return all
}

func flat(matches int) (all []picture.Rating) {
	for i := range matches {
		all = append(all, picture.Rating{At: date(2026, 11, 1+i), Value: 1500, Deviation: 80})
	}
	return all
}

func seasons(n int) (all []picture.Season) {
	for i := range n {
		all = append(all, picture.Season{Number: i + 1, Start: date(2026, 1, 1).AddDate(0, 3*i, 0)})
	}
	return all
}

func TestChartsEqualTheirGoldens(t *testing.T) {
	for name, chart := range charts() {
		t.Run(name, func(t *testing.T) {
			got := drawn(t, chart)
			file := "testdata/chart-" + name + ".png"
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			// The test compares pixels, because the bytes also depend on the compression of the Go release.
			if !bytes.Equal(pixels(t, got), pixels(t, want)) {
				t.Errorf("the chart differs from %s: run the test with -update and look at the picture", file)
			}
		})
	}
}

func TestTheSameChartIsTheSameFile(t *testing.T) {
	for name, chart := range charts() {
		if first := drawn(t, chart); !bytes.Equal(first, drawn(t, chart)) {
			t.Errorf("%s was drawn twice, and the files differ", name)
		}
	}
}

func TestAChartIsSmall(t *testing.T) {
	const most = 30 << 10
	all := charts()
	all["many matches"] = picture.Chart{Ratings: walk(2000, 300*time.Hour), Seasons: seasons(400)}
	all["up and down in each pixel"] = picture.Chart{Ratings: zigzag(2000), Seasons: seasons(400)}
	for name, chart := range all {
		b := drawn(t, chart)
		if len(b) > most {
			t.Errorf("%s: the picture has %d bytes, want at most %d", name, len(b), most)
		}
		if got := decode(t, b).Bounds(); got != image.Rect(0, 0, 800, 400) {
			t.Errorf("%s: the picture is %v, want 800 by 400", name, got)
		}
		t.Logf("%s: %d bytes", name, len(b))
	}
}

func zigzag(n int) (all []picture.Rating) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		all = append(all, picture.Rating{At: date(2026, 1, 1).Add(time.Duration(i) * time.Hour), Value: 1000 + 1000*r.Float64(), Deviation: 200 * r.Float64()})
	}
	return all
}

func drawn(t testing.TB, c picture.Chart) []byte {
	t.Helper()
	b, err := c.PNG()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func decode(t testing.TB, b []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// pixels returns the colours of all pixels of a file. The order of the palette does not matter.
func pixels(t testing.TB, b []byte) []byte {
	img := decode(t, b)
	var out bytes.Buffer
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, g, b, a := img.At(x, y).RGBA()
			out.Write([]byte{byte(r >> 8), byte(g >> 8), byte(b >> 8), byte(a >> 8)})
		}
	}
	return out.Bytes()
}

func TestAChartWithoutRatingsIsRefused(t *testing.T) {
	c := picture.Chart{Seasons: []picture.Season{{1, date(2026, 1, 1)}}}
	if b, err := c.PNG(); !errors.Is(err, picture.ErrNoRatings) || b != nil {
		t.Errorf("a chart with %d bytes was drawn (%v)", len(b), err)
	}
}

func TestUnusualChartsAreDrawn(t *testing.T) {
	const edge = 999_999
	first, last := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC)
	for name, c := range map[string]picture.Chart{
		"the ends of time and of ratings": {Ratings: []picture.Rating{{At: first, Value: -edge, Deviation: edge}, {At: last, Value: edge}}},
		"all at once":                     {Ratings: []picture.Rating{{At: first, Value: 1}, {At: first, Value: 2}, {At: first, Value: 1}}},
		"a moment apart":                  {Ratings: []picture.Rating{{At: last.Add(-1), Value: 1}, {At: last, Value: 2}}},
		"next to zero":                    {Ratings: []picture.Rating{{At: date(2026, 1, 1), Value: -0.2}}},
		"many at one time": {
			Ratings: slices.Repeat([]picture.Rating{{At: last, Value: 1500, Deviation: 80}}, 1000),
			Seasons: []picture.Season{{7, first}, {7, last}, {math.MaxInt, last}},
		},
	} {
		t.Run(name, func(t *testing.T) { drawn(t, c) })
	}
}

func TestDatesHaveRoom(t *testing.T) {
	for _, c := range []struct {
		from, to string
		room     float64 // the number of labels for which there is room
		want     string
	}{
		{"2026-11-23 10:00", "2026-11-23 11:00", 4, "2026-11-23"},
		{"2026-11-23 10:00", "2026-11-24 09:00", 4, "2026-11-24"},
		{"2026-11-23 00:00", "2026-11-26 09:00", 4, "2026-11-23 2026-11-24 2026-11-25 2026-11-26"},
		{"2026-11-23 00:00", "2026-11-30 00:00", 4, "2026-11-23 2026-11-25 2026-11-27 2026-11-29"},
		{"2026-11-23 00:00", "2026-12-20 00:00", 4, "2026-11-26 2026-12-03 2026-12-10 2026-12-17"},
		{"2026-11-23 00:00", "2027-02-20 00:00", 4, "2026-12 2027-01 2027-02"},
		{"2023-12-31 23:59", "2024-04-01 00:00", 4, "2024-01 2024-02 2024-03 2024-04"},
		{"2026-01-01 00:00", "2026-12-31 00:00", 5, "2026-01 2026-04 2026-07 2026-10"},
		{"2024-02-29 00:00", "2028-02-29 00:00", 5, "2025 2026 2027 2028"},
		{"1969-12-25 00:00", "1970-01-05 00:00", 4, "1969-12-25 1970-01-01"},
		{"0001-01-01 00:00", "9999-12-31 00:00", 4, "5000"},
		{"0001-01-01 00:00", "9999-12-31 00:00", 10, "2000 4000 6000 8000"},
	} {
		from, to := moment(t, c.from), moment(t, c.to)
		if got := strings.Join(picture.Dates(from, to, c.room), " "); got != c.want {
			t.Errorf("from %s to %s: %s, want %s", c.from, c.to, got, c.want)
		}
	}
}

func moment(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02 15:04", s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestInksHaveContrast(t *testing.T) {
	const words, lines = 4.5, 3.0 // WCAG 2.2, success criteria 1.4.3 and 1.4.11
	for name, see := range eyes {
		for _, ink := range picture.Inks() {
			least := lines
			if ink.Words {
				least = words
			}
			for _, on := range ink.On {
				if got := contrast(see(linear(ink.Ink)), see(linear(on))); got < least {
					t.Errorf("%s: %s on #%02x%02x%02x: contrast %.2f, want at least %.1f", name, ink.Name, on.R, on.G, on.B, got, least)
				}
			}
		}
		for page, behind := range pages {
			if got := contrast(see(linear(picture.CardEdge)), see(linear(rgb(behind)))); got < lines {
				t.Errorf("%s: the edge of the card on the %s page: contrast %.2f, want at least %.1f", name, page, got, lines)
			}
		}
	}
}

func TestAChartIsDrawnInItsInks(t *testing.T) {
	there := make(map[color.Color]int)
	img := decode(t, drawn(t, charts()["season"]))
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			there[color.RGBAModel.Convert(img.At(x, y))]++
		}
	}
	for _, ink := range picture.Inks() {
		for _, c := range append(ink.On, ink.Ink) {
			if there[c] < 200 {
				t.Errorf("%s: %d pixels have the colour %v", ink.Name, there[c], c)
			}
		}
	}
	if there[color.RGBA{}] == 0 {
		t.Error("the corners are not transparent")
	}
}

// BenchmarkChart draws charts of few and of many ratings.
func BenchmarkChart(b *testing.B) {
	for name, chart := range map[string]picture.Chart{
		"season":   charts()["season"],
		"years":    charts()["years"],
		"100000":   {Ratings: walk(100_000, 6*time.Hour), Seasons: seasons(400)},
		"zigzag":   {Ratings: zigzag(100_000)},
		"beginner": charts()["beginner"],
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				drawn(b, chart)
			}
		})
	}
}
