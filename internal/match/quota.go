package match

import "time"

// Limits bound what one player can have open at once.
type Limits struct {
	Open int // matches of one player; who asks for one more counts the own pending challenges too
	Pair int // matches between the same two players
}

// DefaultLimits are the limits that suit a public bot.
func DefaultLimits() Limits { return Limits{Open: 5, Pair: 2} }

// Quota makes sure that there is room for one more match or challenge. The store counts in the transaction that writes
// it, for whoever counts before may find that others did so too, and hands on what [Quota.Refuse] says.
type Quota struct {
	By      User
	Other   User // empty against a computer
	Limits  Limits
	At      time.Time // challenges that have run out by then are not pending
	Pending bool      // pending challenges count: those that By has sent, and any between the two
}

// Usage is what a store counts for a [Quota].
type Usage struct {
	Yours   int        // open matches of By
	Sent    int        // pending challenges from By
	Theirs  int        // open matches of Other
	Pair    int        // open matches between the two
	Between *Challenge // the oldest pending challenge between the two, whoever sent it
}

// Refuse is nil if there is room, else a [*Refusal]: AlreadyPending, TooManyYours, TooManyPair, TooManyTheirs.
func (r Quota) Refuse(o Usage) error {
	yours := o.Yours
	if r.Pending {
		yours += o.Sent
	}
	switch {
	case r.Pending && o.Between != nil:
		return o.Between.refuse(AlreadyPending)
	case yours >= r.Limits.Open:
		return &Refusal{Reason: TooManyYours, Limit: r.Limits.Open}
	case r.Other == "":
		return nil
	case o.Pair >= r.Limits.Pair:
		return &Refusal{Reason: TooManyPair, Limit: r.Limits.Pair}
	case o.Theirs >= r.Limits.Open:
		return &Refusal{Reason: TooManyTheirs, Limit: r.Limits.Open, Player: r.Other}
	}
	return nil
}
