package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
	"tictactoe/store/internal/column"
)

const (
	postColumns = `venue, kind, coalesce(channel, ''), language, every, board, edit, message, next, claimed, blocked FROM calendar_posts`
	ofPosts     = ` WHERE venue = $1 AND kind = $2`

	selectPost = `SELECT ` + postColumns + ofPosts
	// The day in the column next moves back only if the posts become more frequent, so nothing is posted twice.
	upsertPost = `INSERT INTO calendar_posts AS p (venue, kind, channel, language, every, board, edit, next)
		VALUES ($1, $2, nullif($3, ''), $4, $5, $6, $7, $8)
		ON CONFLICT (venue, kind) DO UPDATE SET channel = excluded.channel, language = excluded.language, every = excluded.every,
			board = excluded.board, edit = excluded.edit, claimed = NULL, blocked = false,
			message = CASE WHEN excluded.channel = p.channel THEN p.message ELSE '' END,
			next = CASE WHEN excluded.next > p.next OR excluded.every <> p.every THEN excluded.next ELSE p.next END`
	selectDuePosts = `SELECT ` + postColumns + ` WHERE kind = $1 AND channel IS NOT NULL AND claimed IS NULL AND next <= $2
		ORDER BY next, venue LIMIT $3`
	selectClaimedPosts = `SELECT ` + postColumns + ` WHERE kind = $1 AND claimed IS NOT NULL ORDER BY claimed, venue`
	claimPost          = `UPDATE calendar_posts SET next = $5, claimed = $6` + ofPosts + `
		AND next = $3 AND claimed IS NOT DISTINCT FROM $4 AND channel = $7`
	releasePost = `UPDATE calendar_posts SET next = $5, claimed = NULL` + ofPosts + ` AND next = $3 AND claimed = $4`
	settlePost  = `UPDATE calendar_posts SET next = $5, claimed = NULL, channel = nullif($6, ''), message = $7, blocked = $8` + ofPosts + `
		AND next = $3 AND claimed = $4`

	deletePosts = `DELETE FROM calendar_posts WHERE venue = $1`
)

func ofPost(p posting.Post) Outcome { return Named("posts of the %s in %s", p.Kind, p.Venue) }

// Post returns the settings and the state of the posts of a kind in a venue.
func (s *Store) Post(ctx context.Context, v match.Venue, k posting.Kind) (posting.Post, error) {
	p, err := readOptionalRow(ctx, s.db, Named("posts of the %s in %s", k, v), scanPost, selectPost, v, k)
	p.Venue, p.Kind = v, k
	return p, err
}

// SetPost sets where and how often the bot posts something, and adds an audit entry.
func (s *Store) SetPost(ctx context.Context, p posting.Post, entry policy.AuditEntry, names ...match.Name) error {
	return s.rule(ctx, Kind{Locks: []Lock{ofVenue(p.Venue)}}, entry, names, func(_ context.Context, tx Tx) error {
		tx.Queue(ofPost(p), upsertPost, p.Venue, p.Kind, p.Channel, p.Language, p.Every, p.Board, p.Edit, p.Next)
		return nil
	})
}

// DuePosts returns the posts of a kind that are due.
func (s *Store) DuePosts(ctx context.Context, k posting.Kind, today puzzle.Day, limit int) ([]posting.Post, error) {
	return readRows(ctx, s.db, Named("posts that are due"), scanPost, selectDuePosts, k, today, limit)
}

// ClaimedPosts returns the posts of a kind that a process has claimed and whose result is not known.
func (s *Store) ClaimedPosts(ctx context.Context, k posting.Kind) ([]posting.Post, error) {
	return readRows(ctx, s.db, Named("posts that are being made"), scanPost, selectClaimedPosts, k)
}

// ClaimPost records that a process is about to make a post.
func (s *Store) ClaimPost(ctx context.Context, p posting.Post, today puzzle.Day, at time.Time) (posting.Post, error) {
	if today < p.Next && p.Claimed.IsZero() || today < p.Day() {
		return p, fmt.Errorf("the post of the %s of %v in %s was settled, and the next one is of %v", p.Kind, today, p.Venue, p.Next)
	}
	next := p.Every.After(today)
	err := s.carryOut(ctx, Kind{}, ofPost(p).Or(match.ErrConflict), claimPost, p.Venue, p.Kind, p.Next, column.Time(p.Claimed), next, column.Time(at), p.Channel)
	if err == nil {
		p.Next, p.Claimed = next, time.UnixMilli(at.UnixMilli()).UTC()
	}
	return p, err
}

// ReleasePost removes the claim of a post that was not made.
func (s *Store) ReleasePost(ctx context.Context, p posting.Post, next puzzle.Day) error {
	return s.carryOut(ctx, Kind{}, ofPost(p), releasePost, p.Venue, p.Kind, p.Next, column.Time(p.Claimed), next)
}

// SettlePost records the result of a claimed post, with the audit entry if it has an id.
func (s *Store) SettlePost(ctx context.Context, p, settled posting.Post, entry policy.AuditEntry) error {
	done := ofPost(p).Or(match.ErrConflict)
	err := s.rule(ctx, Kind{Locks: []Lock{ofVenue(p.Venue)}}, entry, nil, func(_ context.Context, tx Tx) error {
		tx.Queue(done, settlePost, p.Venue, p.Kind, p.Next, column.Time(p.Claimed), settled.Next, settled.Channel, settled.Message, settled.Blocked)
		return nil
	})
	if errors.Is(err, match.ErrConflict) {
		return nil
	}
	return err
}

func scanPost(row column.Row) (p posting.Post, err error) {
	err = row.Scan(&p.Venue, &p.Kind, &p.Channel, &p.Language, &p.Every, &p.Board, &p.Edit, &p.Message, &p.Next, (*column.Time)(&p.Claimed), &p.Blocked)
	return p, err
}
