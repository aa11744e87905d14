package main

import (
	"strings"

	"tictactoe/internal/discordsim"
)

// textOf is all text of a message, without the labels of its buttons.
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
	return strings.Join(said, "\n")
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

// boardOf reads the position from the buttons: "X.O/.X./..O". A mark that vanishes next, or stands in a line that lost, is a small letter.
func boardOf(m *discordsim.Message) string {
	var rows []string
	walk(m.Components, func(c discordsim.Component) {
		row := ""
		for _, b := range c.Components {
			if c.Type == 1 && b.Emoji != nil {
				row += map[string]string{"❌": "X", "⭕": "O", "▫️": ".", "✖️": "x", "⚪": "o"}[b.Emoji.Name]
			}
		}
		if row != "" {
			rows = append(rows, row)
		}
	})
	return strings.Join(rows, "/")
}

func walk(components []discordsim.Component, visit func(discordsim.Component)) {
	for _, c := range components {
		visit(c)
		walk(c.Components, visit)
	}
}
