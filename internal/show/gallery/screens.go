package gallery

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
	"tictactoe/internal/people/user"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
	"tictactoe/internal/show/view"
)

// The players on the screens.
const (
	Alice match.User = "1001"
	Bob   match.User = "1002"
	Carol match.User = "1003"
)

// Noon is the time of all examples. Names has the names of their players.
var (
	Noon  = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	Names = view.Names{Alice: "Alice", Bob: "Bob *the* <@1> Builder", Carol: "Carol"}
)

// Games on the classic board, as the squares of their moves.
const (
	XWins = "a1 a2 b1 b2 c1"
	OWins = "a1 a2 b1 b2 c3 c2"
	// twoLines ends with b2, which completes both diagonals.
	twoLines = "a1 b1 c1 a2 a3 c2 c3 b3 b2"
	Drawn    = "a1 b1 c1 b2 a2 c2 b3 a3 c3"
)

// Between returns the match of Alice against Bob after the given moves.
func Between(t T, squares string) match.Match {
	return Played(t, match.Seats{match.Human(Alice), match.Human(Bob)}, time.Minute, squares)
}

// Played returns a match on the classic board after the given moves.
func Played(t T, seats match.Seats, turnTime time.Duration, squares string) match.Match {
	t.Helper()
	return PlayedBy(t, "classic", seats, turnTime, squares)
}

// PlayedBy returns a match by the named rule set after the given moves.
func PlayedBy(t T, rules string, seats match.Seats, turnTime time.Duration, squares string) match.Match {
	t.Helper()
	r, err := game.ParseRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	m := match.Start("m", "m", "venue", r, seats, turnTime, 1, Noon)
	for name := range strings.FieldsSeq(squares) {
		s, err := r.ParseSquare(name)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case m.Turn().IsComputer():
			m, err = m.Answer(s, Noon)
		case m.Seats.HasCrowd():
			if m, err = m.Vote(Alice, m.Stage(), s, Noon); err == nil {
				m = OutOfTime(t, m)
			}
		default:
			m, err = m.Play(m.Turn().Player, m.Stage(), s, Noon)
		}
		if err != nil {
			t.Fatal(name, err)
		}
	}
	return m
}

// Resigned returns the match after a player has resigned.
func Resigned(t T, m match.Match, by match.User) match.Match {
	t.Helper()
	m, err := m.Resign(by, m.Record.Len(), Noon)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Voided returns the match after a moderator has voided it.
func Voided(t T, m match.Match) match.Match {
	t.Helper()
	m, err := m.Void(Noon)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// OutOfTime returns the match after its deadline has passed.
func OutOfTime(t T, m match.Match) match.Match {
	t.Helper()
	m, due := m.Expire(m.Deadline)
	if !due {
		t.Fatal("nothing was due")
	}
	return m
}

func proposed(t T) match.Match {
	t.Helper()
	m, _, err := Between(t, XWins).AskRematch(Bob, 6, "n", Noon)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Challenge returns a challenge from Alice to Bob.
func Challenge(t T, first match.First, turnTime time.Duration) match.Challenge {
	t.Helper()
	c, err := match.NewChallenge("c", "venue", Alice, Bob, match.Terms{Rules: game.Classic(), First: first, TurnTime: turnTime}, Noon)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// endless are the moves of a game in which positions repeat until it is drawn.
const endless = "a1 a2 b1 b2 c2 c1 b3 c3 a1 a2 b1 b2 c2 c1 b3 c3 a1 a2 b1 b2 c2 c1"

// holding are the moves of a game as long as endless. After the first move, every position is drawn by best play.
const holding = "a1 b2 c1 b1 b3 a3 a2 c2 a1 b2 c1 b1 b3 a3 a2 c2 a1 b2 c1 b1 b3 a3"

// Review returns the review of a match.
func Review(t T, m match.Match) ai.Review {
	t.Helper()
	solver, err := ai.NewSolver(m.Position().Rules())
	if err != nil {
		t.Fatal(err)
	}
	return solver.Review(m.Record)
}

// adder adds a screen to the gallery under a name. of is the name of the function of package view that makes the screen.
type adder func(name, of string, s view.Screen)

// match adds the board of a match.
func (add adder) match(name string, m match.Match, r score.Running) {
	add("match-"+name, "OfMatch", view.OfMatch(m, Names, r))
}

// Screens returns an example of every screen, by name.
func Screens(t T) map[string]Screen {
	all := map[string]Screen{}
	add := func(name, of string, s view.Screen) {
		if _, twice := all[name]; twice {
			t.Fatalf("two screens %s", name)
		}
		all[name] = Screen{of, s}
	}
	for _, shoot := range []func(T, adder){
		computerShots, matchShots, crowdShots, seriesShots, challengeShots, shareShots, changeShots,
		leaderboardShots, listShots, moveShots, boardShots, reviewShots,
		positionShots, lessonShots, rulingShots, tidyShots, wishShots, policyShots,
		listedShots, auditShots, settingShots, otherShots,
		seasonShots, ladderShots, puzzleShots, profileShots, duelShots, arenaShots,
	} {
		shoot(t, add)
	}
	for _, shots := range []map[string]Screen{whyShots(t), learnShots(t)} {
		for name, shot := range shots {
			add(name, shot.Of, shot.Screen)
		}
	}
	return all
}

// Pairs of seats.
var (
	people   = match.Seats{match.Human(Alice), match.Human(Bob)}
	computer = match.Seats{match.Computer("unbeatable"), match.Human(Alice)}
)

// moderated returns the match after a moderator's decision, which the function how applies.
func moderated(t T, how func(match.Match, time.Time) (match.Match, error), m match.Match) match.Match {
	t.Helper()
	m, err := how(m, Noon)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// computerShots adds the boards of matches against a computer.
func computerShots(t T, add adder) {
	ladders := func(name string, m match.Match, l view.NextLevels) {
		add("computer-"+name, "AgainstComputer", view.AgainstComputer(view.OfMatch(m, Names, score.Running{}), m, l))
	}
	beginning := match.Seats{match.Human(Alice), match.Computer("unbeatable")}
	ladders("perfect-first", PlayedBy(t, "infinite", beginning, match.ComputerTurnTime, ""), view.NextLevels{Easier: "hard"})
	add("match-text-board-alone", "OfMatch", view.OfMatch(PlayedBy(t, "classic", beginning, match.ComputerTurnTime, "b2 a1"), Names, score.Running{}, Alice))
	ladders("perfect", PlayedBy(t, "classic", computer, match.ComputerTurnTime, ""), view.NextLevels{Easier: "hard"})
	ladders("perfect-alone", PlayedBy(t, "classic", computer, match.ComputerTurnTime, ""), view.NextLevels{})
	fair := match.Seats{match.Human(Alice), match.Computer("fair:6")}
	ladders("fair", PlayedBy(t, "classic", fair, match.ComputerTurnTime, ""), view.NextLevels{Harder: "textbook"})
	ladders("lost", PlayedBy(t, "classic", beginning, match.ComputerTurnTime, OWins), view.NextLevels{Easier: "fair"})
	ladders("won", PlayedBy(t, "classic", match.Seats{match.Human(Alice), match.Computer("hard")}, match.ComputerTurnTime, XWins),
		view.NextLevels{Easier: "medium", Harder: "unbeatable"})
}

// matchShots adds the boards of matches.
func matchShots(t T, add adder) {
	wide, err := game.NewRules(4, 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	add.match("new", Between(t, ""), score.Running{})
	add.match("second-turn", Between(t, "b2"), score.Running{})
	add.match("hour-for-each-move", Played(t, match.Seats{match.Human(Alice), match.Human(Bob)}, time.Hour, "b2 a1"), score.Running{})
	add.match("untimed", Played(t, computer, 0, "b2"), score.Running{})
	add.match("computer", Played(t, computer, 24*time.Hour, "b2"), score.Running{})
	add.match("running-score", Between(t, "b2"), score.Running{A: 2, B: 1})
	add.match("running-score-with-draws", Between(t, "b2"), score.Running{A: 2, B: 1, Drawn: 1})
	add.match("nobody-known", match.Start("m", "m", "", wide, match.Seats{match.Human("7"), match.Human("8")}, time.Minute, 1, Noon), score.Running{})
	add.match("won-by-x", Between(t, XWins), score.Running{})
	add.match("won-by-o", Between(t, OWins), score.Running{B: 1})
	add.match("won-with-two-lines", Between(t, twoLines), score.Running{})
	add.match("lost-to-computer", Played(t, computer, 24*time.Hour, XWins), score.Running{})
	add.match("drawn", Between(t, Drawn), score.Running{Drawn: 1})
	add.match("resigned", Resigned(t, Between(t, "a1 a2"), Alice), score.Running{})
	add.match("lost-on-time", OutOfTime(t, Between(t, "a1")), score.Running{})
	add.match("aborted", Resigned(t, Between(t, "a1"), Bob), score.Running{})
	add.match("rematch-proposed", proposed(t), score.Running{})
	declined, err := proposed(t).DeclineRematch(Alice)
	if err != nil {
		t.Fatal(err)
	}
	add.match("rematch-declined", declined, score.Running{})
	expired, _ := proposed(t).Expire(Noon.Add(match.RematchTime))
	add.match("rematch-expired", expired, score.Running{})
	started, _, err := proposed(t).AskRematch(Alice, 7, "n", Noon)
	if err != nil {
		t.Fatal(err)
	}
	add.match("rematch-started", started, score.Running{})
	left := Between(t, XWins)
	left.Seats[1].Player = match.Left
	add.match("of-one-who-left", left, score.Running{})
}

// crowdShots adds the boards of crowds.
func crowdShots(t T, add adder) {
	shoot := func(name string, teams bool, votes, after string) {
		seats := match.Seats{match.CrowdSeat(match.Channel), match.Computer("hard")}
		if teams {
			seats = match.Seats{match.CrowdSeat(match.TeamOne), match.CrowdSeat(match.TeamTwo)}
		}
		m := match.Start("m", "m", "venue", game.Classic(), seats, match.DefaultVoteTime, 1, Noon)
		m.Host, m.Place = Alice, "channel"
		for i, name := range strings.Fields(votes) {
			square, err := m.Position().Rules().ParseSquare(name)
			if err == nil {
				m, err = m.Vote(match.User(fmt.Sprint(1001+i)), m.Stage(), square, Noon)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		switch after {
		case "moved":
			m = OutOfTime(t, m)
		case "stopped":
			m = moderated(t, match.Match.Stop, m)
		}
		add("crowd-"+name, "OfMatch", view.OfMatch(m, Names, score.Running{}))
		if !teams {
			add("crowd-"+name+"-counted", "WithCrowdWins", view.WithCrowdWins(view.OfMatch(m, Names, score.Running{}), m, len(votes)))
		}
	}
	shoot("new", false, "", "")
	shoot("voting", false, "a1 b2 b2", "")
	shoot("teams", true, "b2", "moved")
	shoot("teams-voting", true, "b2 b2", "")
	shoot("stopped", false, "b2", "stopped")
	going := PlayedBy(t, "classic", match.Seats{match.Computer("hard"), match.CrowdSeat(match.Channel)}, match.DefaultVoteTime, "b2 a1 c3")
	lost := PlayedBy(t, "classic", match.Seats{match.Computer("hard"), match.CrowdSeat(match.Channel)}, match.DefaultVoteTime, XWins)
	add("crowd-lost", "OfMatch", view.OfMatch(lost, Names, score.Running{}))
	add("crowd-third-move", "OfMatch", view.OfMatch(going, Names, score.Running{}))
	voted, err := going.Vote(Alice, going.Stage(), 1, Noon)
	if err != nil {
		t.Fatal(err)
	}
	add("crowd-typed", "Played", view.Played(voted, Alice, Names, false))
	add("crowd-typed-last", "Played", view.Played(going, Alice, Names, false))
	add("privacy-crowds", "Privacy", view.Privacy(user.Held{Crowds: 2}, view.Pages{}))
}

// wishShots adds matches in which a player asks the other for something.
func wishShots(t T, add adder) {
	asked := func(m match.Match, by match.User, kind match.WishKind) match.Match {
		m, err := m.AskWish(by, m.Stage(), kind, Noon)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	answered := func(m match.Match, by match.User, agrees bool) match.Match {
		m, err := m.AnswerWish(by, m.Stage(), agrees, Noon)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := Between(t, "b2 a1 c3")
	offered, back := asked(m, Alice, match.WishDraw), asked(m, Bob, match.WishBack)
	add.match("draw-offered", offered, score.Running{})
	add.match("draw-declined", answered(offered, Bob, false), score.Running{})
	add.match("draw-agreed", answered(offered, Bob, true), score.Running{})
	add.match("back-asked", back, score.Running{})
	add.match("back-asked-one", asked(m, Alice, match.WishBack), score.Running{})
	add.match("taken-back", answered(back, Alice, true), score.Running{})
	add("taken-back-named", "TakenBack", view.Screen{Lines: view.TakenBack(back, answered(back, Alice, true))})
	rated := m
	rated.Stakes = rating.Full
	add.match("rated-after-moves", rated, score.Running{})
}

// seriesShots adds the boards of games of a series.
func seriesShots(t T, add adder) {
	m := Between(t, "")
	called := view.Calling(view.OfMatch(m, Names, score.Running{}), m, []string{string(Alice)})
	add("match-called", "Calling", called)
	shot := func(name string, m match.Match, of match.Series, unposted bool) {
		of.BestOf, of.Seats = 5, people
		m.BestOf = 5
		add("series-"+name, "InSeries", view.InSeries(view.OfMatch(m, Names, score.Running{}), m, of, Names, unposted))
	}
	won := Between(t, XWins)
	won.BestOf, won.Rematch = 5, match.Rematch{State: match.RematchStarted, Next: "n"}
	over := Between(t, XWins)
	shot("first", Between(t, ""), match.Series{Number: 1}, false)
	swapped := Played(t, people.Swapped(), time.Minute, "b2")
	shot("swapped", swapped, match.Series{Wins: [2]int{2, 1}, Drawn: 1, Number: 5}, false)
	shot("next", won, match.Series{Wins: [2]int{2, 1}, Number: 3}, false)
	shot("next-unposted", won, match.Series{Wins: [2]int{2, 1}, Number: 3}, true)
	shot("next-playoff", won, match.Series{Wins: [2]int{2, 2}, Drawn: 1, Number: 5}, false)
	shot("playoff", Between(t, "b2"), match.Series{Wins: [2]int{2, 2}, Drawn: 1, Number: 6, PlayOff: true}, false)
	shot("next-second", won, match.Series{Wins: [2]int{3, 2}, Drawn: 1, Number: 6, PlayOff: true}, false)
	shot("left", Resigned(t, Between(t, "a1"), Bob), match.Series{Wins: [2]int{0, 1}, Number: 2, End: match.SeriesForfeited, Winner: game.X}, false)
	shot("won", over, match.Series{Wins: [2]int{3, 0}, Number: 3, End: match.SeriesWon, Winner: game.X}, false)
	shot("forfeited", OutOfTime(t, Between(t, "a1")), match.Series{Wins: [2]int{2, 1}, Number: 3, End: match.SeriesForfeited, Winner: game.X}, false)
	shot("won-on-time", over, match.Series{
		Wins: [2]int{1, 1}, Drawn: 5, Number: 7, PlayOff: true, End: match.SeriesOnTime, Winner: game.O,
		Used: [2]time.Duration{5*time.Minute + 32*time.Second, 245 * time.Second},
	}, false)
	shot("level", over, match.Series{Wins: [2]int{1, 1}, Drawn: 5, Number: 7, PlayOff: true, End: match.SeriesLevel}, false)
	shot("off", Resigned(t, Between(t, "a1"), Bob), match.Series{Number: 1, End: match.SeriesOff}, false)
	shot("voided-after-the-end", Voided(t, over), match.Series{Wins: [2]int{1, 1}, Number: 3}, false)
	c := Challenge(t, match.Me, time.Minute)
	c.BestOf = 3
	add("challenge-series", "OfChallenge", view.OfChallenge(c, Names, "unbeatable", rating.Full))
	swapped.BestOf = 5
	add("games-series", "Games", view.Games(view.Listing{Player: Alice, Open: []match.Match{swapped}, Challenges: []match.Challenge{c}}, Names))
}

// OpenChallenge returns an open challenge of Alice, on the condition that the opponent moves first.
func OpenChallenge(t T) match.Challenge {
	t.Helper()
	c, err := match.NewChallenge("open", "venue", Alice, "", match.Terms{Rules: game.Classic(), First: match.Them, TurnTime: time.Minute}, Noon)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// challengeShots adds challenges, with and without stakes.
func challengeShots(t T, add adder) {
	ofChallenge := func(name string, c match.Challenge) {
		add("challenge-"+name, "OfChallenge", view.OfChallenge(c, Names, "unbeatable", rating.NoStakes))
	}
	ofChallenge("pending", Challenge(t, match.Random, time.Minute))
	ofChallenge("pending-challenger-first", Challenge(t, match.Me, 5*time.Minute))
	ofChallenge("pending-challenged-first", Challenge(t, match.Them, 24*time.Hour))
	accepted, _, err := Challenge(t, match.Me, time.Minute).Accept(Bob, false, Noon)
	if err != nil {
		t.Fatal(err)
	}
	ofChallenge("accepted", accepted)
	no, err := Challenge(t, match.Me, time.Minute).Decline(Bob, Noon)
	if err != nil {
		t.Fatal(err)
	}
	ofChallenge("declined", no)
	back, err := Challenge(t, match.Me, time.Minute).Withdraw(Alice, Noon)
	if err != nil {
		t.Fatal(err)
	}
	ofChallenge("withdrawn", back)
	over, _ := Challenge(t, match.Me, time.Minute).Expire(Noon.Add(match.ChallengeTime))
	ofChallenge("expired", over)
	seeking := OpenChallenge(t)
	ofChallenge("open", seeking)
	back, err = seeking.Withdraw(Alice, Noon)
	if err != nil {
		t.Fatal(err)
	}
	ofChallenge("open-withdrawn", back)
	over, _ = seeking.Expire(seeking.Deadline)
	ofChallenge("open-expired", over)

	for name, stakes := range map[string]rating.Stakes{
		"rated": rating.Full, "half": rating.Half, "casual": rating.Casual, "unranked": rating.Unranked, "often": rating.TooOften, "far": rating.TooFarApart,
	} {
		add("challenge-"+name, "OfChallenge", view.OfChallenge(Challenge(t, match.Me, time.Minute), Names, "unbeatable", stakes))
		m := Between(t, "b2")
		m.Stakes = stakes
		add.match(name, m, score.Running{})
	}
}

// shareShots adds shared matches, and the descriptions of their pictures.
func shareShots(t T, add adder) {
	for name, m := range map[string]match.Match{
		"won": Between(t, XWins), "drawn": Between(t, Drawn), "resigned": Resigned(t, Between(t, "b2 a1 c3"), Bob),
		"lost-on-time": OutOfTime(t, Between(t, "b2 a1 c3")), "misere": PlayedBy(t, "misere", Between(t, "").Seats, 0, XWins),
		"computer": Played(t, match.Seats{match.Human(Alice), match.Computer("hard")}, 0, OWins),
	} {
		for _, form := range view.ShareForms() {
			if form != view.ShareText && name != "won" {
				continue // for the forms with a file, one ending is enough
			}
			sh := view.Shared{Match: m, As: form, File: []byte("file")}
			add("shared-"+name+"-"+string(form), "OfShared", view.OfShared(sh, Names))
			add("posted-"+name+"-"+string(form), "OfPosted", view.OfPosted(sh, Carol, Names))
		}
	}
	add("posted-elsewhere", "OfPosted", view.OfPosted(view.Shared{Match: Between(t, XWins), As: view.SharePicture, Away: true}, Carol, Names))
	linked := view.Shared{Match: Between(t, XWins), As: view.ShareText, Page: "https://example.com/game/"}
	add("shared-with-link", "OfShared", view.OfShared(linked, Names))
	add("posted-with-link", "OfPosted", view.OfPosted(linked, Carol, Names))
	add("shared-without-files", "OfShared", view.OfShared(view.Shared{Match: Between(t, XWins), As: view.ShareText, NoFiles: true}, Names))
	told := func(name, rules, squares string, over bool) {
		said := view.PictureText(PlayedBy(t, rules, Between(t, "").Seats, 0, squares).Record, over, view.Text{})
		add("picture-"+name, "PictureText", view.Screen{Lines: []view.Text{said}})
	}
	told("empty", "classic", "", false)
	told("running", "classic", "b2 a1", false)
	told("stopped", "classic", "b2 a1", true)
	told("leaving", "infinite", "a1 b2 c3 a3 c1 b1 b3", false)
	told("won", "4x4", "a1 b1 a2 b2 a3 b3 a4", false)
	told("misere", "misere", XWins, false)
	told("drawn", "classic", Drawn, false)
	add("picture-game", "AnimationText", view.Screen{Lines: []view.Text{
		view.AnimationText(PlayedBy(t, "infinite", Between(t, "").Seats, 0, "a1 b2 b1 a2 c1").Record, view.Text{}),
	}})
}

// changeShots adds boards with changes of ratings.
func changeShots(t T, add adder) {
	changed := func(name string, changes ...ladder.Change) {
		add("changes-"+name, "WithChanges", view.WithChanges(view.OfMatch(Between(t, XWins), Names, score.Running{}), changes, Names))
	}
	known := func(value float64) rating.Rating { return rating.Rating{Value: value, Deviation: 60} }
	x, o := ladder.Change{Player: Alice, Before: rating.New(), Expected: 0.5}, ladder.Change{Player: Bob, Before: rating.New(), Expected: 0.5}
	x.After, o.After = rating.Match(x.Before, o.Before, rating.Win, 1, Noon)
	changed("first", x, o)
	changed("favourite-x", ladder.Change{Player: Alice, Before: known(1511), After: known(1523), Expected: 0.62},
		ladder.Change{Player: Bob, Before: known(1450), After: known(1438), Expected: 0.38})
	changed("favourite-o", ladder.Change{Player: Alice, Before: known(1411), After: known(1411.4), Expected: 0.38},
		ladder.Change{Player: Bob, Before: known(1500), After: known(1499.6), Expected: 0.62})
	changed("of-one-who-stayed", ladder.Change{Player: Bob, Before: known(1500), After: known(1487), Expected: 0.62})
	x.Stale = true
	changed("stale", x, o)
	changed("none")
}

// leaderboardShots adds leaderboards that are not by rating.
func leaderboardShots(t T, add adder) {
	look := view.Asking{Asked: "dora", Names: view.Names{"dora": "Dora", "emil": "Emil", "902": "Player 2"}}
	board := func(name string, by view.Ranking, p score.Page) {
		add("leaderboard-"+name, "Leaderboard", view.Leaderboard(view.TurnLeaderboard{Of: by}, p, look))
	}
	rows := func(from, n int) (rows []score.Row) {
		for i := range n {
			rank := from + i
			rows = append(rows, score.Row{
				Rank: rank, Player: match.User(fmt.Sprint("90", rank)), Name: fmt.Sprint("Player ", rank),
				Tally: score.Tally{Wins: 30 - rank, Draws: rank % 3, Losses: rank},
			})
		}
		return rows
	}
	own := score.Row{Rank: 17, Player: Alice, Name: "Alice", Tally: score.Tally{Losses: 4}}
	second := rows(1, 2)
	second[1].Player, second[1].Name = Alice, "Alice"
	board("empty", view.ByWins, score.Page{Page: 1, Pages: 1})
	board("computer-empty", view.VersusComputer, score.Page{Page: 1, Pages: 1})
	board("own-row", view.ByWins, score.Page{Rows: second, Own: &second[1], Page: 1, Pages: 1})
	board("own-row-elsewhere", view.ByWins, score.Page{Rows: rows(1, 10), Own: &own, Page: 1, Pages: 2})
	board("middle-page", view.ByWins, score.Page{Rows: rows(11, 3), Own: &own, Page: 2, Pages: 3})
	board("last-page-without-own-row", view.VersusComputer, score.Page{Rows: rows(11, 2), Page: 2, Pages: 2})
	equal := rows(1, 4)
	equal[2].Rank, equal[2].Tally = equal[1].Rank, equal[1].Tally
	board("equal", view.ByWins, score.Page{Rows: equal, Page: 1, Pages: 1})
	secret := rows(1, 2)
	secret[0].Name, secret[0].Hidden = "", true
	board("hidden", view.ByWins, score.Page{Rows: secret, Page: 1, Pages: 1})
	nameless := rows(1, 1)
	nameless[0].Name = ""
	board("out", view.ByWins, score.Page{Rows: secret, Page: 1, Pages: 1, Out: true})
	board("nameless", view.ByWins, score.Page{Rows: nameless, Page: 1, Pages: 1})
	levels := rows(1, 2)
	levels[0].Levels = []score.LevelTally{
		{Level: "easy", Tally: score.Tally{Wins: 3}, Fewest: 3}, {Level: "unbeatable", Tally: score.Tally{Draws: 2, Losses: 1}, Longest: 2},
	}
	levels[1].Levels, levels[1].Tally = levels[0].Levels[1:], score.Tally{Draws: 2, Losses: 1}
	board("computer", view.VersusComputer, score.Page{Rows: levels, Own: &levels[1], Page: 1, Pages: 1})
	feats := rows(1, 2)
	feats[0].Levels = []score.LevelTally{
		{Level: "easy", Tally: score.Tally{Wins: 3}, Fewest: 4}, {Level: "medium", Tally: score.Tally{Losses: 3}},
		{Level: "hard", Tally: score.Tally{Wins: 1}, Fewest: 5}, {Level: "unbeatable", Tally: score.Tally{Draws: 12}, Longest: 12},
	}
	feats[1].Levels = []score.LevelTally{{Level: "easy", Tally: score.Tally{Wins: 1}, Fewest: 3}, {Level: "unbeatable", Tally: score.Tally{Draws: 1}, Longest: 1}}
	for _, by := range []view.Ranking{view.ByLevels, view.ByDraws, view.ByMoves} {
		board(string(by), by, score.Page{Rows: feats, Own: &feats[1], Page: 1, Pages: 1})
		board(string(by)+"-empty", by, score.Page{Page: 1, Pages: 1})
		board(string(by)+"-without-own-row", by, score.Page{Rows: feats, Page: 1, Pages: 1})
	}
	past := view.TurnLeaderboard{Of: view.ByWins, Rules: "4x4", Season: "2"}
	add("leaderboard-of-a-board", "Leaderboard", view.Leaderboard(past, score.Page{Rows: rows(11, 3), Own: &own, Page: 2, Pages: 3, Stale: true}, look))
	board("computer-own-row-elsewhere", view.VersusComputer, score.Page{Rows: levels, Own: &own, Page: 1, Pages: 2})
	look.Found = "902"
	board("found", view.ByWins, score.Page{Rows: rows(1, 10), Own: &own, Page: 1, Pages: 2})
	look.Found = "emil"
	board("missed", view.VersusComputer, score.Page{Rows: rows(1, 3), Page: 1, Pages: 1})
	look.Hidden = true
	board("found-hidden", view.ByWins, score.Page{Rows: rows(1, 3), Own: &second[1], Page: 1, Pages: 1})
}

// listShots adds lists of a player's matches.
func listShots(t T, add adder) {
	add("record-empty", "OwnRecord", view.OwnRecord(nil))
	add("record", "OwnRecord", view.OwnRecord([]score.Entry{
		{Venue: "1", Tally: score.Tally{Wins: 1}}, {Venue: "", Tally: score.Tally{Wins: 1, Draws: 2, Losses: 3}},
		{Venue: "1", Level: "easy", Tally: score.Tally{Wins: 4}}, {Venue: "2", Level: "easy", Tally: score.Tally{Losses: 1}},
		{Venue: "1", Level: "unbeatable", Tally: score.Tally{Draws: 1}},
	}))

	received := Challenge(t, match.Me, time.Minute)
	received.ID, received.From, received.To = "d", Carol, Alice
	add("games-none", "Games", view.Games(view.Listing{Player: Alice}, Names))
	add("games", "Games", view.Games(view.Listing{
		Player: Alice, Open: []match.Match{Between(t, ""), Between(t, "a1"), Played(t, computer, 24*time.Hour, "b2")},
		Challenges: []match.Challenge{Challenge(t, match.Me, time.Minute), received, OpenChallenge(t)},
		Ended: []match.Match{
			Between(t, XWins), Between(t, OWins), Between(t, Drawn), Resigned(t, Between(t, "a1 a2"), Bob),
			OutOfTime(t, Between(t, "")), Resigned(t, Between(t, ""), Bob), Played(t, computer, 24*time.Hour, XWins),
		},
		MentionsOff: true,
	}, Names))

	one := Between(t, "a1")
	add("games-closed", "Games", view.Games(view.Listing{
		Player: Alice, Open: []match.Match{one}, Lost: map[match.ID]view.Loss{one.ID: view.ClosedChannel},
	}, Names))
	add("games-deleted", "Games", view.Games(view.Listing{
		Player: Alice, Open: []match.Match{one}, Lost: map[match.ID]view.Loss{one.ID: view.DeletedBoard}, Unreadable: true,
	}, Names))
}

// moveShots adds moves by command.
func moveShots(t T, add adder) {
	one := Between(t, "a1")
	moved := func(name string, m match.Match, lost bool) {
		add("moved-"+name, "Played", view.Played(m, Alice, Names, lost))
	}
	moved("first", one, false)
	moved("answered", Played(t, match.Seats{match.Human(Alice), match.Computer("unbeatable")}, 24*time.Hour, "b2 a1"), false)
	alone := match.Seats{match.Human(Alice), match.Computer("easy")}
	moved("answered-vanished", PlayedBy(t, "infinite", alone, time.Hour, "a1 b2 c3 a2 b1 c1 c2 a3"), false)
	add.match("answered-vanished", PlayedBy(t, "infinite", alone, time.Hour, "a1 b2 c3 a2 b1 c1 c2 a3"), score.Running{})
	moved("answered-with-the-first-to-vanish", PlayedBy(t, "infinite", match.Seats{alone[1], alone[0]}, time.Hour, "a1 b2 c3 a2 b1 c1 c2"), false)
	moved("won", Between(t, XWins), false)
	moved("lost-board", one, true)
	moved("won-lost-board", Between(t, XWins), true)
	var choices []view.Text
	for _, rules := range []string{"classic", "4x4", "5x5", "drop"} {
		m := PlayedBy(t, rules, match.Seats{match.Human(Alice), match.Human(Bob)}, time.Minute, "a1")
		if rules == "drop" {
			m = Between(t, "")
		}
		choices = append(choices, view.OpenMatch(len(choices), m, Alice, Names, rules != "5x5"))
		for i := range m.Position().Rules().Squares() {
			choices = append(choices, view.SquareName(m.Position().Rules(), game.Square(i)))
		}
	}
	add("move-choices", "", view.Screen{Lines: choices})
}

// boardShots adds boards of other rule sets, and boards with words in place of pictures.
func boardShots(t T, add adder) {
	on := func(name, rules, squares string) {
		add("match-"+name, "OfMatch", view.OfMatch(PlayedBy(t, rules, people, time.Minute, squares), Names, score.Running{}))
	}
	on("4x4", "4x4", "b2")
	add("match-text-board", "OfMatch", view.OfMatch(PlayedBy(t, "infinite", people, time.Minute, "a1 b2 c3 a2 b1 c1"), Names, score.Running{}, Bob))
	add("match-text-board-of-both", "OfMatch", view.OfMatch(Between(t, XWins), Names, score.Running{}, Alice, Bob))
	add("match-text-board-of-4x4", "OfMatch", view.OfMatch(PlayedBy(t, "4x4", people, time.Minute, "a1 b2 c3"), Names, score.Running{}, Bob))
	add("match-text-board-of-5x5", "OfMatch", view.OfMatch(PlayedBy(t, "5x5", people, time.Minute, "a1 a2 b1 b2 c1 c2 d1"), Names, score.Running{}, Bob))
	add("match-text-board-misere", "OfMatch", view.OfMatch(PlayedBy(t, "misere", people, time.Minute, "a1 a2 b1 b2 c1"), Names, score.Running{}, Alice))
	on("5x5-won", "5x5", "a1 a2 b1 b2 c1 c2 d1")
	on("infinite-vanishing", "infinite", "a1 b2 c3 a2 b1 c1")
	on("infinite-endless", "infinite", endless)
	on("drop", "drop", "c1 c1 a1")
	on("drop-misere", "5x4x4+gravity+misere", "")
	on("misere-won", "misere", "a1 a2 b1 b2 c1")
}

// reviewShots adds reviews.
func reviewShots(t T, add adder) {
	reviewed := func(name, rules, squares string, end func(match.Match) match.Match) {
		t.Helper()
		m := PlayedBy(t, rules, people, time.Minute, squares)
		if end != nil {
			m = end(m)
		}
		add("review-"+name, "OfReview", view.OfReview(m, Review(t, m), Names, Alice))
	}
	quits := func(m match.Match) match.Match { return Resigned(t, m, Bob) }
	reviewed("fork", "classic", "a1 b2 c3 c1 a3 a2 b3", nil)
	reviewed("blunder", "classic", "a1 c1 b1 b2 a3 a2 c2 b3 c3", nil)
	reviewed("slower-and-faster", "classic", "a1 b1 a2 c1 b2 a3 c3", nil)
	reviewed("many-better", "5x5", "b1 a1", quits)
	reviewed("flawless", "classic", "a1 b2 c3 b1 b3 a3 c1 c2 a2", nil)
	reviewed("early", "classic", "a1", func(m match.Match) match.Match { return OutOfTime(t, m) })
	reviewed("resigned-when-winning", "classic", "a1 b2 c3 c1 a3", func(m match.Match) match.Match { return Resigned(t, m, Alice) })
	reviewed("resigned-when-lost", "classic", "a1 b2 c3 c1 a3", quits)
	reviewed("resigned-when-drawn", "classic", "a1 b2", quits)
	reviewed("infinite-forced", "infinite", "b1 a3 b2 b3 c3 a1 c1 c2 a3 b2 a2 b1 a1", nil)
	reviewed("infinite", "infinite", "a1 a2 b1 b2 c1", nil)
	reviewed("infinite-endless", "infinite", endless, nil)
	reviewed("infinite-holding", "infinite", holding, nil)
	fork := Between(t, "a1 b2 c3 c1 a3 a2 b3")
	add("picture-review", "CellsText", view.Screen{Lines: []view.Text{view.CellsText(view.OfReview(fork, Review(t, fork), Names, Alice), game.Classic())}})
	reviewed("misere", "misere", "a1 a2 b1 b2 c1", nil)
	reviewed("drop", "drop", "a4 b4 a3 b3 a2 c4 a1", nil)
	reviewed("computer", "classic", "a1 a2 b1 b2 c1", func(m match.Match) match.Match { m.Seats = computer; return m })
}

// positionShots adds positions of matches, with the buttons to other positions.
func positionShots(t T, add adder) {
	m := PlayedBy(t, "classic", people, time.Minute, "a1 b2 c3 c1 a3 a2 b3")
	for move := range m.Record.Len() + 1 {
		add(fmt.Sprint("reviewed-move-", move), "OfPosition", view.OfPosition(m, Review(t, m), move, Names, Bob))
	}
	edge := PlayedBy(t, "classic", people, time.Minute, "b1 a1 a2 c3 b2 b3 a3 c1 c2")
	repeated := PlayedBy(t, "infinite", people, time.Minute, endless)
	add("reviewed-faster-loss", "OfPosition", view.OfPosition(repeated, Review(t, repeated), 10, Names, Bob))
	for _, move := range []int{2, 3, 8} {
		add(fmt.Sprint("reviewed-edge-move-", move), "OfPosition", view.OfPosition(edge, Review(t, edge), move, Names, Bob))
	}
	walked := func(name, squares string, of func(match.Match) match.Match, move int) {
		t.Helper()
		m := PlayedBy(t, "classic", people, time.Minute, squares)
		if of != nil {
			m = of(m)
		}
		add("position-"+name, "OfPosition", view.OfPosition(m, Review(t, m), move, Names, Alice))
	}
	ended := PlayedBy(t, "classic", people, time.Minute, XWins)
	add("found-by-id", "WithID", view.WithID(view.OfMatch(ended, Names, score.Running{}), ended, true))
	add("found-by-id-alone", "WithID", view.WithID(view.OfMatch(ended, Names, score.Running{}), ended, false))
	feat := func(m match.Match, f archive.Feat) archive.Feat { f.Played = archive.Of(m); return f }
	other := PlayedBy(t, "5x5", people, time.Minute, "b2 a1 b3 a2 b4 a3 b5")
	other.ID = "n"
	worth := archive.Best{
		Shortest: []archive.Feat{feat(ended, archive.Feat{Moves: 5}), feat(other, archive.Feat{Moves: 7})},
		Longest:  []archive.Feat{feat(Between(t, Drawn), archive.Feat{Moves: 9})},
		Accurate: []archive.Feat{feat(ended, archive.Feat{Critical: 9, Errors: 1})},
		Upsets:   []archive.Feat{feat(other, archive.Feat{Ahead: 1})},
	}
	add("best", "OfBest", view.OfBest(worth, 7, Names, true))
	add("best-without-replays", "OfBest", view.OfBest(worth, 31, Names, false))
	add("best-none", "OfBest", view.OfBest(archive.Best{}, 7, Names, true))
	walked("running", "a1 b2 c3", nil, 2)
	walked("running-latest", "a1 b2 c3", nil, 3)
	walked("unmoved", "", nil, 0)
	walked("aborted", "a1", func(m match.Match) match.Match { return Resigned(t, m, Bob) }, 1)
	walked("void", "a1 b2 c3 c1 a3 a2 b3", func(m match.Match) match.Match { return Voided(t, m) }, 7)
	practised := func(name string, m match.Match, a view.Practice) {
		t.Helper()
		a, r, err := a.Replay(m)
		if err != nil {
			t.Fatal(err)
		}
		add("practice-"+name, "OfPractice", view.OfPractice(m, a, r))
	}
	for name, moves := range map[string]view.Moves{"begins": "", "goes-on": "bh", "held": "bhgcfd", "won": "bch", "lost": "gcfb"} {
		practised(name, m, view.Practice{Match: m.ID, From: 3, Aim: view.AimDraw, Moves: moves})
	}
	practised("begins-won", edge, view.Practice{Match: edge.ID, From: 2, Aim: view.AimWin})
	round := PlayedBy(t, "infinite", people, time.Minute, "a1 b2 b1 a2 c1")
	practised("vanishing", round, view.Practice{Match: round.ID, From: 3, Aim: view.AimWin, Moves: "cgdh"})

	// The first three moves are unjudged, as if time had run out.
	hasty := Review(t, m)
	for ply := range 3 {
		hasty[ply] = ai.Remark{Mark: hasty[ply].Mark, Square: hasty[ply].Square, Grade: ai.Unjudged}
	}
	add("review-unjudged", "OfReview", view.OfReview(m, hasty, Names, Alice))
	add("reviewed-move-unjudged", "OfPosition", view.OfPosition(m, hasty, 2, Names, Bob))
}

// lessonShots adds the teacher's comments.
func lessonShots(t T, add adder) {
	taught := func(name, rules, squares string) {
		t.Helper()
		m := PlayedBy(t, rules, match.Seats{match.Human(Alice), match.Computer("teacher")}, time.Minute, squares)
		add("lesson-"+name, "OfLesson", view.OfLesson(m, Alice, Review(t, m), Names))
	}
	taught("first", "classic", "b2 a1")
	taught("only-move", "classic", "a1 b2 b1 c1 a3 a2")
	taught("kept-draw", "classic", "a1 b2 c2 c3 c1 b1")
	taught("kept-win", "classic", "a1 b1 b2 c3")
	taught("mistake", "misere", "a1 b1")
	taught("threat", "classic", "b2 a1 c3 c1")
	taught("fork", "classic", "b1 a1 c2 c3 b3 a3")
	taught("lost", "classic", "a1 b2 a2 a3 b1 c1")
	taught("drawn", "classic", "a1 b2 c3 b1 b3 a3 c1 c2 a2")
	taught("won", "classic", "b2 b1 a1 c1 c3")
	unjudged := PlayedBy(t, "classic", match.Seats{match.Human(Alice), match.Computer("teacher")}, time.Minute, "a1 b2")
	add("lesson-unjudged", "OfLesson", view.OfLesson(unjudged, Alice, nil, Names))
}

// rulingShots adds matches that moderators have ended or voided.
func rulingShots(t T, add adder) {
	called := moderated(t, match.Match.CallDraw, Between(t, "b2"))
	void := moderated(t, match.Match.Void, Between(t, XWins))
	absent := Between(t, "b2")
	absent.Proposer, absent.Deadline = game.O, Noon
	missed, _ := absent.Expire(Noon)
	add.match("no-show", missed, score.Running{})
	add("games-no-show", "Games", view.Games(view.Listing{Player: Bob, Ended: []match.Match{missed}}, Names))
	add.match("draw-called", called, score.Running{Drawn: 1})
	add.match("voided", void, score.Running{})
	add.match("voided-while-it-ran", moderated(t, match.Match.Void, Between(t, "b2")), score.Running{})
	add("games-moderated", "Games", view.Games(view.Listing{Player: Alice, Ended: []match.Match{called, void}}, Names))
}

// tidyShots adds the boards of ended matches that have shrunk to one line, and the private screen behind the button.
func tidyShots(t T, add adder) {
	shot := func(name string, m match.Match) {
		add("tidied-"+name, "Tidied", view.Tidied(view.OfMatch(m, Names, score.Running{}), m, Names))
	}
	won := Between(t, XWins)
	shot("won", won)
	shot("resigned", Resigned(t, Between(t, "a1 a2"), Alice))
	shot("drawn", PlayedBy(t, "classic", computer, time.Minute, Drawn))
	shot("voided", moderated(t, match.Match.Void, Between(t, XWins)))
	proposed := won
	proposed.Rematch = match.Rematch{State: match.RematchProposed, By: Alice, Deadline: Noon}
	shot("rematch-proposed", proposed)
	last := won
	last.BestOf = 3
	of := match.Series{BestOf: 3, Seats: won.Seats, Wins: [2]int{2, 0}, Number: 2, End: match.SeriesWon, Winner: game.X}
	whole := view.InSeries(view.OfMatch(last, Names, score.Running{}), last, of, Names, false)
	add("tidied-series-won", "Tidied", view.Tidied(whole, last, Names))
	of.End = match.SeriesForfeited
	whole = view.InSeries(view.OfMatch(last, Names, score.Running{}), last, of, Names, false)
	add("tidied-series-forfeited", "Tidied", view.Tidied(whole, last, Names))
	won.Small = true
	add("tidied-shown", "OfPosition", view.OfPosition(won, nil, won.Record.Len(), Names, Alice))
}

// policyShots adds the screens on which moderators and players choose something.
func policyShots(t T, add adder) {
	clocks := []view.Option{
		{Value: "1m", Label: view.TurnTime(time.Minute)}, {Value: "5m", Label: view.TurnTime(5 * time.Minute), Chosen: true},
	}
	levels3 := []string{"easy", "hard", "unbeatable"}
	add("policy", "OfPolicy", view.OfPolicy(policy.Policy{}, view.Also{}, levels3, clocks, ""))
	add("policy-strict", "OfPolicy", view.OfPolicy(policy.Policy{
		Places: []string{"1", "2", "3", "4"}, Levels: []string{"easy"}, Boards: []string{"4x4", "drop"}, MentionsOff: true, Off: []policy.Feature{policy.Profiles}, Unrated: true,
		Language: "ja", PlacesOnly: true, TidyAfter: time.Hour, ArenasByAll: true, LeaversOff: true, Staff: []string{"8"},
	}, view.Also{
		Leaderboard: posting.Post{Channel: "5", Board: string(view.ByWins), Every: posting.Week}, Puzzle: posting.Post{Channel: "6"},
		Roles:  []rankrole.Rule{{Role: "7", Merit: rankrole.Champion}},
		People: []policy.Person{{Player: Bob, Barred: true}, {Player: match.Left, Off: true}, {Player: Alice, Off: true}, {Player: Carol, Off: true}},
	}, levels3, clocks, "de"))
	add("policy-told", "OfPolicy", view.OfPolicy(policy.Policy{Told: "7"}, view.Also{}, levels3, clocks, ""))
	add("channels", "OfChannels", view.OfChannels(policy.Policy{}))
	add("channels-limited", "OfChannels", view.OfChannels(policy.Policy{Places: []string{"1", "2"}, TidyAfter: 10 * time.Minute}))
	add("channels-private", "OfChannels", view.OfChannels(policy.Policy{Places: []string{"1"}, PlacesOnly: true, TidyAfter: time.Minute}))
	add("language-server", "VenueLanguage", view.VenueLanguage(policy.Policy{}, ""))
	add("language-server-community", "VenueLanguage", view.VenueLanguage(policy.Policy{}, "de"))
	add("language-server-chosen", "VenueLanguage", view.VenueLanguage(policy.Policy{Language: "ja"}, "de"))
	add("language", "OwnLanguage", view.OwnLanguage("", "de"))
	add("language-chosen", "OwnLanguage", view.OwnLanguage("pt-BR", "de"))
	add("language-of-a-client-that-is-unknown", "OwnLanguage", view.OwnLanguage("", "xx"))
}

// listedShots adds lists of matches for moderators.
func listedShots(t T, add adder) {
	void := moderated(t, match.Match.Void, Between(t, XWins))
	add("matches-none", "OfMatches", view.OfMatches(view.RunningPage, nil, Names, 1, false))
	add("matches-running", "OfMatches", view.OfMatches(view.RunningPage, []match.Match{
		Between(t, "b2"), Played(t, computer, 24*time.Hour, "b2"),
	}, Names, 1, true))
	add("matches-ended", "OfMatches", view.OfMatches(view.EndedPage, []match.Match{Between(t, XWins)}, Names, 2, false))
	add("ruling-running", "OfRuling", view.OfRuling(Between(t, "b2"), Names, ""))
	add("ruling-ended", "OfRuling", view.OfRuling(Between(t, XWins), Names, ""))
	add("ruling-voided", "OfRuling", view.OfRuling(void, Names, ""))
	add("ruling-voided-now", "OfRuling", view.OfRuling(void, Names, "deed"))
	add("ruling-voided-while-it-ran", "OfRuling", view.OfRuling(moderated(t, match.Match.Void, Between(t, "b2")), Names, "deed"))
	add("ruling-aborted", "OfRuling", view.OfRuling(Resigned(t, Between(t, ""), Bob), Names, ""))
}

// auditShots adds pages of the audit log.
func auditShots(t T, add adder) {
	called := moderated(t, match.Match.CallDraw, Between(t, "b2"))
	void := moderated(t, match.Match.Void, Between(t, XWins))
	entry := func(kind policy.Kind, id match.ID, chosen ...string) policy.AuditEntry {
		return policy.AuditEntry{By: Carol, At: Noon, Kind: kind, Match: id, Chosen: chosen}
	}
	add("deeds", "OfAuditLog", view.OfAuditLog([]policy.AuditEntry{
		entry(policy.SetPlaces, "", "1", "2", "3", "4", "5"), entry(policy.SetPlaces, "", "1"), entry(policy.SetPlaces, ""),
		entry(policy.SetTurnTime, "", "1h0m0s"), entry(policy.SetLevels, "", "easy", "hard"), entry(policy.SetLevels, ""),
		entry(policy.SetBoards, "", "4x4", "drop"), entry(policy.SetBoards, ""),
		entry(policy.SetMentions, "", "on"), entry(policy.SetMentions, "", "off"),
		entry(policy.SetRatings, "", "on"), entry(policy.SetRatings, "", "off"), entry(policy.SetFeatures, "", "profiles"), entry(policy.SetFeatures, ""),
		entry(policy.CallDraw, "m"), entry(policy.Void, "gone"), entry(policy.ResetScores, ""), entry(policy.BeginSeason, "", "Summer", "of", "26"),
		entry(policy.SetLanguage, "", "th"), entry(policy.SetLanguage, ""), entry(policy.SetTold, "", "7"), entry(policy.SetTold, ""),
		entry(policy.SetLeavers, "", "on"), entry(policy.SetLeavers, "", "off"), entry(policy.SetStaff, "", "7", "8"), entry(policy.SetStaff, ""),
	}, map[match.ID]match.Match{"m": called}, Names, 1, true, Noon.Add(policy.UndoTime)))
	add("deeds-none", "OfAuditLog", view.OfAuditLog(nil, nil, Names, 1, false, Noon))
	undone := entry(policy.ResetScores, "")
	undone.Undone = true
	undoes := []policy.AuditEntry{
		entry(policy.Undo, "m", "void"), entry(policy.Undo, "", "reset"), entry(policy.Undo, "", "season", "Summer", "of", "26"),
		entry(policy.BeginSeason, "", "Summer", "of", "26"),
		entry(policy.Void, "voided"), entry(policy.Void, "cut short"), entry(policy.Void, "gone"), entry(policy.ResetScores, ""), undone,
	}
	set, told := entry(policy.SetTurnTime, "", "5m0s"), entry(policy.SetTold, "", "7")
	set.Was, told.Was = []string{"clock", "1m0s"}, []string{"told"}
	undoes = append(undoes, entry(policy.Undo, "", "clock", "1m0s"), set, told)
	for i := range undoes {
		undoes[i].ID = match.ID(fmt.Sprint("deed", i))
	}
	matches := map[match.ID]match.Match{"m": called, "voided": void, "cut short": moderated(t, match.Match.Void, Between(t, "b2"))}
	add("deeds-undo", "OfAuditLog", view.OfAuditLog(undoes, matches, Names, 2, false, Noon.Add(policy.UndoTime-1)))
	add("undone-void", "OfUndone", view.OfUndone(undoes[4], matches, Names))
	add("undone-season", "OfUndone", view.OfUndone(undoes[3], matches, Names))
	add("undone-reset", "OfUndone", view.OfUndone(undoes[7], matches, Names))
	add("reset", "OfReset", view.OfReset("deed"))
}

// settingShots adds settings, and the data of a player.
func settingShots(t T, add adder) {
	set := func(name string, s user.Settings) { add("settings-"+name, "Settings", view.Settings(s, view.Here{})) }
	add("settings-listed", "Settings", view.Settings(user.Settings{}, view.Here{Server: true, Listed: true}))
	set("in-a-language", user.Settings{Language: "ko"})
	add("settings-unlisted", "Settings", view.Settings(user.Settings{}, view.Here{Server: true}))
	set("first", user.Settings{})
	set("all", user.Settings{NotTaking: true, MentionsOff: true, TextBoard: true, Hidden: true, Blocked: []match.User{Bob, Carol}, Hashed: 2})
	policies := view.Pages{Privacy: "https://example.com/privacy", Terms: "https://example.com/terms"}
	add("privacy-none", "Privacy", view.Privacy(user.Held{}, policies))
	add("privacy-nameless", "Privacy", view.Privacy(user.Held{Settings: user.Settings{Blocked: []match.User{Bob}}}, view.Pages{}))
	add("privacy", "Privacy", view.Privacy(user.Held{
		Name: "Alice", Since: Noon, Matches: 12, Open: 1, Challenges: 1, Scores: 3, Ratings: 2, AuditEntries: 2, Roles: 2, Arenas: 3, Bars: 2, Members: 2, Settings: user.Settings{NotTaking: true, Hashed: 1},
	}, policies))
	add("privacy-of-a-setting", "Privacy", view.Privacy(user.Held{Settings: user.Settings{NotTaking: true}}, view.Pages{}))
	add("privacy-of-a-name", "Privacy", view.Privacy(user.Held{Name: "Alice"}, view.Pages{}))
	add("privacy-erased", "Erased", view.Erased())
	add("privacy-exported", "Exported", view.Exported(user.Held{Matches: user.MaxExported}))
	const tooMany = user.MaxExported + 1
	for of, held := range map[string]user.Held{"matches": {Matches: tooMany}, "challenges": {Challenges: tooMany}, "deeds": {AuditEntries: tooMany}} {
		add("privacy-exported-part-of-"+of, "Exported", view.Exported(held))
	}
}

// otherShots adds the help, notices and mentions.
func otherShots(t T, add adder) {
	add("help", "Help", view.Help("unbeatable", ""))
	for _, topic := range view.HelpTopics()[1:] {
		add("help-"+topic, "Help", view.Help("unbeatable", topic))
	}
	add("gone", "Gone", view.Gone())
	add("moved", "Moved", view.Moved("m"))
	add("notice", "Notice", view.Notice(view.T("refusal.taken", nil), view.Button{
		Do: view.PlayComputer{Level: "unbeatable"}, Label: view.T("action.computer", nil), Weight: view.Main,
	}))
	add("notice-open", "Notice", view.Notice(view.T("refusal.over", view.Args{"X": Names.Of(Alice), "O": Names.Of(Bob)}), view.OfferOpen("m")))
	begun := Played(t, match.Seats{match.Human(Alice), match.Human(Bob)}, time.Minute, "")
	begun.Proposer = game.X
	add("start-mention", "StartMention", view.StartMention(begun, Names))
	begun.Proposer = game.O
	add("start-mention-them", "StartMention", view.StartMention(begun, Names))
	add("turn-mention", "TurnMention", view.TurnMention(Played(t, match.Seats{match.Human(Alice), match.Human(Bob)}, time.Hour, "a1"), Names))
}

// seasonShots adds the screens about seasons.
func seasonShots(_ T, add adder) {
	april := time.Date(2026, 4, 2, 0, 0, 0, 0, time.UTC)
	spring := season.Season{Number: 1, Name: "Spring *the* @everyone", Began: Noon, Ends: april, Ended: april}
	nameless := season.Season{Number: 2, Began: spring.Ended, Ended: Noon.AddDate(0, 4, 0)}
	summer := season.Season{Number: 3, Name: "Summer", Began: nameless.Ended, Ends: Noon.AddDate(0, 7, 0), Channel: "5"}
	endless := season.Season{Number: 4, Began: Noon.AddDate(0, 7, 0)}
	can := rankrole.Server{Manages: true, Roles: map[string]rankrole.Role{"7": {Below: true}, "8": {Below: true}, "9": {}, "10": {Powerful: true}, "11": {Managed: true}}}
	mute := can
	mute.Manages = false
	rule := func(role, board string, m rankrole.Merit) rankrole.Rule {
		return rankrole.Rule{Role: role, Board: board, Merit: m}
	}
	add("rank-roles-none", "OfRankRoles", view.OfRankRoles(nil, nil))
	add("rank-roles", "OfRankRoles", view.OfRankRoles([]rankrole.Rule{
		rule("7", "classic", "top1"), rule("8", "drop", "top3"), rule("9", "4x4", rankrole.Champion), rule("10", "5x5", "rated1600"), rule("11", "misere", "top10"), rule("12", "classic", "top1"),
	}, &can))
	add("rank-roles-deleted", "OfRankRoles", view.OfRankRoles([]rankrole.Rule{rule("7", "classic", "top1"), rule("12", "drop", "top3")}, &can))
	add("rank-roles-unknown", "OfRankRoles", view.OfRankRoles([]rankrole.Rule{rule("7", "classic", "top1")}, nil))
	add("rank-role-new", "OfRankRole", view.OfRankRole(rule("7", "classic", ""), &can))
	add("rank-role", "OfRankRole", view.OfRankRole(rule("8", "drop", "top3"), &mute))
	add("rank-deeds", "OfAuditLog", view.OfAuditLog([]policy.AuditEntry{
		{By: policy.Itself, At: Noon, Kind: rankrole.Blocked, Chosen: []string{"7", string(rankrole.TooHigh)}},
		{ID: "d3", By: Carol, At: Noon, Kind: rankrole.SetRole, Chosen: []string{"7"}, Was: []string{"rankrole", "7", "top1", "drop"}}, {By: Carol, At: Noon, Kind: rankrole.SetRole, Chosen: []string{"7", "rated1600", "drop"}},
	}, nil, Names, 1, false, Noon))
	barred := policy.Person{Player: Bob, Barred: true, Until: Noon.AddDate(0, 1, 0)}
	people := []policy.Person{barred, {Player: Alice, Off: true}, {Player: match.Left, Barred: true}, {Player: Carol, Barred: true, Off: true}}
	add("people-none", "OfPeople", view.OfPeople(policy.Policy{}, nil, 1, false))
	add("people", "OfPeople", view.OfPeople(policy.Policy{LeaversOff: true, Staff: []string{"71", "72"}}, people, 2, true))
	person := func(kind policy.Kind, whom match.User, chosen ...string) policy.AuditEntry {
		return policy.AuditEntry{ID: match.ID(kind), By: Carol, At: Noon, Kind: kind, Whom: whom, Chosen: chosen}
	}
	add("person", "OfPerson", view.OfPerson(policy.Person{Player: Bob}, policy.AuditEntry{}))
	add("person-barred", "OfPerson", view.OfPerson(barred, person(policy.BarUser, Bob, "2")))
	add("person-barred-goes-on", "OfPerson", view.OfPerson(barred, person(policy.BarUser, Bob)))
	barred.Off = true
	add("person-barred-off", "OfPerson", view.OfPerson(barred, policy.AuditEntry{}))
	add("person-deeds", "OfAuditLog", view.OfAuditLog([]policy.AuditEntry{
		person(policy.BarUser, Bob), person(policy.BarUser, Alice, "2026-12-31"), person(policy.BarUser, Alice, "2027-01-01T12:00:00Z", "2"), person(policy.LiftBar, Bob), person(policy.TakeOff, Alice),
		person(policy.PutBack, Alice), person(policy.BarUser, match.Left),
	}, nil, Names, 1, false, Noon))
	add("season-none", "OfSeason", view.OfSeason(season.Season{}))
	add("season-now", "OfSeason", view.OfSeason(summer))
	add("season-without-end", "OfSeason", view.OfSeason(endless))
	add("season-begun", "SeasonBegun", view.SeasonBegun(summer, "deed"))
	add("season-begun-in-silence", "SeasonBegun", view.SeasonBegun(endless, "deed"))

	wins := func(ranks ...int) (rows []score.Row) {
		for _, rank := range ranks {
			rows = append(rows, score.Row{Rank: rank, Player: match.User(fmt.Sprint(90 + rank)), Name: fmt.Sprint("Player ", rank), Tally: score.Tally{Wins: 12 - rank}})
		}
		return rows
	}
	ranked := func(ranks ...int) (rows []ladder.Row) {
		for _, rank := range ranks {
			rows = append(rows, ladder.Row{Rank: rank, Name: fmt.Sprint("Player ", rank), Standing: ladder.Standing{
				Player: match.User(fmt.Sprint(90 + rank)), Rating: rating.Rating{Value: 1700.4 - 50*float64(rank), Deviation: 60}, Opponents: 9,
			}})
		}
		return rows
	}
	hidden := wins(1, 2)
	hidden[0].Name, hidden[0].Hidden = "", true
	left := ranked(1)
	left[0].Name = ""
	add("champions", "Champions", view.Champions(spring, summer, wins(1, 2, 3), []view.Podium{
		{Rules: game.Classic(), Rows: ranked(1, 2, 3)}, {Rules: game.Offered()[1].Rules, Rows: ranked(1)},
	}))
	add("champions-hidden", "Champions", view.Champions(nameless, endless, hidden, []view.Podium{{Rules: game.Classic(), Rows: left}}))
	equal := wins(1, 1, 3)
	equal[2].Wins = equal[1].Wins
	equal[2].Losses = 1
	add("champions-equal-wins", "Champions", view.Champions(nameless, endless, equal, nil))
	add("champions-by-wins-alone", "Champions", view.Champions(nameless, endless, wins(1), nil))

	ask := view.Asking{Asked: Alice, Names: Names, Seasons: []season.Season{summer, nameless, spring, {Ended: Noon}}}
	page := score.Page{Rows: wins(1, 2), Page: 2, Pages: 3}
	add("leaderboard-of-this-season", "Leaderboard", view.Leaderboard(view.TurnLeaderboard{Of: view.ByWins}, page, ask))
	add("leaderboard-of-a-season", "Leaderboard", view.Leaderboard(view.TurnLeaderboard{Of: view.ByWins, Season: "1"}, page, ask))
	add("ladder-of-a-season", "Ratings", view.Ratings(view.TurnLeaderboard{Rules: "4x4", Season: "1"}, ladder.Page{Rows: ranked(1), Page: 1, Pages: 1}, ask))
	unranked := ladder.Row{Rank: 1, Standing: ladder.Standing{Player: Alice, Rating: rating.New()}, Name: "Alice"}
	add("ladder-of-a-season-unranked", "Ratings", view.Ratings(view.TurnLeaderboard{Season: "1"}, ladder.Page{Rows: []ladder.Row{unranked}, Own: &unranked, Page: 1, Pages: 1}, ask))
	add("leaderboard-of-the-last-season", "Leaderboard", view.Leaderboard(view.TurnLeaderboard{Of: view.ByWins, Season: "2"}, score.Page{Page: 1, Pages: 1}, ask))
	add("ladder-of-the-preseason", "Ratings", view.Ratings(view.TurnLeaderboard{Season: "0"}, ladder.Page{Page: 1, Pages: 1}, ask))
	add("leaderboard-of-the-preseason", "Leaderboard", view.Leaderboard(view.TurnLeaderboard{Of: view.VersusComputer, Season: "0"}, page, ask))
}

// ladderShots adds leaderboards by rating.
func ladderShots(_ T, add adder) {
	row := func(position int, value, deviation float64, opponents int) ladder.Row {
		return ladder.Row{Rank: position, Name: fmt.Sprint("Player ", position), Players: ladder.LargeLadder, Standing: ladder.Standing{
			Player: match.User(fmt.Sprint("90", position)), Rating: rating.Rating{Value: value, Deviation: deviation}, Opponents: opponents,
			Tally: score.Tally{Wins: 12 - position, Draws: position % 3, Losses: position},
		}}
	}
	ranked := []ladder.Row{row(1, 1683.4, 61, 14), row(2, 1601.5, 74.9, 5), row(3, 1523, 46, 9), row(4, 1402, 60, 30)}
	apart := []ladder.Row{row(5, 1700, 74, 4), row(6, 1650, 80, 5), row(7, 1662, 290, 1)}
	look := view.Asking{Asked: "dora", Names: view.Names{"dora": "Dora", "emil": "Emil"}}
	show := func(name string, look view.Asking, page ladder.Page) {
		page.Players = cmp.Or(page.Players, ladder.LargeLadder)
		add("ladder-"+name, "Ratings", view.Ratings(view.TurnLeaderboard{Of: view.ByRating}, page, look))
	}
	mine := func(i int) *ladder.Row {
		row := apart[i]
		row.Player, row.Name = "dora", "Dora"
		return &row
	}
	show("empty", look, ladder.Page{Page: 1, Pages: 1})
	show("without-own-row", look, ladder.Page{Rows: append(slices.Clone(ranked), apart...), Page: 1, Pages: 1})
	show("ranked", look, ladder.Page{Rows: ranked, Own: mine(0), Page: 1, Pages: 1})
	show("one-opponent-short", look, ladder.Page{Rows: apart, Own: mine(0), Page: 2, Pages: 2})
	show("matches-short", look, ladder.Page{Rows: ranked, Own: mine(1), Page: 1, Pages: 2})
	show("both-short", look, ladder.Page{Rows: ranked, Own: mine(2), Page: 1, Pages: 2})
	own := ranked[1]
	show("own-rank-elsewhere", view.Asking{Asked: own.Player}, ladder.Page{Rows: apart, Own: &own, Page: 2, Pages: 2})
	show("stale", look, ladder.Page{Rows: ranked, Own: &own, Page: 1, Pages: 1, Stale: true})
	look.Found = own.Player
	show("found", look, ladder.Page{Rows: ranked, Own: mine(0), Page: 1, Pages: 1})
	look.Found = "emil"
	show("missed", look, ladder.Page{Rows: ranked, Own: mine(0), Page: 1, Pages: 1})
	off := look
	off.Unrated = true
	add("ladder-off", "Ratings", view.Ratings(view.TurnLeaderboard{Of: view.ByRating}, ladder.Page{Page: 1, Pages: 1}, off))
	add("ladder-of-another-board", "Ratings", view.Ratings(view.TurnLeaderboard{Of: view.ByRating, Rules: "4x4"}, ladder.Page{Rows: ranked, Own: &own, Page: 2, Pages: 3}, look))
	hidden := mine(2)
	hidden.Name, hidden.Hidden = "", true
	show("hidden", look, ladder.Page{Rows: ranked, Own: hidden, Page: 1, Pages: 1})
	nameless := row(1, 1500, 350, 0)
	nameless.Name = ""
	show("nameless", look, ladder.Page{Rows: []ladder.Row{nameless}, Page: 1, Pages: 1})
	few := []ladder.Row{row(1, 1620, 104, 4), row(1, 1620, 104, 3), row(3, 1380, 104, 4), row(4, 1520, 180, 2)}
	for i := range few {
		few[i].Players = len(few) + 1
	}
	friends := ladder.Page{Rows: few, Page: 1, Pages: 1, Players: len(few) + 1}
	show("few-friends", look, friends)
	friends.Own = &few[3]
	show("one-of-few-friends", view.Asking{Asked: few[3].Player, Names: view.Names{few[3].Player: "Player 4"}}, friends)
}
