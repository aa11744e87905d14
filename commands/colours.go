package commands

import (
	"github.com/bwmarrin/discordgo"

	"tictactoe/game"
	"tictactoe/internal/view"
)

// color is the accent of a screen, in the colours of Discord's own buttons.
func color(t view.Tone) int {
	switch t {
	case view.TurnO:
		return 0xda373c
	case view.Won:
		return 0x248046
	case view.Warning:
		return 0xf0b232
	case view.Drawn, view.Closed:
		return 0x80848e
	default: // X is to move, or nobody
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

// squareStyle is blue under ❌, green in the winning line, red in a line that loses, and grey otherwise. ⭕ stays grey because it
// is red itself and would vanish on a red button.
func squareStyle(c view.Cell) discordgo.ButtonStyle {
	switch {
	case c.Winning:
		return discordgo.SuccessButton
	case c.Losing:
		return discordgo.DangerButton
	case c.Mark == game.X && !c.Vanishing:
		return discordgo.PrimaryButton
	default:
		return discordgo.SecondaryButton
	}
}
