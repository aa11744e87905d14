package redraw

import (
	"context"
	"errors"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/board"
	"tictactoe/internal/match"
)

const (
	// MentionFrom is the turn time from which on the side to move is mentioned, where nobody minds. It has to be longer than MentionAfter,
	// else nobody would be mentioned before the time is up.
	MentionFrom = 5 * time.Minute
	// MentionAtOnce is the turn time from which on that is done as soon as the turn begins. In quicker matches it is done after
	// MentionAfter: who is at the board has moved by then.
	MentionAtOnce = time.Hour
	MentionAfter  = time.Minute
)

// maxTokens bounds how many mentions are remembered as posted by a token.
const maxTokens = 4096

// Mentioned reports whether a mention may have to come or to go after a change of the match.
func Mentioned(m match.Match) bool {
	return m.Seats.Level() == "" && (m.TurnTime >= MentionFrom || m.Record.Len() <= 2) // by then both have moved
}

// call is a mention of a player, who is called to that ply; the zero call is none. A call to ply 1 of the proposer stands until that
// player has moved, whoever moves first.
type call struct {
	ply    int
	player match.User
}

// calls says which mention is to stand beside the board of a match now, and when there will be another one unless something changes
// before, zero if never.
//
// Who proposed a match is called when it begins, whatever its turn time: the other may have agreed minutes later. Who agreed to it
// has seen it begin, and is not called to the first ply.
func calls(m match.Match, now time.Time) (standing call, next time.Time) {
	if m.Result.Over() || m.Seats.Level() != "" {
		return call{}, time.Time{}
	}
	if awaited := m.Awaited(); awaited != "" {
		standing = call{1, awaited}
	}
	ply, due := m.Record.Len()+1, m.Deadline.Add(MentionAfter-m.TurnTime)
	switch {
	case m.TurnTime < MentionFrom, ply == standing.ply:
		return standing, time.Time{}
	case m.TurnTime < MentionAtOnce && now.Before(due):
		return standing, due
	default:
		return call{ply, m.Turn().Player}, time.Time{}
	}
}

// unwanted tells whether the player or the server of a match wants no mentions.
func (r *Redrawer) unwanted(ctx context.Context, m match.Match, player match.User) (bool, error) {
	off, err := r.Boards.TurnMentionsOff(ctx, player)
	if off || err != nil || m.Venue == "" {
		return off, err
	}
	p, err := r.Policies.Policy(ctx, m.Venue)
	return p.Quiet, err
}

// mention keeps at most one message beside a board that calls a player to it.
func (r *Redrawer) mention(ctx context.Context, j *job, b board.Board, m *match.Match) error {
	if m == nil || b.Message == "" {
		return nil
	}
	c, next := calls(*m, r.Now())
	if !maySpeak(b) && c.ply > 1 {
		c, next = call{}, time.Time{}
	}
	r.expect(j, next)
	if c.ply == b.Mention.Ply {
		return nil
	}
	quiet := c.ply == 0
	if !quiet {
		var err error
		if quiet, err = r.unwanted(ctx, *m, c.player); err != nil {
			return err
		}
	}
	// replace takes the old mention away, and notes what is to be in its place before that is posted: a player is called once at
	// most, even if we stop in between, or another process has the same in mind.
	noted := board.Mention{Ply: c.ply}
	replace := func(ctx context.Context) error {
		if err := r.takeAway(ctx, b); err != nil {
			return err
		}
		return r.Boards.SaveMention(ctx, b.ID, b.Mention, noted)
	}
	if quiet {
		return settled(replace(ctx))
	}
	return r.postCall(ctx, b, *m, c, noted, replace)
}

// settled is an error, unless that says that another process has called the player.
func settled(err error) error {
	if errors.Is(err, match.ErrConflict) {
		return nil
	}
	return err
}

// postCall posts a mention. Replace notes it and takes the old one away; it runs once no known rate limit forbids to post.
func (r *Redrawer) postCall(ctx context.Context, b board.Board, m match.Match, c call, noted board.Mention, replace func(context.Context) error) error {
	replaced := false
	draw := func(ctx context.Context) ([]discordgo.MessageComponent, error) {
		if !replaced {
			if err := replace(ctx); err != nil {
				return nil, err
			}
			replaced = true
		}
		if c.player == m.Awaited() && c.ply == 1 {
			return r.Painter.StartMention(ctx, b, m)
		}
		return r.Painter.TurnMention(ctx, b, m)
	}
	message, err := r.postMention(ctx, b, c, draw)
	switch {
	case !replaced:
		return settled(err)
	case errors.Is(err, bot.ErrForbidden), errors.Is(err, bot.ErrMessageGone):
		return nil
	case errors.Is(err, bot.ErrRateLimited): // the one failure after which nobody was called for certain
		return errors.Join(err, settled(r.Boards.SaveMention(ctx, b.ID, noted, board.Mention{})))
	case err != nil:
		return err
	}
	err = r.Boards.SaveMention(ctx, b.ID, noted, board.Mention{Ply: c.ply, Message: message})
	if errors.Is(err, match.ErrConflict) { // another process was quicker to see that it has to go
		b.Mention.Message = message
		return r.takeAway(ctx, b)
	}
	return err
}

// maySpeak reports whether the bot may write beside a board by its own right.
func maySpeak(b board.Board) bool { return b.Member && b.Guild != "" }

// postMention writes a mention by the bot's own right. Where it has none, the proposer of a match is called to its beginning by
// the token of the newest click, which as a rule is the one that began it.
func (r *Redrawer) postMention(ctx context.Context, b board.Board, c call, draw bot.Draw) (message string, err error) {
	ping := []string{string(c.player)}
	err = bot.ErrForbidden
	if maySpeak(b) {
		message, err = r.Messenger.Post(ctx, b.Channel, b.Message, draw, ping)
	}
	if !errors.Is(err, bot.ErrForbidden) || c.ply > 1 || !r.tokenUnexpired(b) {
		return message, err
	}
	sent, err := r.Messenger.PostByToken(ctx, b.Token, draw, ping)
	if err != nil {
		return "", err
	}
	if sent.Flags&discordgo.MessageFlagsEphemeral != 0 { // only the one who clicked sees it
		return "", errors.Join(bot.ErrForbidden, r.Messenger.DeleteByToken(ctx, b.Token, sent.ID))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.tokens) >= maxTokens {
		clear(r.tokens)
	}
	r.tokens[b.ID] = b.Token
	return sent.ID, nil
}

// takeAway deletes the mention beside a board. One that was posted by a token can be deleted by nothing else; it is left there once the
// token has run out, or when the process that posted it is gone.
func (r *Redrawer) takeAway(ctx context.Context, b board.Board) (err error) {
	r.mu.Lock()
	token := r.tokens[b.ID]
	r.mu.Unlock()
	switch {
	case b.Mention.Message == "":
		return nil
	case token != "":
		err = r.Messenger.DeleteByToken(ctx, token, b.Mention.Message)
	case maySpeak(b):
		err = r.Messenger.Delete(ctx, b.Channel, b.Mention.Message)
	}
	if err != nil && !errors.Is(err, bot.ErrMessageGone) && !errors.Is(err, bot.ErrForbidden) {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.tokens, b.ID)
	return nil
}
