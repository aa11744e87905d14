package main

import (
	"context"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/score"
)

// timedStore is a database that measures the operations for which users wait, and counts saves, for the metrics.
type timedStore struct {
	database
	note  func(operation string, start time.Time, err error)
	saved func(match.Save)
}

func (s timedStore) Match(ctx context.Context, id match.ID) (m match.Match, err error) {
	defer func(start time.Time) { s.note("match", start, err) }(time.Now())
	return s.database.Match(ctx, id)
}

func (s timedStore) Save(ctx context.Context, save match.Save) (err error) {
	defer func(start time.Time) { s.note("save", start, err) }(time.Now())
	if err = s.database.Save(ctx, save); err == nil {
		s.saved(save)
	}
	return err
}

func (s timedStore) TakeDue(ctx context.Context, p match.Partition, now time.Time, limit int, until time.Time) (due []match.ID, err error) {
	defer func(start time.Time) { s.note("due", start, err) }(time.Now())
	return s.database.TakeDue(ctx, p, now, limit, until)
}

func (s timedStore) Leaderboard(
	ctx context.Context, v match.Venue, b score.Board, where score.Where, own match.User,
) (found score.Page, err error) {
	defer func(start time.Time) { s.note("leaderboard", start, err) }(time.Now())
	return s.database.Leaderboard(ctx, v, b, where, own)
}

func (s timedStore) Ladder(
	ctx context.Context, v match.Venue, rules game.Rules, number int, where score.Where, own match.User,
) (found ladder.Page, err error) {
	defer func(start time.Time) { s.note("ladder", start, err) }(time.Now())
	return s.database.Ladder(ctx, v, rules, number, where, own)
}
