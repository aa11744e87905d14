package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot/gateway"
	"tictactoe/discordsim"
	"tictactoe/game"
	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
)

// today returns the day by Discord's clock.
func (h *harbour) today() puzzle.Day { return puzzle.DayOf(h.sim.Clock().Now()) }

// passes advances all clocks by the given duration: in one step, except for the last minute.
func (h *harbour) passes(d time.Duration) {
	h.t.Helper()
	if err := h.sim.Advance(h.t.Context(), d-time.Minute); err != nil {
		h.t.Fatal(err)
	}
	passed(time.Minute)
}

// haveThePuzzlePosted switches on the daily puzzle in each server, from the next day on.
func (h *harbour) haveThePuzzlePosted() {
	h.t.Helper()
	for i, v := range h.venues {
		said, err := h.sim.User(fmt.Sprint("x", i)).Write(fmt.Sprint("room-", i), "Good morning")
		if err != nil {
			h.t.Fatal(err)
		}
		p := posting.Post{Venue: v, Kind: posting.Puzzle, Channel: said.ChannelID, Every: posting.Day, Next: h.today() + 1}
		entry := policy.AuditEntry{ID: match.ID(v), Venue: v, By: "1", At: h.sim.Clock().Now(), Kind: policy.PostPuzzles, Chosen: []string{p.Channel}}
		if err := h.store.SetPost(h.t.Context(), p, entry); err != nil {
			h.t.Fatal(err)
		}
	}
}

var postedDay = regexp.MustCompile(`Daily puzzle · (\w+ \d+)`)

// wantPuzzles checks on which days the puzzle was posted in each server, the earliest day first.
func (h *harbour) wantPuzzles(days ...string) { h.t.Helper(); h.wantPosts(postedDay, days...) }

// wantPosts checks which posts with a date that the pattern finds were made in each server, the earliest first.
func (h *harbour) wantPosts(dated *regexp.Regexp, days ...string) {
	h.t.Helper()
	for i := range h.venues {
		messages, err := h.sim.User(fmt.Sprint("x", i)).Messages(fmt.Sprint("room-", i))
		if err != nil {
			h.t.Fatal(err)
		}
		var posted []string
		for _, m := range messages {
			if day := dated.FindStringSubmatch(textOf(m)); day != nil {
				posted = append(posted, day[1])
			}
		}
		if diff := cmp.Diff(days, posted); diff != "" {
			h.t.Errorf("server %d: %s\n%s", i, diff, h.said())
		}
	}
}

func TestReplicasPostThePuzzleOfADay(t *testing.T) {
	longtest.Only(t)
	harbourOnPostgres(t, "once, however they race, are killed and have their clocks set", func(t *testing.T, h *harbour) {
		any4 := gateway.Shards{Of: 4, Any: true}
		first, second := h.start(any4), h.start(any4)
		passed(40 * time.Second)
		h.haveThePuzzlePosted()
		h.passes(12 * time.Hour) // it is midnight now
		h.wantPuzzles("January 3")

		// One process is killed while both are posting. Discord takes two seconds to answer a post.
		h.faults(discordsim.Faults{RESTDelayMS: 2000})
		if err := h.sim.Advance(t.Context(), 24*time.Hour); err != nil {
			t.Fatal(err)
		}
		passed(time.Second)
		if claimed, err := h.store.ClaimedPosts(t.Context(), posting.Puzzle); err != nil || len(claimed) < 2 {
			t.Fatalf("%d posts are claimed, want one by each process: %v\n%s", len(claimed), err, h.said())
		}
		first.kill()
		passed(time.Second)
		h.faults(discordsim.Faults{})
		passed(time.Minute)
		h.wantPuzzles("January 3", "January 4")

		// The clock of another process is two days ahead when the process starts, and is then corrected.
		third := h.start(any4)
		third.date.ahead.Store(int64(48 * time.Hour))
		passed(time.Minute)
		h.wantPuzzles("January 3", "January 4", "January 6")
		third.date.ahead.Store(0)
		second.date.ahead.Store(-int64(24 * time.Hour))
		for range 2 { // the puzzle of January 6 was posted early, so nothing is posted until January 7
			h.passes(24 * time.Hour)
			h.wantPuzzles("January 3", "January 4", "January 6")
		}
		h.passes(24 * time.Hour)
		h.wantPuzzles("January 3", "January 4", "January 6", "January 7")
		second.kill()
		h.passes(24 * time.Hour)
		h.wantPuzzles("January 3", "January 4", "January 6", "January 7", "January 8")
	})
}

func (h *harbour) faults(f discordsim.Faults) {
	h.t.Helper()
	if err := h.sim.SetFaults(f); err != nil {
		h.t.Fatal(err)
	}
}

// solving is a user's puzzle in a private message.
type solving struct {
	h       *harbour
	day     puzzle.Day
	message string
	rules   game.Rules
	wrong   []game.Square // the squares that are wrong as a first press
	told    sync.Map      // the squares that were reported as wrong
}

var isWrong = regexp.MustCompile(`Not (\w+)[.:]`)

// opened opens the puzzle as a user.
func (h *harbour) opened() *solving {
	h.t.Helper()
	r, err := h.sim.User("x0").Command(h.t.Context(), "room-0", "tictactoe daily", nil)
	if err != nil || r.Status != "answered" || r.Message == nil {
		h.t.Fatalf("%v %+v\n%s", err, r, h.said())
	}
	made, err := puzzle.Of(h.t.Context(), h.today())
	if err != nil {
		h.t.Fatal(err)
	}
	s := &solving{h: h, day: made.Day, message: r.Message.ID, rules: made.Start.Rules()}
	for square := range made.Start.Legal().All() {
		state, err := made.Play(square)
		if err != nil {
			h.t.Fatal(err)
		}
		if state.Status == puzzle.Failed {
			s.wrong = append(s.wrong, square)
		}
	}
	if len(s.wrong) < 2*daily.Tries {
		h.t.Fatalf("the puzzle of %v has only %d wrong squares: the test needs a day with more", s.day, len(s.wrong))
	}
	return s
}

// press presses several squares at the same moment, on a board that shows the given number of presses.
func (s *solving) press(presses int, squares []game.Square) {
	s.h.t.Helper()
	var all sync.WaitGroup
	for _, square := range squares {
		all.Go(func() {
			forged := discordsim.Button{CustomID: fmt.Sprintf("daily:%v:%d:%s", s.day, presses, s.rules.Name(square)), Forge: true}
			r, err := s.h.sim.User("x0").Click(s.h.t.Context(), s.message, forged)
			if err != nil || r.Status != "answered" {
				s.h.t.Errorf("%s: %v %+v", s.rules.Name(square), err, r)
			}
			if told := isWrong.FindStringSubmatch(textOf(r.Message)); told != nil {
				s.told.Store(told[1], true)
			}
		})
	}
	all.Wait()
}

// want checks that the given number of presses is stored, all of them wrong, and that only these squares were reported as wrong. It
// returns the wrong squares that are not pressed yet.
func (s *solving) want(presses int) (left []game.Square) {
	s.h.t.Helper()
	a, err := s.h.store.Attempt(s.h.t.Context(), match.User(s.h.sim.User("x0").ID()), s.day)
	if err != nil {
		s.h.t.Fatal(err)
	}
	if len(a.Presses) != presses || a.Presses.Wrong() != presses {
		s.h.t.Errorf("stored are %d presses, %q, want %d\n%s", len(a.Presses), a.Presses, presses, s.h.said())
	}
	known := map[any]bool{}
	for _, p := range a.Presses {
		known[s.rules.Name(p.Square)] = true
	}
	s.told.Range(func(square, _ any) bool {
		if !known[square] {
			s.h.t.Errorf("%v was judged without costing a try: stored are %q", square, a.Presses)
		}
		return true
	})
	return slices.DeleteFunc(slices.Clone(s.wrong), a.Presses.Missed().Has)
}

func TestReplicasJudgeThePressesOnAPuzzle(t *testing.T) {
	longtest.Only(t)
	harbourOnPostgres(t, "once, however they race, are killed and have their clocks set", func(t *testing.T, h *harbour) {
		first, second := h.serve(), h.serve()
		h.passes(12 * time.Hour) // it is a Saturday now, whose board is large
		s := h.opened()
		left := s.want(0)
		s.press(0, left)
		left = s.want(1)
		s.press(0, left) // the user has not seen the new board yet
		s.want(1)
		first.kill()
		s.press(0, left)
		s.want(1)

		// The clocks of the processes that judge the presses differ by days, and midnight has passed.
		third := h.serve()
		second.date.ahead.Store(-int64(48 * time.Hour))
		third.date.ahead.Store(int64(24 * time.Hour))
		h.passes(13 * time.Hour)
		s.press(1, left)
		left = s.want(2)
		s.press(2, left)
		left = s.want(3)
		third.date.ahead.Store(0)
		s.press(3, left)
		s.press(2, left)
		s.want(3)

		// The result is posted once, however often the button is pressed.
		clicks := func(times int, action string) {
			t.Helper()
			var all sync.WaitGroup
			for range times {
				all.Go(func() {
					r, err := h.sim.User("x0").Click(t.Context(), s.message, discordsim.Button{CustomID: fmt.Sprintf("puzzle:%s:%v", action, s.day), Forge: true})
					if err != nil || r.Status != "answered" {
						t.Errorf("%s: %v %+v", action, err, r)
					}
				})
			}
			all.Wait()
		}
		clicks(1, "share")
		clicks(5, "post")
		messages, err := h.sim.User("x0").Messages("room-0")
		if err != nil {
			t.Fatal(err)
		}
		posts := slices.DeleteFunc(messages, func(m *discordsim.Message) bool { return !strings.Contains(textOf(m), "The daily puzzle beat") })
		if len(posts) != 1 {
			t.Errorf("posted %d times\n%s", len(posts), h.said())
		}
	})
}

// haveLeaderboardsPosted switches on the leaderboard of each week in each server.
func (h *harbour) haveLeaderboardsPosted() {
	h.t.Helper()
	for i, v := range h.venues {
		p, err := h.store.Post(h.t.Context(), v, posting.Puzzle)
		if err != nil {
			h.t.Fatal(err)
		}
		p.Kind, p.Every, p.Board, p.Next = posting.Leaderboard, posting.Week, "players", posting.Week.After(h.today())
		entry := policy.AuditEntry{ID: match.ID(fmt.Sprint("weekly", i)), Venue: v, By: "1", At: h.sim.Clock().Now(), Kind: policy.PostLeaderboards}
		if err := h.store.SetPost(h.t.Context(), p, entry); err != nil {
			h.t.Fatal(err)
		}
	}
}

// haveWon stores a match in each server that the first player has won.
func (h *harbour) haveWon() {
	h.t.Helper()
	for i, v := range h.venues {
		now := h.sim.Clock().Now()
		id := match.ID(strconv.FormatInt(now.UnixMilli()*10+int64(i), 32))
		x, o := match.User(h.sim.User(fmt.Sprint("x", i)).ID()), match.User(h.sim.User(fmt.Sprint("o", i)).ID())
		m := match.Start(id, id, v, game.Classic(), match.Seats{match.Human(x), match.Human(o)}, time.Hour, 1, now)
		changes := []match.MatchChange{{To: m}}
		for _, by := range []match.User{x, o} {
			next, err := m.Play(by, m.Record.Len(), game.Square(m.Record.Len()), now)
			if err != nil {
				h.t.Fatal(err)
			}
			changes = append(changes, match.MatchChange{From: m, To: next})
			m = next
		}
		over, err := m.Resign(o, m.Record.Len(), now)
		if err != nil {
			h.t.Fatal(err)
		}
		for _, c := range append(changes, match.MatchChange{From: m, To: over}) {
			if err := h.store.Save(h.t.Context(), match.Save{Matches: []match.MatchChange{c}}); err != nil {
				h.t.Fatal(err)
			}
		}
	}
}

var postedWeek = regexp.MustCompile(`Weekly leaderboard · (\w+ \d+)`)

func TestReplicasPostByTheCalendar(t *testing.T) {
	longtest.Only(t)
	harbourOnPostgres(t, "each puzzle and each leaderboard of eleven days once, though a process is killed around every midnight", func(t *testing.T, h *harbour) {
		replicas := []*replica{h.serve(), h.serve()}
		passed(40 * time.Second)
		h.haveThePuzzlePosted()
		h.haveLeaderboardsPosted()
		seed := rand.Uint64()
		t.Log("seed", seed)
		dice := rand.New(rand.NewPCG(seed, 0))
		var days, weeks []string
		for range 11 { // from Friday, January 2, until Tuesday, January 13
			h.haveWon()
			midnight := (h.today() + 1).Start()
			h.faults(discordsim.Faults{RESTDelayMS: dice.IntN(2500)})
			if err := h.sim.Advance(t.Context(), midnight.Sub(h.sim.Clock().Now())-time.Duration(dice.IntN(3000))*time.Millisecond); err != nil {
				t.Fatal(err)
			}
			passed(time.Duration(dice.IntN(20_000)) * time.Millisecond)
			replicas[0].kill()
			replicas = []*replica{replicas[1], h.serve()}
			passed(time.Duration(dice.IntN(20_000)) * time.Millisecond)
			if dice.IntN(3) == 0 { // the other one, too
				replicas[0].kill()
				replicas = []*replica{replicas[1], h.serve()}
			}
			h.faults(discordsim.Faults{})
			passed(5 * time.Minute)
			days = append(days, midnight.Format("January 2"))
			if midnight.Weekday() == time.Monday {
				weeks = append(weeks, midnight.AddDate(0, 0, -7).Format("January 2"))
			}
			h.wantPosts(postedDay, days...)
			h.wantPosts(postedWeek, weeks...)
		}
	})
}
