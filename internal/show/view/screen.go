// Package view is the presenter: it turns the state of the core into a [Screen], which says what to show but not how. It does not depend on
// Discord, a terminal or a language: texts are keys with arguments, for which internal/show/locale has the words and the front end the
// style.
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
	Paste   []Text   // below the lines: plain text for the user to copy, with Unicode emoji for marks
	Cells   []Cell   // row by row, Columns in a row; empty when there is no board
	Columns int      // the board's number of columns
	Labels  bool     // the squares have words, from Label, in place of pictures
	Small   bool     // the squares are not buttons, and columns and rows have names; a picture replaces the board
	Match   match.ID // the match of the board
	Ply     int      // the ply of the board, for the action of its squares
	Picture *Picture // shown below the lines and the board; nil if there is none
	Notes   []Text   // shown below everything else, in small letters
	Selects []Select // menus, one in each row
	Buttons []Button
	Beside  *Button // right of the lines, on a screen without a frame and headline; nil if there is none

	Puzzle   *PressPuzzle // the action of the squares, without the square, if the board is a puzzle; else nil
	Lesson   string       // the name of the lesson, if the board is one of the course
	Practice *Practice    // the practice game that a pressed square continues, if the board is one; else nil
	Stale    bool         // shown ratings are being recomputed, so the screen must be redrawn later
}

// Picture is a picture on a screen. A front end without pictures shows the words in its place.
type Picture struct {
	Name    string // the file's name: ASCII letters, digits and hyphens, then ".png" or ".gif"
	Content []byte
	Alt     Text // describes the picture in plain words without mentions and moments
}

// InWords returns the screen without its picture: the small board of the screen is then drawn as text. If the screen has no small board,
// the first note describes the picture in words.
func (s Screen) InWords() Screen {
	if s.Picture != nil && s.Small {
		s.Picture = nil
	}
	if s.Picture != nil {
		s.Notes = append([]Text{s.Picture.Alt}, s.Notes...)
		s.Picture = nil
	}
	return s
}

// Tone decides the colour of a screen. The words of the screen say the same as the colour.
type Tone uint8

// The tones.
const (
	Neutral Tone = iota
	TurnX
	TurnO
	Won
	Drawn
	Closed  // ended without a winner: aborted, declined or expired
	Warning // a refusal or an apology
)

// Cell is one square of the board.
type Cell struct {
	Name      string // the square's name by the rules, such as b2
	Mark      game.Mark
	Vanishing bool // the mark vanishes with the next move
	Winning   bool // part of a line that has won
	Losing    bool // part of a line that has lost, by rules under which lines lose
	Over      bool // no square can be pressed any more
	Last      bool // the latest move was here
	Better    bool // a better move than the played one or a proposed move, on a Small board; else the square that leads a vote
}

// InLine reports whether the square is part of the line that ended the game.
func (c Cell) InLine() bool { return c.Winning || c.Losing }

// Label returns the label of a square, so short that a row of squares fits on a phone: "a1" or "b2 X", and "b2 X last" only on boards of
// three columns. A row of five has room only for the mark; the empty squares beside it and the notes tell where it is.
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

// Text is the key of a text, and the arguments that replace the gaps in the text. Arguments are of these types: Name, Title, Points,
// Mention, Moment, Hour, Date, Day, LanguageCode, Mark, a nested Text, Link, Place, string (trusted: never written by a user), and int.
type Text struct {
	Key  string
	Args Args
}

// Args are the arguments of a text by name.
type Args map[string]any

// T returns a text.
func T(key string, args Args) Text { return Text{key, args} }

// Title is the name that a user has given to something, such as a season. The front end escapes it.
type Title string

// Points is a rating in whole points. It is written without a thousands separator.
type Points int

// Mention is the id of a player whom the front end mentions, which may notify the player.
type Mention match.User

// Moment is a time that is shown as a countdown.
type Moment time.Time

// Hour is a time that is shown with its day, as the reader's clock has it.
type Hour time.Time

// Date is a time that is shown as a day.
type Date time.Time

// Day is a day that is the same everywhere, such as the day of a puzzle. It is written in words.
type Day time.Time

// Mark is a mark as the front end draws it.
type Mark game.Mark

// Link is a link to the message that shows a match.
type Link struct {
	Text  Text
	Match match.ID
}

// Place is the id of a channel of a server. The front end makes a link to the channel.
type Place string

// Role is the id of a role of a server. The front end mentions the role, which may notify its members.
type Role string

// when returns the given elements if the condition holds, and nil otherwise.
func when[T any](holds bool, some ...T) []T {
	if holds {
		return some
	}
	return nil
}
