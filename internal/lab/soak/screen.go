package soak

import (
	"regexp"
	"strings"

	"tictactoe/discordsim"
	"tictactoe/game"
)

// screen is what a player's client knows of a message: the visible parts, and the custom_ids.
type screen struct {
	words   words
	text    string
	buttons []string // the custom_ids of the enabled buttons

	match          string // empty unless the message shows a board
	ply, backs     int
	board          string   // the position, in the notation of Event.Board
	free           []string // the custom_ids of the empty squares
	x, o           string   // the displayed names
	mover          string   // the name of the player to move, empty once the match is over
	deadline       int64    // Unix seconds of the first countdown; zero without one
	cause, outcome string   // the result, as the table of matches names it
	crowd          bool     // a crowd votes on the next move
	votes          int      // the number of votes for the next move
	score          string   // the score of the series, as Event.Score

	shrunk string // the match whose board is one line

	challenge, from, to string // empty unless the message shows a pending challenge; to is also empty if anybody may accept it
}

// stages is what a take-back adds to the number that the buttons of squares carry, which is otherwise the ply.
const stages = game.MaxPlies + 1

// The component types that the laws need.
const (
	button      = 2
	textDisplay = 10
)

var (
	moment   = regexp.MustCompile(`<t:(\d+):R>`)
	marks    = map[string]string{"❌": "X", "❎": "X", "✖️": "X", "⭕": "O", "🅾️": "O", "⚪": "O"}
	ownMark  = regexp.MustCompile(`^[a-e][1-5]_(x|o)(?:_|$)`) // matches the names of the bot's own emoji for marks
	inText   = strings.NewReplacer("<:mark_x:", "❌<", "<:mark_o:", "⭕<")
	idInText = regexp.MustCompile(`([❌⭕])<\d+>`)
	emphasis = "*"
	counts   = regexp.MustCompile(`\d+–\d+|\d+ drawn$`) // in the score of a series
)

// read returns the screen of a message.
func (w words) read(m *discordsim.Message) screen {
	s := screen{words: w, text: m.Content}
	var rows []string
	s.walk(m.Components, &rows)
	for _, p := range m.Mentions { // a client shows their names
		s.text = strings.ReplaceAll(s.text, "<@"+p.ID+">", p.Username)
	}
	s.board = strings.Join(rows, "/")
	for _, p := range m.Mentions {
		s.text = strings.ReplaceAll(s.text, "<@"+p.ID+">", p.Username)
	}
	if found := moment.FindStringSubmatch(s.text); found != nil {
		s.deadline = int64(number(found[1]))
	}
	if gaps, is := w.find(s.text, "challenge.headline", "open.headline"); is {
		for _, id := range s.buttons {
			if rest, is := strings.CutPrefix(id, "accept:"); is {
				s.challenge, s.from, s.to = rest, gaps["From"], gaps["To"]
			}
		}
	}
	if s.match == "" {
		return s
	}
	seats, _ := w.find(s.text, "match.seats")
	s.x, s.o = seats["X"], seats["O"]
	if gaps, is := w.find(s.text, "series.score", "series.playoff", "series.forfeited"); is {
		s.score = strings.Join(counts.FindAllString(gaps["Score"], 2), ", ")
	}
	turn, _ := w.find(s.text, "match.turn", "match.turn.untimed")
	s.mover = turn["Name"]
	tally, voting := w.find(s.text, "crowd.tally")
	_, unvoted := w.find(s.text, "crowd.turn")
	if s.crowd = voting || unvoted; voting {
		s.votes = max(1, number(tally["PluralCount"])) // a single vote is said without a digit
	}
	for key, cause := range causes {
		if gaps, is := w.find(s.text, key); is {
			s.cause, s.outcome = cause, marks[gaps["Mark"]]
			if cause == "full board" || cause == "agreement" {
				s.outcome = "draw"
			}
		}
	}
	if _, forfeited := w.find(s.text, "series.forfeit"); forfeited && s.cause == "" { // a game that was left has no result to tell
		s.cause = "aborted"
	}
	return s
}

// walk collects texts and buttons. The squares in a row of buttons become a row of the board.
func (s *screen) walk(components []discordsim.Component, rows *[]string) {
	var row strings.Builder
	for _, c := range components {
		if c.Accessory != nil {
			if f := strings.Split(c.Accessory.CustomID, ":"); f[0] == "walk" && len(f) > 1 {
				s.shrunk = f[1]
			}
		}
		switch c.Type {
		case textDisplay:
			s.text += idInText.ReplaceAllString(inText.Replace(c.Content), "$1") + "\n"
		case button:
			if c.CustomID != "" && !c.Disabled {
				s.buttons = append(s.buttons, c.CustomID)
			}
			if f := strings.Split(c.CustomID, ":"); f[0] == "play" && len(f) == 4 && (c.Emoji != nil || s.words.isSquare(c.Label)) {
				s.match, s.ply, s.backs = f[1], number(f[2])%stages, number(f[2])/stages
				mark := s.words.markOn(c)
				if mark == "" {
					mark = "."
					if !c.Disabled {
						s.free = append(s.free, c.CustomID)
					}
				}
				row.WriteString(mark)
			}
		}
		s.walk(c.Components, rows)
	}
	if row.Len() > 0 {
		*rows = append(*rows, row.String())
	}
}

// isSquare reports whether the label of a button belongs to a square of a text board.
func (w words) isSquare(label string) bool {
	_, is := w.find(label, append(squareLabels, "square.empty")...)
	return is
}

// markOn returns the mark on the button of a square, X or O, or the empty string if there is none.
func (w words) markOn(square discordsim.Component) string {
	if square.Emoji == nil {
		gaps, _ := w.find(square.Label, squareLabels...)
		return gaps["Mark"]
	}
	if own := ownMark.FindStringSubmatch(square.Emoji.Name); own != nil {
		return strings.ToUpper(own[1])
	}
	return marks[square.Emoji.Name]
}

// button returns the custom_id of the button with the given verb, or the empty string if there is none.
func (s screen) button(verb string) string {
	for _, id := range s.buttons {
		if strings.HasPrefix(id, verb+":") {
			return id
		}
	}
	return ""
}

// seat reports whether the user with the given name plays in the match.
func (s screen) seat(name string) bool { return s.match != "" && (s.x == name || s.o == name) }

// number parses a short decimal number. It returns zero for any other text.
func number(text string) int {
	n := 0
	for _, r := range text {
		if r < '0' || r > '9' || n > 1<<40 {
			return 0
		}
		n = 10*n + int(r-'0')
	}
	return n
}

// event returns the event of a board or a challenge. It reports false if the screen shows neither.
func (s screen) event(kind Kind) (Event, bool) {
	switch {
	case s.match != "":
		return Event{Kind: kind, Match: s.match, Ply: s.ply, Backs: s.backs, Board: s.board, Cause: s.cause, Outcome: s.outcome, Votes: s.votes, Score: s.score, Seats: [2]string{s.x, s.o}}, true
	case s.challenge != "":
		return Event{Kind: Invited, Match: s.challenge, Seats: [2]string{s.from, s.to}}, true
	case s.shrunk != "":
		return Event{Kind: Shrunk, Match: s.shrunk}, true
	default:
		return Event{}, false
	}
}
