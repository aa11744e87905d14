package main

import (
	"bytes"
	"encoding/xml"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/terminal/console"
)

// drawn is a picture by the command, with its output in a pipe.
func drawn(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return told(t, "", append([]string{"picture"}, args...)...)
}

func TestPictureDrawsOnStandardOutput(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"letters of a position": {[]string{"X.O/.X./..O"}, "  a b c\n1 X . O\n2 . X .\n3 . . O\n"},
		"letters of moves":      {[]string{"--rules", "drop", "moves", "c4", "c3"}, "  a b c d e\n1 . . . . .\n2 . . . . .\n3 . . O . .\n4 . . X . .\n"},
		"emoji":                 {[]string{"--format", "emoji", "moves", "b2", "a1"}, "⭕⬜⬜\n⬜❌⬜\n⬜⬜⬜\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, errs, code := drawn(t, tt.args...)
			if diff := cmp.Diff(tt.want, got); code != exitOK || diff != "" {
				t.Errorf("code %d, %s%s", code, errs, diff)
			}
		})
	}
}

func TestPictureChoosesTheFormatByTheNameOfTheFile(t *testing.T) {
	folder := t.TempDir()
	size := func(name string) (width int) {
		file, err := os.Open(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		switch filepath.Ext(name) {
		case ".gif":
			g, err := gif.DecodeAll(file)
			if err != nil {
				t.Fatal(err)
			}
			return g.Config.Width
		case ".svg":
			var read struct {
				Width int `xml:"width,attr"`
			}
			if err := xml.NewDecoder(file).Decode(&read); err != nil {
				t.Fatal(err)
			}
			return read.Width
		default:
			c, err := png.DecodeConfig(file)
			if err != nil {
				t.Fatal(err)
			}
			return c.Width
		}
	}
	for name, want := range map[string]int{"board.png": 512, "BOARD2.PNG": 512, "board.svg": 512, "game.gif": 384} {
		said, errs, code := drawn(t, "--out", filepath.Join(folder, name), "moves", "a1", "b2", "b1", "a2", "c1")
		if got := size(name); code != exitOK || got != want {
			t.Errorf("%s: code %d, %d pixels wide, want %d; %s", name, code, got, want, errs)
		}
		if !strings.HasPrefix(said, filepath.Join(folder, name)+": A ") || !strings.Contains(said, "X has a1, b1, c1 in a row. X has won.") {
			t.Errorf("%s is said to be: %s", name, said)
		}
		if left, err := filepath.Glob(filepath.Join(folder, "*.new-*")); err != nil || len(left) > 0 {
			t.Error(left, err)
		}
	}
	if _, errs, code := drawn(t, "--out", filepath.Join(folder, "small.png"), "--size", "128", "moves"); code != exitOK || size("small.png") != 128 {
		t.Errorf("code %d: %s", code, errs)
	}
	if _, errs, code := drawn(t, "--out", filepath.Join(folder, "named.png"), "--format", "gif", "moves", "b2"); code != exitOK {
		t.Errorf("code %d: %s", code, errs)
	}
}

func TestPictureSaysWhatToDo(t *testing.T) {
	folder := t.TempDir()
	for name, tt := range map[string]struct {
		args []string
		code int
		says string
	}{
		"an unknown ending":       {[]string{"--out", "b.jpg", "moves", "b2"}, exitUsage, "name a file .png, .gif, .svg or .txt, or say --format"},
		"an unknown format":       {[]string{"--format", "bmp", "moves", "b2"}, exitUsage, "use one of png, gif, svg, text, emoji"},
		"a size too small":        {[]string{"--size", "5", "moves", "b2"}, exitUsage, "128 to 2048 pixels"},
		"a size too large":        {[]string{"--size", "4000", "moves", "b2"}, exitUsage, "128 to 2048 pixels"},
		"a position to animate":   {[]string{"--format", "gif", "X.O/.X./..O"}, exitUsage, "an animation needs moves"},
		"two words to animate":    {[]string{"--format", "gif", "X../.../...", "O"}, exitFailure, "an animation needs moves"},
		"an illegal move":         {[]string{"moves", "b2", "b2"}, exitFailure, "the square is taken"},
		"no such square":          {[]string{"moves", "z9"}, exitFailure, "z9"},
		"no such position":        {[]string{"XXX/XXX/XXX"}, exitFailure, "XXX"},
		"a folder that is gone":   {[]string{"--out", filepath.Join(folder, "none", "b.png"), "moves", "b2"}, exitFailure, "write the picture: "},
		"no position and no move": {nil, exitUsage, "<position>"},
	} {
		t.Run(name, func(t *testing.T) {
			out, errs, code := drawn(t, tt.args...)
			if code != tt.code || !strings.Contains(errs, tt.says) || out != "" {
				t.Errorf("code %d, want %d; it says %q on standard output and this on the other, want %q:\n%s", code, tt.code, out, tt.says, errs)
			}
		})
	}
}

// TestPictureLeavesTerminalsAlone: a PNG would change what a terminal shows, and could be read by nobody.
func TestPictureLeavesTerminalsAlone(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil || !console.IsTerminal(terminal) {
		t.Skip("no terminal can be opened here: ", err)
	}
	defer terminal.Close()
	for format, want := range map[string]int{"png": exitFailure, "gif": exitFailure, "text": exitOK, "svg": exitOK} {
		var errs bytes.Buffer
		code := run(t.Context(), []string{"picture", "--format", format, "moves", "b2"},
			surroundings{func(string) string { return "" }, strings.NewReader(""), terminal, &errs})
		if refused := strings.Contains(errs.String(), "name a file with --out"); code != want || refused != (want != exitOK) {
			t.Errorf("%s: code %d, want %d: %s", format, code, want, &errs)
		}
	}
}

// TestTheReadmeShowsWhatThePictureCommandDraws draws the animation of the README with the command that the decision about pictures names.
func TestTheReadmeShowsWhatThePictureCommandDraws(t *testing.T) {
	want, err := os.ReadFile("../../docs/images/match.gif")
	if err != nil {
		t.Fatal(err)
	}
	got, errs, code := drawn(t, "--format", "gif", "--size", "240", "moves", "b2", "b1", "a1", "c3", "a3", "a2", "c1")
	if code != exitOK || got != string(want) {
		t.Errorf("docs/images/match.gif is another one: draw it anew (code %d) %s", code, errs)
	}
}
