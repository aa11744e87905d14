package match

import (
	"cmp"
	"slices"
	"time"

	"tictactoe/game"
)

// Crowd says which people in a channel play a side together. They vote, and the square with the most votes is played.
type Crowd uint8

// The crowds.
const (
	NoCrowd Crowd = iota
	Channel       // everybody, against the computer
	TeamOne       // everybody whose first vote was for this side; the other side is TeamTwo
	TeamTwo
)

// CrowdSeat returns the seat of a crowd.
func CrowdSeat(c Crowd) Seat { return Seat{Crowd: c} }

// The times in which a crowd can vote after the first vote for a move, and the time in which it has to begin.
const (
	MinVoteTime     = 20 * time.Second
	DefaultVoteTime = 30 * time.Second
	MaxVoteTime     = time.Minute
	FirstVoteTime   = 24 * time.Hour
)

// Vote is a person's part in the match of a crowd: the side, and the square for which the person votes now.
type Vote struct {
	By     User
	Side   game.Mark
	Ply    int         // the number of moves before the person's latest vote
	Square game.Square // the voted square, if Since is set
	Since  int         // the version of the match that began with this vote, which orders the votes; 0 if the person has not voted for this move
}

// Choice is a square with the number of votes for it.
type Choice struct {
	Square game.Square
	Votes  int
	Since  int // when it got its first vote, as [Vote.Since]
}

// Tally returns the squares that have votes for the next move. The square to be played comes first: it has the most votes, and of several
// such squares, the earliest vote.
func (m Match) Tally() []Choice {
	var all []Choice
	for _, v := range m.Votes {
		i := slices.IndexFunc(all, func(c Choice) bool { return c.Square == v.Square })
		switch {
		case v.Since == 0:
		case i < 0:
			all = append(all, Choice{v.Square, 1, v.Since})
		default:
			all[i].Votes++
			all[i].Since = min(all[i].Since, v.Since)
		}
	}
	slices.SortStableFunc(all, func(a, b Choice) int { return cmp.Or(b.Votes-a.Votes, a.Since-b.Since) })
	return all
}

// Vote returns the match after a person has voted for a square, on a board of the given [Match.Stage]. With gravity an empty square stands
// for its column. A person has one vote for each move, and can change it. The first vote for a move begins the time to vote. The move is made
// at once when everybody who voted for the crowd's move before has voted again, and at least two people have. Refusals: Finished, TimeUp,
// Stale, OtherTeam, SquareTaken, NoSuchSquare.
func (m Match) Vote(by User, stage int, square game.Square, at time.Time) (Match, error) {
	p, reason := m.Position(), m.closed(at)
	if p.Marks(game.None).Has(square) {
		square = p.Landing(square)
	}
	i, known := slices.BinarySearchFunc(m.Votes, by, func(v Vote, by User) int { return cmp.Compare(v.By, by) })
	switch {
	case reason != "":
	case stage != m.Stage() || m.Turn().Crowd == NoCrowd:
		reason = Stale
	case known && m.Votes[i].Side != p.Turn():
		reason = OtherTeam
	case int(square) >= p.Rules().Squares():
		reason = NoSuchSquare
	case !p.Legal().Has(square):
		reason = SquareTaken
	case known && m.Votes[i].Since > 0 && m.Votes[i].Square == square:
		return m, nil
	}
	if reason != "" {
		return m, m.refuse(reason)
	}
	if len(m.Tally()) == 0 {
		m.Deadline = at.Add(m.TurnTime)
	}
	m.Votes = slices.Clone(m.Votes)
	if !known {
		m.Votes = slices.Insert(m.Votes, i, Vote{})
	}
	m.Version++
	m.Votes[i] = Vote{by, p.Turn(), m.Record.Len(), square, m.Version}
	if m.enough() {
		return m.playVoted(at), nil
	}
	return m, nil
}

// Voters returns how many people have voted for the next move.
func (m Match) Voters() (n int) {
	for _, c := range m.Tally() {
		n += c.Votes
	}
	return n
}

// enough reports whether the move is made without waiting for further votes.
func (m Match) enough() bool {
	last := m.Record.Len() - 2 // the crowd's move before
	missing := slices.ContainsFunc(m.Votes, func(v Vote) bool { return v.Ply == last && v.Side == m.Position().Turn() })
	return last >= 0 && !missing && m.Voters() > 1
}

// playVoted returns the match after the square with the most votes was played. There must be a vote.
func (m Match) playVoted(at time.Time) Match {
	next, err := m.place(m.Tally()[0].Square, at)
	if err != nil {
		panic(err) // Vote takes no votes for such squares
	}
	next.Version = m.Version // as the vote
	return next
}

// votesAfterMove returns the votes after a move: only who is on which side is kept.
func (m Match) votesAfterMove() []Vote {
	kept := slices.Clone(m.Votes)
	for i := range kept {
		kept[i].Square, kept[i].Since = 0, 0
	}
	return kept
}

// withoutVoter returns the match without a person's votes. It reports false if there are none.
func (m Match) withoutVoter(by User, at time.Time) (Match, bool) {
	kept := slices.DeleteFunc(slices.Clone(m.Votes), func(v Vote) bool { return v.By == by })
	if len(kept) == len(m.Votes) {
		return m, false
	}
	m.Votes = kept
	if len(m.Tally()) == 0 {
		m = m.startTurn(at)
	}
	m.Version++
	return m, true
}

// Stop returns the match of a crowd after it was called off: it has no result. The refusal is Finished.
func (m Match) Stop(at time.Time) (Match, error) {
	if m.Result.Over() {
		return m, m.refuse(Finished)
	}
	m = m.end(Result{game.InProgress, ByAbort}, at)
	m.Version++
	return m, nil
}
