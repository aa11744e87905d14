package commands

import (
	"log/slog"

	"tictactoe/bot"
	"tictactoe/internal/show/view"
)

// Describe names the match or challenge that an interaction is about, for the log. Nothing is looked up: what was pressed
// says it, and may have been made by hand.
func Describe(in *bot.Interaction) []slog.Attr {
	id, err := parseCustomID(in.CustomID())
	if err != nil || id.about == "" {
		return nil
	}
	switch id.action.(type) {
	case view.Accept, view.Decline, view.Withdraw:
		return []slog.Attr{slog.String("challenge", string(id.about))}
	}
	return []slog.Attr{slog.String("match", string(id.about))}
}
