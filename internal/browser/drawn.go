// Package browser is the front end of a page that plays in a browser alone, without a server. It carries out what is pressed, draws the
// screens of package view as plain values, and keeps matches in rows that the browser stores. It knows neither the browser nor how the page
// looks: cmd/web/wasm joins it to those.
package browser

import (
	"strings"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// Drawn is a screen in words, as the page shows it. In texts, the characters markX and markO stand for drawn marks, and a time in
// milliseconds between two momentSigns for a countdown.
type Drawn struct {
	Tab     string // the part of the page to which the screen belongs: play, puzzle, learn or analyse
	Tone    string // the tone of the screen: turn-x, turn-o, won, drawn, closed, warning, or empty
	Lines   []string
	Notes   []string
	Paste   string // text for the user to copy
	Grid    string // describes the board for people who do not see it
	Columns int
	Cells   []Cell
	Line    []int // the first and the last square of the line that ended the game, or nil
	Buttons []Button
	Menus   []Menu
	Until   int64  // when the side to move loses on time, in milliseconds; 0 if never
	Expire  string // what to do then
	Again   string // what to do to get further with an analysis that took too long; empty if it is complete
	Link    string // the address of the screen after the #, or empty
	Self    string // what shows the screen again
}

// Cell is a square.
type Cell struct {
	Name  string // such as b2
	Mark  string // X, O or empty
	Look  string // last, leaves, wins, loses, better, or empty
	Say   string // the name and content of the square in words
	Value string // what the square is worth, such as +3; empty if that is not shown
	Do    string // what a press does; empty if it does nothing
}

// Button does something when it is pressed.
type Button struct {
	Label  string
	Do     string
	Weight string // main, good, bad, or empty
	Off    bool
	Copy   string   // text that is copied instead
	Ask    []string // a title and a question to be answered first, or nil
}

// Menu offers choices.
type Menu struct {
	Name    string // names the menu in a form; empty if a choice is carried out at once
	Label   string
	Options []Option
}

// Option is a choice of a menu.
type Option struct {
	Label, Value string
	Chosen       bool
}

// The signs in texts.
const (
	markX      = "\ue001"
	markO      = "\ue002"
	momentSign = "\ue003"
)

// style writes arguments of texts with the signs of a Drawn.
type style struct{}

func (style) Name(name string) string                              { return name }
func (style) Title(title string) string                            { return title }
func (style) Mention(p match.User) string                          { return string(p) }
func (style) Moment(t time.Time) string                            { return momentSign + timeText(t) + momentSign }
func (style) Date(t time.Time, long func(time.Time) string) string { return long(t) }
func (style) Hour(t time.Time) string                              { return t.Format("15:04") }
func (style) Link(text string, _ match.ID) string                  { return text }
func (style) Place(id string) string                               { return id }
func (style) Role(id string) string                                { return id }
func (style) Command(_, named string) string                       { return named }
func (style) Mark(m game.Mark) string {
	if m == game.O {
		return markO
	}
	return markX
}

// plain writes arguments of texts that leave the page, such as a text to copy.
type plain struct{ style }

func (plain) Mark(m game.Mark) string { return m.String() }

var (
	tones   = map[view.Tone]string{view.TurnX: "turn-x", view.TurnO: "turn-o", view.Won: "won", view.Drawn: "drawn", view.Closed: "closed", view.Warning: "warning"}
	weights = map[view.Weight]string{view.Main: "main", view.Good: "good", view.Bad: "bad"}
)

// draw words a screen. Actions that the page does not have are left out.
func draw(w locale.Words, s view.Screen, tab string) Drawn {
	d := Drawn{Tab: tab, Tone: tones[s.Tone], Columns: s.Columns}
	for _, t := range s.Lines {
		d.Lines = append(d.Lines, w.Say(t, style{}))
	}
	for _, t := range s.Notes {
		d.Notes = append(d.Notes, w.Say(t, style{}))
	}
	var paste []string
	for _, t := range s.Paste {
		paste = append(paste, w.Say(t, plain{}))
	}
	d.Paste = strings.Join(paste, "\n")
	var line []int
	for i, c := range s.Cells {
		cell := Cell{Name: c.Name, Mark: c.Mark.String(), Look: lookOf(c)}
		if c.Mark == game.None {
			cell.Mark = ""
		}
		three := s
		three.Columns = 3 // there is room for all words
		cell.Say = w.Say(three.Label(c), plain{})
		if !c.Over {
			cell.Do = pressed(s, c.Name)
		}
		if c.InLine() {
			line = append(line, i)
		}
		d.Cells = append(d.Cells, cell)
	}
	if n := len(line); n > 0 && max(line[n-1]/s.Columns-line[0]/s.Columns, abs(line[n-1]%s.Columns-line[0]%s.Columns)) == n-1 {
		d.Line = []int{line[0], line[n-1]} // squares of two lines are not crossed out
	}
	if len(s.Cells) > 0 {
		d.Grid = w.Say(view.T("picture.board", view.Args{"Columns": s.Columns, "Rows": len(s.Cells) / s.Columns}), plain{})
	}
	for _, b := range s.Buttons {
		do := written(b.Do)
		if do == "" {
			continue
		}
		label := w.Say(b.Label, style{})
		if b.Mark != game.None {
			label = style{}.Mark(b.Mark) + " " + label
		}
		d.Buttons = append(d.Buttons, Button{Label: label, Do: do, Weight: weights[b.Weight], Off: b.Disabled})
	}
	return d
}

func abs(n int) int { return max(n, -n) }

func lookOf(c view.Cell) string {
	switch {
	case c.Winning:
		return "wins"
	case c.Losing:
		return "loses"
	case c.Vanishing:
		return "leaves"
	case c.Better:
		return "better"
	case c.Last:
		return "last"
	}
	return ""
}
