// Package rankrole gives Discord's roles for ranks: which roles a server gives for what, who was given one, and the work in the
// background that gives and takes them.
package rankrole

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
)

// SetRole is the kind of the audit entries of moderators who set a role: the chosen values are the role, and the merit and the
// board unless the role is no longer given. Blocked is the kind of the entries of the bot itself about a role that it cannot
// give: the chosen values are the role and the problem.
const (
	SetRole policy.Kind = "rankrole"
	Blocked policy.Kind = "rankblocked"
)

// MaxRules is the maximum number of roles that a server gives for ranks.
const MaxRules = 10

// Rule says what earns a role.
type Rule struct {
	Venue   match.Venue
	Role    string  // Discord's id
	Board   string  // the name of the offered rule set whose ladder counts, as [game.Offer] has it
	Merit   Merit   // empty only in [Store.SetRankRole], where the role is no longer given
	Problem Problem // why the role could not be given when that was last found out
}

// Merit is what earns a role: one of the first places on a ladder, as "top3", a rating and a rank, as "rated1600",
// [Champion], or [ArenaChampion]. Databases store the text.
type Merit string

const (
	// Champion is the merit of the first on the ladder of the season before the current one.
	Champion Merit = "champion"
	// ArenaChampion is the merit of the winners of the server's latest arena on the board.
	ArenaChampion Merit = "arena"
)

// The ratings on offer.
const (
	lowest  = 1550
	highest = 2500
	step    = 50
)

// Merits returns the merits on offer, in the order of the menu.
func Merits() []Merit {
	all := []Merit{"top1", "top3", "top10", Champion, ArenaChampion}
	for points := lowest; points <= highest; points += step {
		all = append(all, Merit("rated"+strconv.Itoa(points)))
	}
	return all
}

// Top returns the last place that earns the role, or 0 if places do not earn it.
func (m Merit) Top() int { return m.number("top") }

// Points returns the lowest rating that earns the role, or 0 if ratings do not earn it.
func (m Merit) Points() int { return m.number("rated") }

func (m Merit) number(before string) int {
	digits, _ := strings.CutPrefix(string(m), before)
	n, _ := strconv.Atoi(digits)
	return n
}

// Problem says why the bot cannot give a role. The empty Problem means that it can. Databases store the text.
type Problem string

// The problems.
const (
	NoPermission Problem = "permission" // the bot lacks Manage Roles
	TooHigh      Problem = "high"       // the role is not below the bot's highest role
	Powerful     Problem = "powerful"   // the role has rights of moderators, or is the role of everybody
	Managed      Problem = "managed"    // the role belongs to a bot or an integration
	Missing      Problem = "missing"    // there is no such role
)

// Grant is a role that the bot has given to a player, or would have given.
type Grant struct {
	Venue  match.Venue
	Role   string
	Player match.User
	State  State     // empty if there is no grant
	At     time.Time // since when it has that state
}

// State is the state of a grant. Databases store the text.
type State string

// The states. Only roles in the first three states are taken back.
const (
	Giving State = "giving" // the bot gives the role, and does not know yet whether Discord has done it
	Given  State = "given"
	Taking State = "taking" // the bot takes the role back, and does not know yet whether Discord has done it
	Theirs State = "theirs" // the member had the role before
	Absent State = "absent" // the player is not in the server
)

// Store keeps rules and grants.
type Store interface {
	// RankRoles returns the rules of a venue, by the ids of their roles.
	RankRoles(ctx context.Context, v match.Venue) ([]Rule, error)
	// SetRankRole sets the rule of a role, without a problem, and saves the audit entry and the names. A rule without a merit is
	// deleted.
	SetRankRole(ctx context.Context, r Rule, entry policy.AuditEntry, names ...match.Name) error
	// SetProblem sets the problem of a rule, and saves the audit entry unless it has no id. The error is [match.ErrConflict] if
	// the rule was changed since, or has that problem already.
	SetProblem(ctx context.Context, r Rule, p Problem, entry policy.AuditEntry) error
	// RankRoleVenues returns the venues with rules or grants, in order, without those that the bot has left.
	RankRoleVenues(ctx context.Context) ([]match.Venue, error)
	// RoleGrants returns the grants of a venue.
	RoleGrants(ctx context.Context, v match.Venue) ([]Grant, error)
	// SaveGrant replaces a grant, of which only state and time change. A grant without a state is not stored. The error is
	// [match.ErrConflict] if the stored grant has another state or time than from.
	SaveGrant(ctx context.Context, from, to Grant) error
	// RatedAtLeast returns the ranked players who are not hidden and have at least that many points on the ladder of the current
	// season, in the order of the ladder: at most limit. stale reports that the ladder is being recalculated.
	RatedAtLeast(ctx context.Context, v match.Venue, rules string, points, limit int) (players []match.User, stale bool, err error)
	// ArenaChampions returns the winners of the latest arena on a board that was played to its end, without players who are hidden or off
	// the leaderboards.
	ArenaChampions(ctx context.Context, v match.Venue, rules string) ([]match.User, error)
}

// Server is what Discord says about the roles of a server, and about the bot in it.
type Server struct {
	Manages bool // the bot has the permission to manage roles
	Roles   map[string]Role
}

// Role is a role of a server.
type Role struct {
	Below    bool // it is below the highest role of the bot
	Powerful bool // it has rights of moderators, or is the role of everybody
	Managed  bool // it belongs to a bot or an integration
}

// Problem returns the problem of a role; empty if the bot can give it.
func (s Server) Problem(id string) Problem {
	r, is := s.Roles[id]
	switch {
	case !is:
		return Missing
	case r.Managed:
		return Managed
	case r.Powerful:
		return Powerful
	case !s.Manages:
		return NoPermission
	case !r.Below:
		return TooHigh
	}
	return ""
}

// The errors of a [Discord], for use with errors.Is.
var (
	ErrAbsent = errors.New("the user is no member of the server")
	ErrNoRole = errors.New("the server has no such role")
)

// Discord makes the requests about roles to Discord.
type Discord interface {
	Server(ctx context.Context, v match.Venue) (Server, error)
	// MemberRoles returns the roles of a member.
	MemberRoles(ctx context.Context, v match.Venue, p match.User) ([]string, error)
	GiveRole(ctx context.Context, g Grant) error
	TakeRole(ctx context.Context, g Grant) error
}
