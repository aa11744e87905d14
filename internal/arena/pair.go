package arena

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

const (
	// Patience is how long two entrants who have just played each other wait for a third whose game goes on. With the pauses of the runner it
	// stays below the ten seconds for which two free entrants wait at most.
	Patience = 8 * time.Second
	// exactly is the largest number of free entrants among whom the best pairs are searched for. A larger number is divided by rank.
	exactly = 8
)

// The costs of pairs, by which the best pairs are found. A greater cost outweighs any sum of smaller ones that can occur.
const (
	costUnpaired = 1 << 40 // an entrant stays free, and as much more as the entrant has waited longer
	costRepeat   = 1 << 34 // the two have played their latest game against each other
	costWait     = 1 << 20 // for each second that an entrant who stays free has waited, up to maxWait
	maxWait      = 1 << 10
	costThird    = 1 << 16 // one of the two plays a third game in a row with the same mark
	costRank     = 1 << 6  // for each place between the two
)

// waiting is an entrant who waits for a game.
type waiting struct {
	player match.User
	since  time.Time
	rank   int
	record record
}

// record is what pairing needs to know of the earlier games of a player.
type record struct {
	last  match.User // the opponent in the latest game
	marks []game.Mark
}

// balance returns how many more games the player has had with X than with O.
func (r record) balance() (n int) {
	for _, mark := range r.marks {
		n += int(game.O-mark)*2 - 1
	}
	return n
}

// third reports whether a game with the mark would be the player's third in a row with it.
func (r record) third(mark game.Mark) bool {
	n := len(r.marks)
	return n >= 2 && r.marks[n-1] == mark && r.marks[n-2] == mark
}

// Pairs returns the seats of the games that begin now. Two free entrants are paired at once, unless one of them has blocked the other. Two
// whose latest game was against each other are paired only if there is no third to play, or after they have waited for [Patience]. Long
// waits end first, marks change, and entrants with near places play each other.
func (a Arena) Pairs(now time.Time) (pairs []match.Seats) {
	if a.Status != Running || a.closed(now) {
		return nil
	}
	free, others := a.free()
	cost := func(x, y waiting) (int, bool) {
		if a.apart(x.player, y.player) {
			return 0, false
		}
		_, thirds := a.seats(x.record, y.record)
		c := thirds*costThird + max(x.rank-y.rank, y.rank-x.rank)*costRank
		if x.record.last != y.player && y.record.last != x.player {
			return c, true
		}
		third := slices.ContainsFunc(others, func(o match.User) bool {
			return o != x.player && o != y.player && !(a.apart(o, x.player) && a.apart(o, y.player))
		})
		waited := min(now.Sub(x.since), now.Sub(y.since))
		return c + costRepeat, !third || waited >= Patience
	}
	pair := func(x, y waiting) {
		if swapped, _ := a.seats(x.record, y.record); swapped {
			x, y = y, x
		}
		pairs = append(pairs, match.Seats{match.Human(x.player), match.Human(y.player)})
	}
	for len(free) > exactly { // too many pairs to compare: the entrant with the longest wait gets the best opponent
		longest := slices.MinFunc(free, func(x, y waiting) int { return x.since.Compare(y.since) })
		free = slices.DeleteFunc(free, func(w waiting) bool { return w.player == longest.player })
		opponent, least := -1, 0
		for i, other := range free {
			if c, may := cost(longest, other); may && (opponent < 0 || c < least) {
				opponent, least = i, c
			}
		}
		if opponent >= 0 {
			pair(longest, free[opponent])
			free = slices.Delete(free, opponent, opponent+1)
		}
	}
	matched, _ := best(free, now, cost)
	for _, p := range matched {
		pair(p[0], p[1])
	}
	return pairs
}

// free returns the entrants who wait for a game, the best first, and all who play on, waiting or not.
func (a Arena) free() (free []waiting, playing []match.User) {
	records := map[match.User]record{}
	since := map[match.User]time.Time{} // when the latest game ended
	for _, g := range a.Pairings {
		for i, seat := range g.Seats {
			r := records[seat.Player]
			records[seat.Player] = record{g.Seats[1-i].Player, append(r.marks, game.X+game.Mark(i))}
			since[seat.Player] = g.Ended
		}
	}
	ranks := map[match.User]int{}
	for _, s := range a.Standings() {
		ranks[s.Player] = s.Place
	}
	for _, e := range a.Entrants {
		if a.State(e.Player) != Ready {
			continue
		}
		playing = append(playing, e.Player)
		// The unfinished game need not be the latest by date, because the clock can be set back.
		if _, busy := a.Playing(e.Player); busy {
			continue
		}
		w := waiting{e.Player, e.Since, ranks[e.Player], records[e.Player]}
		for _, t := range []time.Time{since[e.Player], a.Begins} {
			if t.After(w.since) {
				w.since = t
			}
		}
		free = append(free, w)
	}
	slices.SortStableFunc(free, func(x, y waiting) int { return cmp.Compare(x.rank, y.rank) })
	return free, playing
}

// apart reports whether one of two players has blocked the other.
func (a Arena) apart(x, y match.User) bool {
	return slices.Contains(a.Apart, [2]match.User{x, y}) || slices.Contains(a.Apart, [2]match.User{y, x})
}

// seats reports whether two players should sit the other way round, the second with X, and how many of them then have the same mark for
// the third time in a row.
func (a Arena) seats(x, y record) (swapped bool, thirds int) {
	count := func(x, y record) (n int) {
		if x.third(game.X) {
			n++
		}
		if y.third(game.O) {
			n++
		}
		return n
	}
	straight, other := count(x, y), count(y, x)
	balance := x.balance() - y.balance()
	if balance == 0 && len(x.marks) > 0 && x.marks[len(x.marks)-1] == game.X {
		balance = 1
	}
	if straight < other || straight == other && (balance < 0 || balance == 0 && a.Version%2 == 0) {
		return false, straight
	}
	return true, other
}

// best returns the pairs with the least cost among at most [exactly] players, and that cost. The function cost also reports whether two
// players may be paired.
func best(group []waiting, now time.Time, cost func(x, y waiting) (int, bool)) (pairs [][2]waiting, least int) {
	if len(group) == 0 {
		return nil, 0
	}
	first, others := group[0], group[1:]
	waited := min(max(0, int(now.Sub(first.since)/time.Second)), maxWait)
	pairs, least = best(others, now, cost) // the first player stays free
	least += costUnpaired + waited*costWait
	for i, other := range others {
		c, may := cost(first, other)
		if !may {
			continue
		}
		rest, sum := best(slices.Concat(others[:i], others[i+1:]), now, cost)
		if sum += c; sum < least {
			pairs, least = append([][2]waiting{{first, other}}, rest...), sum
		}
	}
	return pairs, least
}

// Paired returns the arena and the new games of some pairs, with the next version of the arena. Their ids follow from the arena and its
// version, so that two processes that pair the same entrants make the same matches.
func (a Arena) Paired(pairs []match.Seats, now time.Time) (Arena, []match.Match) {
	a.Version++
	games := make([]match.Match, len(pairs))
	a.Pairings = slices.Clone(a.Pairings)
	for i, seats := range pairs {
		id := match.DerivedID("arena", string(a.ID), strconv.Itoa(a.Version), strconv.Itoa(i))
		m := match.Start(id, id, a.Venue, a.Rules, seats, a.TurnTime, 1, now).In(a.ID, now)
		games[i] = m
		a.Pairings = append(a.Pairings, Pairing{Match: id, Seats: seats, Created: now})
	}
	return a, games
}
