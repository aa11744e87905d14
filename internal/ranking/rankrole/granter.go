//go:build !js

package rankrole

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/match/background"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/replica/lease"
	"tictactoe/internal/server/policy"
)

const (
	// Every is the time between two looks at all servers.
	Every = time.Minute
	// changesAtOnce is how many roles of one server change before the next server has its turn.
	changesAtOnce = 20
	// changePause is the pause after a change, which takes at most two requests: so a server gets a few requests a second.
	changePause = 250 * time.Millisecond
	// freshFor is how long an answer about the roles of a server is used for changes. Without changes the bot asks again after
	// lookAgain, because a role may have got rights of moderators meanwhile.
	freshFor  = 10 * time.Minute
	lookAgain = time.Hour
	// absentFor is how long a player who was not in the server counts as absent.
	absentFor = 24 * time.Hour
	// forgetAfter is how long the bot tries to take a role back.
	forgetAfter = 7 * 24 * time.Hour
	// maxHolders bounds how many players have a role for their rating.
	maxHolders = 1000

	leaseName = "rank roles"
	leaseTime = 2 * time.Minute
)

// Outcome says what became of a change of a role, in one word for metrics.
type Outcome string

// The outcomes.
const (
	WasGiven Outcome = "given"
	WasTaken Outcome = "taken"
	NotThere Outcome = "absent" // the member or the role is gone
	Failed   Outcome = "failed" // it is tried again
)

// Outcomes lists all outcomes.
var Outcomes = []Outcome{WasGiven, WasTaken, NotThere, Failed}

// Granter gives and takes roles in the background: once a minute it compares the ladders with the grants. Only grants are taken
// back, so a role that a moderator has given stays. Each change is saved before and after the request to Discord, and a request
// may be repeated, so nothing is lost when a Granter stops. If several processes share a database, one of them works at a time.
type Granter struct {
	Store   Store
	Ladders interface {
		Ladder(ctx context.Context, v match.Venue, rules game.Rules, number int, where score.Where, own match.User) (ladder.Page, error)
	}
	Seasons interface {
		Seasons(ctx context.Context, v match.Venue) ([]season.Season, error)
	}
	Discord Discord
	// Want requests checks of players: former members and staff get no place on the leaderboards of a venue that wants that.
	Want   func(v match.Venue, players []match.User)
	Leases lease.Store
	Holder string // the name of this process as the holder of the lease
	Clock  *clock.Clock
	Log    *slog.Logger
	Report func(Outcome) // called with the outcome of each change

	working sync.Mutex // held during a look
	known   sync.Map   // values are *known, keys are match.Venue
}

// known is what a Granter remembers of a server. It only saves requests, so it may be lost.
type known struct {
	server  Server
	asked   time.Time   // zero if the answer must not be used any more
	changed atomic.Bool // the answer may be wrong by now
	failed  time.Time   // the last failure, after which the server is left alone for a minute
}

// Run works until the context ends.
func (g *Granter) Run(ctx context.Context) {
	defer func() { _ = g.Leases.Release(context.WithoutCancel(ctx), g.Holder, leaseName) }() // if this fails, the lease expires by itself
	var next time.Time
	background.Repeat(ctx, g.Clock, g.Log, "give roles for ranks", func(ctx context.Context) (more bool, err error) {
		if g.Clock.Now().Before(next) {
			return false, nil
		}
		more, err = g.look(ctx)
		if !more {
			next = g.Clock.Now().Add(Every)
		}
		return more, err
	})
}

// Act gives and takes all roles that are due, and returns when that is done.
func (g *Granter) Act(ctx context.Context) error {
	for {
		if more, err := g.look(ctx); !more || err != nil {
			return err
		}
	}
}

// Changed tells the Granter that roles or the rights of the bot may have changed in some servers.
func (g *Granter) Changed(servers []string) {
	for _, id := range servers {
		if k, is := g.known.Load(match.Venue(id)); is {
			k.(*known).changed.Store(true)
		}
	}
}

// look makes some changes in each server, and reports whether there are more.
func (g *Granter) look(ctx context.Context) (more bool, err error) {
	g.working.Lock()
	defer g.working.Unlock()
	venues, err := g.Store.RankRoleVenues(ctx)
	if err != nil {
		return false, err
	}
	var failed error
	for _, v := range venues {
		own, err := g.Leases.Acquire(ctx, leaseName, g.Holder, leaseTime)
		if err != nil || !own {
			return false, err
		}
		remembered, _ := g.known.LoadOrStore(v, &known{})
		k := remembered.(*known)
		if g.Clock.Now().Sub(k.failed) < Every {
			continue
		}
		left, err := g.bringUpToDate(ctx, v, k)
		if err == nil {
			more = more || left
			continue
		}
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		g.Report(Failed)
		k.asked, k.failed = time.Time{}, g.Clock.Now()
		failed = cmp.Or(failed, fmt.Errorf("server %s: %w", v, err))
	}
	return more, failed
}

// key names a grant in a server.
type key struct {
	role   string
	player match.User
}

// earned says who has earned which role of a server.
type earned struct {
	by     map[key]bool
	unsure map[string]bool // the roles whose ladder is being recalculated
}

// change is a grant that has to be made or taken back.
type change struct {
	Grant
	give bool
}

// bringUpToDate changes some roles of a server, and reports whether there are more.
func (g *Granter) bringUpToDate(ctx context.Context, v match.Venue, k *known) (more bool, err error) {
	rules, err := g.Store.RankRoles(ctx, v)
	if err != nil {
		return false, err
	}
	grants, err := g.Store.RoleGrants(ctx, v)
	if err != nil {
		return false, err
	}
	due, err := g.earned(ctx, v, rules)
	if err != nil {
		return false, err
	}
	now := g.Clock.Now()
	changes := due.changes(v, grants, now)
	if k.outdated(rules, len(changes) > 0, now.Sub(k.asked)) {
		k.changed.Store(false)
		if k.server, err = g.Discord.Server(ctx, v); err != nil {
			return false, err
		}
		k.asked = now
	}
	for _, r := range rules {
		p := k.server.Problem(r.Role)
		if err := g.notice(ctx, r, p, now); err != nil {
			return false, err
		}
		if p == Powerful || p == Managed { // nobody may have the role from the bot
			maps.DeleteFunc(due.by, func(has key, _ bool) bool { return has.role == r.Role })
			delete(due.unsure, r.Role)
		}
	}
	made := 0
	for _, c := range due.changes(v, grants, now) {
		if made == changesAtOnce {
			return true, nil
		}
		asked, err := g.carryOut(ctx, c, k.server.Problem(c.Role), now)
		if errors.Is(err, ErrNoRole) { // the role was deleted since
			k.asked, err = time.Time{}, nil
		}
		if err != nil && !errors.Is(err, match.ErrConflict) { // after a conflict another process makes the change
			return false, err
		}
		if !asked {
			continue
		}
		made++
		select {
		case <-time.After(changePause):
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
	return false, nil
}

// outdated reports whether Discord has to be asked again about the server. No problem is recorded that an earlier answer says.
func (k *known) outdated(rules []Rule, changes bool, age time.Duration) bool {
	news := func(r Rule) bool { return k.server.Problem(r.Role) != r.Problem }
	old, changed := age >= freshFor, k.changed.Load()
	return age >= lookAgain || old && (changes || changed) || changes && changed || slices.ContainsFunc(rules, news)
}

// notice records the problem of a rule, with an entry in the audit log, unless it is recorded already.
func (g *Granter) notice(ctx context.Context, r Rule, p Problem, now time.Time) error {
	if p == r.Problem {
		return nil
	}
	var entry policy.AuditEntry
	if p != "" {
		g.Log.WarnContext(ctx, "a role for ranks cannot be given", "venue", r.Venue, "role", r.Role, "problem", p)
		entry = policy.AuditEntry{
			ID: match.ID("rankrole-" + rand.Text()), Venue: r.Venue, By: policy.Itself, At: now, Kind: Blocked, Chosen: []string{r.Role, string(p)},
		}
	}
	err := g.Store.SetProblem(ctx, r, p, entry)
	if errors.Is(err, match.ErrConflict) { // a moderator has changed the rule since
		err = nil
	}
	return err
}

// earned returns who has earned the roles of some rules.
func (g *Granter) earned(ctx context.Context, v match.Venue, rules []Rule) (earned, error) {
	all := earned{map[key]bool{}, map[string]bool{}}
	for _, r := range rules {
		players, stale, err := g.holders(ctx, v, r)
		if err != nil {
			return all, err
		}
		for _, p := range players {
			all.by[key{r.Role, p}] = true
		}
		g.Want(v, players)
		all.unsure[r.Role] = stale
	}
	return all, nil
}

// holders returns who has earned a role. stale reports that the ladder is being recalculated.
func (g *Granter) holders(ctx context.Context, v match.Venue, r Rule) (players []match.User, stale bool, err error) {
	rules, offered := game.OnOffer(r.Board)
	if !offered {
		return nil, false, nil
	}
	if points := r.Merit.Points(); points > 0 {
		return g.Store.RatedAtLeast(ctx, v, rules.String(), points, maxHolders)
	}
	if r.Merit == ArenaChampion {
		players, err = g.Store.ArenaChampions(ctx, v, rules.String())
		return players[:min(len(players), maxHolders)], false, err
	}
	number, top := season.Latest, r.Merit.Top()
	if r.Merit == Champion {
		all, err := g.Seasons.Seasons(ctx, v)
		if err != nil || len(all) < 2 {
			return nil, false, err
		}
		number, top = all[1].Number, 1
	}
	for at := 1; ; at++ { // equal players share a rank, so the first may fill more than a page
		page, err := g.Ladders.Ladder(ctx, v, rules, number, score.Where{Page: at}, "")
		if err != nil {
			return nil, false, err
		}
		for _, row := range page.Rows {
			if !row.Ranked() || row.Rank > top || len(players) == maxHolders {
				return players, page.Stale, nil
			}
			if !row.Hidden {
				players = append(players, row.Player)
			}
		}
		if at >= page.Pages {
			return players, page.Stale, nil
		}
	}
}

// changes returns the changes after which the grants of a venue are what players have earned. What is taken back comes first.
func (e earned) changes(v match.Venue, grants []Grant, now time.Time) (all []change) {
	left := maps.Clone(e.by)
	var give []change
	for _, has := range grants {
		of := key{has.Role, has.Player}
		switch delete(left, of); {
		case e.unsure[has.Role]:
		case !e.by[of]:
			all = append(all, change{has, false})
		case has.State == Giving, has.State == Taking, has.State == Absent && now.Sub(has.At) >= absentFor:
			give = append(give, change{has, true})
		}
	}
	for of := range left {
		if !e.unsure[of.role] {
			give = append(give, change{Grant{Venue: v, Role: of.role, Player: of.player}, true})
		}
	}
	slices.SortFunc(give, func(a, b change) int { return cmp.Or(cmp.Compare(a.Role, b.Role), cmp.Compare(a.Player, b.Player)) })
	return append(all, give...)
}

// carryOut makes a change, unless the problem of the role prevents it. asked reports whether it made a request to Discord.
func (g *Granter) carryOut(ctx context.Context, c change, p Problem, now time.Time) (asked bool, err error) {
	switch {
	case c.give && p == "":
		return true, g.give(ctx, c.Grant, now)
	case c.give:
		return false, nil
	case p == Missing, c.State == Theirs, c.State == Absent, c.State == Taking && now.Sub(c.At) >= forgetAfter:
		return false, g.save(ctx, &c.Grant, "", now)
	case p == NoPermission, p == TooHigh:
		if c.State != Taking {
			err = g.save(ctx, &c.Grant, Taking, now)
		}
		return false, err
	}
	return true, g.take(ctx, c.Grant, now)
}

// save gives a grant another state.
func (g *Granter) save(ctx context.Context, of *Grant, to State, now time.Time) error {
	next := *of
	next.State, next.At = to, now
	if err := g.Store.SaveGrant(ctx, *of, next); err != nil {
		return err
	}
	*of = next
	return nil
}

// give gives a role to a player, unless the player has it without the bot.
func (g *Granter) give(ctx context.Context, of Grant, now time.Time) error {
	if of.State == "" || of.State == Absent {
		state := Giving
		switch roles, err := g.Discord.MemberRoles(ctx, of.Venue, of.Player); {
		case errors.Is(err, ErrAbsent):
			state = Absent
		case err != nil:
			return err
		case slices.Contains(roles, of.Role):
			state = Theirs
		}
		if err := g.save(ctx, &of, state, now); err != nil || state != Giving {
			return err
		}
	}
	switch err := g.Discord.GiveRole(ctx, of); {
	case errors.Is(err, ErrAbsent):
		g.Report(NotThere)
		return g.save(ctx, &of, Absent, now)
	case errors.Is(err, ErrNoRole):
		g.Report(NotThere)
		return errors.Join(err, g.save(ctx, &of, "", now))
	case err != nil:
		return err
	}
	g.Report(WasGiven)
	return g.save(ctx, &of, Given, now)
}

// take takes a role back. Nothing is left to do if the player has left the server, or if the role is gone.
func (g *Granter) take(ctx context.Context, of Grant, now time.Time) error {
	if of.State != Taking {
		if err := g.save(ctx, &of, Taking, now); err != nil {
			return err
		}
	}
	outcome := WasTaken
	if err := g.Discord.TakeRole(ctx, of); errors.Is(err, ErrAbsent) || errors.Is(err, ErrNoRole) {
		outcome = NotThere
	} else if err != nil {
		return err
	}
	g.Report(outcome)
	return g.save(ctx, &of, "", now)
}
