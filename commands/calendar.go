package commands

import (
	"cmp"
	"context"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/boards"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
	"tictactoe/internal/show/view"
)

// showPost shows moderators where, and how often, posts of a kind are made. The page warns that the channel is closed to the bot if the
// latest post failed for that reason, or if closed is true.
func (c *Admin) showPost(ctx context.Context, in *interaction, kind posting.Kind, closed bool) (bot.Reply, error) {
	p, err := c.Posts.Post(ctx, in.venue, kind)
	closed = closed || p.Blocked
	if kind == posting.Puzzle {
		return c.privately(ctx, in, view.OfPuzzlePost(p, closed, !in.policy.Has(policy.Daily)), err)
	}
	return c.privately(ctx, in, view.OfLeaderboardPost(p, closed), err)
}

// setPost saves a moderator's choice for the posts of a kind, and shows their page. If the channel is new, or was closed to the bot, Discord
// says whether the bot may write there.
func (c *Admin) setPost(ctx context.Context, in *interaction, field view.PolicyField, kind posting.Kind) (bot.Reply, error) {
	from, err := c.Posts.Post(ctx, in.venue, kind)
	if err != nil {
		return bot.Reply{}, err
	}
	to, value := from, only(chosen(in))
	if kind == posting.Puzzle {
		to.Every = posting.Day
	} else {
		to.Every, to.Board = cmp.Or(to.Every, posting.Week), cmp.Or(to.Board, view.PostedBoards()[0])
	}
	switch {
	case (field == view.PolicyPosts || field == view.PolicyPuzzles) && value != "" && picks(in, discordgo.ChannelSelectMenuComponent):
		to.Channel = value
	case field == view.PolicyNoPosts, field == view.PolicyNoPuzzles:
		to.Channel = ""
	case field != view.PolicyPosts && field != view.PolicyPuzzles && from.Channel == "": // another moderator has stopped the posts meanwhile
		return c.showPost(ctx, in, kind, false)
	case field == view.PolicyPostsEvery && (value == string(posting.Week) || value == string(posting.Month)):
		to.Every = posting.Every(value)
	case field == view.PolicyPostsBoard && slices.Contains(view.PostedBoards(), value):
		to.Board = value
	case field == view.PolicyPostsEdit, field == view.PolicyPostsAnew:
		to.Edit = field == view.PolicyPostsEdit
	default:
		return bot.Reply{}, refused("refusal.admin.choice", nil)
	}
	to.Language = c.publicLanguage(ctx, in)
	if err := posting.Set(ctx, c.Moderation, c.Posts, c.request(in), from, to); err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	ask := to.Channel != "" && (to.Channel != from.Channel || from.Blocked)
	return c.showPost(ctx, in, kind, ask && c.closed(ctx, to.Channel))
}

// closed reports whether Discord says within a short time that the bot may not write in a channel.
func (c *Admin) closed(ctx context.Context, channel string) bool {
	ctx, cancel := context.WithTimeout(ctx, askDiscordWithin)
	defer cancel()
	return c.Closed(ctx, channel)
}

// CalendarPost draws a post by the calendar. The error is a boards.Skip if there is nothing to post.
func (p Painter) CalendarPost(ctx context.Context, post posting.Post, first puzzle.Day) ([]discordgo.MessageComponent, error) {
	allowed, err := p.Policies.Policy(ctx, post.Venue)
	if err != nil {
		return nil, err
	}
	style, s := p.style(nil), view.Screen{}
	switch {
	case post.Kind == posting.Leaderboard:
		s, err = p.leaderboardPost(ctx, post, first)
	case !allowed.Has(policy.Daily):
		err = boards.Skip(boards.Off)
	default:
		var made puzzle.Puzzle
		if made, err = p.Puzzles.Of(ctx, first); err == nil {
			s, style = view.PuzzlePost(made), p.styleOf(made.Start.Rules())
		}
	}
	if err != nil {
		return nil, err
	}
	return encode(s, p.Book.In(cmp.Or(allowed.Language, post.Language)), style), nil
}

// leaderboardPost returns the leaderboard of the week or month before a day or, by rating, of that day.
func (p Painter) leaderboardPost(ctx context.Context, post posting.Post, first puzzle.Day) (view.Screen, error) {
	board := view.PostedBoard(post.Board)
	if board.Of == view.ByRating {
		page, err := p.Ladders.Ladder(ctx, post.Venue, rulesOf(board.Rules), season.Latest, score.Where{Page: 1}, "")
		rows := slices.DeleteFunc(page.Rows, func(r ladder.Row) bool { return !r.Ranked() })
		return view.RatingsPost(post, first, rows), postable(len(rows), page.Stale, err)
	}
	of, from, to := leaderboards[board.Of], post.Every.Begin(first-1).Start(), first.Start()
	rows, err := p.Scores.Between(ctx, post.Venue, of, from, to, score.RowsOnAPage)
	if err := postable(len(rows), false, err); err != nil {
		return view.Screen{}, err
	}
	players := each(rows, func(r score.Row) match.User { return r.Player })
	looks, err := p.Matches.Looks(ctx, players...)
	if err != nil {
		return view.Screen{}, err
	}
	overall := map[match.User]int{}
	for i, player := range players {
		if rows[i].Hidden = looks[player].Hidden; !rows[i].Hidden {
			rows[i].Name = looks[player].Name
		}
		page, err := p.Scores.Leaderboard(ctx, post.Venue, score.Board{Of: of, Season: season.Latest}, score.Where{Page: 1}, player)
		if err := postable(len(rows), page.Stale, err); err != nil {
			return view.Screen{}, err
		}
		if page.Own != nil {
			overall[player] = page.Own.Rank
		}
	}
	return view.LeaderboardPost(post, first, rows, overall), nil
}

// postable returns why a leaderboard with that many rows cannot be posted, or nil.
func postable(rows int, stale bool, err error) error {
	switch {
	case err != nil:
		return err
	case stale:
		return boards.ErrNotYet
	case rows == 0:
		return boards.Skip(boards.Nobody)
	}
	return nil
}

// IsCalendarPost reports whether a message with these custom_ids is the post of the day, week or month that begins with a day. A posted
// attempt at a puzzle counts, too.
func (p Painter) IsCalendarPost(carried []string, post posting.Post, first puzzle.Day) bool {
	if post.Kind == posting.Puzzle {
		return slices.Contains(carried, customIDOf(view.SolvePuzzle{Day: first}))
	}
	return slices.ContainsFunc(carried, func(id string) bool {
		parsed, _ := parseCustomID(id)
		posted, is := parsed.action.(view.ShowPosted)
		return is && posted.Day == first
	})
}
