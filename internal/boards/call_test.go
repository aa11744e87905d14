package boards_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/boards"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
)

func TestTheSideToMoveIsCalledOncePerTurn(t *testing.T) {
	d := newDesk(t)
	d.started(time.Hour)
	d.flushes(d.calls(alice))
	d.says("post-1", "begun, alice")
	d.poke()
	d.flushes()
	d.plays(alice, 0, "b2")
	d.flushes("delete general/post-1", d.calls(bob))
	d.says("post-2", "turn of bob")
	d.plays(bob, 1, "a1")
	d.flushes("delete general/post-2", d.calls(alice))
	m, err := d.referee.Resign(t.Context(), d.request(bob, d.match.ID, d.board()), d.match.ID, 2)
	d.show(m, err)
	d.flushes("delete general/post-3")
}

func TestTheProposerIsToldThatTheMatchHasBegun(t *testing.T) {
	for _, turn := range []time.Duration{time.Minute, 5 * time.Minute, time.Hour, 24 * time.Hour} {
		t.Run(turn.String(), func(t *testing.T) {
			d := newDesk(t)
			d.started(turn)
			d.flushes(d.calls(alice))
			d.poke()
			d.flushes()
			d.plays(alice, 0, "b2")
			if got := d.flush(); len(got) == 0 || got[0] != "delete general/post-1" {
				t.Errorf("asked for %q", got)
			}
		})
	}
	t.Run("a proposer who moves second", func(t *testing.T) {
		d := newDesk(t)
		d.accept(d.challenge(match.Them, time.Minute))
		d.flushes(d.calls(alice))
		d.plays(bob, 0, "b2")
		d.flushes()
		d.plays(alice, 1, "a1")
		d.flushes("delete general/post-1")
	})
	t.Run("by a token where the bot is no member", func(t *testing.T) {
		d := newDesk(t)
		d.guest = true
		d.started(time.Minute)
		d.flushes("post by token-2 notifying alice")
		d.plays(alice, 0, "b2")
		d.flushes("delete post-1 by token-2")
	})
	t.Run("unless mentions are switched off", func(t *testing.T) {
		d := newDesk(t)
		if err := d.store.SetTurnMentions(t.Context(), alice, true); err != nil {
			t.Fatal(err)
		}
		d.started(time.Minute)
		d.flushes()
	})
}

func TestTheSideToMoveIsCalledAfterAMinuteOfFive(t *testing.T) {
	moved := func(d *desk) {
		d.started(5 * time.Minute)
		d.plays(alice, 0, "b2")
	}
	t.Run("not before that minute", func(t *testing.T) {
		d := newDesk(t)
		moved(d)
		d.flushes()
		d.now = d.now.Add(boards.MentionAfter - 1)
		d.flushes()
		d.now = d.now.Add(1)
		d.flushes(d.calls(bob))
		d.now = d.now.Add(time.Minute)
		d.flushes()
		d.plays(bob, 1, "a1")
		d.flushes("delete general/post-1")
	})
	t.Run("only for the newest turn", func(t *testing.T) {
		d := newDesk(t)
		moved(d)
		d.flushes()
		d.now = d.now.Add(50 * time.Second)
		d.plays(bob, 1, "a1")
		d.flushes()
		d.now = d.now.Add(50 * time.Second)
		d.flushes()
		d.now = d.now.Add(10 * time.Second)
		d.flushes(d.calls(alice))
	})
	t.Run("only after a minute in which the players were heard", func(t *testing.T) {
		d := newDesk(t)
		moved(d)
		d.flushes()
		missed := clock.Span{From: d.now, To: d.now.Add(time.Minute)} // the bot received no player's clicks in this minute
		if _, err := d.store.Credit(t.Context(), match.Partition{}, missed); err != nil {
			t.Fatal(err)
		}
		d.now = d.now.Add(time.Minute)
		if got := d.flush(); slices.Contains(got, d.calls(bob)) {
			t.Errorf("asked for %q", got)
		}
		d.now = d.now.Add(time.Minute)
		if got := d.flush(); !slices.Contains(got, d.calls(bob)) {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("without any other event", func(t *testing.T) {
		bubble(t, func(t *testing.T, d *desk) {
			began, noon := time.Now(), d.now
			config := d.redraw.RedrawerConfig
			config.Now = func() time.Time { return noon.Add(time.Since(began)) }
			d.redraw = boards.NewRedrawer(config)
			moved(d)
			d.work()
			later(boards.MentionAfter - time.Second)
			d.asked()
			later(2 * time.Second)
			d.asked(d.calls(bob))
		})
	})
}

func TestAFailedMention(t *testing.T) {
	t.Run("is not repeated: no player is called twice for one turn", func(t *testing.T) {
		for _, why := range []error{messages.ErrForbidden, messages.ErrGone, errors.New("timeout")} {
			d := newDesk(t)
			d.started(time.Hour)
			d.plays(alice, 0, "b2")
			d.discord.fail = only("post", why)
			d.flushes(d.calls(bob))
			d.discord.fail = nil
			d.poke()
			d.flushes()
		}
	})
	t.Run("because Discord asks to wait is repeated: no player was called", func(t *testing.T) {
		d := newDesk(t)
		d.started(time.Hour)
		d.discord.fail = only("post", rateLimited(time.Hour))
		d.flushes(d.calls(alice))
		d.discord.fail = nil
		d.poke()
		d.flushes(d.calls(alice))
		if b := d.shown(); b.Mention != (board.Mention{Ply: 1, Message: "post-1"}) {
			t.Errorf("%+v", b.Mention)
		}
	})
	t.Run("because of a known limit leaves the old mention until then", func(t *testing.T) {
		d := newDesk(t)
		d.started(time.Hour)
		d.flush()
		d.plays(alice, 0, "b2")
		d.discord.limit = only("post", rateLimited(time.Hour))
		d.flushes()
		d.discord.limit = nil
		d.poke()
		d.flushes("delete general/post-1", d.calls(bob))
	})
	t.Run("to be deleted because it is already gone is no failure", func(t *testing.T) {
		d := newDesk(t)
		d.started(time.Hour)
		d.flush()
		d.plays(alice, 0, "b2")
		d.discord.fail = only("delete", messages.ErrGone)
		d.flushes("delete general/post-1", d.calls(bob))
	})
	t.Run("to be deleted is repeated", func(t *testing.T) {
		d := newDesk(t)
		d.started(time.Hour)
		d.flush()
		d.plays(alice, 0, "b2")
		d.discord.fail = func(string) error { return errors.New("timeout") }
		d.flushes("delete general/post-1")
		d.discord.fail = nil
		d.poke()
		d.flushes("delete general/post-1", d.calls(bob))
	})
}

// begun begins a match of alice, who moves first, against bob, that neither has asked for, with a board in the channel.
func (d *desk) begun(turn time.Duration) {
	d.t.Helper()
	id := match.DerivedID("pair", "1")
	m := match.Start(id, id, home, game.Classic(), match.Seats{match.Human(alice), match.Human(bob)}, turn, 1, d.now)
	reference := board.Reference{ID: id, Guild: home, Channel: general, Member: !d.guest}
	if err := d.store.Save(d.t.Context(), match.Save{Matches: []match.MatchChange{{To: m}}, Extras: []match.Extra{reference}}); err != nil {
		d.t.Fatal(err)
	}
	d.match = m
	d.poke()
}

const (
	searches  = "latest in " + general
	callsBoth = "post to " + general + " notifying alice bob"
)

func TestABoardOfAMatchThatTheBotBegins(t *testing.T) {
	t.Run("is posted once, and calls both players", func(t *testing.T) {
		for _, turn := range []time.Duration{time.Minute, time.Hour} {
			d := newDesk(t)
			d.begun(turn)
			d.flushes(searches, callsBoth)
			d.says("post-1", ".../.../... alice bob")
			if b := d.shown(); b.Message != "post-1" || b.Shown != 1 || b.Edit != "" {
				t.Errorf("%+v", b)
			}
			d.poke()
			d.flushes()
			m, err := d.referee.Play(t.Context(), d.request(alice, d.match.ID, "post-1"), d.match.ID, 0, "b2")
			if err != nil || m.Record.Len() != 1 {
				t.Error(err)
			}
		}
	})
	t.Run("calls only players who want it", func(t *testing.T) {
		d := newDesk(t)
		if err := d.store.SetTurnMentions(t.Context(), alice, true); err != nil {
			t.Fatal(err)
		}
		d.begun(time.Minute)
		d.flushes(searches, "post to "+general+" notifying bob")
	})
	t.Run("is posted by the next process if the first ends before that", func(t *testing.T) {
		bubble(t, func(t *testing.T, d *desk) {
			d.begun(time.Minute)
			d.redraw = d.another()
			d.work()
			d.redraw.CatchUp(match.Partition{})
			later(time.Minute)
			d.asked(searches, callsBoth)
		})
	})
	t.Run("is left to the players where the bot is no member", func(t *testing.T) {
		d := newDesk(t)
		d.guest = true
		d.begun(time.Minute)
		d.flushes()
	})
	t.Run("is posted when a closed channel is open again", func(t *testing.T) {
		d := newDesk(t)
		d.discord.fail = only("post", messages.ErrForbidden)
		d.discord.unread = true
		d.begun(time.Minute)
		d.flushes(searches, callsBoth)
		d.discord.fail = nil
		d.poke()
		d.flushes(searches, callsBoth)
	})
	t.Run("is posted when Discord's limit is over", func(t *testing.T) {
		d := newDesk(t)
		d.discord.fail, d.discord.unread = only("post", rateLimited(time.Hour)), true
		d.begun(time.Minute)
		d.flushes(searches, callsBoth)
		d.discord.fail = nil
		d.poke()
		d.flushes(searches, callsBoth)
	})
}

// TestAKillWhileABoardIsPosted tests a process that is killed after Discord has posted a board, and before the message's id is saved.
func TestAKillWhileABoardIsPosted(t *testing.T) {
	for _, tt := range []struct {
		name   string
		unread bool // the bot may not read the channel
		found  bool // the message arrived
		want   []string
	}{
		{"the message is found", false, true, []string{searches, "edit general/post-1"}},
		{"a message that is not there is posted", false, false, []string{searches, callsBoth}},
		{"nothing is posted twice in a channel that cannot be searched", true, true, []string{searches}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t)
			killed, kill := context.WithCancel(t.Context())
			d.discord.during = func(request string) {
				if request == callsBoth {
					kill()
				}
			}
			if !tt.found {
				d.discord.fail = only("post", context.Canceled)
			}
			d.begun(time.Minute)
			d.redraw.Flush(killed)
			if b := d.shown(); b.Message != "" || b.Edit == "" {
				t.Fatalf("%+v", b)
			}
			d.discord.fail, d.discord.during, d.discord.unread = nil, nil, tt.unread
			if tt.found {
				d.discord.recent = []messages.Sent{{ID: "post-1", Carried: []string{"play:" + string(d.match.ID)}}}
			}
			d.discord.take()
			d.redraw = d.another()
			d.poke()
			d.flushes(tt.want...)
			if b := d.shown(); b.Message != "post-1" && !tt.unread {
				t.Errorf("%+v", b)
			}
		})
	}
}

// TestTwoProcessesPostABoard tests that if two processes see that a board has no message, they post it once.
func TestTwoProcessesPostABoard(t *testing.T) {
	for name, when := range map[string]string{"before the first post is named": searches, "while the first post is under way": callsBoth} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				d.begun(time.Minute)
				other := d.another()
				d.discord.during = func(request string) {
					if request == when {
						d.discord.during = nil
						other.Enqueue(d.match.ID)
						other.Flush(t.Context())
					}
				}
				d.flush()
				if b := d.shown(); b.Message != "post-1" || d.discord.next != 1 {
					t.Errorf("%d messages, %+v", d.discord.next, b)
				}
			})
		})
	}
}

// slowBoards is a store of boards that calls a function once, after the redrawer has read the row of a board.
type slowBoards struct {
	board.Store
	meanwhile func()
}

func (s *slowBoards) TurnMentionsOff(ctx context.Context, p match.User) (bool, error) {
	if meanwhile := s.meanwhile; meanwhile != nil {
		s.meanwhile = nil
		meanwhile()
	}
	return s.Store.TurnMentionsOff(ctx, p)
}

// TestTwoProcessesCallAPlayer tests that if two processes see that the mention is missing, only one of them posts it.
func TestTwoProcessesCallAPlayer(t *testing.T) {
	d := newDesk(t)
	d.started(time.Hour)
	if err := d.redraw.SaveReceipts(t.Context()); err != nil {
		t.Fatal(err)
	}
	quick, config := d.another(), d.redraw.RedrawerConfig
	config.Boards = &slowBoards{config.Boards, func() {
		quick.Enqueue(d.match.ID)
		quick.Flush(t.Context())
	}}
	config.Lanes = new(bot.Lanes)
	d.redraw = boards.NewRedrawer(config)
	d.poke()
	d.flushes(d.calls(alice))
	if b := d.shown(); b.Mention != (board.Mention{Ply: 1, Message: "post-1"}) {
		t.Errorf("%+v", b.Mention)
	}
}
