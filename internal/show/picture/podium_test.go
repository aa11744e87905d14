package picture_test

import (
	"bytes"
	"os"
	"testing"

	"tictactoe/internal/show/picture"
)

// TestPodium compares a podium with the picture in testdata. A podium of one, and one with a shared place, have their steps and no others. A name that the font lacks is
// missing, and a long one is cut.
func TestPodium(t *testing.T) {
	for name, p := range map[string]picture.Podium{
		"podium":        {{Place: 1, Points: 14, Name: "Žofie Müller-Lüdenscheidt"}, {Place: 2, Points: 9, Name: "Bob"}, {Place: 3, Points: 6, Name: "Владимир"}},
		"podium-one":    {{Place: 1, Points: 2, Name: "花子 🎉"}},
		"podium-shared": {{Place: 1, Points: 108}, {Place: 1, Points: 108}, {Place: 3, Points: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := p.PNG()
			if err != nil {
				t.Fatal(err)
			}
			file := "testdata/" + name + ".png"
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(pixels(t, got), pixels(t, want)) {
				t.Errorf("%s differs from the drawing: look at it, and run the test with -update", file)
			}
		})
	}
}
