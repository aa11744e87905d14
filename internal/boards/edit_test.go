package boards_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/internal/boards"
	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
)

// movedUnseen starts a match in which alice has played b2 without a reply that shows it.
func (d *desk) movedUnseen() {
	d.t.Helper()
	d.started(time.Minute)
	d.flush()
	d.lost = errors.New("no connection")
	d.plays(alice, 0, "b2")
}

func TestABoardThatIsBehindIsDrawn(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.started(time.Minute)
		d.flush()
		d.expire()
		d.poke()
		stop := d.work()
		later(boards.CollectTime)
		if got := d.discord.take(); !slices.Contains(got, d.edit()) {
			t.Errorf("asked for %q", got)
		}
		d.says(d.board(), "over")
		d.poke()
		later(time.Minute)
		d.asked() // the board is up to date now
		stop()
		if got := d.discord.log.String(); got != "" {
			t.Error(got)
		}
	})
}

func TestARestartDrawsTheBoardsThatAreBehind(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.movedUnseen()
		d.redraw = d.another()
		d.work()
		d.redraw.CatchUp(match.Partition{})
		later(time.Minute)
		if got := d.discord.take(); !slices.Contains(got, d.edit()) || d.behind() != nil {
			t.Errorf("asked for %q, behind: %q", got, d.behind())
		}
		d.says(d.board(), ".../.X./...")
	})
}

func TestAClickDuringARedrawWins(t *testing.T) {
	d := newDesk(t)
	d.movedUnseen()
	d.discord.during = func(string) {
		d.discord.during = nil
		d.plays(bob, 1, "a1")
	}
	if got := d.flush(); len(got) < 2 || got[0] != d.edit() || got[1] != d.edit() && !slices.Contains(got, d.edit()) {
		t.Errorf("asked for %q", got)
	}
	d.says(d.board(), "O../.X./...")
	if d.shown().Shown != d.match.Version {
		t.Errorf("%+v", d.shown())
	}
}

func TestAnEditShowsTheNewestVersionWhenItIsSent(t *testing.T) {
	d := newDesk(t)
	d.movedUnseen()
	d.discord.waiting = func() { // like a wait for a rate limit
		d.discord.waiting = nil
		d.plays(bob, 1, "a1")
	}
	d.flush()
	d.says(d.board(), "O../.X./...")
}

func TestABoardThatShrinksWhileItsEditWaits(t *testing.T) {
	d := newDesk(t)
	tidy := policy.Policy{Venue: home, TidyAfter: time.Minute, Version: 1}
	entry := policy.AuditEntry{ID: "0", Venue: home, By: alice, At: d.now, Kind: policy.SetTidy}
	if err := d.store.SetPolicy(t.Context(), policy.Policy{Venue: home}, tidy, entry); err != nil {
		t.Fatal(err)
	}
	d.started(time.Minute)
	d.plays(alice, 0, "b2")
	d.flush()
	d.resignUnseen(1)
	d.discord.waiting = func() {
		d.discord.waiting = nil
		if err := d.store.Shrink(t.Context(), "shrink", d.match.ID); err != nil {
			t.Fatal(err)
		}
	}
	d.poke()
	d.flush()
	d.says(d.board(), "over, small")
}

// TestAKillAfterAnOldEditLandedOnANewerBoard tests a process that is killed after this sequence: a click redraws a board while the
// process edits it, the receipt of the click is saved, and then the edit arrives.
func TestAKillAfterAnOldEditLandedOnANewerBoard(t *testing.T) {
	for name, beside := range map[string]bool{"by the process that answers the click": false, "by another": true} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.movedUnseen()
			killed, kill := context.WithCancel(t.Context())
			editing := d.redraw
			d.discord.during = func(request string) {
				if request != d.edit() {
					return
				}
				d.discord.during = nil
				if beside {
					d.redraw = d.another()
				}
				d.plays(bob, 1, "a1")
				if err := d.redraw.SaveReceipts(t.Context()); err != nil {
					t.Error(err)
				}
				kill()
			}
			editing.Flush(killed)
			if says := d.discord.says(d.board()); !strings.Contains(says, ".../.X./...") || d.shown().Shown != d.match.Version {
				t.Fatalf("the old edit did not land on top: %s, %+v", says, d.shown())
			}
			if got := d.behind(); !slices.Contains(got, d.match.ID) {
				t.Error("the store does not know that the board is old")
			}
			d.redraw = d.another()
			d.poke()
			d.flush()
			d.says(d.board(), "O../.X./...")
			if d.behind() != nil {
				t.Error(d.behind())
			}
		})
	}
}

// TestTwoProcessesDrawOneBoard tests two processes that edit one board, where the older edit arrives last.
func TestTwoProcessesDrawOneBoard(t *testing.T) {
	d := newDesk(t)
	d.movedUnseen()
	slow := d.redraw
	d.discord.during = func(string) {
		d.discord.during = nil
		d.redraw = d.another()
		d.plays(bob, 1, "a1")
		d.redraw.Flush(t.Context())
	}
	slow.Flush(t.Context())
	d.says(d.board(), "O../.X./...")
	if d.behind() != nil {
		t.Error(d.behind())
	}
}

// TestAReplyUnderWay tests a board that was drawn before the receipt of the reply to the newest click came, where
// this reply showed an older version.
func TestAReplyUnderWay(t *testing.T) {
	start := func(d *desk) {
		d.started(time.Minute)
		d.flush()
		ours := d.redraw
		d.redraw = d.another() // the receipts of the first process are lost
		d.plays(alice, 0, "b2")
		d.redraw = ours
		d.resignUnseen(1)
		d.poke()
	}
	t.Run("leaves the board behind, for the process that comes after a kill", func(t *testing.T) {
		d := newDesk(t)
		start(d)
		d.flush()
		if got := d.behind(); !slices.Contains(got, d.match.ID) {
			t.Errorf("%+v", d.shown())
		}
		d.redraw = d.another()
		d.poke()
		if got := d.flush(); len(got) != 1 || d.behind() != nil {
			t.Errorf("asked for %q, %+v", got, d.shown())
		}
	})
	t.Run("the reply is given time to arrive, and then the board is drawn again", func(t *testing.T) {
		bubble(t, func(t *testing.T, d *desk) {
			start(d)
			d.work()
			later(time.Hour)
			edits := slices.DeleteFunc(d.discord.take(), func(r string) bool { return r != d.edit() })
			if got := d.behind(); got != nil || len(edits) != 2 {
				t.Errorf("drawn %d times, still behind: %q", len(edits), got)
			}
		})
	})
}

func TestTheReplyToAnOldClickIsIgnored(t *testing.T) {
	d := newDesk(t)
	d.started(time.Minute)
	d.flush()
	ours := d.redraw
	d.redraw = d.another() // the receipts of the first process are lost
	d.plays(alice, 0, "b2")
	d.redraw = ours
	d.resignUnseen(1)
	d.poke()
	d.now = d.now.Add(time.Minute)
	d.flush()
	if d.behind() != nil {
		t.Errorf("behind: %q", d.behind())
	}
}

func TestAnUndrawableBoardIsTriedAFewTimes(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.started(time.Minute)
		d.flush()
		d.work()
		later(0) // the redrawer reads the clock before expire sets it
		d.expire()
		d.discord.fail = func(string) error { return errors.New("HTTP 502") }
		d.poke()
		later(time.Hour)
		if got := d.discord.take(); len(got) != boards.MaxTries {
			t.Errorf("%d tries", len(got))
		}
		if got := d.discord.log.String(); strings.Count(got, "will be tried again") != boards.MaxTries-1 || !strings.Contains(got, "left to its next click") {
			t.Error(got)
		}
		d.discord.fail = nil
		d.redraw.CatchUp(match.Partition{})
		later(time.Minute)
		if got := d.discord.take(); !slices.Contains(got, d.edit()) {
			t.Errorf("asked for %q", got)
		}
	})
}

func TestABoardIsLeftToTheClickInItsLane(t *testing.T) {
	for name, tt := range map[string]struct {
		lost  error
		takes time.Duration
		drawn bool
	}{
		"whose reply arrives":             {nil, 2 * time.Second, false},
		"whose reply does not arrive":     {errors.New("HTTP 502"), 2 * time.Second, true},
		"whose reply takes very long":     {nil, 20 * time.Second, false},
		"whose reply is lost only lately": {errors.New("HTTP 502"), 20 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				d.started(time.Minute)
				d.flush()
				d.work()
				m, err := d.referee.Play(t.Context(), d.request(alice, d.match.ID, d.board()), d.match.ID, 0, "b2")
				if err != nil {
					t.Fatal(err)
				}
				go d.lanes.Edit(t.Context(), d.board(), func() error {
					<-time.After(tt.takes)
					d.lost = tt.lost
					d.show(m, nil)
					return nil
				})
				later(0)
				d.poke()
				later(tt.takes - time.Millisecond)
				d.asked()
				later(2 * boards.RetryPause)
				if got := slices.Contains(d.discord.take(), d.edit()); got != tt.drawn {
					t.Errorf("drawn: %v", got)
				}
				if d.behind() != nil || strings.Contains(d.discord.log.String(), "left to its next click") {
					t.Error(d.behind(), d.discord.log.String())
				}
			})
		})
	}
}

func TestAClickWaitsForTheEditOfItsBoard(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.movedUnseen()
		began, ended := make(chan struct{}), false
		d.discord.during = func(string) {
			d.discord.during = nil
			close(began)
			<-time.After(300 * time.Millisecond)
			ended = true
		}
		d.work()
		<-began
		at := time.Now()
		err := d.lanes.Edit(t.Context(), d.board(), func() error {
			if !ended || time.Since(at) != 300*time.Millisecond {
				t.Errorf("the click was handled after %v, during the edit", time.Since(at))
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}
