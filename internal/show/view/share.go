package view

import (
	"strings"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// squareSigns are the Unicode emoji for squares. They are equally wide, and differ in shape, not in colour alone.
var squareSigns = map[game.Mark]string{game.None: "⬜", game.X: "❌", game.O: "⭕"}

// BoardGrid returns a position in Unicode emoji, as text that users can paste anywhere.
func BoardGrid(p game.Position) string {
	var grid strings.Builder
	for i := range p.Rules().Squares() {
		if i > 0 && i%p.Rules().Width() == 0 {
			grid.WriteString("\n")
		}
		grid.WriteString(squareSigns[p.At(game.Square(i))])
	}
	return grid.String()
}

// ShareForm is a form in which a finished match is shared. Its values are in custom_ids and must not change.
type ShareForm string

// The forms.
const (
	ShareAnimation ShareForm = "gif"
	SharePicture   ShareForm = "png"
	ShareText      ShareForm = "text"
)

// ShareForms returns all forms, in the order of their buttons.
func ShareForms() []ShareForm { return []ShareForm{ShareAnimation, SharePicture, ShareText} }

// Shared is a finished match in a form to share.
type Shared struct {
	Match match.Match // a [Reviewable] match
	As    ShareForm
	File  []byte // the picture or animation; nil for the form of text
	// NoFiles says that the bot may not attach files here, so that only the form of text is offered.
	NoFiles bool
	// Page is the URL of the page that plays in a browser, or empty.
	Page string
	// Posted says that the user has already posted the match.
	Posted bool
	// Away says that the post is in another server or chat than the one where the match was played. Such a post does not name the players.
	Away bool
}

// OfShared returns the private message that shows a finished match in a form to share, with buttons for the other forms and for a post. The
// text to copy does not name the players.
func OfShared(sh Shared, names Names) Screen {
	s := sh.screen(sharedLines(sh.Match, names))
	note := "share.file"
	if sh.As == ShareText {
		s.Paste, note = ShareTexts(sh.Match), "share.text"
	}
	s.Notes = []Text{T(note, nil)}
	s.Notes = append(s.Notes, when(sh.NoFiles, T("share.nofiles", nil))...)
	for _, form := range ShareForms() {
		s.Buttons = append(s.Buttons, when(!sh.NoFiles, Button{
			Do: Share{sh.Match.ID, form}, Label: T("action.share."+string(form), nil), Disabled: form == sh.As,
		})...)
	}
	post := Button{Do: PostShared{sh.Match.ID, sh.As}, Label: T("action.share.post", nil), Weight: Main}
	s.Buttons = append(s.Buttons, when(!sh.Posted, post)...)
	s.Buttons = append(s.Buttons, when(!sh.NoFiles, Button{Do: Review{Match: sh.Match.ID}, Label: T("action.review", nil)})...)
	s.Buttons = append(s.Buttons, sh.link()...)
	return s
}

// OfPosted returns the public message in which a user shares a finished match.
func OfPosted(sh Shared, by match.User, names Names) Screen {
	lines := []Text{T("share.posted", Args{"Name": names.Of(by)})}
	if sh.Away {
		lines = append(lines, markedResult(sh.Match))
	} else {
		lines = append(lines, sharedLines(sh.Match, names)...)
	}
	lines = append(lines, when(sh.As == ShareText, T("share.grid", Args{"Grid": BoardGrid(sh.Match.Position())}))...)
	s := sh.screen(lines)
	s.Buttons = sh.link()
	return s
}

// link returns the button that opens the match on the page in a browser.
func (sh Shared) link() []Button {
	return when(sh.Page != "", Button{URL: sh.Page + "#" + GameAddress(sh.Match.Record), Label: T("browser.open", nil)})
}

// sharedLines returns the lines that name the players and the result.
func sharedLines(m match.Match, names Names) []Text {
	return []Text{T("match.seats", seatsArgs(m, names)), resultText(m, names)}
}

func (sh Shared) screen(lines []Text) Screen {
	s := Screen{Tone: tone(sh.Match.Result), Lines: lines}
	switch sh.As {
	case ShareAnimation:
		s.Picture = &Picture{Name: "match.gif", Content: sh.File, Alt: AnimationText(sh.Match.Record, shareResult(sh.Match))}
	case SharePicture:
		s.Picture = &Picture{Name: "match.png", Content: sh.File, Alt: PictureText(sh.Match.Record, true, shareResult(sh.Match))}
	}
	return s
}

// ShareTexts returns the lines of a finished match as text: the board, the position and the result, without the players.
func ShareTexts(m match.Match) []Text {
	title := T("share.title", nil)
	if rules := m.Position().Rules(); rules != game.Classic() {
		title = T("share.title.board", Args{"Board": RulesName(rules)})
	}
	return []Text{title, T("share.grid", Args{"Grid": BoardGrid(m.Position())}), markedResult(m)}
}

// markedResult returns the same as shareResult, but with the mark as the front end draws it.
func markedResult(m match.Match) Text {
	result := shareResult(m)
	if winner := m.Result.Outcome.Winner(); winner != game.None {
		result.Args["Mark"] = Mark(winner)
	}
	return result
}

// shareResult says how a match ended, without naming the players.
func shareResult(m match.Match) Text {
	winner, key := m.Result.Outcome.Winner(), "share.line"
	switch {
	case winner == game.None:
		key = "share.draw"
	case m.Result.Cause == match.ByResignation:
		key = "share.resignation"
	case m.Result.Cause == match.ByTime:
		key = "share.time"
	}
	return T(key, Args{"PluralCount": m.Record.Len(), "Mark": winner.String()})
}
