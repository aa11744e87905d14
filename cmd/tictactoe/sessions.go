package main

import (
	"context"

	"tictactoe/bot/gateway"
	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/replica/session"
)

// sessions stores gateway sessions in the database, so that the next process can resume them.
type sessions struct {
	store database
	clock *clock.Clock
}

// Take implements gateway.Sessions.
func (s sessions) Take(ctx context.Context, shard gateway.Shard) (left session.Session, servers []string, err error) {
	left, err = s.store.TakeSession(ctx, shard.ID, shard.Of, s.clock.Now())
	if err != nil || left.ID == "" {
		return session.Session{}, nil, err
	}
	venues, err := s.store.Present(ctx, partitionOf(shard))
	for _, v := range venues {
		servers = append(servers, string(v))
	}
	return left, servers, err
}

// Keep implements gateway.Sessions.
func (s sessions) Keep(ctx context.Context, shard gateway.Shard, left session.Session) error {
	return s.store.KeepSession(ctx, session.Kept{Shard: shard.ID, Of: shard.Of, Session: left})
}

// sessionBeside returns a function that returns the session of a shard. The scheduler saves it in the transaction in which it records that
// the shard is heard.
func (a *app) sessionBeside(shard gateway.Shard) func() []match.Extra {
	return func() []match.Extra {
		left := a.bot.Session(shard.ID)
		if left.ID == "" {
			return nil
		}
		return []match.Extra{session.Kept{Shard: shard.ID, Of: shard.Of, Session: left}}
	}
}
