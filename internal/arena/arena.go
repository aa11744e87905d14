// Package arena holds arenas: tournaments of a fixed time in which players come and go, and free players are paired at once.
//
// An [Arena] is a value with pure transitions, like a match. What it knows of its games is read from the matches: points, places, and
// whether an entrant is absent follow from them, so voiding or restoring a match changes the standings, too. The [Runner] begins arenas,
// pairs free entrants and ends arenas, from stored rows alone.
package arena

import (
	"slices"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// Status says whether an arena has begun or how it ended.
type Status uint8

// The states of an arena.
const (
	Announced Status = iota + 1
	Running
	Over      // it ended as planned
	CalledOff // it did not take place, or ended early; see [Arena.Why]
)

// String returns the name of the status.
func (s Status) String() string {
	return match.NameOf(s, "none", "announced", "running", "over", "called off")
}

// Why says why an arena was called off.
type Why uint8

// The reasons for calling an arena off.
const (
	ByHost Why = iota + 1
	ByModerator
	TooFew // fewer than two entrants were ready when it was to begin
	Missed // the bot was away when it was to begin, and came back more than [MaxLate] after that
)

// State says whether an entrant plays.
type State uint8

// The states of an entrant.
const (
	NotIn State = iota // not an entrant
	Ready
	Paused // by choice, or because a first move did not come in time
	Left
	Removed // by a moderator, and so out of the standings
)

// String returns the name of the state.
func (s State) String() string { return match.NameOf(s, "none", "ready", "paused", "left", "removed") }

const (
	// MaxEntrants is the maximum number of entrants.
	MaxEntrants = 100
	// MaxName is the maximum length of a name, in characters.
	MaxName = 50
	// MinLasts and MaxLasts are the shortest and the longest time that an arena lasts.
	MinLasts, MaxLasts = 10 * time.Minute, time.Hour
	// MinNotice and MaxNotice are the shortest and the longest time from the announcement to the beginning.
	MinNotice, MaxNotice = time.Minute, 7 * 24 * time.Hour
	// MaxLate is how late an arena may begin because the bot was away. After that its entrants have gone.
	MaxLate = 10 * time.Minute
	// Grace is how long after the end of an arena its last moves may still be handled. A handler has eight seconds.
	Grace = 10 * time.Second
)

// TurnTimes returns the times for a move that an arena can have, the shortest first. The longest is no longer than a break between two
// games should be.
func TurnTimes() []time.Duration {
	return []time.Duration{15 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute}
}

// Boards returns the boards that an arena can have; the first is the default. The board 4x4 is missing because equal players draw four of
// five games on it.
func Boards() []game.Offer {
	boards := slices.DeleteFunc(game.Offered(), func(o game.Offer) bool { return o.Name == "4x4" })
	slices.SortStableFunc(boards, func(a, b game.Offer) int { return isDefault(b) - isDefault(a) })
	return boards
}

func isDefault(o game.Offer) int {
	if o.Name == "drop" {
		return 1
	}
	return 0
}

// Terms are the conditions that a host chooses for an arena.
type Terms struct {
	Name     string // in the host's words; may be empty
	Rules    game.Rules
	TurnTime time.Duration
	Lasts    time.Duration
	Begins   time.Time
	Rated    bool // the games count for the ratings as other matches do
}

// Arena is a tournament in a channel. It is a value: every transition returns a new one with a higher version.
type Arena struct {
	ID      match.ID
	Venue   match.Venue
	Channel string // where it was announced; an arena is the only open one of its channel
	Thread  string // where its boards are posted; empty if that is the channel
	Message string // the message with its buttons; empty until it is known
	Host    match.User
	Terms
	Status   Status
	Why      Why       // zero unless it was called off
	Created  time.Time // when it was announced
	Ends     time.Time // zero until it begins; then it moves by the time that the players miss, as the deadlines of matches do
	Entrants []Entrant // in the order in which they joined
	Version  int       // grows by one with each change

	// Pairings and Apart are loaded with the arena, and are not saved with it.
	Pairings []Pairing       // in the order in which they were made
	Apart    [][2]match.User // pairs of entrants; the first has blocked the second
}

// Entrant is a player who has joined an arena.
type Entrant struct {
	Player match.User
	Joined time.Time
	Since  time.Time // when the player last joined or resumed
	State  State     // see [Arena.State], which also knows who missed a first move
}

// Pairing is a game of an arena: what its standings need to know of a match.
type Pairing struct {
	Match   match.ID
	Seats   match.Seats
	Result  match.Result // the zero value while the game goes on
	Plies   int
	Created time.Time
	Ended   time.Time
}

// New returns an announced arena. Refusals: BadTerms, BadTime.
func New(id match.ID, venue match.Venue, channel string, host match.User, terms Terms, now time.Time) (Arena, error) {
	notice := terms.Begins.Sub(now)
	switch {
	case notice < MinNotice || notice > MaxNotice:
		return Arena{}, refuse(BadTime)
	case terms.Lasts < MinLasts || terms.Lasts > MaxLasts || !slices.Contains(TurnTimes(), terms.TurnTime),
		len([]rune(terms.Name)) > MaxName || !slices.ContainsFunc(Boards(), func(o game.Offer) bool { return o.Rules == terms.Rules }):
		return Arena{}, refuse(BadTerms)
	}
	return Arena{
		ID: id, Venue: venue, Channel: channel, Host: host, Terms: terms, Status: Announced, Created: now, Version: 1,
	}, nil
}

// Open reports whether the arena is announced or running.
func (a Arena) Open() bool { return a.Status == Announced || a.Status == Running }

// Place returns the channel in which the boards are posted.
func (a Arena) Place() string {
	if a.Thread != "" {
		return a.Thread
	}
	return a.Channel
}

// State returns the state of a player. An entrant who has missed a first move is paused until the entrant joins again.
func (a Arena) State(p match.User) State {
	i := a.entrant(p)
	if i < 0 {
		return NotIn
	}
	e := a.Entrants[i]
	if e.State == Ready && slices.ContainsFunc(a.Pairings, func(g Pairing) bool { return g.missedBy(p) && g.Ended.After(e.Since) }) {
		return Paused
	}
	return e.State
}

// Playing returns the unfinished game of a player.
func (a Arena) Playing(p match.User) (Pairing, bool) {
	i := slices.IndexFunc(a.Pairings, func(g Pairing) bool { return !g.Result.Over() && g.Seats.Mark(p) != game.None })
	if i < 0 {
		return Pairing{}, false
	}
	return a.Pairings[i], true
}

// Join returns the arena with a player who is ready to play: a new entrant, or one who had paused or left. Somebody who is ready already
// changes nothing. Refusals: Closed, Banned, Full.
func (a Arena) Join(p match.User, now time.Time) (Arena, error) {
	i := a.entrant(p)
	switch {
	case a.closed(now):
		return a, refuse(Closed)
	case i < 0 && len(a.Entrants) >= MaxEntrants:
		return a, &match.Refusal{Reason: Full, Limit: MaxEntrants}
	case i < 0:
		a.Entrants = append(slices.Clone(a.Entrants), Entrant{Player: p, Joined: now, Since: now, State: Ready})
		a.Version++
		return a, nil
	}
	switch a.State(p) {
	case Removed:
		return a, refuse(Banned)
	case Ready:
		return a, nil
	}
	a = a.with(i, Ready)
	a.Entrants[i].Since = now
	return a, nil
}

// Pause returns the arena with an entrant who gets no further game until the entrant joins again. An unfinished game goes on. Refusals:
// Closed, NotJoined.
func (a Arena) Pause(p match.User, now time.Time) (Arena, error) { return a.stop(p, Paused, now) }

// Leave returns the arena with an entrant who has left; the points stay, and the entrant may join again. An unfinished game goes on.
// Refusals: Closed, NotJoined.
func (a Arena) Leave(p match.User, now time.Time) (Arena, error) { return a.stop(p, Left, now) }

func (a Arena) stop(p match.User, as State, now time.Time) (Arena, error) {
	i := a.entrant(p)
	switch {
	case a.closed(now):
		return a, refuse(Closed)
	case i < 0, a.Entrants[i].State == Left, a.Entrants[i].State == Removed:
		return a, refuse(NotJoined)
	case a.Entrants[i].State == as:
		return a, nil
	}
	return a.with(i, as), nil
}

// Remove returns the arena after a moderator has removed an entrant, who is out of the standings and cannot join again. The games stay, so
// the opponents keep their points. It is possible after the end, too. The refusal is NotJoined.
func (a Arena) Remove(p match.User) (Arena, error) {
	i := a.entrant(p)
	switch {
	case i < 0:
		return a, refuse(NotJoined)
	case a.Entrants[i].State == Removed:
		return a, nil
	}
	return a.with(i, Removed), nil
}

// LetBack returns the arena after a moderator has undone the removal of an entrant, who has then left: the points count, and the entrant may
// join again. The refusal is NotJoined.
func (a Arena) LetBack(p match.User) (Arena, error) {
	i := a.entrant(p)
	switch {
	case i < 0:
		return a, refuse(NotJoined)
	case a.Entrants[i].State != Removed:
		return a, nil
	}
	return a.with(i, Left), nil
}

// CallOff returns the arena after it was called off. Unfinished games go on, and the games that have ended keep their results. The refusal is
// Closed.
func (a Arena) CallOff(why Why, now time.Time) (Arena, error) {
	if !a.Open() {
		return a, refuse(Closed)
	}
	a.Status, a.Why = CalledOff, why
	if a.Ends.IsZero() || now.Before(a.Ends) {
		a.Ends = now
	}
	a.Version++
	return a, nil
}

// Shown returns the arena with the message that shows it and the thread for its boards, which is empty if they are posted in the channel.
func (a Arena) Shown(message, thread string) Arena {
	if a.Message != message || a.Thread != thread {
		a.Message, a.Thread = message, thread
		a.Version++
	}
	return a
}

// Pass returns the arena after time has passed: it begins, or is called off because fewer than two entrants are ready or the bot was away
// for too long, or it is over. It reports whether anything changed.
func (a Arena) Pass(now time.Time) (Arena, bool) {
	ready := 0
	for _, e := range a.Entrants {
		if a.State(e.Player) == Ready {
			ready++
		}
	}
	switch {
	case a.Status == Announced && !now.Before(a.Begins.Add(MaxLate)):
		a.Status, a.Why, a.Ends = CalledOff, Missed, now
	case a.Status == Announced && !now.Before(a.Begins) && ready < 2:
		a.Status, a.Why, a.Ends = CalledOff, TooFew, now
	case a.Status == Announced && !now.Before(a.Begins):
		a.Status, a.Begins, a.Ends = Running, now, now.Add(a.Lasts)
	case a.Status == Running && !now.Before(a.Ends.Add(Grace)):
		a.Status = Over
	default:
		return a, false
	}
	a.Version++
	return a, true
}

// closed reports whether nobody can join or leave any more.
func (a Arena) closed(now time.Time) bool {
	return !a.Open() || a.Status == Running && !now.Before(a.Ends)
}

// entrant returns the index of an entrant, or -1.
func (a Arena) entrant(p match.User) int {
	return slices.IndexFunc(a.Entrants, func(e Entrant) bool { return e.Player == p })
}

// with returns the arena with another state of an entrant.
func (a Arena) with(entrant int, state State) Arena {
	a.Entrants = slices.Clone(a.Entrants)
	a.Entrants[entrant].State = state
	a.Version++
	return a
}

// missedBy reports whether a player has lost the game because the player's first move did not come.
func (g Pairing) missedBy(p match.User) bool {
	mark := g.Seats.Mark(p)
	return g.Result.Cause == match.ByTime && mark != game.None && g.Result.Outcome == game.WinFor(mark.Opponent()) && g.Plies < int(mark)
}
