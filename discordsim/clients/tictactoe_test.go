package clients

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tictactoe/ai"
	"tictactoe/discordsim"
	"tictactoe/game"
	"tictactoe/internal/longtest"
)

// TestAPublishedBotPlaysWholeGames runs discord-tictactoe as npm delivers it, with its own command. Only the address
// differs: elsewhere.cjs, which is loaded first, changes the default address of the bot's library.
func TestAPublishedBotPlaysWholeGames(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	bot := node(t, "discord-tictactoe", "--require", "./elsewhere.cjs", filepath.Join("node_modules", "discord-tictactoe", "dist", "bin", "tictactoe.js"))
	s := newStage(t)
	s.start(t, bot, "TOKEN="+token, "COMMAND=tictactoe").wait(t, "TicTacToe module ready")

	t.Run("its command comes when the owner of the server calls the bot", func(t *testing.T) {
		if _, err := s.User("alice").Write("general", "<@"+application+"> tttdeploy"); err != nil {
			t.Fatal(err)
		}
		s.until(t, "the bot confirms", func() bool { return s.sees(t, "alice", "Command /tictactoe has been registered.") })
	})
	// The bot shows the board before it listens for a move. A person presses a button later, but this test might not.
	if err := s.SetFaults(discordsim.Faults{DelayMS: 100}); err != nil {
		t.Fatal(err)
	}
	t.Run("two people, after a challenge", func(t *testing.T) {
		challenge := s.command(t, "alice", "general", "tictactoe", map[string]any{"opponent": "bob"}).Message
		s.press(t, "bob", challenge.ID, discordsim.Button{Label: "Accept"})
		table := table{s, challenge.ID, map[string]game.Player{"alice": inOrder("a1 b1 c1"), "bob": inOrder("a2 b2 c2")}}
		end := table.play(t)
		want, result := "XXX/OO./...", "alice"
		if end.Starter() == game.O {
			want, result = "XX./OOO/...", "bob"
		}
		if end.String() != want || !strings.Contains(table.text(t), "<@"+s.User(result).ID()+"> has won the game!") {
			t.Errorf("the game ended with %s and %q, want %s and that %s has won", end, table.text(t), want, result)
		}
	})
	t.Run("its unbeatable engine and ours draw", func(t *testing.T) {
		start := s.command(t, "alice", "general", "tictactoe", nil).Message
		table := table{s, start.ID, map[string]game.Player{"alice": unbeatable(t)}}
		if end := table.play(t); end.Outcome() != game.Draw || !strings.Contains(table.text(t), "it's a tie") {
			t.Errorf("the game ended with %s and %q", end, table.text(t))
		}
	})
}

// inOrder is a player that takes the first free square of its list.
type inOrder string

func (squares inOrder) Choose(_ context.Context, p game.Position) (game.Square, error) {
	for name := range strings.FieldsSeq(string(squares)) {
		if square, err := p.Rules().ParseSquare(name); err == nil && p.Legal().Has(square) {
			return square, nil
		}
	}
	return 0, game.ErrSquare
}

func unbeatable(t *testing.T) game.Player {
	t.Helper()
	solver, err := ai.NewSolver(game.Classic())
	if err != nil {
		t.Fatal(err)
	}
	engine, err := ai.NewEngine(ai.Unbeatable, solver, rand.NewPCG(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// table is a message of the bot that shows a game, with the players.
type table struct {
	*stage
	message string
	players map[string]game.Player // by username; the player who called the command is X
}

func (b table) shown(t *testing.T) *discordsim.Message {
	t.Helper()
	messages := b.seen(t, "alice")
	i := slices.IndexFunc(messages, func(m *discordsim.Message) bool { return m.ID == b.message })
	if i < 0 {
		t.Fatal("the game is gone")
	}
	return messages[i]
}

func (b table) text(t *testing.T) string { return b.shown(t).Content }

// squares returns the buttons of the board as drawn, such as X.O/.../...
func (b table) squares(t *testing.T) string {
	t.Helper()
	var rows []string
	for _, row := range b.shown(t).Components {
		cells := ""
		for _, button := range row.Components {
			cells += strings.ReplaceAll(button.Label, "-", ".")
		}
		rows = append(rows, cells)
	}
	return strings.Join(rows, "/")
}

// mover returns the player to move, or "" if it is none of the players.
func (b table) mover(t *testing.T) string {
	t.Helper()
	for name := range b.players {
		if strings.Contains(b.text(t), "<@"+b.User(name).ID()+">, select your move") {
			return name
		}
	}
	return ""
}

func (b table) over(t *testing.T) bool {
	t.Helper()
	return strings.Contains(b.text(t), "won the game") || strings.Contains(b.text(t), "it's a tie")
}

// play plays until the bot says that the game is over, and returns the last board. Every board must be possible by our
// rules.
func (b table) play(t *testing.T) game.Position {
	t.Helper()
	starter := game.None
	for marks := -1; ; {
		var drawn string
		b.until(t, "the next move is asked for, or the game is over", func() bool {
			drawn = b.squares(t)
			return len(drawn)-strings.Count(drawn, ".") > marks && (b.over(t) || b.mover(t) != "")
		})
		who := b.mover(t)
		if starter == game.None {
			if starter = game.O; who == "alice" && !strings.Contains(drawn, "O") {
				starter = game.X
			}
		}
		turn := starter
		if strings.Count(drawn, "X") != strings.Count(drawn, "O") {
			turn = starter.Opponent()
		}
		position, err := game.ParsePosition(game.Classic(), drawn+" "+turn.String())
		if err != nil || b.over(t) != (position.Outcome() != game.InProgress) {
			t.Fatalf("the board is %s and the text %q: %v", drawn, b.text(t), err)
		}
		if b.over(t) {
			return position
		}
		square, err := b.players[who].Choose(t.Context(), position)
		if err != nil {
			t.Fatal(err)
		}
		b.press(t, who, b.message, discordsim.Button{Index: int(square)})
		marks = len(drawn) - strings.Count(drawn, ".")
	}
}

// press presses a button of the bot until the bot accepts it. A press before the bot listens fails, and people then
// press again.
func (s *stage) press(t *testing.T, who, message string, b discordsim.Button) {
	t.Helper()
	for range 3 {
		r, err := s.User(who).Click(t.Context(), message, b)
		if err != nil {
			t.Fatal(err)
		}
		if r.Status == discordsim.Answered {
			return
		}
		t.Logf("%s pressed %+v: %s, %v", who, b, r.Status, r.Error)
	}
	t.Fatalf("%s pressed %+v in vain", who, b)
}
