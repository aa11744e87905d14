package commands

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/boards"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
	"tictactoe/internal/show/view"
)

// post returns the settings of posts for moderators. Discord says whether the bot may write in the channel; without an answer in time, the
// latest post does.
func (c *Admin) post(ctx context.Context, in *interaction, kind posting.Kind) (posting.Post, error) {
	p, err := c.Posts.Post(ctx, in.venue, kind)
	if err != nil || p.Channel == "" {
		return p, err
	}
	ctx, cancel := context.WithTimeout(ctx, askDiscordWithin)
	defer cancel()
	if err := c.Type(ctx, p.Channel); err == nil || errors.Is(err, messages.ErrForbidden) {
		p.Blocked = err != nil
	}
	return p, nil
}

// showPuzzlePost shows moderators where the puzzle is posted.
func (c *Admin) showPuzzlePost(ctx context.Context, in *interaction) (bot.Reply, error) {
	p, err := c.post(ctx, in, posting.Puzzle)
	return c.privately(ctx, in, view.OfPuzzlePost(p, !in.policy.Has(policy.Daily)), err)
}

// showLeaderboardPost shows moderators where and how often which leaderboard is posted.
func (c *Admin) showLeaderboardPost(ctx context.Context, in *interaction) (bot.Reply, error) {
	p, err := c.post(ctx, in, posting.Leaderboard)
	return c.privately(ctx, in, view.OfLeaderboardPost(p), err)
}

// setPost saves a moderator's choice for the posts of a kind, and shows their page.
func (c *Admin) setPost(
	ctx context.Context, in *interaction, field view.PolicyField, kind posting.Kind, page view.ModerationPage,
) (bot.Reply, error) {
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
		return c.openPage(ctx, in, view.OpenPage{Page: page})
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
	return c.openPage(ctx, in, view.OpenPage{Page: page})
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
