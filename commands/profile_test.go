package commands_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/ranking/rating"
)

// hides makes a user hide the profile.
func (d *desk) hides(by string) bot.Reply {
	d.t.Helper()
	d.run(by, "settings")
	return d.turn(by, "Hide my profile")
}

// over saves a match in the server that ends after the given moves, at the desk's time, and advances the time by an hour.
func (d *desk) over(board string, seats match.Seats, stakes rating.Stakes, squares string) match.Match {
	d.t.Helper()
	rules, err := game.ParseRules(board)
	if err != nil {
		d.t.Fatal(err)
	}
	d.last++
	id := match.ID(fmt.Sprint("m", d.last))
	m := match.Start(id, id, guild, rules, seats, time.Hour, 1, d.now())
	m.Stakes = stakes
	begun := m
	for _, name := range strings.Fields(squares) {
		square, err := rules.ParseSquare(name)
		if err != nil {
			d.t.Fatal(err)
		}
		if m.Turn().IsComputer() {
			m, err = m.Answer(square, d.now())
		} else {
			m, err = m.Play(m.Turn().Player, m.Record.Len(), square, d.now())
		}
		if err != nil {
			d.t.Fatal(err)
		}
	}
	if !m.Result.Over() {
		d.t.Fatalf("%s goes on", squares)
	}
	d.save(match.Save{Matches: []match.MatchChange{{To: begun}}})
	d.save(match.Save{Matches: []match.MatchChange{{From: begun, To: m}}})
	d.advance(time.Hour)
	return m
}

// season saves matches of alice against bob and the computer over some days, and the names of the players.
func (d *desk) season() {
	d.t.Helper()
	const (
		xWins = "a1 a2 b1 b2 c1"
		oWins = "a1 a2 b1 b2 c3 c2"
		drawn = "a1 b1 c1 b2 a2 c2 b3 a3 c3"
	)
	d.save(match.Save{Names: []match.Name{{Player: alice, Name: "Alice"}, {Player: bob, Name: "Bob"}, {Player: carol, Name: "Carol"}}})
	first := match.Seats{match.Human(alice), match.Human(bob)}
	second := match.Seats{first[1], first[0]}
	for _, m := range []struct {
		seats   match.Seats
		squares string
	}{{first, xWins}, {second, oWins}, {first, drawn}, {second, xWins}, {first, xWins}} {
		d.over("classic", m.seats, rating.Full, m.squares)
		d.advance(12 * time.Hour)
	}
	d.over("4x4", second, rating.Full, "a1 a2 b1 b2 c1 c2 d1")
	d.over("drop", first, rating.Casual, "a4 b4 a3 b3 a2 c4 a1")
	d.over("classic", match.Seats{first[0], match.Computer("hard")}, rating.NoStakes, xWins)
	d.over("classic", match.Seats{first[0], match.Computer("easy")}, rating.NoStakes, oWins)
}

// judged is like season, with further matches, and reviews all of them: alice opens in a corner, makes one comeback, and plays one
// perfect match.
func (d *desk) judged() {
	d.t.Helper()
	d.season()
	first := match.Seats{match.Human(alice), match.Human(bob)}
	second := match.Seats{first[1], first[0]}
	for range 7 {
		d.over("classic", first, rating.Casual, "a1 a2 b2 b1 c3")
	}
	d.over("classic", first, rating.Casual, "b2 a2 a1 c3 b1 b3 a3 c1 c2")
	d.over("classic", second, rating.Casual, "a1 b2 c3 b1 b3 a3 c1 c2 a2")
	d.over("classic", second, rating.Casual, "a1 c3 c1 b1 a2 a3 b2 c2 b3")
	due, err := d.store.Unreviewed(d.t.Context(), 1000)
	if err != nil {
		d.t.Fatal(err)
	}
	var verdicts []profile.Verdict
	for _, m := range due {
		review, err := d.commands.Review(d.t.Context(), m.Record)
		if err != nil {
			d.t.Fatal(err)
		}
		verdicts = append(verdicts, profile.Judge(m, review))
	}
	if err := d.store.KeepVerdicts(d.t.Context(), verdicts); err != nil {
		d.t.Fatal(err)
	}
}

func TestWhenAProfileIsPrivate(t *testing.T) {
	for name, private := range map[string]bool{
		"profile": false, "profile-other": false, "profile-versus": false, "profile-in-words": false,
		"profile-menu": true, "profile-in-dm": true, "profile-hidden-own": true, "profile-versus-hidden-own": true,
		"profile-where-no-match-may-begin": true, "profile-hidden": true, "profile-off": true,
	} {
		if got := screens["profile"][name](newDesk(t)); got.Private != private {
			t.Errorf("%s: private is %v", name, got.Private)
		}
	}
}

func TestAProfileNamesNoHiddenPlayer(t *testing.T) {
	for _, name := range []string{"profile-hidden-opponent", "leaderboard-hidden"} {
		reply := screens["profile"][name](newDesk(t))
		if said := text(reply.Components); strings.Contains(said, "Alice") {
			t.Errorf("%s: %s", name, said)
		}
	}
}
