package commands_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/match"
)

// These are limits of Discord and of this bot. A public board has one row of buttons for actions. Further actions belong on the
// review, which only one user sees, in two rows.
const (
	maxComponents = 40 // in a message, including nested components
	maxActions    = 5  // buttons in a row under a board
)

// boardStates lists the states of a message that shows a challenge or a match on the largest board.
var boardStates = map[string]func(d *desk) bot.Reply{
	"challenge":           func(d *desk) bot.Reply { return d.challenge(largest) },
	"challenge, declined": func(d *desk) bot.Reply { d.challenge(largest); return d.press(bob, "Decline") },
	"challenge, expired": func(d *desk) bot.Reply {
		d.challenge(largest)
		d.advance(match.ChallengeTime)
		return d.press(bob, "Accept")
	},
	"running, first move": func(d *desk) bot.Reply { return d.started(largest) },
	"running": func(d *desk) bot.Reply {
		d.started(largest)
		return d.play(someMoves, alice, bob)
	},
	"running, wishes, text board": func(d *desk) bot.Reply {
		d.inWords()
		d.started(largest, "rated=false")
		return d.play(someMoves, alice, bob)
	},
	"running, draw offered": func(d *desk) bot.Reply {
		d.inWords()
		d.started(largest, "rated=false")
		d.play(someMoves, alice, bob)
		return d.press(alice, "Offer draw")
	},
	"running, text board": func(d *desk) bot.Reply {
		d.inWords()
		d.started(largest)
		return d.play(someMoves, alice, bob)
	},
	"running, in a series": func(d *desk) bot.Reply {
		d.inWords()
		d.again()
		return d.play(someMoves, bob, alice)
	},
	"computer, first move": func(d *desk) bot.Reply { return d.run(alice, "ai", largest, "first=me") },
	"computer, easier, in words": func(d *desk) bot.Reply {
		d.inWords()
		d.run(alice, "ai", largest, "first=them")
		return d.press(alice, "Easier")
	},
	"computer, answered": func(d *desk) bot.Reply {
		d.inWords()
		d.run(alice, "ai", largest, "first=me")
		return d.press(alice, "b2")
	},
	"computer, resigned": func(d *desk) bot.Reply {
		d.inWords()
		d.run(alice, "ai", largest, "first=me", "level=medium")
		d.press(alice, "b2")
		return d.resign(alice)
	},
	"computer, again": func(d *desk) bot.Reply {
		d.run(alice, "ai", largest, "first=me", "level=medium")
		d.press(alice, "b2")
		d.resign(alice)
		return d.press(alice, "Play again")
	},
	"won":             func(d *desk) bot.Reply { return d.ends(game.XWins) },
	"won, text board": func(d *desk) bot.Reply { d.inWords(); return d.ends(game.XWins) },
	"full or endless": func(d *desk) bot.Reply { return d.ends(game.Draw) },
	"resigned": func(d *desk) bot.Reply {
		d.started(largest)
		d.play(someMoves, alice, bob)
		return d.resign(bob)
	},
	"called off": func(d *desk) bot.Reply { d.started(largest); return d.resign(alice) },
	"lost on time": func(d *desk) bot.Reply {
		d.started(largest)
		d.play(someMoves, alice, bob)
		return d.late(alice)
	},
	"void, nobody came":     func(d *desk) bot.Reply { d.started(largest); return d.late(bob) },
	"void, by a moderator":  func(d *desk) bot.Reply { d.started(largest); return d.ruled("Void") },
	"drawn, by a moderator": func(d *desk) bot.Reply { d.started(largest); return d.ruled("End as a draw") },
	"rematch, proposed": func(d *desk) bot.Reply {
		d.inWords()
		d.ends(game.XWins)
		return d.press(bob, "Rematch")
	},
	"rematch, proposed in series": func(d *desk) bot.Reply {
		d.inWords()
		d.again()
		d.play(someMoves, bob, alice)
		d.resign(bob)
		return d.press(bob, "Rematch")
	},
	"rematch, declined": func(d *desk) bot.Reply {
		d.ends(game.XWins)
		d.press(bob, "Rematch")
		return d.press(alice, "No rematch")
	},
	"rematch, expired": func(d *desk) bot.Reply {
		d.ends(game.XWins)
		d.press(bob, "Rematch")
		d.advance(match.RematchTime)
		return d.press(alice, "Accept rematch")
	},
	"rematch, begun": func(d *desk) bot.Reply {
		d.ends(game.XWins)
		old, id := d.board, d.button(d.board.components, "Rematch")
		d.press(bob, "Rematch")
		d.press(alice, "Accept rematch")
		d.flush()
		return d.clickOn(alice, old, id)
	},
	"moved": func(d *desk) bot.Reply {
		d.started(largest)
		old := *d.board
		d.show(alice)
		d.flush()
		return d.clickOn(alice, &old, d.button(old.components, "b2"))
	},
	"review, private": func(d *desk) bot.Reply {
		d.ends(game.XWins)
		return d.press(bob, "Review")
	},
	"review, move by move, private": func(d *desk) bot.Reply {
		d.ends(game.XWins)
		d.press(bob, "Review")
		return d.turn(bob, "Move by move")
	},
	"practice, private": func(d *desk) bot.Reply {
		d.ends(game.XWins)
		return d.click(bob, "practice:"+string(d.id())+":3:draw")
	},
}

const (
	largest   = "board=5x5"
	someMoves = "b2 c3 a1"
)

// inWords switches alice's text boards on.
func (d *desk) inWords() {
	d.t.Helper()
	d.run(alice, "settings")
	d.turn(alice, "Use text boards")
}

// late lets the time of the side to move run out, and then a user presses a square.
func (d *desk) late(by string) bot.Reply {
	d.t.Helper()
	d.advance(time.Minute)
	for _, b := range buttons(d.board.components) {
		if strings.HasPrefix(b.CustomID, "play:") && !b.Disabled {
			return d.click(by, b.CustomID)
		}
	}
	d.t.Fatal("no square can be pressed")
	return bot.Reply{}
}

// ruled returns the board after a moderator has ended the match with the given button.
func (d *desk) ruled(label string) bot.Reply {
	d.t.Helper()
	d.picked()
	d.turn(carol, label)
	d.place = inServer
	return d.press(alice, "b2")
}

// ends plays a match of alice, who moves first, against bob to the given outcome.
func (d *desk) ends(want game.Outcome) (r bot.Reply) {
	d.t.Helper()
	d.started(largest)
	rules, err := game.ParseRules("5x5")
	if err != nil {
		d.t.Fatal(err)
	}
	players := []string{alice, bob}
	for i, square := range anyGame(d.t, rules, want).Squares() {
		r = d.press(players[i%2], rules.Name(square))
	}
	return r
}

// anyGame returns a game with the given outcome: the first one among random games.
func anyGame(t *testing.T, rules game.Rules, want game.Outcome) game.Record {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	for range 1_000_000 {
		record := game.NewRecord(game.Start(rules))
		for record.Outcome() == game.InProgress {
			legal := slices.Collect(record.Position().Legal().All())
			var err error
			if record, err = record.Play(legal[random.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
		}
		if record.Outcome() == want {
			return record
		}
	}
	t.Fatalf("no game on %v with the outcome %v", rules, want)
	return game.Record{}
}

// again begins the rematch of a match that alice has won.
func (d *desk) again() {
	d.t.Helper()
	d.ends(game.XWins)
	d.press(bob, "Rematch")
	d.press(alice, "Accept rematch")
}

// TestBoardsHaveRoom counts the components of each message, as Discord does, and the buttons under the board, in every state of the
// largest board. The golden shows how much room is left.
func TestBoardsHaveRoom(t *testing.T) {
	var counted []string
	for _, name := range slices.Sorted(maps.Keys(boardStates)) {
		t.Run(name, func(t *testing.T) {
			shown := boardStates[name](newDesk(t)).Components
			n, under := count(shown), actions(shown)
			if n > maxComponents {
				t.Errorf("%d components, at most %d", n, maxComponents)
			}
			most := maxActions
			if strings.HasSuffix(name, ", private") {
				most *= 2
			}
			if under > most {
				t.Errorf("%d buttons under the board, at most %d", under, most)
			}
			counted = append(counted, fmt.Sprintf("%2d components, %d buttons under the board: %s", n, under, name))
		})
	}
	goldenFile(t, "room.txt", []byte(strings.Join(counted, "\n")))
}

// rooms lists the number of components of the largest message of each area.
func rooms(counted map[string]map[string]int) []byte {
	var lines []string
	for _, area := range slices.Sorted(maps.Keys(counted)) {
		var largest string
		for _, name := range slices.Sorted(maps.Keys(counted[area])) {
			if largest == "" || counted[area][name] > counted[area][largest] {
				largest = name
			}
		}
		lines = append(lines, fmt.Sprintf("%2d components at most: %s, in %s", counted[area][largest], area, largest))
	}
	return []byte(strings.Join(lines, "\n"))
}

// actions returns the number of buttons that are not squares.
func actions(components []discordgo.MessageComponent) (n int) {
	for _, b := range buttons(components) {
		verb, _, _ := strings.Cut(b.CustomID, ":")
		if square := verb == "play" || verb == "practice" && len(b.Label) <= len("b2"); !square {
			n++
		}
	}
	return n
}
