package boards

import (
	"context"
	"errors"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
)

const (
	// MentionFrom is the shortest turn time with which players are called to their turn, unless they or the server have switched mentions
	// off. It must be longer than MentionAfter, or the time would be up before the call.
	MentionFrom = 5 * time.Minute
	// MentionAtOnce is the shortest turn time with which players are called at the start of the turn. In faster matches the call comes only
	// after the pause MentionAfter: by then a player who watches the board has moved.
	MentionAtOnce = time.Hour
	MentionAfter  = time.Minute
)

// maxTokens is the maximum number of boards for which a process remembers the token of the mention.
const maxTokens = 4096

// Mentioned reports whether a mention may have to be posted or deleted after a change of the match, or the message of its arena drawn again.
func Mentioned(m match.Match) bool {
	return m.Arena != "" && m.Result.Over() ||
		m.Seats.People() && (m.TurnTime >= MentionFrom || m.Record.Len() <= 2) // after two plies both players have moved
}

// mention says which mention should be beside a board: the player whom it calls, and the ply. The zero mention means none. The mention that
// calls the proposer to a new match has ply 1 and stays until the proposer has moved, even if the opponent moves first.
type mention struct {
	ply    int
	player match.User
}

// mentionFor returns the mention that should be beside the board of a match now. next is when another mention is due if the match does not
// change before, or zero if never.
//
// When a match begins, the proposer is called, whatever the turn time, because the opponent may have accepted only minutes after the
// proposal. The opponent has seen the match begin, and is not called to the first ply.
func mentionFor(m match.Match, now time.Time) (standing mention, next time.Time) {
	if m.Result.Over() || !m.Seats.People() {
		return mention{}, time.Time{}
	}
	if awaited := m.Awaited(); awaited != "" {
		standing = mention{1, awaited}
	}
	ply, due := m.Record.Len()+1, m.Deadline.Add(MentionAfter-m.TurnTime)
	switch {
	case m.TurnTime < MentionFrom, ply == standing.ply:
		return standing, time.Time{}
	case m.TurnTime < MentionAtOnce && now.Before(due):
		return standing, due
	default:
		return mention{ply, m.Turn().Player}, time.Time{}
	}
}

// mentionsOff reports whether the player or the server of a match has switched mentions off.
func (r *Redrawer) mentionsOff(ctx context.Context, m match.Match, player match.User) (bool, error) {
	off, err := r.Boards.TurnMentionsOff(ctx, player)
	if off || err != nil || m.Venue == "" {
		return off, err
	}
	p, err := r.Policies.Policy(ctx, m.Venue)
	return p.MentionsOff, err
}

// updateMention posts, replaces or deletes the mention beside a board, so that the board has the mention that mentionFor returns and no
// other.
func (r *Redrawer) updateMention(ctx context.Context, j *job, b board.Board, m *match.Match) error {
	if m == nil || b.Message == "" {
		return nil
	}
	should, next := mentionFor(*m, r.Now())
	if !mayPost(b) && should.ply > 1 {
		should, next = mention{}, time.Time{}
	}
	r.mu.Lock()
	j.mentionDue = next
	r.mu.Unlock()
	if should.ply == b.Mention.Ply {
		return nil
	}
	nobody := should.ply == 0
	if !nobody {
		var err error
		if nobody, err = r.mentionsOff(ctx, *m, should.player); err != nil {
			return err
		}
	}
	// replace deletes the old mention and records the new one, which is posted only after that. So a player is called at most once, even if
	// this process stops in between, or another process is about to post the same mention.
	replace := func(ctx context.Context) error {
		if err := r.deleteMention(ctx, b); err != nil {
			return err
		}
		return r.Boards.SaveMention(ctx, b.ID, b.Mention, board.Mention{Ply: should.ply})
	}
	if nobody {
		return unlessConflict(replace(ctx))
	}
	return r.replaceMention(ctx, b, *m, should, replace)
}

// unlessConflict returns err, or nil if it is a conflict, which means that another process has changed the mention.
func unlessConflict(err error) error {
	if errors.Is(err, match.ErrConflict) {
		return nil
	}
	return err
}

// replaceMention posts a mention. When no known rate limit forbids the post any more, it first calls replace, which deletes the old mention
// and records the new one, still without the id of a message.
func (r *Redrawer) replaceMention(
	ctx context.Context, b board.Board, m match.Match, should mention, replace func(context.Context) error,
) error {
	noted, replaced := board.Mention{Ply: should.ply}, false
	draw := func(ctx context.Context) ([]discordgo.MessageComponent, error) {
		if !replaced {
			if err := replace(ctx); err != nil {
				return nil, err
			}
			replaced = true
		}
		return r.Painter.Mention(ctx, b, m, should.player == m.Awaited() && should.ply == 1)
	}
	message, err := r.postMention(ctx, b, should, draw)
	switch {
	case !replaced:
		return unlessConflict(err)
	case errors.Is(err, messages.ErrForbidden), errors.Is(err, messages.ErrGone):
		return nil
	case errors.Is(err, messages.ErrRateLimited): // only after this failure is it certain that the player was not called
		return errors.Join(err, unlessConflict(r.Boards.SaveMention(ctx, b.ID, noted, board.Mention{})))
	case err != nil:
		return err
	}
	err = r.Boards.SaveMention(ctx, b.ID, noted, board.Mention{Ply: should.ply, Message: message})
	if errors.Is(err, match.ErrConflict) { // another process has decided meanwhile to remove the mention
		b.Mention.Message = message
		return r.deleteMention(ctx, b)
	}
	return err
}

// mayPost reports whether the bot may post beside a board with its own token.
func mayPost(b board.Board) bool { return b.Member && b.Guild != "" }

// postMention posts a mention with the bot's own token. Where the bot may not post, it posts only the mention at the start of a match, with
// the token of the newest click, which is usually the click that began the match.
func (r *Redrawer) postMention(ctx context.Context, b board.Board, should mention, draw messages.Draw) (message string, err error) {
	notify := []string{string(should.player)}
	err = messages.ErrForbidden
	if mayPost(b) {
		message, err = r.Messenger.Post(ctx, b.Channel, b.Message, draw, notify)
	}
	if !errors.Is(err, messages.ErrForbidden) || should.ply > 1 || !r.tokenUnexpired(b) {
		return message, err
	}
	sent, err := r.Messenger.PostByToken(ctx, b.Token, draw, notify)
	if err != nil {
		return "", err
	}
	if sent.Flags&discordgo.MessageFlagsEphemeral != 0 { // only the player who clicked sees it
		return "", errors.Join(messages.ErrForbidden, r.Messenger.DeleteByToken(ctx, b.Token, sent.ID))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.tokens) >= maxTokens {
		clear(r.tokens)
	}
	r.tokens[b.ID] = b.Token
	return sent.ID, nil
}

// deleteMention deletes the mention beside a board. A mention that was posted with the token of a click can only be deleted with that
// token. It stays if the token has expired, or if another process posted it.
func (r *Redrawer) deleteMention(ctx context.Context, b board.Board) (err error) {
	r.mu.Lock()
	token := r.tokens[b.ID]
	r.mu.Unlock()
	switch {
	case b.Mention.Message == "":
		return nil
	case token != "":
		err = r.Messenger.DeleteByToken(ctx, token, b.Mention.Message)
	case mayPost(b):
		err = r.Messenger.Delete(ctx, b.Channel, b.Mention.Message)
	}
	if err != nil && !errors.Is(err, messages.ErrGone) && !errors.Is(err, messages.ErrForbidden) {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.tokens, b.ID)
	return nil
}
