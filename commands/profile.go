package commands

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/show/picture"
	"tictactoe/internal/show/view"
)

// maxArenas is how many arenas of a player are asked for wins, the latest ones.
const maxArenas = 100

// minCharted is the minimum number of rated matches for a chart of the rating.
const minCharted = 3

// profile shows the profile of a player in this server, or the matches of two players against each other.
func (c *Look) profile(ctx context.Context, in *interaction) (bot.Reply, error) {
	ask := profileAsked{
		of: cmp.Or(person(in, "player"), in.by), versus: person(in, "versus"), in: profile.Scope{Venue: in.venue},
	}
	if board := choice(in, "board"); board != "" {
		ask.in.Rules = rulesOf(board)
	}
	return c.showProfile(ctx, in, ask)
}

// profileFromMenu shows the profile of a user from the user's context menu. The answer is private, because the user who asks has written
// nothing in the channel.
func (c *Look) profileFromMenu(ctx context.Context, in *interaction) (bot.Reply, error) {
	data, _ := in.Data.(discordgo.ApplicationCommandInteractionData)
	if data.TargetID == "" {
		return c.unknown(ctx, in)
	}
	ask := profileAsked{of: match.User(data.TargetID), in: profile.Scope{Venue: in.venue}, private: true}
	return c.showProfile(ctx, in, ask)
}

// profileAsked says whose profile to show, or which two players to compare, and to whom.
type profileAsked struct {
	of      match.User
	versus  match.User // the second player; empty unless two are compared
	in      profile.Scope
	private bool            // only the asking user sees the answer
	hidden  bool            // the asking user is one of the players and is hidden
	seasons []season.Season // the server's seasons, the newest first; none outside of servers
}

func (a profileAsked) people() []match.User {
	if a.versus == "" {
		return []match.User{a.of}
	}
	return []match.User{a.of, a.versus}
}

// showProfile shows a profile to everybody in channels of a server where matches may begin, unless the asking user asks for privacy or is
// hidden. Elsewhere it shows the profile only to the asking user.
func (c *Look) showProfile(ctx context.Context, in *interaction, ask profileAsked) (bot.Reply, error) {
	known, err := c.Matches.Looks(ctx, ask.people()...)
	if err != nil {
		return bot.Reply{}, err
	}
	own, names := in.by, namesOf(in, known)
	for _, p := range ask.people() {
		if user := resolved(in).Users[string(p)]; c.IsSelf(string(p)) || user != nil && user.Bot {
			return bot.Reply{}, refused("refusal.profile.bot", view.Args{"Name": names.Of(p)})
		}
		if p != own && in.GuildID == "" {
			return bot.Reply{}, refused("refusal.profile.server", nil)
		}
	}
	if ask.of == ask.versus {
		return bot.Reply{}, refused("refusal.profile.same", nil)
	}
	for _, p := range ask.people() {
		if known[p].Hidden && p != own {
			return bot.Reply{}, refused("refusal.profile.hidden", view.Args{"Name": names.Of(p)})
		}
		ask.hidden = ask.hidden || known[p].Hidden
	}
	var note []view.Text
	if !ask.private && !ask.hidden && !in.barred {
		note = privateHere(in)
	}
	ask.private = ask.private || ask.hidden || in.barred || in.GuildID == "" || refuseMatches(in) != nil // public only where people play
	if ask.in.Venue != "" {
		if ask.seasons, err = c.Seasons.Seasons(ctx, ask.in.Venue); err != nil {
			return bot.Reply{}, err
		}
	}
	screen := c.profileScreen
	if ask.versus != "" {
		screen = c.duelScreen
	}
	s, err := screen(ctx, ask, names)
	s.Notes = append(s.Notes, note...)
	if ask.private || err != nil {
		return c.privately(ctx, in, s, err)
	}
	boards, err := c.linked(ctx, s)
	if err != nil {
		return bot.Reply{}, err
	}
	return c.post(ctx, in, s, c.style(boards))
}

// namesOf returns the names of users: as Discord sends them now or, for others, as the bot last saw them.
func namesOf(in *interaction, known map[match.User]match.Look) view.Names {
	names := view.Names{}
	for p, look := range known {
		names[p] = look.Name
	}
	maps.Copy(names, resolvedNames(in))
	if own := nameOf(in); own != "" {
		names[in.by] = own
	}
	return names
}

// profileScreen returns the screen of a profile.
func (c *Look) profileScreen(ctx context.Context, ask profileAsked, names view.Names) (view.Screen, error) {
	p, err := LoadProfile(ctx, c.Records, c.Ladders, c.Arenas.Store, ask.in, ask.of, ask.seasons)
	if err != nil {
		return view.Screen{}, err
	}
	p.Hidden = ask.hidden
	err = c.nameOpponents(ctx, p.Record.Last, names)
	return view.OfProfile(p, names), err
}

// arenaReader reads arenas; see [arena.Store].
type arenaReader interface {
	PlayedArenas(ctx context.Context, v match.Venue, p match.User, limit int) ([]arena.Arena, error)
}

// LoadProfile reads the profile of a player. seasons must be the server's seasons, the newest first.
func LoadProfile(ctx context.Context, records profile.Store, ladders ladder.Store, arenas arenaReader,
	in profile.Scope, of match.User, seasons []season.Season) (view.Profile, error) {
	record, err := records.Record(ctx, in, of)
	if err != nil && !errors.Is(err, match.ErrUnreadable) {
		return view.Profile{}, err
	}
	played, err := arenas.PlayedArenas(ctx, in.Venue, of, maxArenas)
	if err != nil {
		return view.Profile{}, err
	}
	for _, a := range played {
		if slices.Contains(a.Champions(), of) && (in.Rules == (game.Rules{}) || in.Rules == a.Rules) {
			record.Arenas++
		}
	}
	p := view.Profile{Player: of, In: in, Record: record, Seasons: seasons}
	if p.Standings, err = standings(ctx, ladders, in, of, seasons); err != nil {
		return p, err
	}
	charted := p.Standings.Rules()
	if rules, rated := p.Standings.Busiest(); rated {
		charted = []game.Rules{rules}
	}
	for _, rules := range charted {
		if p.Chart, err = chart(ctx, ladders, p, rules); err != nil || p.Chart != nil {
			return p, err
		}
	}
	return p, nil
}

// duelScreen returns the screen that compares two players by their matches against each other.
func (c *Look) duelScreen(ctx context.Context, ask profileAsked, names view.Names) (view.Screen, error) {
	played, err := c.Records.Duel(ctx, ask.in, ask.of, ask.versus)
	if err != nil && !errors.Is(err, match.ErrUnreadable) {
		return view.Screen{}, err
	}
	d := view.Duel{A: ask.of, B: ask.versus, In: ask.in, Played: played, Hidden: ask.hidden}
	if d.RatedA, err = standings(ctx, c.Ladders, ask.in, d.A, ask.seasons); err != nil {
		return view.Screen{}, err
	}
	d.RatedB, err = standings(ctx, c.Ladders, ask.in, d.B, ask.seasons)
	return view.OfDuel(d, names), err
}

// standings returns the standings of a player on the ladders in the scope. Outside of servers there are none.
func standings(ctx context.Context, ladders ladder.Store, in profile.Scope, p match.User, seasons []season.Season) (view.Standings, error) {
	if in.Venue == "" {
		return nil, nil
	}
	rows, err := ladder.StandingsNow(ctx, ladders, in.Venue, p, seasons)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(rows, func(name string, _ ladder.Row) bool {
		return in.Rules != (game.Rules{}) && name != in.Rules.String()
	})
	return rows, nil
}

// chart returns the chart of a player's rating, or nil if there are too few rated matches. It ends with the current rating, which differs
// from the rating after the latest match if a season has begun since.
func chart(ctx context.Context, ladders ladder.Store, p view.Profile, rules game.Rules) (*view.Chart, error) {
	course, err := ladders.Course(ctx, p.In.Venue, rules, p.Player, ladder.CourseLength)
	if err != nil || len(course) < minCharted {
		return nil, err
	}
	ratings := each(course, func(p ladder.Point) rating.Rating { return p.Rating })
	if now := p.Standings[rules.String()].Rating; now.At.After(ratings[len(ratings)-1].At) {
		ratings = append(ratings, now)
	}
	first, last := ratings[0], ratings[len(ratings)-1]
	var begun []season.Season
	for _, s := range slices.Backward(p.Seasons) {
		if s.Began.After(first.At) && !s.Began.After(last.At) {
			begun = append(begun, s)
		}
	}
	file, err := picture.Chart{
		Ratings: each(ratings, func(r rating.Rating) picture.Rating {
			return picture.Rating{At: r.At, Value: r.Value, Deviation: r.Deviation}
		}),
		Seasons:     each(begun, func(s season.Season) picture.Season { return picture.Season{Number: s.Number, Start: s.Began} }),
		Provisional: last.Provisional(),
	}.PNG()
	byValue := func(a, b rating.Rating) int { return cmp.Compare(a.Value, b.Value) }
	return &view.Chart{
		PNG: file, Rules: rules, Matches: len(course), First: first, Last: last,
		Highest: slices.MaxFunc(ratings, byValue), Lowest: slices.MinFunc(ratings, byValue), Seasons: begun,
	}, err
}

// nameOpponents adds the names of the players of matches to names. It leaves out hidden players, so that nobody finds them through the
// profiles of others.
func (c *Look) nameOpponents(ctx context.Context, played []match.Match, names view.Names) error {
	var others []match.User
	for _, m := range played {
		for _, p := range m.Seats.Players() {
			if names[p] == "" && p != match.Left && !slices.Contains(others, p) {
				others = append(others, p)
			}
		}
	}
	known, err := c.Matches.Looks(ctx, others...)
	for p, look := range known {
		if !look.Hidden {
			names[p] = look.Name
		}
	}
	return err
}
