package sqlstore

import (
	"fmt"

	"tictactoe/internal/arena"
	"tictactoe/internal/match"
)

// Lock is a lock that a transaction holds until it ends. SQLite has one writer, and takes no locks.
//
// Transactions hold these locks:
//
//   - players: transactions that create or answer a match or challenge between players, or change the data on which a player's consent
//     depends, or save a [match.PublicPost], a vote or an entrant of an arena. A channel counts as a player for the
//     match of a crowd in it. So the counts for a [match.Quota] or a public post and the rows for a [match.Consent] stay valid
//     until the transaction ends.
//   - venue: shared by transactions that check a [match.Permit]; exclusive for a transaction that sets the policy or the channel of the
//     daily puzzle, or deletes the data of a server.
//   - scores of a venue: transactions that change scores, because a recount reads the scores that other transactions add.
//   - judging a partition: transactions that check whether other bots hear the players of the partition.
//   - erasing: shared by transactions that change blocks or delete matches of a server; exclusive for a transaction that erases a player,
//     which hashes the player in the blocks of other users.
type Lock struct {
	Kind   LockKind
	Name   string
	Shared bool
}

// LockKind says what a lock protects. A transaction takes its locks in the order of the kinds.
type LockKind int

// The kinds of locks.
const (
	LockPresence LockKind = iota
	LockErasing
	LockPlayer
	LockVenue
	LockScores
)

// Share returns the lock in its shared mode.
func (l Lock) Share() Lock {
	l.Shared = true
	return l
}

func ofPlayer(p match.User) Lock  { return Lock{LockPlayer, string(p), false} }
func ofVenue(v match.Venue) Lock  { return Lock{LockVenue, string(v), false} }
func ofScores(v match.Venue) Lock { return Lock{LockScores, string(v), false} }
func erasing() Lock               { return Lock{Kind: LockErasing} }
func judging(p match.Partition) Lock {
	return Lock{LockPresence, fmt.Sprintf("judging %d/%d", p.Index, p.Count()), false}
}

// locksFor returns the locks that a save needs.
func locksFor(save match.Save) (locks []Lock) {
	players := []match.User{
		save.Consent.By, save.Consent.Other, save.Quota.By, save.Quota.Other, save.Challenge.To.From, save.Challenge.To.To,
	}
	if save.Permit.Interaction != "" {
		players = append(players, save.Permit.Players...)
	}
	if save.Quota.Place != "" {
		players = append(players, match.User("channel "+save.Quota.Place))
	}
	for _, c := range save.Matches {
		if c.Creates() {
			players = append(players, c.To.Seats.Players()...)
		}
		locks = append(locks, following(c.From, c.To)...)
	}
	for _, extra := range save.Extras {
		switch e := extra.(type) {
		case match.PublicPost:
			players = append(players, e.By)
		case arena.Change:
			for _, entrant := range e.Entrants() {
				players = append(players, entrant.Player)
			}
		}
	}
	for _, p := range players {
		if p != "" {
			locks = append(locks, ofPlayer(p))
		}
	}
	if v := save.Permit.Venue; v != "" {
		locks = append(locks, ofVenue(v).Share())
	}
	return locks
}

// following returns the locks that a save needs to update scores after a match changes.
func following(from, to match.Match) []Lock {
	if from.Result.Counts() == to.Result.Counts() {
		return nil
	}
	return []Lock{ofScores(to.Venue)}
}
