// Package view is the presenter: it turns the state of the core into a [Screen], which says what to show and nothing of
// how. It knows no Discord, no terminal and no language: texts are keys with arguments, worded by internal/show/locale and
// styled by the front end.
package view

import (
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// Screen is one thing to show.
type Screen struct {
	Tone    Tone
	Lines   []Text   // above the board; the first is the headline
	Brief   []Text   // the same in less, for where Lines are too long; nil if there is no less
	Paste   []Text   // below that, to be copied and pasted elsewhere: plain text, with the emoji of everybody for marks
	Cells   []Cell   // row by row, Columns in a row; empty when there is no board
	Columns int      // of the board
	Labels  bool     // the squares are labelled with words, as Label says them, in place of pictures
	Small   bool     // the board is only to be looked at, and has the names of its columns and rows
	Match   match.ID // whose board it is
	Ply     int      // at which the board was drawn: a pressed square carries it
	Picture *Picture // below the lines and the board; nil if there is none
	Notes   []Text   // below all that, smaller
	Selects []Select // what one can choose from, each in a row
	Buttons []Button

	Puzzle   *PressPuzzle // what a press on a square does but for the square; nil if the board is of no puzzle
	Lesson   string       // of the course, whose board it is; empty if it is none
	Practice *Practice    // the game so far, which a pressed square carries on; nil if the board is that of the match
	Stale    bool         // what the match has changed of ratings is being worked out again, so it is to be drawn anew after that
}

// Picture is one that a screen shows. A front end that has no pictures tells it in words.
type Picture struct {
	Name    string // of the file: ASCII letters, digits and hyphens, then ".png" or ".gif"
	Content []byte
	Alt     Text // what is to be seen, for whoever does not see it: plain words without mentions and moments
}

// InWords is the screen without its picture, whose words come first among the notes.
func (s Screen) InWords() Screen {
	if s.Picture != nil {
		s.Notes = append([]Text{s.Picture.Alt}, s.Notes...)
		s.Picture = nil
	}
	return s
}

// Confirmed is what a screen says, for one person to read where the screen itself cannot be redrawn at once.
func Confirmed(s Screen) Screen {
	return Screen{Tone: s.Tone, Lines: s.Lines, Notes: []Text{T("confirmed.follows", nil)}}
}

// Tone is the mood of a screen: it colours, and never says anything that the words do not.
type Tone uint8

// The tones.
const (
	Neutral Tone = iota
	TurnX
	TurnO
	Won
	Drawn
	Closed  // over without a winner: aborted, declined, expired
	Warning // a refusal or an apology
)

// Cell is one square of the board.
type Cell struct {
	Name      string // of the square, as the rules write it: b2
	Mark      game.Mark
	Vanishing bool // its mark disappears with the next move
	Winning   bool // part of a line that has won
	Losing    bool // part of a line that has lost, where that is the rule
	Over      bool // no square can be pressed any more
	Last      bool // its mark is the one just made
	Better    bool // would have been better, on a board that is only to be looked at
}

// InLine tells whether the square is part of the line that ended the game.
func (c Cell) InLine() bool { return c.Winning || c.Losing }

// Label says in words what is on a square, in so few that a row of squares fits a phone: "a1", "b2 X", and "b2 X last" only on a board of
// three columns. In a row of five there is room for the mark alone; its place is told by the empty squares beside it and by the notes.
func (s Screen) Label(c Cell) Text {
	args := Args{"Square": c.Name, "Mark": c.Mark.String()}
	switch {
	case c.Mark == game.None:
		return T("square.empty", args)
	case s.Columns > 4:
		return T("square.mark", args)
	case s.Columns == 3 && c.Vanishing:
		return T("square.leaves", args)
	case s.Columns == 3 && c.Last:
		return T("square.last", args)
	default:
		return T("square.marked", args)
	}
}

// Text is a sentence by its key and what fills its gaps. Arguments are of these kinds: Name, Title, Points, Mention, Moment, Date, Mark,
// a nested Text, Link, Place, string (trusted: never what a user wrote), and int.
type Text struct {
	Key  string
	Args Args
}

// Args are the arguments of a text by their names.
type Args map[string]any

// T is a text.
func T(key string, args Args) Text { return Text{key, args} }

// Name is a person's name as that person wrote it: the front end escapes it.
type Name string

// Title is what somebody has named a thing: the front end escapes it.
type Title string

// Points is a rating in whole points. It is written without a mark for thousands, as ratings are everywhere.
type Points int

// Mention is a player by id, in the way the front end names people so that they notice.
type Mention match.User

// Moment is a time that is shown as a countdown.
type Moment time.Time

// Date is a time that is shown as a day.
type Date time.Time

// Mark is a mark as the front end draws it.
type Mark game.Mark

// Link leads to the message where a match is shown.
type Link struct {
	Text  Text
	Match match.ID
}

// Place is somewhere in a venue by its id, as the front end leads there.
type Place string

// Names are the names of players as last seen.
type Names map[match.User]string

// Of is the name of a player, or a stand-in if nobody has seen it.
func (n Names) Of(p match.User) any {
	if p == match.Left {
		return T("name.left", nil)
	}
	if name := n[p]; name != "" {
		return Name(name)
	}
	return T("name.unknown", nil)
}

// Seat is the name of whoever sits there: a player's name, or the computer with its level.
func (n Names) Seat(s match.Seat) any {
	if s.IsComputer() {
		return T("name.computer", Args{"Level": LevelName(s.Level)})
	}
	return n.Of(s.Player)
}

// LevelName is the name of a level for people.
func LevelName(level string) Text { return T("level."+level, nil) }

// when returns texts, buttons or others if a condition holds, and none otherwise.
func when[T any](holds bool, some ...T) []T {
	if holds {
		return some
	}
	return nil
}
