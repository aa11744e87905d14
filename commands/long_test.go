package commands_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/commands"
	"tictactoe/game"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/people/user"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// These are the longest names of users and places.
var (
	longName = strings.Repeat("*", 32)
	longID   = "18446744073709551615"
	farAway  = "https://" + strings.Repeat("a-very-long-name-of-a-host.", 9) + "example:65535"
)

// longest returns the screens whose length depends on players, each with the longest possible content.
func longest(t *testing.T) map[string]view.Screen {
	all := map[string]view.Screen{}
	for digits, n := range map[string]int{"one": 1, "two": 99, "three": 999, "six": 999_999, "seven": 9_999_999} {
		page := leaderboardOf(n)
		all["leaderboard of people, digits "+digits] = view.Leaderboard(view.TurnLeaderboard{Of: view.ByWins}, page, view.Asking{Asked: alice})
		for i := range page.Rows {
			page.Rows[i].Levels = everyLevel(n)
		}
		page.Own.Levels = everyLevel(n)
		all["leaderboard against the computer, digits "+digits] = view.Leaderboard(view.TurnLeaderboard{Of: view.VersusComputer}, page, view.Asking{Asked: alice})
		page.Own = nil
		all["leaderboard of one who is not on it, digits "+digits] = view.Leaderboard(view.TurnLeaderboard{Of: view.VersusComputer}, page, view.Asking{Asked: alice, Found: bob, Names: view.Names{alice: longName, bob: longName}})
		var entries []score.Entry
		for _, l := range everyLevel(n) {
			entries = append(entries, score.Entry{Level: l.Level, Tally: l.Tally})
		}
		all["own record, digits "+digits] = view.OwnRecord(entries)
	}

	names, places := view.Names{}, []string{}
	for i := range 25 {
		names[match.User(fmt.Sprint(i))], places = longName, append(places, longID)
	}
	names[alice] = longName
	open, ended, challenges := manyMatches(t)
	lost := map[match.ID]view.Loss{}
	for _, m := range open {
		lost[m.ID] = view.ClosedChannel
	}
	limit := match.DefaultLimits().Open
	all["games"] = view.Games(view.Listing{
		Player: alice, Open: open[:limit], Ended: ended[:commands.MaxListed], Challenges: challenges[:commands.MaxListed], Lost: lost, Unreadable: true,
	}, names)
	all["running"] = view.OfMatches(view.RunningPage, open, names, 99_999, true)
	all["ended"] = view.OfMatches(view.EndedPage, ended, names, 99_999, true)
	all["ruling"] = view.OfRuling(open[0], names, "")
	for kind, chosen := range map[policy.Kind][]string{
		policy.SetPlaces: places, policy.SetLevels: ai.LevelNames(), policy.SetBoards: {"classic", "4x4", "5x5", "infinite", "drop", "drop-5x5", "misere"}, policy.Void: nil, policy.CallDraw: nil, policy.SetTurnTime: {"24h"},
	} {
		var entries []policy.AuditEntry
		about := map[match.ID]match.Match{}
		for _, m := range ended[:view.EntriesAPage] {
			m.Voided = m.Result
			entries, about[m.ID] = append(entries, policy.AuditEntry{ID: m.ID, By: alice, At: noon, Kind: kind, Match: m.ID, Chosen: chosen}), m
		}
		all[fmt.Sprint("audit log, ", kind)] = view.OfAuditLog(entries, about, names, 99_999, true, noon)
	}
	var blocked []match.User
	for range user.MaxBlocked {
		blocked = append(blocked, match.User(longID))
	}
	settings := user.Settings{NotTaking: true, MentionsOff: true, TextBoard: true, Hidden: true, Blocked: blocked, Hashed: 9_999_999}
	all["settings"] = view.Settings(settings, view.Here{Server: true, Listed: true})
	address := "https://example.com/" + strings.Repeat("x", 490)
	all["privacy"] = view.Privacy(user.Held{
		Name: longName, Matches: 9_999_999, Challenges: 9_999_999, Scores: 9_999_999, Ratings: 9_999_999, AuditEntries: 9_999_999, Puzzles: 9_999_999, Arenas: 9_999_999, Settings: settings, Since: noon,
	}, view.Pages{Privacy: address, Terms: address})
	for _, topic := range view.HelpTopics() {
		all["help about "+topic] = view.Help(ai.Unbeatable.String(), topic)
	}
	roles := slices.Repeat([]string{strings.Repeat("9", 19)}, 25)
	var also view.Also
	for _, role := range roles {
		also.Roles = append(also.Roles, rankrole.Rule{Role: role})
		also.People = append(also.People, policy.Person{Player: match.User(role)})
	}
	also.Roles = also.Roles[:rankrole.MaxRules]
	also.Leaderboard, also.Puzzle = posting.Post{Channel: roles[0], Board: view.PostedBoards()[2], Every: posting.Month}, posting.Post{Channel: roles[0]}
	all["policy"] = view.OfPolicy(policy.Policy{
		Places: places, Unrated: true, Told: roles[0], PlacesOnly: true, TidyAfter: time.Hour, ArenasByAll: true, LeaversOff: true, Staff: roles[:policy.MaxStaff],
	}, also, ai.LevelNames(), []view.Option{
		{Value: "24h", Label: view.TurnTime(24 * time.Hour), Chosen: true},
	}, "pt-BR")
	all["language"] = view.OwnLanguage("", "pt-BR")
	all["language of a server"] = view.VenueLanguage(policy.Policy{}, "pt-BR")
	all["refusal with places"] = view.Notice(locale.Refusal(&match.Refusal{Reason: match.WrongPlace, Allowed: places}, alice, names))
	all["challenge"] = view.OfChallenge(challenges[0], names, ai.Unbeatable.String(), rating.Half)
	all["match"] = view.WithChanges(view.OfMatch(ended[0], names, score.Running{}), []ladder.Change{
		{Player: ended[0].Seats[0].Player, Before: rating.New(), After: rating.New(), Expected: 0.51},
		{Player: ended[0].Seats[1].Player, Before: rating.New(), After: rating.New(), Expected: 0.49},
	}, names)
	all["profile"], all["duel"] = longProfile(ended, names)
	all["review"] = longReview(t, names)
	all["best"] = longBest(names)
	return all
}

// longBest returns the list of best matches with as many matches as possible, between users with long names, with the rule set that
// has the longest name.
func longBest(names view.Names) view.Screen {
	var rules game.Rules
	for _, offer := range game.Offered() {
		if len(offer.Rules.String()) > len(rules.String()) {
			rules = offer.Rules
		}
	}
	var best archive.Best
	for i, feats := range []*[]archive.Feat{&best.Shortest, &best.Longest, &best.Accurate, &best.Upsets} {
		for n := range archive.MaxEach {
			id := match.ID(fmt.Sprint(i, n))
			*feats = append(*feats, archive.Feat{
				Played: archive.Played{ID: id, Rules: rules, Seats: match.Seats{match.Human("1"), match.Human("2")}}, Moves: 25, Critical: 25, Ahead: 9_999,
			})
		}
	}
	return view.OfBest(best, 30, names, true)
}

// longProfile returns the longest profile of a player who has played everything, and the longest comparison of two such players.
func longProfile(ended []match.Match, names view.Names) (one, two view.Screen) {
	rated, played := view.Standings{}, profile.Duel{Last: ended[:profile.Last]}
	most := score.Tally{Wins: 9_999_999, Draws: 9_999_999, Losses: 9_999_999}
	for i, offer := range game.Offered() { // for some rule sets with enough opponents for a rank, but too few matches
		rated[offer.Rules.String()] = ladder.Row{Standing: ladder.Standing{Rating: rating.New(), Tally: most, Opponents: 2 * i}}
		played.Boards = append(played.Boards, profile.OnBoard{Rules: offer.Rules, Tally: most})
	}
	judged := profile.Judged{Matches: 9_999_999, Critical: 99_999_999, Errors: 1, Perfect: 9_999_999, Comebacks: 9_999_999}
	played.Judged = [2]profile.Judged{judged, judged}
	record := profile.Record{
		People: profile.Results{{Mark: game.X, Outcome: score.Win}}, Computers: map[string]profile.Results{},
		Judged: map[string]profile.Judged{"": judged}, Last: ended[:profile.Last],
	}
	dropped := game.Offered()[len(game.Offered())-2].Rules
	for column := range 3 {
		record.Openings = append(record.Openings, profile.Opening{
			Rules: dropped, Zone: profile.Zone{Kind: profile.OfColumn, Column: column}, Tally: most,
		})
	}
	for _, level := range ai.LevelNames() {
		record.Computers[level] = profile.Results{{Mark: game.X, Outcome: score.Win}}
		for range profile.HeldFor {
			record.Computers[level] = append(record.Computers[level], profile.Result{Mark: game.X, Outcome: score.Draw})
		}
	}
	in := profile.Scope{Venue: guild}
	one = view.OfProfile(view.Profile{
		Player: alice, In: in, Record: record, Standings: rated, Hidden: true,
		Chart: &view.Chart{PNG: []byte("picture"), Rules: game.Classic(), Matches: ladder.CourseLength, First: rating.New(), Last: rating.New()},
	}, names)
	return one, view.OfDuel(view.Duel{A: alice, B: ended[0].Seats[1].Player, In: in, Played: played, RatedA: rated, RatedB: rated, Hidden: true}, names)
}

func leaderboardOf(n int) score.Page {
	row := func(rank int) score.Row {
		return score.Row{Rank: rank, Player: match.User(fmt.Sprint(rank)), Name: longName, Tally: score.Tally{Wins: n, Draws: n, Losses: n}}
	}
	own := row(99_999)
	page := score.Page{Own: &own, Page: 9_999, Pages: 9_999}
	for i := range score.RowsOnAPage {
		page.Rows = append(page.Rows, row(9_990+i))
	}
	return page
}

func everyLevel(n int) (levels []score.LevelTally) {
	for _, l := range ai.LevelNames() {
		levels = append(levels, score.LevelTally{Level: l, Tally: score.Tally{Wins: n, Draws: n, Losses: n}, Fewest: n, Longest: n})
	}
	return levels
}

// manyMatches returns as many matches as any page lists, of alice against others.
func manyMatches(t *testing.T) (open, ended []match.Match, challenges []match.Challenge) {
	t.Helper()
	for i := range view.MatchesAPage {
		other := match.User(fmt.Sprint(i))
		m := match.Start(match.ID(fmt.Sprint("m", i)), "s", guild, game.Classic(), match.Seats{match.Human(alice), match.Human(other)}, 24*time.Hour, 1, noon)
		open = append(open, m)
		m.Result, m.Ended = match.Result{Outcome: game.XWins, Cause: match.ByResignation}, noon
		ended = append(ended, m)
		c, err := match.NewChallenge(match.ID(fmt.Sprint("c", i)), guild, other, alice, match.Terms{Rules: game.Classic(), TurnTime: 24 * time.Hour}, noon)
		if err != nil {
			t.Fatal(err)
		}
		challenges = append(challenges, c)
	}
	return open, ended, challenges
}

// longReview returns the review of one of the longest games, in which every move was a blunder with many better moves.
func longReview(t *testing.T, names view.Names) view.Screen {
	t.Helper()
	rules := game.Offered()[0].Rules
	for _, offer := range game.Offered() {
		if offer.Rules.Width()*offer.Rules.Height() > rules.Width()*rules.Height() {
			rules = offer.Rules
		}
	}
	m := match.Start("m1", "s", guild, rules, match.Seats{match.Human(alice), match.Human("1")}, time.Hour, 1, noon)
	for m.Position().Legal() != 0 && !m.Result.Over() {
		var next game.Square
		for s := range m.Position().Legal().All() {
			next = s
			break
		}
		var err error
		if m, err = m.Play(m.Turn().Player, m.Record.Len(), next, noon); err != nil {
			t.Fatal(err)
		}
	}
	solver, err := ai.NewSolver(game.Classic())
	if err != nil || solver == nil {
		t.Fatal(err)
	}
	var review ai.Review
	for ply := range m.Record.Len() {
		mark := game.X
		if ply%2 == 1 {
			mark = game.O
		}
		review = append(review, ai.Remark{
			Mark: mark, Square: m.Record.Square(ply), Grade: ai.Blunder, Critical: true,
			Better: m.Record.First(ply).Position().Legal(),
		})
	}
	return view.OfReview(m, review, names, alice)
}

// TestTheLongestFits tests that Discord accepts the longest messages, with the longest names and in every language, and that no
// text is cut within an escape sequence or a bold name.
func TestTheLongestFits(t *testing.T) {
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	boards := map[match.ID]board.Board{}
	for _, kind := range []string{"m", "c"} {
		for i := range view.MatchesAPage {
			id := match.ID(fmt.Sprint(kind, i))
			boards[id] = board.Board{ID: id, Guild: longID, Channel: longID, Message: longID, Shown: 1}
		}
	}
	all := checkers(t)
	for name, screen := range longest(t) {
		for i, language := range append([]string{"en"}, locale.Languages()...) {
			site := farAway
			if i == 0 {
				site = rest.Site("")
			}
			t.Run(fmt.Sprintf("%s at %s in %s", name, site[:19], language), func(t *testing.T) {
				components := commands.Encoded(screen, book.In(language), boards, site)
				if n := commands.Size(components); n > commands.MaxText {
					t.Errorf("%d characters of text", n)
				}
				if n := count(components); n > 40 {
					t.Errorf("%d components", n)
				}
				accepted(t, all, callback(t, bot.Reply{Kind: bot.Post, Components: components}))
				whole(t, text(components))
			})
		}
	}
}

// count returns the number of components, including nested ones.
func count(components []discordgo.MessageComponent) (n int) {
	for _, c := range components {
		n++
		switch c := c.(type) {
		case discordgo.Container:
			n += count(c.Components)
		case discordgo.ActionsRow:
			n += count(c.Components)
		}
	}
	return n
}

// link matches a markdown link.
var link = regexp.MustCompile(`\[[^\[\]]+\]\(https?://[^()\s]+\)`)

// whole fails if a piece of markdown begins and does not end.
func whole(t *testing.T, said string) {
	t.Helper()
	for line := range strings.Lines(said) {
		plain := strings.NewReplacer(`\\`, "", `\*`, "").Replace(strings.TrimSpace(line))
		if strings.Contains(plain, `\`) || strings.Count(plain, "**")%2 != 0 || strings.Count(plain, "](http") != len(link.FindAllString(plain, -1)) {
			t.Errorf("markdown was cut in the middle: %s", line)
		}
	}
}

// TestLongMessagesAreShortened tests three steps, each taken only if the message is still too long: names are shortened, links become
// plain text, and lines are left out.
func TestLongMessagesAreShortened(t *testing.T) {
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	shown := func(name, site string) string {
		screen, ok := longest(t)[name]
		if !ok {
			t.Fatal(name)
		}
		boards := map[match.ID]board.Board{}
		for i := range view.MatchesAPage {
			for _, kind := range []string{"m", "c"} {
				boards[match.ID(fmt.Sprint(kind, i))] = board.Board{Guild: longID, Channel: longID, Message: longID, Shown: 1}
			}
		}
		return text(commands.Encoded(screen, book.In("en"), boards, site))
	}
	full, short := strings.Repeat(`\*`, 32)+"**", strings.Repeat(`\*`, 15)+"…**"
	for _, tt := range []struct {
		name, site string
		has, lacks []string
	}{
		{"leaderboard against the computer, digits one", rest.Site(""), []string{"unbeatable in 1 move, 1 won, 1 draw", full}, []string{"…**"}},
		{"leaderboard against the computer, digits six", rest.Site(""), []string{"unbeatable in 999,999 moves", full}, []string{"…**"}},
		{"leaderboard of people, digits seven", rest.Site(""), []string{full}, []string{"…**"}},
		{"games", rest.Site(""), []string{"](https://discord.com/channels/"}, nil},
		{"games", farAway, []string{short, "board"}, []string{"](https"}},
		{"audit log, draw", farAway, []string{short}, []string{"](https"}},
	} {
		t.Run(tt.name+" at "+tt.site[:19], func(t *testing.T) {
			said := shown(tt.name, tt.site)
			for _, part := range tt.has {
				if !strings.Contains(said, part) {
					t.Errorf("no %q in %s", part, said)
				}
			}
			for _, part := range tt.lacks {
				if strings.Contains(said, part) {
					t.Errorf("%q in %s", part, said)
				}
			}
		})
	}
}

func TestLinksLeadToWhereThePlayersAre(t *testing.T) {
	d := newDesk(t)
	d.commands.Site = "http://games.example:8080"
	d.started()
	d.flush()
	d.run(alice, "games")
	want := "[board](http://games.example:8080/channels/" + guild + "/" + channel + "/" + d.board.id + ")"
	if said := text(d.line.components); !strings.Contains(said, want) {
		t.Errorf("no %s in %s", want, said)
	}
}
