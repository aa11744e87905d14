package commands_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
)

// monday is the time when alice begins the desk's puzzle. Its position is .OX/..O/.XX with classic rules and O to move; the
// solution is a3 and then, after b2, a1.
var monday = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// asks makes alice ask for the puzzle, and sets the clock to monday if it is earlier.
func (d *desk) asks() bot.Reply {
	d.t.Helper()
	d.notBeforeMonday()
	return d.run(alice, "daily")
}

func (d *desk) notBeforeMonday() {
	if d.now().Before(monday) {
		d.setNow(monday)
	}
}

// today returns the day of the desk's puzzle.
func (d *desk) today() puzzle.Day { return puzzle.DayOf(d.now()) }

// tries makes alice press the given squares of today's puzzle one after the other.
func (d *desk) tries(squares ...string) bot.Reply {
	d.t.Helper()
	reply := d.asks()
	for _, square := range squares {
		d.advance(10 * time.Second)
		reply = d.clickOn(alice, d.line, d.square(square))
	}
	return reply
}

// square returns the present custom_id of a square on alice's board.
func (d *desk) square(name string) string {
	return fmt.Sprintf("daily:%v:%d:%s", puzzle.DayOf(monday), len(d.attempt().Presses), name)
}

// attempt returns alice's attempt at the puzzle of the first day.
func (d *desk) attempt() daily.Attempt {
	d.t.Helper()
	a, err := d.store.Attempt(d.t.Context(), match.User(alice), puzzle.DayOf(monday))
	if err != nil {
		d.t.Fatal(err)
	}
	return a
}

// posts returns the public post of today's puzzle.
func (d *desk) posts() bot.Reply {
	d.t.Helper()
	d.notBeforeMonday()
	components, err := d.commands.CalendarPost(d.t.Context(), posting.Post{Venue: guild, Kind: posting.Puzzle}, d.today())
	if err != nil {
		d.t.Fatal(err)
	}
	return bot.Reply{Components: components}
}

// choosesPost makes carol choose the channel in which the puzzle is posted.
func (d *desk) choosesPost() bot.Reply {
	d.t.Helper()
	d.opened()
	d.turn(carol, "Daily puzzle")
	return d.pick("policy:puzzles", "5001")
}

// posted returns the public post of a leaderboard on the first Monday after today.
func (d *desk) posted(board string) bot.Reply {
	d.t.Helper()
	p := posting.Post{Venue: guild, Kind: posting.Leaderboard, Every: posting.Week, Board: board}
	components, err := d.commands.CalendarPost(d.t.Context(), p, p.Every.After(d.today()))
	if err != nil {
		d.t.Fatal(err)
	}
	return bot.Reply{Components: components}
}

// choosesLeaderboardPost makes carol choose the channel in which a leaderboard is posted.
func (d *desk) choosesLeaderboardPost() bot.Reply {
	d.t.Helper()
	d.opened()
	d.turn(carol, "Leaderboard posts")
	return d.pick("policy:posts", "5001")
}

// closePost records that the bot may not write in the channel of the post.
func (d *desk) closePost() {
	d.t.Helper()
	p, err := d.store.Post(d.t.Context(), guild, posting.Puzzle)
	if err == nil {
		p, err = d.store.ClaimPost(d.t.Context(), p, p.Next, d.now())
	}
	closed := p
	closed.Blocked = true
	if err == nil {
		err = d.store.SettlePost(d.t.Context(), p, closed, policy.AuditEntry{
			ID: "closed", Venue: guild, By: policy.Itself, At: d.now(), Kind: policy.PostsClosed, Chosen: []string{p.Channel, string(p.Kind)},
		})
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

func TestAPressOnAPuzzleCountsOnce(t *testing.T) {
	for name, test := range map[string]struct {
		presses []string // the custom_ids, all from the board before the first press
		want    string
	}{
		"pressed twice, a wrong square costs one try":         {[]string{"a2", "a2"}, "d!"},
		"a wrong square of an older board costs no other try": {[]string{"a2", "a2", "a1"}, "d!"},
		"pressed twice, a right square is one move":           {[]string{"a3", "a3"}, "g"},
		"the second of two squares of one board is too late":  {[]string{"a2", "a3"}, "d!"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.asks()
			for _, square := range test.presses {
				d.clickOn(alice, d.line, "daily:2026-11-23:0:"+square)
			}
			if got := d.attempt().Presses.String(); got != test.want {
				t.Errorf("the presses are %q, not %q", got, test.want)
			}
		})
	}
}

func TestAFinishedPuzzleTakesNoPress(t *testing.T) {
	for name, squares := range map[string][]string{"solved": {"a3", "a1"}, "failed": {"a2", "a1", "a3", "a2"}} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.tries(squares...)
			before := d.attempt()
			d.clickOn(alice, d.line, d.square("a3"))
			if diff := cmp.Diff(before, d.attempt()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAPuzzleIsBegunOnItsDay(t *testing.T) {
	for _, day := range []string{"2026-11-22", "2026-11-24", "9999-12-31", "0001-01-01"} {
		t.Run("a press on the puzzle of "+day+" shows the puzzle of today", func(t *testing.T) {
			d := newDesk(t)
			d.asks()
			d.clickOn(alice, d.line, "daily:"+day+":0:a3")
			data, err := d.store.Data(t.Context(), match.User(alice))
			if err != nil {
				t.Fatal(err)
			}
			want := []daily.Attempt{{User: match.User(alice), Day: d.today(), Started: monday}}
			if diff := cmp.Diff(want, data.Puzzles); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStreaksAcrossMidnight(t *testing.T) {
	for name, test := range map[string]struct {
		after time.Duration // from the beginning to the press that solves the puzzle
		want  []puzzle.Day
	}{
		"solved on its day it counts":               {time.Hour, []puzzle.Day{puzzle.DayOf(monday)}},
		"solved a day later it counts":              {24 * time.Hour, []puzzle.Day{puzzle.DayOf(monday)}},
		"solved later it is solved, but counts not": {24*time.Hour + time.Millisecond, nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.asks()
			d.clickOn(alice, d.line, d.square("a3"))
			d.setNow(monday.Add(test.after))
			d.clickOn(alice, d.line, d.square("a1"))
			if d.attempt().Solved != d.now() {
				t.Error("the puzzle is not solved")
			}
			days, err := d.store.SolvedDays(t.Context(), match.User(alice))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, days); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheSameWrongSquareCostsOneTry(t *testing.T) {
	d := newDesk(t)
	d.tries("a2", "a2", "a3")
	if got := d.attempt().Presses.String(); got != "d!g" {
		t.Errorf("the presses are %q", got)
	}
}

func TestDiscordIsAskedAboutAChannelWhenItIsChosen(t *testing.T) {
	d := newDesk(t)
	d.shut = "5001"
	d.choosesLeaderboardPost()
	d.choosesLeaderboardPost()
	d.pick("policy:postsboard", "rating drop")
	d.turn(carol, "Always edit the same post")
	d.pick("policy:posts", "5002")
	d.turn(carol, "Stop posting it")
	d.choosesPost()
	d.closePost()
	d.choosesPost()
	d.choosesPost()
	if diff := cmp.Diff([]string{"5001", "5002", "5001", "5001"}, d.probed); diff != "" {
		t.Error("(-want +got)\n", diff)
	}
}
