package terminal

import (
	"strings"
	"time"
	"unicode"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// plainStyle writes texts for a terminal: without markup, with letters for marks, and without control characters in names.
type plainStyle struct{}

func (plainStyle) Name(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, name)
}

func (s plainStyle) Mention(p match.User) string       { return s.Name(string(p)) }
func (plainStyle) Moment(t time.Time) string           { return "at " + t.Format("15:04:05") }
func (s plainStyle) Title(title string) string         { return s.Name(title) }
func (plainStyle) Date(t time.Time) string             { return t.Format(time.DateOnly) }
func (plainStyle) Mark(m game.Mark) string             { return m.String() }
func (plainStyle) Link(text string, _ match.ID) string { return text }
func (s plainStyle) Place(id string) string            { return s.Name(id) }
func (plainStyle) Command(_, named string) string      { return "/" + named }

// Say words a text as the terminal can show it.
func (g *Game) Say(t view.Text) string {
	text := g.Words.Say(t, plainStyle{})
	if g.ASCII {
		return ascii(text)
	}
	return text
}

// ascii returns a text in ASCII characters. It leaves out characters that have no similar one.
func ascii(text string) string {
	text = strings.NewReplacer("·", "-", "…", "...", "“", `"`, "”", `"`, "è", "e", "↑↓←→", "arrows", "← →", "arrows").Replace(text)
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return -1
		}
		return r
	}, text))
}
