package terminal_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"tictactoe/game"
	"tictactoe/internal/file/golden"
	"tictactoe/internal/puzzles/course"
	"tictactoe/internal/terminal"
)

// newCourse returns a game that plays the course, with no lesson solved.
func newCourse(t *testing.T) *terminal.Game {
	t.Helper()
	g := newGame(t, "classic", "human", "human", game.X)
	g.Course = terminal.Course{}
	return g
}

func TestCourseTranscripts(t *testing.T) {
	for _, tt := range []struct{ name, typed string }{
		{"course", "c1|c1|a2|b1|b2|a1|d4|b2|a2|c3|"},
		{"course-wrong-taken-and-unreadable", "a3|a1|z9|c1|q|"},
		{"course-passing-lessons-over", "next|n|?|n|n|n|n|n|n|n|n|c3|"},
		{"course-end-of-input", "c1|"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newCourse(t)
			var out bytes.Buffer
			g.Out = &out
			g.In = echoing{strings.NewReader(strings.ReplaceAll(tt.typed, "|", "\n")), &out}
			if err := g.PlayLines(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := g.TellCourse(); err != nil {
				t.Fatal(err)
			}
			golden.Compare(t, linesFile, tt.name, out.String(), *update)
		})
	}
}

func TestCourseScreens(t *testing.T) {
	for _, tt := range []struct{ name, size, keys string }{
		{"course-start", "", ""},
		{"course-wrong", "", "a 3"},
		{"course-taken", "", "a 1"},
		{"course-right", "", "c 1"},
		{"course-right-and-enter", "", "c 1 enter"},
		{"course-marks-that-fall", "", "n n n n n n a 4"},
		{"course-the-last-lesson", "", "n n n n n n n n n"},
		{"course-the-last-lesson-solved-and-enter", "", "n n n n n n n n n c 3 enter n"},
		{"course-on-a-small-terminal", "40x12", "n n n n n n n n a 1"},
		{"course-help", "", "?"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			model, _ := feed(resized(t, start(t, newCourse(t)), tt.size), keys(tt.keys)...)
			golden.Compare(t, screensFile, tt.name, plain(model), *update)
		})
	}
}

// The terminal must accept each right answer of each lesson, and reject every other empty square.
func TestEveryLessonCanBeSolved(t *testing.T) {
	g := newCourse(t)
	for n, l := range course.Lessons() {
		if l.Position().Rules().Squares() > 16 {
			continue // the transcripts cover this lesson; judging its wrong squares takes long
		}
		for square := range l.Position().Legal().All() {
			g.Course = terminal.Course{}
			g.Out, g.In = io.Discard, strings.NewReader(strings.Repeat("n\n", n)+l.Position().Rules().Name(square)+"\n")
			if err := g.PlayLines(t.Context()); err != nil {
				t.Fatal(err)
			}
			if solved := g.Course[l.Name]; solved != l.Answers.Has(square) || len(g.Course) > 1 {
				t.Errorf("lesson %s, %s: solved %t", l.Name, l.Position().Rules().Name(square), solved)
			}
		}
	}
}
