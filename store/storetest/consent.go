package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"tictactoe/internal/board"
	"tictactoe/internal/match"
	"tictactoe/internal/player"
)

// answered saves a challenge from one to another that ends so, at once.
func (s tester) answered(id match.ID, from, to match.Player, status match.ChallengeStatus, at time.Time) {
	s.t.Helper()
	c := invite(s.t, id, from, to, at)
	next := c
	next.Status, next.Deadline, next.Version = status, time.Time{}, c.Version+1
	s.save(match.CreateChallenge{Challenge: c})
	s.save(match.UpdateChallenge{From: c, To: next}, match.Answered{Challenge: next, At: at})
}

// asks is why one player may not challenge another, or answer the other; empty if that is allowed.
func (s tester) asks(by, other match.Player, challenge bool, at time.Time) match.Reason {
	s.t.Helper()
	err := s.Save(s.ctx, match.Name{Player: by, Name: "asked"}, match.Consent{By: by, Other: other, Challenge: challenge, At: at})
	if err == nil {
		return ""
	}
	refusal := (*match.Refusal)(nil)
	if !errors.As(err, &refusal) {
		s.t.Fatal(err)
	}
	return refusal.Reason
}

func testConsent(t *testing.T, open func(t *testing.T) Store) {
	for _, tt := range []struct {
		name      string
		setup     func(tester)
		at        time.Time
		challenge match.Reason
		answer    match.Reason
	}{
		{"who has said nothing may be asked", func(tester) {}, noon(), "", ""},
		{"who takes no challenges may be answered", func(s tester) { s.save(player.Closed{Player: bob, On: true}) }, noon(), match.NotTaking, ""},
		{"who takes them again may be challenged", func(s tester) {
			s.save(player.Closed{Player: bob, On: true})
			s.save(player.Closed{Player: bob})
		}, noon(), "", ""},
		{"that the one who asks takes none does not matter", func(s tester) { s.save(player.Closed{Player: alice, On: true}) }, noon(), "", ""},
		{"who is blocked may not ask", func(s tester) {
			s.save(player.Blocks{Player: bob, Blocked: []match.Player{carol, alice}})
		}, noon(), match.NotTaking, match.NotTaking},
		{"nor who blocks", func(s tester) {
			s.save(player.Blocks{Player: alice, Blocked: []match.Player{bob}})
		}, noon(), match.Blocking, match.Blocking},
		{"a block of others does not matter", func(s tester) {
			s.save(player.Blocks{Player: bob, Blocked: []match.Player{carol}}, player.Blocks{Player: carol, Blocked: []match.Player{alice}})
		}, noon(), "", ""},
		{"who was turned down has to wait", func(s tester) { s.answered("c", alice, bob, match.Declined, noon()) }, after(119), match.TooSoon, ""},
		{"until that is over", func(s tester) { s.answered("c", alice, bob, match.Declined, noon()) }, after(120), "", ""},
		{"longer the second time", func(s tester) {
			s.answered("c", alice, bob, match.Declined, noon())
			s.answered("d", alice, bob, match.Declined, after(120))
		}, after(120 + 599), match.TooSoon, ""},
		{"who turned down does not", func(s tester) { s.answered("c", bob, alice, match.Declined, noon()) }, noon(), "", ""},
		{"nor who was turned down by others", func(s tester) { s.answered("c", alice, carol, match.Declined, noon()) }, noon(), "", ""},
		{"nor after a single challenge that ran out", func(s tester) { s.answered("c", alice, bob, match.Expired, noon()) }, noon(), "", ""},
		{"but after two that were taken back", func(s tester) {
			s.answered("c", alice, bob, match.Withdrawn, noon())
			s.answered("d", alice, bob, match.Withdrawn, noon())
		}, noon(), match.TooSoon, ""},
		{"an accepted challenge settles it, whoever sent it", func(s tester) {
			s.answered("c", alice, bob, match.Declined, noon())
			s.answered("d", bob, alice, match.Accepted, noon())
		}, noon(), "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t, open)
			tt.setup(s)
			same(t, s.asks(alice, bob, true, tt.at), tt.challenge)
			same(t, s.asks(alice, bob, false, tt.at), tt.answer)
			names := must[map[match.Player]string](t)(s.Names(s.ctx, alice))
			if _, saved := names[alice]; tt.challenge != "" && tt.answer != "" && saved {
				t.Error("what came with a refusal was saved")
			}
		})
	}
}

func testSettings(t *testing.T, open func(t *testing.T) Store) {
	settings := func(s tester, p match.Player) player.Settings {
		s.t.Helper()
		return must[player.Settings](s.t)(s.Settings(s.ctx, p))
	}
	t.Run("who has chosen nothing has the zero value", func(t *testing.T) {
		same(t, settings(start(t, open), alice), player.Settings{})
	})
	t.Run("each choice leaves the others", func(t *testing.T) {
		s := start(t, open)
		s.save(player.Closed{Player: alice, On: true})
		s.save(player.Blocks{Player: alice, Blocked: []match.Player{carol, bob}})
		s.save(board.Quiet{Player: alice, Off: true}, match.Name{Player: alice, Name: "Alice"})
		same(t, settings(s, alice), player.Settings{Closed: true, Quiet: true, Blocked: []match.Player{bob, carol}})
		same(t, settings(s, bob), player.Settings{})
		s.save(player.Closed{Player: alice})
		same(t, settings(s, alice), player.Settings{Quiet: true, Blocked: []match.Player{bob, carol}})
	})
	t.Run("blocks replace those before", func(t *testing.T) {
		s := start(t, open)
		s.save(player.Blocks{Player: alice, Blocked: []match.Player{bob}})
		s.save(player.Blocks{Player: alice, Blocked: []match.Player{carol}})
		same(t, settings(s, alice), player.Settings{Blocked: []match.Player{carol}})
		s.save(player.Blocks{Player: alice})
		same(t, settings(s, alice), player.Settings{})
	})
	t.Run("more than fit a menu, or oneself, are refused, and nothing of it is saved", func(t *testing.T) {
		s := start(t, open)
		var many []match.Player
		for i := range player.MaxBlocked + 1 {
			many = append(many, match.Player(fmt.Sprint("p", i)))
		}
		for _, blocked := range [][]match.Player{many, {bob, alice}, {""}} {
			if err := s.Save(s.ctx, player.Blocks{Player: alice, Blocked: blocked}); err == nil {
				t.Errorf("%d were saved", len(blocked))
			}
		}
		same(t, settings(s, alice), player.Settings{})
	})
}
