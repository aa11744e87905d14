package commands

import (
	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/show/view"
)

// color is the accent of a screen, in the colours of Discord's own buttons. It does not say whose turn it is: red or blue would be
// taken for the colour of a side.
func color(t view.Tone) int {
	switch t {
	case view.Won:
		return 0x248046
	case view.Warning:
		return 0xf0b232
	case view.Drawn, view.Closed:
		return 0x80848e
	default: // a match goes on, or the screen is neutral
		return 0x5865f2
	}
}

// buttonStyle is the colour of a button: grey, blue, green or red.
func buttonStyle(w view.Weight) discordgo.ButtonStyle {
	switch w {
	case view.Main:
		return discordgo.PrimaryButton
	case view.Good:
		return discordgo.SuccessButton
	case view.Bad:
		return discordgo.DangerButton
	default:
		return discordgo.SecondaryButton
	}
}

// squareStyle returns green in the winning line, red in a line that loses, and grey otherwise: the marks need no colours of their
// own.
func squareStyle(c view.Cell) discordgo.ButtonStyle {
	switch {
	case c.Winning:
		return discordgo.SuccessButton
	case c.Losing:
		return discordgo.DangerButton
	default:
		return discordgo.SecondaryButton
	}
}
