package sqlite_test

import (
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/replica/claim"
	"tictactoe/internal/replica/session"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
	"tictactoe/internal/server/venue"
	"tictactoe/internal/show/emoji"
	"tictactoe/store/sqlite"
)

// everything saves at least one value of every kind, and returns the matches by id.
func everything(t testing.TB, s *sqlite.Store) map[match.ID]match.Match {
	t.Helper()
	at := noon()
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	save(t, s, match.Save{
		Names: []match.Name{{Player: "alice", Name: "Alice"}, {Player: "bob", Name: "Bob's; -- 'name' ❌"}},
		Seen:  match.Seen{At: at},
	})
	do(s.SetTurnMentions(t.Context(), "carol", true))
	do(s.SetTextBoard(t.Context(), "carol", true))
	do(s.SetLanguage(t.Context(), "carol", "pt-BR"))
	do(s.SetHidden(t.Context(), "carol", true))
	do(s.SolveLesson(t.Context(), "carol", "fork", at))

	terms := match.Terms{Rules: game.Classic(), First: match.Me, TurnTime: time.Hour}
	challenge := func(id match.ID, answer func(c match.Challenge) (match.Challenge, error)) {
		t.Helper()
		c, err := match.NewChallenge(id, "home", "alice", "bob", terms, at)
		if err != nil {
			t.Fatal(err)
		}
		save(t, s, match.Save{Challenge: match.ChallengeChange{To: c}, Extras: []match.Extra{board.Reference{ID: id, Guild: "home", Channel: "c", Message: "m" + string(id), Token: "t", Expires: at.Add(time.Minute), Member: true}}})
		if answer == nil {
			return
		}
		next, err := answer(c)
		if err != nil {
			t.Fatal(err)
		}
		save(t, s, match.Save{Challenge: match.ChallengeChange{From: c, To: next, At: at}})
	}
	challenge("c-pending", nil)
	challenge("c-declined", func(c match.Challenge) (match.Challenge, error) { return c.Decline("bob", at) })
	challenge("c-withdrawn", func(c match.Challenge) (match.Challenge, error) { return c.Withdraw("alice", at) })
	challenge("c-expired", func(c match.Challenge) (match.Challenge, error) {
		expired, _ := c.Expire(at.Add(time.Hour))
		return expired, nil
	})

	all := make(map[match.ID]match.Match)
	put := func(from, to match.Match) match.Match {
		t.Helper()
		save(t, s, match.Save{Matches: []match.MatchChange{{From: from, To: to}}})
		all[to.ID] = to
		return to
	}
	start := func(m match.Match) match.Match {
		t.Helper()
		save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}, Extras: []match.Extra{board.Reference{ID: m.ID, Guild: "home", Channel: "c", Message: "m" + string(m.ID), Token: "t", Expires: at.Add(time.Minute)}}})
		all[m.ID] = m
		return m
	}
	play := func(m match.Match, squares ...string) match.Match {
		t.Helper()
		for _, name := range squares {
			square, err := m.Position().Rules().ParseSquare(name)
			if err != nil {
				t.Fatal(err)
			}
			var next match.Match
			if m.Turn().IsComputer() {
				next, err = m.Answer(square, at)
			} else {
				next, err = m.Play(m.Turn().Player, m.Record.Len(), square, at)
			}
			if err != nil {
				t.Fatal(err)
			}
			m = put(m, next)
		}
		return m
	}
	people := match.Seats{match.Human("alice"), match.Human("bob")}
	among := func(id match.ID, venue match.Venue, seats match.Seats) match.Match {
		return start(match.Start(id, id, venue, game.Classic(), seats, time.Hour, 1, at))
	}
	draw := []string{"b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"}

	// This match follows a challenge, and a rematch follows the match.
	c, err := match.NewChallenge("m-first", "home", "alice", "bob", terms, at)
	if err != nil {
		t.Fatal(err)
	}
	save(t, s, match.Save{Challenge: match.ChallengeChange{To: c}})
	accepted, m, err := c.Accept("bob", false, at)
	if err != nil {
		t.Fatal(err)
	}
	save(t, s, match.Save{Challenge: match.ChallengeChange{From: c, To: accepted}})
	m = play(start(m), "a1", "b1", "a2", "b2", "a3")
	proposed, _, err := m.AskRematch("bob", m.Version, "m-second", at)
	if err != nil {
		t.Fatal(err)
	}
	m = put(m, proposed)
	started, next, err := m.AskRematch("alice", m.Version, "m-second", at)
	if err != nil {
		t.Fatal(err)
	}
	put(m, started)
	play(start(*next), "b2", "a1")

	drawn := play(among("m-drawn", "home", people), draw...)
	proposed, _, err = drawn.AskRematch("alice", drawn.Version, "x", at)
	if err != nil {
		t.Fatal(err)
	}
	put(drawn, proposed)
	resigned := play(among("m-resigned", "home", people), "a1", "b1")
	given, err := resigned.Resign("alice", 2, at)
	if err != nil {
		t.Fatal(err)
	}
	resigned = put(resigned, given)
	proposed, _, _ = resigned.AskRematch("alice", resigned.Version, "x", at)
	proposed = put(resigned, proposed)
	declined, err := proposed.DeclineRematch("bob")
	if err != nil {
		t.Fatal(err)
	}
	put(proposed, declined)
	late := play(among("m-late", "", people), "a1")
	lost, _ := late.Expire(at.Add(24 * time.Hour))
	put(late, lost)
	absent := match.Start("m-noshow", "m-noshow", "home", game.Classic(), people, time.Hour, 1, at)
	absent.Proposer = game.X
	missed, _ := start(absent).Expire(absent.Deadline)
	put(absent, missed)
	aborted := among("m-aborted", "home", people)
	off, err := aborted.Resign("bob", 0, at)
	if err != nil {
		t.Fatal(err)
	}
	put(aborted, off)
	play(among("m-computer", "home", match.Seats{match.Human("alice"), match.Computer("easy")}), "b2", "a2", "a1", "b1", "c3")
	helped := among("m-helped", "home", match.Seats{match.Human("alice"), match.Computer("hard")})
	marked, err := helped.Help("alice", 0, at)
	do(err)
	play(put(helped, marked), "b2", "a2", "a1", "b1", "c3")
	play(among("m-unbeatable", "home", match.Seats{match.Computer("unbeatable"), match.Human("bob")}), draw...)

	crowd := match.Start("m-crowd", "m-crowd", "home", game.Classic(), match.Seats{match.CrowdSeat(match.Channel), match.Computer("medium")}, time.Minute, 1, at)
	crowd.Host, crowd.Place = "alice", "5001"
	voted, err := start(crowd).Vote("bob", 0, 4, at)
	do(err)
	put(crowd, voted)

	do(s.KeepVerdicts(t.Context(), []profile.Verdict{
		{Match: "m-first", Judged: true, Sides: [2]profile.Side{{Critical: 1}, {Critical: 2, Errors: 1, Recovered: true}}}, {Match: "m-late"},
	}))
	do(s.SaveShown(t.Context(),
		board.Shown{ID: "m-second", Version: all["m-second"].Version}, board.Shown{ID: "m-drawn", Version: board.Gone}))
	do(s.SaveMention(t.Context(), "m-second", board.Mention{}, board.Mention{Ply: 3, Message: "mention"}))
	do(s.BeginEdit(t.Context(), board.Edit{ID: "m-late", Message: "mm-late", Name: "edit"}))

	// Settings and actions of moderators: one match ended before its server's reset, another was called a draw after it.
	before, called := among("m-before", "elsewhere", people), among("m-called", "elsewhere", people)
	lost, _ = before.Expire(before.Deadline)
	put(before, lost)
	drawnByForce, err := called.CallDraw(at.Add(3 * time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	put(called, drawnByForce)
	void, err := among("m-voided", "home", people).Void(at)
	if err != nil {
		t.Fatal(err)
	}
	put(all["m-voided"], void)
	do(s.SetPolicy(t.Context(), policy.Policy{Venue: "home"}, policy.Policy{
		Venue: "home", Places: []string{"5001", "5002"}, TurnTime: 5 * time.Minute, Levels: []string{"easy", "hard"}, MentionsOff: true, Unrated: true, Off: []policy.Feature{policy.Profiles}, LeaversOff: true, Version: 1,
	}, policy.AuditEntry{ID: "d-levels", Venue: "home", By: "carol", At: at, Kind: policy.SetLevels, Chosen: []string{"easy", "hard"}, Was: []string{"levels"}}))
	save(t, s, match.Save{Extras: []match.Extra{
		policy.AuditEntry{ID: "d-void", Venue: "home", By: "carol", At: at, Kind: policy.Void, Match: "m-voided"},
	}})
	do(s.ResetScores(t.Context(),
		policy.AuditEntry{ID: "d-reset", Venue: "elsewhere", By: "carol", At: at.Add(2 * time.Hour), Kind: policy.ResetScores}))

	// Actions that moderators undo, and actions that can still be undone.
	taken, err := among("m-taken", "elsewhere", people).CallDraw(at)
	if err != nil {
		t.Fatal(err)
	}
	taken = put(all["m-taken"], taken)
	if void, err = taken.Void(at); err != nil {
		t.Fatal(err)
	}
	put(taken, void)
	save(t, s, match.Save{Extras: []match.Extra{
		policy.AuditEntry{ID: "d-undo", Venue: "home", By: "carol", At: at, Kind: policy.Undo, Match: "m-late", Chosen: []string{"void"}, Undoes: "d-before"},
	}})

	// Rated matches.
	rated := match.Start("m-rated", "m-rated", "home", game.Classic(), people, time.Hour, 1, at)
	rated.Stakes = rating.Half
	play(start(rated), "a1", "b1", "a2", "b2", "a3")

	do(s.BeginSeason(t.Context(), season.Season{Venue: "home", Number: 1, Name: "Winter's ❄", Began: at.Add(time.Hour), Ends: at.Add(2 * time.Hour), By: "carol", Channel: "5001"},
		policy.AuditEntry{ID: "d-season", Venue: "home", By: "carol", At: at.Add(time.Hour), Kind: policy.BeginSeason, Chosen: []string{"Winter's", "❄"}}))
	if n, err := s.EndSeasons(t.Context(), at.Add(2*time.Hour)); err != nil || n != 1 {
		t.Fatal(n, err)
	}

	// Attempts at puzzles, and the channels in which puzzles are posted.
	attempt := daily.Attempt{User: "alice", Day: 20780, Started: at}
	_, err = s.BeginAttempt(t.Context(), attempt)
	do(err)
	solved := attempt
	solved.Presses, solved.Solved = daily.Presses{{Square: 4, Wrong: true}, {Square: 0}}, at.Add(time.Minute)
	do(s.SaveAttempt(t.Context(), attempt, solved))
	do(s.SetListed(t.Context(), "home", "alice", true))
	post := posting.Post{Venue: "home", Kind: posting.Puzzle, Channel: "5001", Every: posting.Day, Next: 20780}
	do(s.SetPost(t.Context(), post, policy.AuditEntry{ID: "d-daily", Venue: "home", By: "carol", At: at, Kind: policy.PostPuzzles, Chosen: []string{"5001"}}))
	_, err = s.ClaimPost(t.Context(), post, 20781, at)
	do(err)
	do(s.SetRankRole(t.Context(), rankrole.Rule{Venue: "home", Role: "6001", Board: "classic", Merit: "top3"},
		policy.AuditEntry{ID: "d-role", Venue: "home", By: "carol", At: at, Kind: rankrole.SetRole, Chosen: []string{"6001", "top3", "classic"}}))
	granted := rankrole.Grant{Venue: "home", Role: "6001", Player: "alice"}
	held := granted
	held.State, held.At = rankrole.Given, at
	do(s.SaveGrant(t.Context(), granted, held))
	_, err = s.SetBar(t.Context(), policy.Bar{Venue: "home", Player: "mallory"}, policy.GoOn, at,
		policy.AuditEntry{ID: "d-bar", Venue: "home", By: "carol", At: at, Kind: policy.BarUser, Whom: "mallory"})
	do(err)
	do(s.SetRanked(t.Context(), "home", "mallory", false, policy.AuditEntry{}))
	_, err = s.SaveCheck(t.Context(), "home", "alice", false, nil, at)
	do(err)

	// An arena with its first game.
	a, err := arena.New("a-running", "home", "5001", "carol", arena.Terms{
		Name: "Winter's ❄", Rules: arena.Boards()[0].Rules, TurnTime: 30 * time.Second, Lasts: 20 * time.Minute, Begins: at.Add(time.Minute),
	}, at)
	do(err)
	for _, p := range people.Players() {
		a, err = a.Join(p, at)
		do(err)
	}
	save(t, s, match.Save{Extras: []match.Extra{arena.Change{To: a}}})
	begun, _ := a.Pass(a.Begins)
	paired, games := begun.Paired(begun.Pairs(begun.Begins), begun.Begins)
	save(t, s, match.Save{Extras: []match.Extra{arena.Change{From: a, To: paired.Shown("6001", "7001")}}})
	play(start(games[0]), "a1")

	// Settings of players.
	do(s.SetClosed(t.Context(), "carol", true))
	do(s.SetBlocked(t.Context(), "alice", []match.User{"mallory"}))
	// The servers that the bot is in, and a server that it has left.
	for _, news := range []venue.News{{Present: []match.Venue{"home", "elsewhere"}}, {Gone: []match.Venue{"elsewhere"}}} {
		if err := s.Note(t.Context(), news, at); err != nil {
			t.Fatal(err)
		}
	}
	// Leases, sessions and other rows that processes share.
	save(t, s, match.Save{Extras: []match.Extra{session.Kept{Shard: 0, Of: 1, Session: session.Session{ID: "s", Sequence: 7, Token: "digest", Saved: at}}}})
	_, err = s.ReplaceAside(t.Context(), board.Aside{ID: "m-second", User: "alice", Token: "token", Message: "@original", Expires: at.Add(time.Minute)})
	do(err)
	do(s.KeepEmoji(t.Context(), "app", emoji.Row{ID: "5101", Name: "b2_x_last", Hash: "0123456789abcdef"}))
	do(s.AddPublicPost(t.Context(), match.PublicPost{By: "alice", Place: "home", ID: "interaction", At: at}))
	if err := s.Claim(t.Context(), claim.Claim{Interaction: "interaction", By: "somebody", Until: at.Add(time.Minute)}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Erase(t.Context(), "nobody", at, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Acquire(t.Context(), "shard 0/1", "somebody", time.Minute); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestEverythingFillsEveryTable(t *testing.T) {
	path, _ := full(t)
	for table, c := range contentOf(t, path) {
		if len(c.rows) == 0 {
			t.Errorf("the function everything saves nothing in table %s", table)
		}
	}
}
