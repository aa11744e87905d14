package postgres

import (
	"cmp"
	"hash/fnv"
	"slices"

	"tictactoe/internal/match"
)

// lock is an advisory lock that a transaction holds until it ends. Locks are taken in the order of their keys, before any
// row is locked, so that nobody waits in a circle. Two names may share a key; then they wait for each other, which costs
// time and nothing else.
//
// Who holds what:
//
//   - players: whoever creates or answers something between them, or changes what the consent of one depends on. So what
//     is counted for a [match.Quota] and read for a [match.Consent] stays true until the transaction ends.
//   - venue, shared: whoever asks for a [match.Permit]. Venue alone: whoever sets the policy.
//   - scores of a venue: whoever changes them, for the sake of the rank buckets. In direct messages, which have none, who adds
//     to scores shares it.
//   - erasing, shared: whoever changes blocks. Erasing alone: whoever has a player deleted, which hashes blocks of others.
type lock struct {
	key    int64
	shared bool
}

// The kinds of locks, in the order in which they are taken.
const (
	lockMigration = iota + 1
	lockPresence
	lockErasing
	lockPlayer
	lockVenue
	lockScores
)

func lockOf(kind int, name string) lock {
	sum := fnv.New64a()
	sum.Write([]byte(name))
	return lock{key: int64(kind)<<56 | int64(sum.Sum64()>>8)}
}

func (l lock) share() lock { return lock{l.key, true} }

// statement takes it.
func (l lock) statement() string {
	if l.shared {
		return "SELECT pg_advisory_xact_lock_shared($1)"
	}
	return "SELECT pg_advisory_xact_lock($1)"
}

func ofPlayer(p match.User) lock  { return lockOf(lockPlayer, string(p)) }
func ofVenue(v match.Venue) lock  { return lockOf(lockVenue, string(v)) }
func ofScores(v match.Venue) lock { return lockOf(lockScores, string(v)) }
func erasing() lock               { return lockOf(lockErasing, "") }

// locksFor are what a save needs.
func locksFor(save match.Save) (all []lock) {
	players := []match.User{
		save.Consent.By, save.Consent.Other, save.Quota.By, save.Quota.Other, save.Challenge.To.From, save.Challenge.To.To,
	}
	for _, c := range save.Matches {
		if c.Creates() {
			players = append(players, c.To.Seats.Players()...)
		}
		all = append(all, following(c.From, c.To)...)
	}
	for _, p := range players {
		if p != "" {
			all = append(all, ofPlayer(p))
		}
	}
	if v := save.Permit.Venue; v != "" {
		all = append(all, ofVenue(v).share())
	}
	return inOrder(all)
}

// addingTo is what adding to the scores of a venue needs.
func addingTo(v match.Venue) lock {
	if v == "" {
		return ofScores(v).share()
	}
	return ofScores(v)
}

// following is what a change of a match needs for the scores that follow it.
func following(from, to match.Match) []lock {
	switch {
	case !from.Result.Over() && to.Result.Counts():
		return []lock{addingTo(to.Venue)}
	case from.Result.Counts() && !to.Result.Counts():
		return []lock{ofScores(to.Venue)}
	default:
		return nil
	}
}

// inOrder are the locks without doubles, the stronger of two, as they are to be taken.
func inOrder(all []lock) []lock {
	slices.SortFunc(all, func(a, b lock) int {
		if order := cmp.Compare(a.key, b.key); order != 0 || a.shared == b.shared {
			return order
		}
		if a.shared {
			return 1
		}
		return -1
	})
	return slices.CompactFunc(all, func(a, b lock) bool { return a.key == b.key })
}
