package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/user"
)

// answered saves a challenge and, at the same time, its end with the given status.
func (s tester) answered(id match.ID, from, to match.User, status match.ChallengeStatus, at time.Time) {
	s.t.Helper()
	c := invite(s.t, id, from, to, at)
	next := c
	next.Status, next.Deadline, next.Version = status, time.Time{}, c.Version+1
	s.invite(c)
	s.save(match.Save{Challenge: match.ChallengeChange{From: c, To: next, At: at}})
}

// asks returns the reason why the first player may not challenge the second, or answer a challenge of the second. It is empty if
// the player may.
func (s tester) asks(by, other match.User, challenge bool, at time.Time) match.Reason {
	s.t.Helper()
	consent := match.Consent{By: by, Other: other, Challenge: challenge, At: at}
	return s.refusal(match.Save{Consent: consent, Names: []match.Name{{Player: by, Name: "asked"}}}).Reason
}

// refusal returns the refusal of a save, or the zero value if it succeeds. Any other error ends the test.
func (s tester) refusal(save match.Save) match.Refusal {
	s.t.Helper()
	err := s.Save(s.ctx, save)
	if refusal := (*match.Refusal)(nil); errors.As(err, &refusal) {
		return *refusal
	}
	s.do(err)
	return match.Refusal{}
}

// missed saves matches that the player proposed to another player, as X and as O in turn. In each the player ran out of time
// without a move, by noon.
func (s tester) missed(by, other match.User, ids ...match.ID) {
	s.t.Helper()
	for i, id := range ids {
		seats, mark := match.Seats{match.Human(by), match.Human(other)}, game.X+game.Mark(i%2)
		if mark == game.O {
			seats = seats.Swapped()
		}
		m := match.Start(id, id, "", game.Classic(), seats, time.Minute, 1, noon().Add(-time.Minute))
		m.Proposer = mark
		if mark == game.O {
			m = must[match.Match](s.t)(m.Play(other, 0, 4, noon().Add(-time.Minute)))
		}
		s.create(m)
		void, _ := m.Expire(noon())
		s.replace(m, void)
	}
}

func testConsent(t *testing.T, open opener) {
	for _, tt := range []struct {
		name      string
		setup     func(tester)
		at        time.Time
		challenge match.Reason
		answer    match.Reason
	}{
		{"a player without settings may be challenged", func(tester) {}, noon(), "", ""},
		{"who takes no challenges may be answered", func(s tester) { s.do(s.SetClosed(s.ctx, bob, true)) }, noon(), match.NotTaking, ""},
		{"who takes them again may be challenged", func(s tester) {
			s.do(s.SetClosed(s.ctx, bob, true))
			s.do(s.SetClosed(s.ctx, bob, false))
		}, noon(), "", ""},
		{"that the one who asks takes none does not matter", func(s tester) { s.do(s.SetClosed(s.ctx, alice, true)) }, noon(), "", ""},
		{"who is blocked may not ask", func(s tester) {
			s.do(s.SetBlocked(s.ctx, bob, []match.User{carol, alice}))
		}, noon(), match.NotTaking, match.NotTaking},
		{"nor who blocks", func(s tester) {
			s.do(s.SetBlocked(s.ctx, alice, []match.User{bob}))
		}, noon(), match.Blocking, match.Blocking},
		{"a block of others does not matter", func(s tester) {
			s.do(s.SetBlocked(s.ctx, bob, []match.User{carol}))
			s.do(s.SetBlocked(s.ctx, carol, []match.User{alice}))
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
		{"who missed two matches of a day may challenge", func(s tester) { s.missed(alice, bob, "a", "b") }, noon(), "", ""},
		{"after the third there is a wait", func(s tester) { s.missed(alice, carol, "a", "b", "d") }, after(599), match.MissedMatches, ""},
		{"until that is over", func(s tester) { s.missed(alice, carol, "a", "b", "d") }, after(600), "", ""},
		{"longer after the fourth", func(s tester) { s.missed(alice, bob, "a", "b", "d", "e") }, after(1199), match.MissedMatches, ""},
		{"and a day later nothing of it counts", func(s tester) { s.missed(alice, bob, "a", "b", "d", "e") }, after(24 * 3600), "", ""},
		{"a player whom others kept waiting may challenge", func(s tester) { s.missed(bob, alice, "a", "b", "d", "e") }, noon(), "", ""},
		{"nor after open ones that nobody accepted", func(s tester) {
			s.answered("c", alice, "", match.Withdrawn, noon())
			s.answered("d", alice, "", match.Expired, noon())
		}, noon(), "", ""},
		{"an accepted challenge by either player settles it", func(s tester) {
			s.answered("c", alice, bob, match.Declined, noon())
			s.answered("d", bob, alice, match.Accepted, noon())
		}, noon(), "", ""},
	} {
		subtest(t, open, tt.name, func(t *testing.T, s tester) {
			tt.setup(s)
			same(t, s.asks(alice, bob, true, tt.at), tt.challenge)
			same(t, s.asks(alice, bob, false, tt.at), tt.answer)
			takes := s.refusal(match.Save{Consent: match.Consent{By: alice, Other: bob, Open: true, At: tt.at}})
			if tt.answer == match.NotTaking || tt.challenge == match.TooSoon {
				same(t, takes, match.Refusal{Reason: match.NotOpen, Player: bob}) // a block and a back-off look the same
			} else {
				same(t, takes.Reason, tt.answer)
			}
			if tt.challenge == match.MissedMatches {
				same(t, s.refusal(match.Save{Consent: match.Consent{By: alice, Challenge: true, At: tt.at}}).Reason, tt.challenge)
			}
			names := s.names(alice)
			if _, saved := names[alice]; tt.challenge != "" && tt.answer != "" && saved {
				t.Error("parts of a refused save were saved")
			}
		})
	}
}

func testSettings(t *testing.T, open opener) {
	settings := func(s tester, p match.User) user.Settings {
		s.t.Helper()
		return must[user.Settings](s.t)(s.Settings(s.ctx, p))
	}
	t.Run("a player without settings has the zero value", func(t *testing.T) {
		same(t, settings(start(t, open), alice), user.Settings{})
	})
	subtest(t, open, "each choice leaves the others", func(t *testing.T, s tester) {
		s.do(s.SetClosed(s.ctx, alice, true))
		s.do(s.SetBlocked(s.ctx, alice, []match.User{carol, bob}))
		s.do(s.SetTurnMentions(s.ctx, alice, true))
		s.save(match.Save{Names: []match.Name{{Player: alice, Name: "Alice"}}})
		same(t, settings(s, alice), user.Settings{NotTaking: true, MentionsOff: true, Blocked: []match.User{bob, carol}})
		same(t, settings(s, bob), user.Settings{})
		s.do(s.SetTextBoard(s.ctx, alice, true))
		same(t, settings(s, alice), user.Settings{NotTaking: true, MentionsOff: true, TextBoard: true, Blocked: []match.User{bob, carol}})
		s.do(s.SetTextBoard(s.ctx, alice, false))
		s.do(s.SetLanguage(s.ctx, alice, "pt-BR"))
		same(t, settings(s, alice), user.Settings{NotTaking: true, MentionsOff: true, Language: "pt-BR", Blocked: []match.User{bob, carol}})
		same(t, must[string](t)(s.Language(s.ctx, alice)), "pt-BR")
		same(t, must[string](t)(s.Language(s.ctx, bob)), "")
		s.do(s.SetLanguage(s.ctx, alice, ""))
		s.do(s.SetHidden(s.ctx, alice, true))
		same(t, settings(s, alice), user.Settings{NotTaking: true, MentionsOff: true, Hidden: true, Blocked: []match.User{bob, carol}})
		s.do(s.SetHidden(s.ctx, alice, false))
		s.do(s.SetClosed(s.ctx, alice, false))
		same(t, settings(s, alice), user.Settings{MentionsOff: true, Blocked: []match.User{bob, carol}})
	})
	subtest(t, open, "new blocks replace the stored blocks", func(t *testing.T, s tester) {
		s.do(s.SetBlocked(s.ctx, alice, []match.User{bob}))
		s.do(s.SetBlocked(s.ctx, alice, []match.User{carol}))
		same(t, settings(s, alice), user.Settings{Blocked: []match.User{carol}})
		s.do(s.SetBlocked(s.ctx, alice, nil))
		same(t, settings(s, alice), user.Settings{})
	})
	subtest(t, open, "more than fit a menu, or oneself, are refused, and nothing of it is saved", func(t *testing.T, s tester) {
		var many []match.User
		for i := range user.MaxBlocked + 1 {
			many = append(many, match.User(fmt.Sprint("p", i)))
		}
		for _, blocked := range [][]match.User{many, {bob, alice}, {""}} {
			refuses(t, s.SetBlocked(s.ctx, alice, blocked))
		}
		same(t, settings(s, alice), user.Settings{})
	})
}
