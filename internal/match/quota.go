package match

import "time"

// Limits bound how many matches and challenges one player may have open.
type Limits struct {
	Open int // open matches of one player; for a player who asks for another, the pending challenges that the player sent count, too
	Pair int // matches between the same two players
}

// DefaultLimits are the limits that suit a public bot.
func DefaultLimits() Limits { return Limits{Open: 5, Pair: 2} }

// Quota asks whether a player may have one more match or challenge. The store counts in the transaction that writes the
// match or challenge, because an earlier count could miss concurrent writes, and returns the error of [Quota.Refuse].
// If By is empty, nothing is counted.
type Quota struct {
	By      User
	Other   User // empty against a computer, and for an open challenge
	Limits  Limits
	At      time.Time // challenges that have expired by this time are not pending
	Pending bool      // pending challenges count: the ones that By sent, and any between the two players
	Open    bool      // By asks for an open challenge in Venue, where a player has one at a time, or accepts one of Other
	Venue   Venue
	Place   string // By begins a match of a crowd in this channel, which has one at a time; the limits of By do not count
}

// Usage holds the counts that a [Quota] needs.
type Usage struct {
	Yours   int        // open matches of By
	Sent    int        // pending challenges from By
	Theirs  int        // open matches of Other
	Pair    int        // open matches between the two players
	Between *Challenge // the oldest pending challenge between the two players, in either direction, or the open one of By
	Crowd   *Match     // the open match of a crowd in Place
}

// Refuse returns nil if there is room, else a [*Refusal]: CrowdPlaying, AlreadyPending, TooManyYours, TooManyPair, NotOpen, TooManyTheirs.
func (q Quota) Refuse(u Usage) error {
	if u.Crowd != nil {
		return u.Crowd.refuse(CrowdPlaying)
	}
	yours := u.Yours
	if q.Pending {
		yours += u.Sent
	}
	switch {
	case q.Pending && u.Between != nil:
		return u.Between.refuse(AlreadyPending)
	case yours >= q.Limits.Open:
		return &Refusal{Reason: TooManyYours, Limit: q.Limits.Open}
	case q.Other == "":
		return nil
	case u.Pair >= q.Limits.Pair:
		return &Refusal{Reason: TooManyPair, Limit: q.Limits.Pair}
	case u.Theirs >= q.Limits.Open && q.Open:
		return &Refusal{Reason: NotOpen, Player: q.Other} // the same reason as for a block, so that NotOpen does not reveal the block
	case u.Theirs >= q.Limits.Open:
		return &Refusal{Reason: TooManyTheirs, Limit: q.Limits.Open, Player: q.Other}
	}
	return nil
}

const (
	// MaxPosts is how many messages one player may have the bot post publicly in one place within [PostTime].
	MaxPosts = 5
	// PostTime is how long a public post counts.
	PostTime = time.Minute
)

// PublicPost is a new message that a player has the bot post for everybody in a channel. The store counts the player's posts in the place
// in the transaction that saves this post, and returns the error of [PublicPost.Refuse]. A post that is saved again counts once.
type PublicPost struct {
	By    User
	Place string // the server or, outside of servers, the channel
	ID    string // the id of the interaction that asks for the post
	At    time.Time
}

// Extra marks PublicPost as a change that is saved with a [Save].
func (PublicPost) Extra() {}

// Refuse returns nil if the player may post once more, else a [*Refusal]: TooManyPosts. The argument has the times of the player's posts
// that still count, the earliest first.
func (p PublicPost) Refuse(earlier []time.Time) error {
	if len(earlier) < MaxPosts {
		return nil
	}
	return &Refusal{Reason: TooManyPosts, Limit: MaxPosts, Until: earlier[len(earlier)-MaxPosts].Add(PostTime)}
}
