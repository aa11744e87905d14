package commands

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/view"
)

// findable is how many of a player's latest matches are searched for suggestions. Older matches can be found by id.
const findable = 250

// messageLink matches the URL of a message, and captures the ids of the channel and the message.
var messageLink = regexp.MustCompile(`/channels/(?:[0-9]+|@me)/([0-9]+)/([0-9]+)`)

// find shows privately the match that an id or link names. The players of the match may ask anywhere, other users only in the channel of
// the board, where they can see the match anyway.
func (c *Look) find(ctx context.Context, in *interaction) (bot.Reply, error) {
	named := strings.ToLower(strings.Trim(choice(in, "match"), "` \t"))
	id := match.ID(named)
	if link := messageLink.FindStringSubmatch(named); link != nil {
		var err error
		if id, err = c.shownIn(ctx, in.by, link[1], link[2]); err != nil {
			return bot.Reply{}, err
		}
	}
	if !idPattern.MatchString(string(id)) {
		return bot.Reply{}, refused("refusal.find.unknown", nil)
	}
	m, err := c.storedMatch(ctx, id, refused("refusal.find.unknown", nil))
	if err != nil {
		return bot.Reply{}, err
	}
	// A user in a thread can also read the channel that contains the thread. A user in the channel may not be able to read the thread.
	if m.Seats.Mark(in.by) == game.None {
		b, err := c.boardOf(ctx, m.ID)
		if err == nil && !slices.Contains(placesOf(in), b.Channel) {
			err = refused("refusal.find.elsewhere", nil)
		}
		if err != nil {
			return bot.Reply{}, err
		}
	}
	return c.showPosition(ctx, in, m, m.Record.Len())
}

// shownIn returns the player's match that is shown in the given message, if it is one of the latest. Otherwise it returns a
// refusal.
func (c *Look) shownIn(ctx context.Context, p match.User, channel, message string) (match.ID, error) {
	c.recordBriefly(ctx)
	played, err := c.matchesOf(ctx, p, findable)
	if err != nil {
		return "", err
	}
	boards, err := c.Boards.Boards(ctx, each(played, func(p archive.Played) match.ID { return p.ID })...)
	for id, b := range boards {
		if b.Channel == channel && b.Message == message {
			return id, err
		}
	}
	return "", cmp.Or(err, refused("refusal.find.link", nil))
}

// matchesOf returns the open matches of a player, followed by the latest finished matches. ended is the maximum number of finished ones.
func (c *Look) matchesOf(ctx context.Context, p match.User, ended int) (played []archive.Played, err error) {
	open, err := c.Matches.OpenMatches(ctx, p)
	if err != nil && !errors.Is(err, match.ErrUnreadable) {
		return nil, err
	}
	for _, m := range open {
		played = append(played, archive.Of(m))
	}
	over, err := c.Archive.Latest(ctx, p, ended)
	if err != nil && !errors.Is(err, match.ErrUnreadable) {
		return nil, err
	}
	return append(played, over...), nil
}

// suggestMatch suggests the user's own matches whose labels contain all typed words. If only one word is typed, it also suggests
// the matches whose id begins with that word.
func (c *Look) suggestMatch(ctx context.Context, in *interaction) (bot.Reply, error) {
	_, typed := in.Focused()
	words, searched := strings.Fields(strings.ToLower(typed)), findable
	if len(words) == 0 {
		searched = bot.MaxChoices
	}
	played, err := c.matchesOf(ctx, in.by, searched)
	if err != nil {
		return bot.Reply{}, err
	}
	names, err := c.opponents(ctx, played)
	if err != nil {
		return bot.Reply{}, err
	}
	options := each(played, func(e archive.Played) view.Option {
		return view.Option{Value: string(e.ID), Label: view.PlayedMatch(e, in.by, names)}
	})
	return c.suggest(ctx, in, options, func(label, id string) bool {
		missing := slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(label, word) })
		return !missing || len(words) == 1 && strings.HasPrefix(id, words[0])
	}), nil
}

// opponents returns the names of the players of these matches.
func (c *Look) opponents(ctx context.Context, played []archive.Played) (view.Names, error) {
	var all []match.User
	for _, e := range played {
		all = append(all, e.Seats.Players()...)
	}
	return c.Matches.Names(ctx, all...)
}

// best lists the server's matches that are most worth seeing, privately.
func (c *Look) best(ctx context.Context, in *interaction) (bot.Reply, error) {
	if in.GuildID == "" {
		return bot.Reply{}, refused("refusal.best.server", nil)
	}
	days := 7
	if choice(in, "since") == "month" {
		days = archive.MaxDays
	}
	b, err := c.Archive.Best(ctx, in.venue, in.Received, days)
	if err != nil && !errors.Is(err, match.ErrUnreadable) {
		return bot.Reply{}, err
	}
	listed := slices.Concat(b.Shortest, b.Longest, b.Accurate, b.Upsets)
	names, err := c.opponents(ctx, each(listed, func(f archive.Feat) archive.Played { return f.Played }))
	return c.privately(ctx, in, view.OfBest(b, days, names, in.policy.Has(policy.Replays)), err)
}

// watch shows the beginning of the chosen match in a new message, so that the list stays. The id may be forged, and a player may have
// become hidden since the list was made, so watch checks again whether others may see the match.
func (c *Look) watch(ctx context.Context, in *interaction, _ view.PickReplay) (bot.Reply, error) {
	m, err := c.storedMatch(ctx, match.ID(only(chosen(in))), refused("refusal.best.gone", nil))
	if err != nil {
		return bot.Reply{}, err
	}
	hides := slices.ContainsFunc(m.Seats.Players(), func(p match.User) bool { return m.Looks[p].Hidden })
	if in.GuildID == "" || m.Venue != in.venue || !view.Reviewable(m) || m.Seats.Level() != "" || hides {
		return bot.Reply{}, refused("refusal.best.gone", nil)
	}
	reply, err := c.showPosition(ctx, in, m, 0)
	reply.Kind = bot.Post
	return reply, err
}
