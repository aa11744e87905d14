// Package view is the presenter: it turns the state of the core into a [Screen], which says what to show and nothing of
// how. It knows no Discord, no terminal and no language: texts are keys with arguments, worded by internal/show/locale and
// styled by the front end.
package view

import (
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// Screen is what a front end shows at once: texts, a board, a picture, menus and buttons.
type Screen struct {
	Tone    Tone
	Lines   []Text   // above the board; the first is the headline
	Brief   []Text   // shorter Lines, in case they are too long; nil if there are none
	Paste   []Text   // below the lines, to be copied and pasted elsewhere: plain text, with Unicode emoji for marks
	Cells   []Cell   // row by row, Columns in a row; empty when there is no board
	Columns int      // of the board
	Labels  bool     // the squares have the words of Label in place of pictures
	Small   bool     // the squares are no buttons, and columns and rows have names
	Match   match.ID // the match of the board
	Ply     int      // the ply of the board, which a pressed square carries
	Picture *Picture // below the lines and the board; nil if there is none
	Notes   []Text   // below the rest, smaller
	Selects []Select // each in a row
	Buttons []Button

	Puzzle   *PressPuzzle // the action of the squares, without the square; nil if the board is no puzzle
	Lesson   string       // the lesson of the course whose board it is; empty if it is none
	Practice *Practice    // the practice game, which a pressed square continues; nil if the board is the match
	Stale    bool         // ratings on it are being worked out again, after which it has to be redrawn
}

// Picture is a picture on a screen. A front end without pictures shows its words.
type Picture struct {
	Name    string // of the file: ASCII letters, digits and hyphens, then ".png" or ".gif"
	Content []byte
	Alt     Text // describes the picture in plain words without mentions and moments
}

// InWords returns the screen with the words of its picture as the first note, in place of the picture.
func (s Screen) InWords() Screen {
	if s.Picture != nil {
		s.Notes = append([]Text{s.Picture.Alt}, s.Notes...)
		s.Picture = nil
	}
	return s
}

// Confirmed returns the screen that privately confirms a change whose own screen cannot be redrawn at once.
func Confirmed(s Screen) Screen {
	return Screen{Tone: s.Tone, Lines: s.Lines, Notes: []Text{T("confirmed.follows", nil)}}
}

// Tone is the mood of a screen. It colours the screen, and says nothing that the words do not say.
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
	Vanishing bool // its mark vanishes with the next move
	Winning   bool // part of a line that has won
	Losing    bool // part of a line that has lost, where that is the rule
	Over      bool // no square can be pressed any more
	Last      bool // its mark is the one just made
	Better    bool // would have been a better move, or is proposed, on a Small board
}

// InLine reports whether the square is part of the line that ended the game.
func (c Cell) InLine() bool { return c.Winning || c.Losing }

// Label words a square so briefly that a row of squares fits a phone: "a1", "b2 X", and "b2 X last" only on a board of three columns. A
// row of five has room for the mark alone; the empty squares beside it and the notes tell its place.
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

// Text is a sentence by its key and the arguments in its gaps. Arguments are of these types: Name, Title, Points, Mention, Moment,
// Date, Mark, a nested Text, Link, Place, string (trusted: never written by a user), and int.
type Text struct {
	Key  string
	Args Args
}

// Args are the arguments of a text by their names.
type Args map[string]any

// T returns a text.
func T(key string, args Args) Text { return Text{key, args} }

// Title is the name that a user gave a thing: the front end escapes it.
type Title string

// Points is a rating in whole points. It is written without a thousands separator.
type Points int

// Mention is a player by id, whom the front end notifies.
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

// Place is a channel of a venue by its id, which the front end links to.
type Place string

// when returns texts, buttons or others if a condition holds, and none otherwise.
func when[T any](holds bool, some ...T) []T {
	if holds {
		return some
	}
	return nil
}
