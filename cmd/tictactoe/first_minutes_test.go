package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"tictactoe/ai"
	"tictactoe/game"
)

// TestFirstFiveMinutes makes the pictures of a newcomer's first five minutes, if TICTACTOE_SHOTS names a folder.
// docs/first-five-minutes.md shows them and explains how to put them there.
func TestFirstFiveMinutes(t *testing.T) {
	if os.Getenv("TICTACTOE_SHOTS") == "" {
		t.Skip("TICTACTOE_SHOTS names no folder for pictures")
	}
	chromium := openBrowser(t)
	for _, screen := range []struct {
		name          string
		width, height int64
	}{{"laptop", 1280, 800}, {"phone", 390, 844}} {
		t.Run(screen.name, func(t *testing.T) {
			d := noon(t)
			alice := openFirst(t, chromium, d.url, "alice", screen.width, screen.height)
			alice.until(`document.querySelector(".tour")`)
			alice.keep("1-welcome-" + screen.name)
			alice.click(`document.querySelector(".tour-close")`)

			alice.compose("/tictactoe ai first:me")
			alice.sees("computer (unbeatable)")
			alice.keep("2-board-" + screen.name)
			alice.square("b2")
			alice.until(`document.querySelector('[aria-label$="_o_last"]')`)
			alice.keep("3-move-" + screen.name)
			d.playOut("alice")

			alice.press("Play at my level")
			alice.sees("computer (fair)")
			alice.until(`!document.querySelector("[aria-busy]")`)
			alice.keep("4-easier-" + screen.name)
			for won := d.playOut("alice"); !won; won = d.playOut("alice") {
				d.advance("1m") // one person may have the bot post five messages a minute
				d.press("alice", d.latest(), "Play again")
			}
			alice.sees("Alice wins")
			alice.keep("5-win-" + screen.name)
			alice.press("Review")
			alice.sees("Review:")
			alice.keep("6-review-" + screen.name)

			bob := openTab(t, chromium, d.url, "bob", screen.width, screen.height)
			d.advance("1m")
			alice.compose("/tictactoe challenge opponent:bob first:me")
			bob.sees("challenges Bob")
			bob.keep("7-challenge-" + screen.name)
			bob.press("Accept")
			alice.plays("b2")
			bob.plays("b1")
			alice.keep("8-friends-" + screen.name)
			board := d.latest()
			for i, square := range []string{"a1", "c3", "a3", "c1", "a2"} {
				d.press([]string{"alice", "bob"}[i%2], board, square)
			}
			alice.compose("/tictactoe leaderboard")
			alice.sees("Leaderboard")
			alice.keep("9-leaderboard-" + screen.name)
		})
	}
}

// playOut plays the latest match against a computer to its end with perfect moves, and reports whether the player has won.
func (d *driver) playOut(who string) (won bool) {
	d.t.Helper()
	solver, err := ai.NewSolver(game.Classic())
	if err != nil {
		d.t.Fatal(err)
	}
	board := d.latest()
	var mark game.Mark
	for {
		p, err := game.ParsePosition(game.Classic(), strings.ToUpper(d.board(board)))
		if err != nil {
			d.t.Fatal(err)
		}
		if p.Outcome() != game.InProgress {
			return p.Outcome().Winner() == mark
		}
		mark = p.Turn()
		best := slices.Collect(solver.Best(p).All())
		d.press(who, board, p.Rules().Name(best[0]))
	}
}
