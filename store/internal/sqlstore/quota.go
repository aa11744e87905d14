package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

// A computer's seat has no player, so an empty $2 finds no seat. Games of arenas do not count: the arena gives one at a time, and a player who
// has other open matches can be in it.
const (
	openMatchesOf1 = `(SELECT count(*) FROM matches WHERE x_player = $1 AND ended IS NULL AND arena IS NULL)
		+ (SELECT count(*) FROM matches WHERE o_player = $1 AND ended IS NULL AND arena IS NULL)`
	openMatchesOf2 = `(SELECT count(*) FROM matches WHERE x_player = $2 AND ended IS NULL AND arena IS NULL)
		+ (SELECT count(*) FROM matches WHERE o_player = $2 AND ended IS NULL AND arena IS NULL)`
	openMatchesOfBoth = `(SELECT count(*) FROM matches WHERE x_player = $1 AND o_player = $2 AND ended IS NULL AND arena IS NULL)
		+ (SELECT count(*) FROM matches WHERE x_player = $2 AND o_player = $1 AND ended IS NULL AND arena IS NULL)`
	sentBy1 = `(SELECT count(*) FROM challenges WHERE challenger = $1 AND status = 'pending' AND deadline > $3)`

	selectOccupied = `SELECT ` + openMatchesOf1 + `, ` + sentBy1 + `, ` + openMatchesOf2 + `, ` + openMatchesOfBoth

	selectBetween = `SELECT ` + challengeColumns + ` WHERE id IN (
			SELECT id FROM challenges WHERE challenger = $1 AND challenged = $2 AND status = 'pending' AND deadline > $3
			UNION ALL
			SELECT id FROM challenges WHERE challenger = $2 AND challenged = $1 AND status = 'pending' AND deadline > $3)
		ORDER BY created, id LIMIT 1`
	selectOpenChallenge = `SELECT ` + challengeColumns + `
		WHERE challenger = $1 AND challenged = '' AND venue = $2 AND status = 'pending' AND deadline > $3`

	// Posts later than $4 are left out, because a clock that was set back must not keep a player waiting.
	selectPublicPosts = `SELECT id, at FROM public_posts WHERE player = $1 AND place = $2 AND at > $3 AND at <= $4 ORDER BY at, id`
	upsertPublicPost  = `INSERT INTO public_posts (player, place, id, at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (player, place, id) DO UPDATE SET at = excluded.at`
	deletePublicPosts   = `DELETE FROM public_posts WHERE at <= $1`
	deletePublicPostsOf = `DELETE FROM public_posts WHERE player = $1`

	// Postgres finds running matches, and ended matches with a proposed rematch, by their slots.
	selectOpenCounts = `SELECT
		(SELECT count(*) FROM matches WHERE {postgres:slot IS NOT NULL AND ended IS NULL}{sqlite:deadline > 0}),
		(SELECT count(*) FROM challenges WHERE deadline > 0)`
)

// keepQuota returns a refusal if the quota is full. The transaction has locked the players, or is the only transaction that writes, so
// its counts hold until it ends.
func keepQuota(ctx context.Context, tx Tx, q match.Quota) error {
	at := q.At.UnixMilli()
	var u match.Usage
	if q.Place != "" {
		crowds, err := ScanRows(ctx, tx, column.ScanMatch, selectCrowdIn, q.Place)
		if err == nil && len(crowds) > 0 {
			u.Crowd = &crowds[0]
			err = q.Refuse(u)
		}
		return err
	}
	err := tx.Row(ctx, selectOccupied, q.By, q.Other, at).Scan(&u.Yours, &u.Sent, &u.Theirs, &u.Pair)
	if err != nil {
		return fmt.Errorf("count open matches and challenges: %w", err)
	}
	var between []match.Challenge
	switch {
	case q.Open && q.Other == "":
		between, err = ScanRows(ctx, tx, column.ScanChallenge, selectOpenChallenge, q.By, q.Venue, at)
	case q.Other != "":
		between, err = ScanRows(ctx, tx, column.ScanChallenge, selectBetween, q.By, q.Other, at)
	}
	if err != nil {
		return fmt.Errorf("look for a challenge: %w", err)
	}
	if len(between) > 0 {
		u.Between = &between[0]
	}
	return q.Refuse(u)
}

// AddPublicPost saves a public post on its own, without a [match.Save]. Errors: a [*match.Refusal], [match.ErrBusy], [match.ErrUnsaved].
func (s *Store) AddPublicPost(ctx context.Context, p match.PublicPost) error {
	return s.db.Write(ctx, Kind{Locks: []Lock{ofPlayer(p.By)}}, func(ctx context.Context, tx Tx) error {
		ask := match.Permit{Venue: match.Venue(p.Place), Players: []match.User{p.By}, At: p.At, Joins: true}
		if err := s.askPermit(ctx, tx, ask); err != nil {
			return err
		}
		return savePublicPost(ctx, tx, p)
	})
}

// savePublicPost saves a post, or returns a refusal if the player has no room for it. The transaction has locked the player, or is the only
// transaction that writes. A post that is saved already is left as it is.
func savePublicPost(ctx context.Context, tx Tx, p match.PublicPost) error {
	var ids []string
	var times []time.Time
	err := tx.Each(ctx, func(row column.Row) error {
		var id string
		var at time.Time
		err := row.Scan(&id, (*column.Time)(&at))
		ids, times = append(ids, id), append(times, at)
		return err
	}, selectPublicPosts, p.By, p.Place, column.Time(p.At.Add(-match.PostTime)), column.Time(p.At.Add(match.PostTime)))
	if err != nil {
		return fmt.Errorf("count public posts: %w", err)
	}
	if slices.Contains(ids, p.ID) {
		return nil
	}
	if err := p.Refuse(times); err != nil {
		return err
	}
	tx.Queue(Named("public post %s", p.ID), upsertPublicPost, p.By, p.Place, p.ID, column.Time(p.At))
	return nil
}

// CountOpen counts the running matches and the pending challenges.
func (s *Store) CountOpen(ctx context.Context) (matches, challenges int, err error) {
	err = s.db.Read(ctx, func(ctx context.Context, tx Tx) error {
		return tx.Row(ctx, selectOpenCounts).Scan(&matches, &challenges)
	})
	return matches, challenges, Named("count open matches and challenges").Wrap(err)
}
