package commands

import (
	"context"
	"errors"
	"slices"
	"strings"

	"tictactoe/bot"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// maxChoiceLength is how many characters a choice may have, and an option of a menu.
const maxChoiceLength = 100

// move plays a move by command, as a click on the board does. The answer is private and describes the position in words; the board
// is redrawn.
func (c *Play) move(ctx context.Context, in *interaction) (bot.Reply, error) {
	t, err := c.table(ctx, in)
	if err != nil {
		return bot.Reply{}, err
	}
	m, refusal := t.chosen(choice(in, "match"))
	if refusal != "" {
		return c.notice(ctx, in, view.T(refusal, nil)), nil
	}
	rules := m.Position().Rules()
	square, err := rules.ParseSquare(strings.ToLower(strings.TrimSpace(choice(in, "square"))))
	if t.toMove(m) && (err != nil || !m.Position().Legal().Has(square)) {
		return c.notice(ctx, in, view.T("refusal.move.square", view.Args{"Squares": view.FreeSquares(m)})), nil
	}
	played, err := c.Referee.Play(ctx, c.request(in), m.ID, m.Record.Len(), rules.Name(square))
	c.Redraw.Enqueue(m.ID) // also when it is refused: the time may have run out
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	c.outdated(played)
	reply, err := c.played(ctx, in, played)
	return c.teaching(ctx, in, played, reply), err
}

// played returns the answer to a move by command.
func (c *Play) played(ctx context.Context, in *interaction, m match.Match) (bot.Reply, error) {
	c.recordBriefly(ctx)
	names, boards, err := c.namesAndBoards(ctx, []match.Match{m}, nil)
	if err != nil {
		return bot.Reply{}, err
	}
	b := boards[m.ID]
	lost := lossOf(b) != 0 || !b.Member && !in.Received.Before(b.Expires) // its last token has run out
	return c.privately(ctx, in, view.Played(m, in.by, names, lost), c.style(boards)), nil
}

// suggestMove lists the squares that can be played, or the matches to play in.
func (c *Play) suggestMove(ctx context.Context, in *interaction) (bot.Reply, error) {
	t, err := c.table(ctx, in)
	if err != nil {
		return bot.Reply{}, err
	}
	option, typed := in.Focused()
	typed = strings.ToLower(strings.TrimSpace(typed))
	words := c.private(ctx, in)
	say := func(t view.Text) string { return cutName(words.Say(t, labelStyle{}), maxChoiceLength) }
	reply := bot.Reply{Kind: bot.Suggest}
	if option == "match" {
		for _, m := range t.sorted() {
			label := say(view.OpenMatch(t.number(m), m, t.player, t.names, t.here(m)))
			if strings.Contains(strings.ToLower(label), typed) {
				reply.Choices = append(reply.Choices, bot.Choice{Name: label, Value: string(m.ID)})
			}
		}
		return reply, nil
	}
	m, refusal := t.chosen(choice(in, "match"))
	if refusal != "" || !t.toMove(m) {
		return reply, nil
	}
	for square := range m.Position().Legal().All() {
		name, label := m.Position().Rules().Name(square), say(view.SquareName(m.Position().Rules(), square))
		if strings.HasPrefix(name, typed) || len(typed) > 2 && strings.Contains(strings.ToLower(label), typed) {
			reply.Choices = append(reply.Choices, bot.Choice{Name: label, Value: name})
		}
	}
	return reply, nil
}

// table holds the matches that the user of a command can play.
type table struct {
	player  match.User
	channel string
	open    []match.Match
	names   view.Names
	boards  map[match.ID]board.Board
}

// table loads the open matches of the acting user. It leaves out those that cannot be read.
func (c *Play) table(ctx context.Context, in *interaction) (t table, err error) {
	t = table{player: in.by, channel: in.ChannelID}
	if t.open, err = c.Matches.OpenMatches(ctx, t.player); err != nil && !errors.Is(err, match.ErrUnreadable) {
		return t, err
	}
	t.names, t.boards, err = c.namesAndBoards(ctx, t.open, nil)
	return t, err
}

// toMove reports whether the player is to move.
func (t table) toMove(m match.Match) bool { return m.Turn().Player == t.player }

// here reports whether the match is shown in the channel of the command.
func (t table) here(m match.Match) bool { return t.boards[m.ID].Channel == t.channel }

// number returns the number of a match in the list of /tictactoe games, 0 if it is the only one.
func (t table) number(m match.Match) int {
	if len(t.open) == 1 {
		return 0
	}
	return 1 + slices.IndexFunc(t.open, func(other match.Match) bool { return other.ID == m.ID })
}

// sorted returns the matches by whether it is the player's turn, then by whether they are shown here.
func (t table) sorted() []match.Match {
	rank := func(m match.Match) (r int) {
		if !t.toMove(m) {
			r += 2
		}
		if !t.here(m) {
			r++
		}
		return r
	}
	return slices.SortedStableFunc(slices.Values(t.open), func(a, b match.Match) int { return rank(a) - rank(b) })
}

// chosen returns the match that a command is about. With an id it is the match with that id. Without one it is the only match here
// in which the player is to move, else the only such match anywhere, else the only open match. If there is none, the refusal is
// the key of a text. The id may be made up, so only the player's matches are searched.
func (t table) chosen(id string) (m match.Match, refusal string) {
	if id != "" {
		i := slices.IndexFunc(t.open, func(m match.Match) bool { return string(m.ID) == strings.TrimSpace(id) })
		if i < 0 {
			return m, "refusal.move.match"
		}
		return t.open[i], ""
	}
	var here, turn []match.Match
	for _, m := range t.open {
		if t.toMove(m) {
			turn = append(turn, m)
			if t.here(m) {
				here = append(here, m)
			}
		}
	}
	for _, some := range [][]match.Match{here, turn, t.open} {
		switch {
		case len(some) == 1:
			return some[0], ""
		case len(some) > 1 && len(turn) == 0:
			return m, "refusal.move.waiting"
		case len(some) > 1:
			return m, "refusal.move.choose"
		}
	}
	return m, "refusal.move.none"
}
