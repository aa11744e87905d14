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

// maxChoiceLength is the maximum length of a suggestion, and of an option in a menu, in characters.
const maxChoiceLength = 100

// move plays a move by command, in place of a click on the board. The answer is private and describes the position in words. The redrawer
// updates the board.
func (c *Play) move(ctx context.Context, in *interaction) (bot.Reply, error) {
	t, err := c.table(ctx, in)
	if err != nil {
		return bot.Reply{}, err
	}
	m, err := t.chosen(choice(in, "match"))
	if err != nil {
		return bot.Reply{}, err
	}
	rules := m.Position().Rules()
	square, err := rules.ParseSquare(strings.ToLower(strings.TrimSpace(choice(in, "square"))))
	if t.toMove(m) && (err != nil || !m.Position().Legal().Has(square)) {
		return bot.Reply{}, refused("refusal.move.square", view.Args{"Squares": view.FreeSquares(m)})
	}
	played, err := c.Referee.Play(ctx, c.request(in), m.ID, m.Stage(), rules.Name(square))
	c.Redraw.Enqueue(m.ID) // even after a refusal, because the time may have run out
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	c.outdated(played)
	reply, err := c.played(ctx, in, played)
	return c.teaching(ctx, in, played, reply), err
}

// played returns the private answer to a move by command.
func (c *Play) played(ctx context.Context, in *interaction, m match.Match) (bot.Reply, error) {
	c.recordBriefly(ctx)
	names, err := c.names(ctx, []match.Match{m})
	if err != nil {
		return bot.Reply{}, err
	}
	b, err := c.boardOf(ctx, m.ID)
	lost := lossOf(b) != 0 || !b.Member && !in.Received.Before(b.Expires) // the token of the last click has expired
	return c.privately(ctx, in, view.Played(m, in.by, names, lost), err)
}

// suggestMove suggests the squares that can be played, or the matches in which the user can play.
func (c *Play) suggestMove(ctx context.Context, in *interaction) (bot.Reply, error) {
	t, err := c.table(ctx, in)
	if err != nil {
		return bot.Reply{}, err
	}
	option, typed := in.Focused()
	typed = strings.ToLower(strings.TrimSpace(typed))
	if option == "match" {
		options := each(t.sorted(), func(m match.Match) view.Option {
			return view.Option{Value: string(m.ID), Label: view.OpenMatch(t.number(m), m, t.player, t.names, t.here(m))}
		})
		return c.suggest(ctx, in, options, func(label, _ string) bool { return strings.Contains(label, typed) }), nil
	}
	m, err := t.chosen(choice(in, "match"))
	if err != nil || !t.toMove(m) {
		return bot.Reply{Kind: bot.Suggest}, nil
	}
	var options []view.Option
	for square := range m.Position().Legal().All() {
		rules := m.Position().Rules()
		options = append(options, view.Option{Value: rules.Name(square), Label: view.SquareName(rules, square)})
	}
	return c.suggest(ctx, in, options, func(label, name string) bool {
		return strings.HasPrefix(name, typed) || len(typed) > 2 && strings.Contains(label, typed)
	}), nil
}

// table has the open matches of the user of a command, and where they are shown.
type table struct {
	player  match.User
	channel string
	open    []match.Match
	names   view.Names
	boards  map[match.ID]board.Board
}

// table loads the open matches of the acting user, and the one that the crowd of the channel plays. It leaves out unreadable matches.
func (c *Play) table(ctx context.Context, in *interaction) (t table, err error) {
	t = table{player: in.by, channel: in.ChannelID}
	if t.open, err = c.Matches.OpenMatches(ctx, t.player); err != nil && !errors.Is(err, match.ErrUnreadable) {
		return t, err
	}
	crowd, err := c.Matches.CrowdIn(ctx, in.ChannelID)
	if err == nil {
		t.open = append(t.open, crowd)
	} else if !errors.Is(err, match.ErrNotFound) {
		return t, err
	}
	if t.names, err = c.names(ctx, t.open); err != nil {
		return t, err
	}
	t.boards, err = c.Boards.Boards(ctx, each(t.open, func(m match.Match) match.ID { return m.ID })...)
	return t, err
}

// toMove reports whether the player is to move, or can vote on the move.
func (t table) toMove(m match.Match) bool { return m.Turn().Player == t.player || m.Seats.HasCrowd() }

// here reports whether the match is shown in the channel of the command.
func (t table) here(m match.Match) bool { return t.boards[m.ID].Channel == t.channel }

// number returns the number of a match in the list of /tictactoe games, or 0 if the list has only this match.
func (t table) number(m match.Match) int {
	if len(t.open) == 1 {
		return 0
	}
	return 1 + slices.IndexFunc(t.open, func(other match.Match) bool { return other.ID == m.ID })
}

// sorted returns the matches in order of rank: first the matches in which the player is to move, beginning with matches that are shown
// here.
func (t table) sorted() []match.Match {
	return slices.SortedStableFunc(slices.Values(t.open), func(a, b match.Match) int { return t.rank(a) - t.rank(b) })
}

// rank returns the sort key of a match: below 2 if the player is to move, and even if the match is shown
// here.
func (t table) rank(m match.Match) (r int) {
	if !t.toMove(m) {
		r += 2
	}
	if !t.here(m) {
		r++
	}
	return r
}

// chosen returns the match that a command means, or a refusal. If id is set, it is the player's match with that id. Otherwise it is
// the only match shown here in which the player is to move, else the only such match anywhere, else the only open match.
func (t table) chosen(id string) (match.Match, error) {
	if id != "" {
		i := slices.IndexFunc(t.open, func(m match.Match) bool { return string(m.ID) == strings.TrimSpace(id) })
		if i < 0 {
			return match.Match{}, refused("refusal.move.match", nil)
		}
		return t.open[i], nil
	}
	switch all := t.sorted(); {
	case len(all) == 0:
		return match.Match{}, refused("refusal.move.none", nil)
	case len(all) == 1, t.toMove(all[0]) && t.rank(all[0]) < t.rank(all[1]):
		return all[0], nil
	case t.toMove(all[0]):
		return match.Match{}, refused("refusal.move.choose", nil)
	default:
		return match.Match{}, refused("refusal.move.waiting", nil)
	}
}
