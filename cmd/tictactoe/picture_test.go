package main

import (
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// drawn runs the picture command with its output in a pipe, and returns its outputs.
func drawn(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return runInProcess(t, "", append([]string{"picture"}, args...)...)
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
		default:
			c, err := png.DecodeConfig(file)
			if err != nil {
				t.Fatal(err)
			}
			return c.Width
		}
	}
	for name, want := range map[string]int{"board.png": 512, "BOARD2.PNG": 512, "game.gif": 384} {
		said, errs, code := drawn(t, "--out", filepath.Join(folder, name), "moves", "a1", "b2", "b1", "a2", "c1")
		if got := size(name); code != exitOK || got != want {
			t.Errorf("%s: code %d, %d pixels wide, want %d; %s", name, code, got, want, errs)
		}
		if !strings.HasPrefix(said, filepath.Join(folder, name)+": A ") || !strings.Contains(said, "X has a1, b1, and c1 in a row. X has won.") {
			t.Errorf("%s is described as: %s", name, said)
		}
		if left, err := filepath.Glob(filepath.Join(folder, "*.new-*")); err != nil || len(left) > 0 {
			t.Error(left, err)
		}
	}
	if _, errs, code := drawn(t, "--out", filepath.Join(folder, "small.png"), "--size", "128", "moves"); code != exitOK || size("small.png") != 128 {
		t.Errorf("code %d: %s", code, errs)
	}
}

func TestPictureSaysWhatToDo(t *testing.T) {
	folder := t.TempDir()
	board := filepath.Join(folder, "b.png")
	for name, tt := range map[string]struct {
		args []string
		code int
		says string
	}{
		"an unknown ending":       {[]string{"--out", "b.jpg", "moves", "b2"}, exitUsage, "name a file .png, or .gif"},
		"no file":                 {[]string{"moves", "b2"}, exitUsage, "--out"},
		"a size too small":        {[]string{"--out", board, "--size", "5", "moves", "b2"}, exitUsage, "128 to 2048 pixels"},
		"a size too large":        {[]string{"--out", board, "--size", "4000", "moves", "b2"}, exitUsage, "128 to 2048 pixels"},
		"a position to animate":   {[]string{"--out", filepath.Join(folder, "g.gif"), "X.O/.X./..O"}, exitFailure, "an animation needs moves"},
		"an illegal move":         {[]string{"--out", board, "moves", "b2", "b2"}, exitFailure, "the square is taken"},
		"no such square":          {[]string{"--out", board, "moves", "z9"}, exitFailure, "z9"},
		"no such position":        {[]string{"--out", board, "XXX/XXX/XXX"}, exitFailure, "XXX"},
		"a folder that is gone":   {[]string{"--out", filepath.Join(folder, "none", "b.png"), "moves", "b2"}, exitFailure, "write the picture: open " + filepath.Join(folder, "none", "b.png") + ": no such file"},
		"no position and no move": {[]string{"--out", board}, exitUsage, "<position>"},
	} {
		t.Run(name, func(t *testing.T) {
			out, errs, code := drawn(t, tt.args...)
			if code != tt.code || !strings.Contains(errs, tt.says) || out != "" {
				t.Errorf("code %d, want %d; standard output is %q; want %q in standard error, which is:\n%s", code, tt.code, out, tt.says, errs)
			}
		})
	}
}

// TestTheReadmeShowsWhatThePictureCommandDraws compares the README's animation with the output of the command that the decision
// about pictures names.
func TestTheReadmeShowsWhatThePictureCommandDraws(t *testing.T) {
	want, err := os.ReadFile("../../docs/images/match.gif")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "match.gif")
	_, errs, code := drawn(t, "--out", file, "--size", "240", "moves", "b2", "b1", "a1", "c3", "a3", "a2", "c1")
	if got, err := os.ReadFile(file); err != nil || code != exitOK || string(got) != string(want) {
		t.Errorf("docs/images/match.gif is outdated: draw it again (code %d) %s%v", code, errs, err)
	}
}
