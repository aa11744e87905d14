package main

import (
	"fmt"
	"regexp"
	"strings"

	"tictactoe/discordsim"
)

// textOf returns all text of a message, without the labels of its buttons.
func textOf(m *discordsim.Message) string {
	if m == nil {
		return ""
	}
	said := []string{}
	walk(m.Components, func(c discordsim.Component) {
		if c.Content != "" {
			said = append(said, c.Content)
		}
	})
	return textMark.ReplaceAllStringFunc(strings.Join(said, "\n"), func(own string) string {
		return map[string]string{"x": "❌", "o": "⭕"}[textMark.FindStringSubmatch(own)[1]]
	})
}

func buttonsOf(m *discordsim.Message) []discordsim.Component {
	var buttons []discordsim.Component
	walk(m.Components, func(c discordsim.Component) {
		if c.Type == 2 {
			buttons = append(buttons, c)
		}
	})
	return buttons
}

// boardOf reads the position from the buttons, as "X.O/.X./..O". A mark that vanishes next, or is part of a losing line, is in
// lower case.
func boardOf(m *discordsim.Message) string {
	var rows []string
	walk(m.Components, func(c discordsim.Component) {
		row := ""
		for _, b := range c.Components {
			if c.Type == 1 {
				row += onSquare(b)
			}
		}
		if row != "" {
			rows = append(rows, row)
		}
	})
	return strings.Join(rows, "/")
}

// squareOf returns the button of a square, given its name, such as b2.
func squareOf(m *discordsim.Message, name string) (square discordsim.Component, ok bool) {
	row := 0
	walk(m.Components, func(c discordsim.Component) {
		if c.Type != 1 || onSquare(c.Components[0]) == "" {
			return
		}
		row++
		for column, b := range c.Components {
			if name == fmt.Sprintf("%c%d", 'a'+column, row) {
				square, ok = b, true
			}
		}
	})
	return square, ok
}

// onWideBoard matches a label that replaces the emoji on a square of a board of five columns.
var onWideBoard = regexp.MustCompile(`^(X|O|[a-e][1-5])$`)

// onSquare returns the mark on the button of a square, and nothing for any other button.
func onSquare(b discordsim.Component) string {
	switch {
	case b.Emoji != nil && len(b.Label) > len("b2"): // in a review, the button has the number of the move
		return ""
	case b.Emoji != nil:
		return markOf(b.Emoji.Name)
	case !onWideBoard.MatchString(b.Label):
		return ""
	case len(b.Label) == 1:
		return b.Label
	default:
		return "."
	}
}

// markOf returns the mark of an emoji, either a Unicode emoji or one of the bot's own, such as b2_x_last.
func markOf(emoji string) string {
	words := strings.Split(emoji, "_")
	if len(words) == 1 {
		return map[string]string{"❌": "X", "❎": "X", "⭕": "O", "🅾️": "O", "▫️": ".", "⭐": ".", "✖️": "x", "⚪": "o"}[emoji]
	}
	switch mark := words[1]; {
	case mark == "empty", mark == "better":
		return "."
	case len(words) > 2 && (words[2] == "leaves" || words[2] == "loses"):
		return mark
	default:
		return strings.ToUpper(mark)
	}
}

// textMark matches one of the bot's own emoji in a text.
var textMark = regexp.MustCompile(`<:mark_(x|o):\d+>`)

func walk(components []discordsim.Component, visit func(discordsim.Component)) {
	for _, c := range components {
		visit(c)
		walk(c.Components, visit)
		if c.Accessory != nil {
			walk([]discordsim.Component{*c.Accessory}, visit)
		}
	}
}
