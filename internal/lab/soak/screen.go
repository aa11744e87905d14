package soak

import (
	"regexp"
	"strings"

	"tictactoe/discordsim"
)

// screen is what a player can read from a message: what is visible, and the custom_ids, which a client knows.
type screen struct {
	text    string
	buttons []string // the custom_ids of the buttons that can be pressed

	match          string // empty unless there is a board
	ply            int
	board          string   // as in Event
	free           []string // the custom_ids of the empty squares
	x, o           string   // the names as they are shown
	mover          string   // the name of who is to move, empty once the match is over
	deadline       int64    // the Unix seconds of the first countdown; zero without one
	cause, outcome string   // the result, as the table of matches words it

	challenge, from, to string // empty unless the message shows an open challenge
}

// The types of components that matter here.
const (
	button      = 2
	textDisplay = 10
)

var (
	seats    = regexp.MustCompile(`(?m)^(?:### )?(.+) ❌ vs ⭕ (.+)$`)
	mover    = regexp.MustCompile(`(?m)^(?:❌|⭕) (.+?) to move`)
	invites  = regexp.MustCompile(`(?m)^(?:### )?\*\*(.+)\*\* challenges \*\*(.+)\*\* to Tic-Tac-Toe$`)
	moment   = regexp.MustCompile(`<t:(\d+):R>`)
	endings  = regexp.MustCompile(`(?m)^(🏆|🤝|🏳️|⏰|💤|🚫|Called off).*$`)
	causeOf  = map[string]string{"🏆": "line", "🤝": "full board", "🏳️": "resignation", "⏰": "time", "💤": "no show", "🚫": "voided", "Called off": "aborted"}
	marks    = map[string]string{"❌": "X", "❎": "X", "✖️": "X", "⭕": "O", "🅾️": "O", "⚪": "O"}
	ownMark  = regexp.MustCompile(`^[a-e][1-5]_(x|o)(?:_|$)`)                         // an emoji of the bot's own, by its name
	inWords  = regexp.MustCompile(`^(?:[a-e][1-5]|(?:[a-e][1-5] )?([XO])(?: \w+)?)$`) // the label of a square on a text board
	inText   = strings.NewReplacer("<:mark_x:", "❌<", "<:mark_o:", "⭕<")
	idInText = regexp.MustCompile(`([❌⭕])<\d+>`)
	emphasis = "*"
)

// read returns what a player can read from a message.
func read(m *discordsim.Message) screen {
	s := screen{text: m.Content}
	var rows []string
	s.walk(m.Components, &rows)
	s.board = strings.Join(rows, "/")
	if found := moment.FindStringSubmatch(s.text); found != nil {
		s.deadline = int64(number(found[1]))
	}
	if found := invites.FindStringSubmatch(s.text); found != nil {
		for _, id := range s.buttons {
			if rest, is := strings.CutPrefix(id, "accept:"); is {
				s.challenge, s.from, s.to = rest, found[1], found[2]
			}
		}
	}
	if s.match == "" {
		return s
	}
	if found := seats.FindStringSubmatch(s.text); found != nil {
		s.x, s.o = strings.Trim(found[1], emphasis), strings.Trim(found[2], emphasis)
	}
	if found := mover.FindStringSubmatch(s.text); found != nil {
		s.mover = strings.Trim(found[1], emphasis)
	}
	if found := endings.FindStringSubmatch(s.text); found != nil {
		s.cause = causeOf[found[1]]
		s.outcome = winner(found[0])
		if s.cause == "full board" {
			s.outcome = "draw"
		}
	}
	return s
}

// winner returns the mark that a line names, X or O, or the empty string.
func winner(line string) string {
	x, o := strings.Index(line, "❌"), strings.Index(line, "⭕")
	switch {
	case x >= 0 && (o < 0 || x < o):
		return "X"
	case o >= 0:
		return "O"
	default:
		return ""
	}
}

// walk collects texts and buttons. The squares of one row of buttons become a row of the board.
func (s *screen) walk(components []discordsim.Component, rows *[]string) {
	var row strings.Builder
	for _, c := range components {
		switch c.Type {
		case textDisplay:
			s.text += idInText.ReplaceAllString(inText.Replace(c.Content), "$1") + "\n"
		case button:
			if c.CustomID != "" && !c.Disabled {
				s.buttons = append(s.buttons, c.CustomID)
			}
			if f := strings.Split(c.CustomID, ":"); f[0] == "play" && len(f) == 4 && (c.Emoji != nil || inWords.MatchString(c.Label)) {
				s.match, s.ply = f[1], number(f[2])
				mark := markOn(c)
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

// markOn returns the mark on the button of a square, X or O, or the empty string if there is none.
func markOn(square discordsim.Component) string {
	if square.Emoji == nil {
		return inWords.FindStringSubmatch(square.Label)[1]
	}
	if own := ownMark.FindStringSubmatch(square.Emoji.Name); own != nil {
		return strings.ToUpper(own[1])
	}
	return marks[square.Emoji.Name]
}

// button returns the custom_id of the button with that verb, or the empty string if there is none.
func (s screen) button(verb string) string {
	for _, id := range s.buttons {
		if strings.HasPrefix(id, verb+":") {
			return id
		}
	}
	return ""
}

// seat reports whether the user of that name plays in the match.
func (s screen) seat(name string) bool { return s.match != "" && (s.x == name || s.o == name) }

// number reads a number of few digits. It returns zero for anything else.
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

// event returns the event of a board or a challenge. It reports false if the screen is neither.
func (s screen) event(kind Kind) (Event, bool) {
	switch {
	case s.match != "":
		return Event{Kind: kind, Match: s.match, Ply: s.ply, Board: s.board, Cause: s.cause, Outcome: s.outcome, Seats: [2]string{s.x, s.o}}, true
	case s.challenge != "":
		return Event{Kind: Invited, Match: s.challenge, Seats: [2]string{s.from, s.to}}, true
	default:
		return Event{}, false
	}
}
