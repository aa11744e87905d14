package match_test

import (
	"errors"
	"testing"
	"time"

	"tictactoe/internal/match"
)

func TestConsent(t *testing.T) {
	soon := noon.Add(time.Minute)
	for _, tt := range []struct {
		name      string
		given     match.Given
		challenge match.Reason // the reason why a new challenge is refused
		answer    match.Reason // the reason why an answer or a rematch is refused
	}{
		{"nothing was said", match.Given{}, "", ""},
		{"the opponent takes no challenges", match.Given{NotTaking: true}, match.NotTaking, ""},
		{"the opponent has blocked the challenger, who gets the same answer", match.Given{Blocked: true}, match.NotTaking, match.NotTaking},
		{"a player cannot challenge a blocked player", match.Given{Blocking: true}, match.Blocking, match.Blocking},
		{"after a decline", match.Given{LeftAlone: soon}, match.TooSoon, ""},
		{"when that is over", match.Given{LeftAlone: noon}, "", ""},
		{"a back-off does not reveal a block", match.Given{Blocked: true, LeftAlone: soon}, match.NotTaking, match.NotTaking},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for challenge, want := range map[bool]match.Reason{true: tt.challenge, false: tt.answer} {
				err := match.Consent{By: alice, Other: bob, Challenge: challenge, At: noon}.Refuse(tt.given)
				if want == "" {
					if err != nil {
						t.Errorf("challenge %t: %v", challenge, err)
					}
					continue
				}
				refused(t, err, want)
				refusal := (*match.Refusal)(nil)
				if errors.As(err, &refusal) && (refusal.Player != bob || want == match.TooSoon && !refusal.Until.Equal(soon)) {
					t.Errorf("challenge %t: %+v", challenge, refusal)
				}
			}
		})
	}
}

func TestBackOff(t *testing.T) {
	for _, tt := range []struct {
		name  string
		ended []match.ChallengeStatus
		want  time.Duration // the wait after the last challenge
	}{
		{"nothing has happened", nil, 0},
		{"one declined challenge", []match.ChallengeStatus{match.Declined}, 2 * time.Minute},
		{"two", []match.ChallengeStatus{match.Declined, match.Declined}, 10 * time.Minute},
		{"three", []match.ChallengeStatus{match.Declined, match.Declined, match.Declined}, time.Hour},
		{"four", []match.ChallengeStatus{match.Declined, match.Declined, match.Declined, match.Declined}, time.Hour},
		{"one withdrawn challenge may be a mistake", []match.ChallengeStatus{match.Withdrawn}, 0},
		{"an unanswered challenge", []match.ChallengeStatus{match.Expired}, 0},
		{"a withdrawn and an unanswered challenge are no mistake", []match.ChallengeStatus{match.Withdrawn, match.Expired}, 2 * time.Minute},
		{"three withdrawn challenges", []match.ChallengeStatus{match.Withdrawn, match.Withdrawn, match.Withdrawn}, 2 * time.Minute},
		{"an accepted challenge resets the back-off", []match.ChallengeStatus{match.Declined, match.Declined, match.Accepted}, 0},
		{"a decline after an accepted challenge is the first", []match.ChallengeStatus{match.Declined, match.Declined, match.Accepted, match.Declined}, 2 * time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b match.BackOff
			for _, ended := range tt.ended {
				b = b.After(ended, noon)
			}
			if got := max(0, b.Until.Sub(noon)); got != tt.want {
				t.Errorf("%v", got)
			}
		})
	}
	t.Run("a day later the first challenge is forgotten", func(t *testing.T) {
		first := match.BackOff{}.After(match.Declined, noon)
		for at, want := range map[time.Time]time.Duration{
			first.Until.Add(match.BackOffMemory - 1): 10 * time.Minute, first.Until.Add(match.BackOffMemory): 2 * time.Minute,
		} {
			if got := first.After(match.Declined, at).Until.Sub(at); got != want {
				t.Errorf("%v: %v", at, got)
			}
		}
	})
	t.Run("a withdrawal does not shorten the back-off set by a decline", func(t *testing.T) {
		b := match.BackOff{}.After(match.Declined, noon)
		for range 5 {
			b = b.After(match.Declined, noon)
		}
		if got := b.After(match.Withdrawn, noon).Until; got.Before(b.Until) {
			t.Error(got)
		}
	})
}

func TestARefereeHeedsConsent(t *testing.T) {
	ctx := t.Context()
	t.Run("after a decline the next challenge has to wait", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		if _, err := r.Challenge(ctx, ask("a", alice), bob, terms(match.Me)); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Decline(ctx, ask("x", bob), "a"); err != nil {
			t.Fatal(err)
		}
		_, err := r.Challenge(ctx, ask("b", alice), bob, terms(match.Me))
		refused(t, err, match.TooSoon)
		if _, err := r.Challenge(ctx, ask("c", bob), alice, terms(match.Me)); err != nil {
			t.Error("the player who declined cannot challenge:", err)
		}
	})
	t.Run("after two expired challenges the next must wait, whether the scheduler or a click ended the second", func(t *testing.T) {
		for name, end := range map[string]func(r *match.Referee, at time.Time) error{
			"the scheduler": func(r *match.Referee, at time.Time) error { _, err := r.Expire(ctx, "b", always(at)); return err },
			"a click": func(r *match.Referee, now time.Time) error {
				_, err := r.Accept(ctx, at(ask("x", bob), now), "b")
				refused(t, err, match.ChallengeOver)
				return nil
			},
		} {
			s := newStore(t)
			late := noon.Add(match.ChallengeTime)
			later := late.Add(match.ChallengeTime)
			r := refereeAt(s, later)
			if _, err := r.Challenge(ctx, ask("a", alice), bob, terms(match.Me)); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Expire(ctx, "a", always(late)); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Challenge(ctx, at(ask("b", alice), late), bob, terms(match.Me)); err != nil {
				t.Fatal(name, err)
			}
			if err := end(r, later); err != nil {
				t.Fatal(name, err)
			}
			_, err := r.Challenge(ctx, at(ask("c", alice), later), bob, terms(match.Me))
			refused(t, err, match.TooSoon)
		}
	})
	t.Run("a block refuses the acceptance, the rematch and its proposal", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		if _, err := r.Challenge(ctx, ask("a", alice), bob, terms(match.Me)); err != nil {
			t.Fatal(err)
		}
		s.given.Blocked = true
		_, err := r.Accept(ctx, ask("x", bob), "a")
		refused(t, err, match.NotTaking)
		s.given.Blocked = false
		if _, err := r.Accept(ctx, ask("x", bob), "a"); err != nil {
			t.Fatal(err)
		}
		for i, by := range []match.User{alice, bob, alice, bob} { // with two marks on the board, giving up is a loss
			if _, err := r.Play(ctx, ask("p", by), "a", i, []string{"a1", "b1", "a2", "b2"}[i]); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := r.Resign(ctx, ask("q", bob), "a", 4); err != nil {
			t.Fatal(err)
		}
		s.given.Blocked = true
		_, _, err = r.AskRematch(ctx, ask("r", bob), "a", s.match(t, "a").Version)
		refused(t, err, match.NotTaking)
		s.given.Blocked = false
		if _, _, err = r.AskRematch(ctx, ask("r", bob), "a", s.match(t, "a").Version); err != nil {
			t.Fatal(err)
		}
		s.given = match.Given{Blocking: true}
		_, _, err = r.AskRematch(ctx, ask("s", alice), "a", s.match(t, "a").Version)
		refused(t, err, match.Blocking)
	})
}

func TestLeave(t *testing.T) {
	later := noon.Add(time.Second)
	t.Run("a match in progress is resigned", func(t *testing.T) {
		m, left := between(t, "a1 a2").Leave(alice, later)
		if !left || m.Result.Cause != match.ByResignation || m.Seats.Of(m.Result.Outcome.Winner()).Player != bob {
			t.Errorf("%+v", m.Result)
		}
	})
	t.Run("a match that has hardly begun is aborted", func(t *testing.T) {
		if m, left := between(t, "a1").Leave(alice, later); !left || m.Result.Cause != match.ByAbort {
			t.Errorf("%+v", m.Result)
		}
	})
	t.Run("a match whose time is up is lost by the side to move", func(t *testing.T) {
		if m, left := between(t, "a1 a2").Leave(bob, noon.Add(time.Hour)); !left || m.Result.Cause != match.ByTime || m.Seats.Of(m.Result.Outcome.Winner()).Player != bob {
			t.Errorf("%+v", m.Result)
		}
	})
	t.Run("a proposed rematch is declined", func(t *testing.T) {
		over := between(t, xWins)
		proposed, _, err := over.AskRematch(alice, over.Version, "n", later)
		if err != nil {
			t.Fatal(err)
		}
		for _, by := range []match.User{alice, bob} {
			if m, left := proposed.Leave(by, later); !left || m.Rematch.State != match.RematchDeclined {
				t.Errorf("%+v", m.Rematch)
			}
		}
	})
	t.Run("a finished match does not change", func(t *testing.T) {
		over := between(t, xWins)
		if m, left := over.Leave(alice, later); left || diff(over, m) != "" {
			t.Error(diff(over, m))
		}
	})
	t.Run("a rematch with a player who has left is refused", func(t *testing.T) {
		over := between(t, xWins)
		over.Seats[0].Player = match.Left
		_, _, err := over.AskRematch(bob, over.Version, "n", later)
		refused(t, err, match.HasLeft)
	})
	t.Run("a challenge is withdrawn, declined, or has expired", func(t *testing.T) {
		c := challenged(t, match.Me)
		for _, tt := range []struct {
			by   match.User
			at   time.Time
			want match.ChallengeStatus
		}{{alice, later, match.Withdrawn}, {bob, later, match.Declined}, {alice, c.Deadline, match.Expired}} {
			next, left := c.Leave(tt.by, tt.at)
			if !left || next.Status != tt.want {
				t.Errorf("%s: %v", tt.by, next.Status)
			}
			if again, left := next.Leave(tt.by, tt.at); left || diff(next, again) != "" {
				t.Errorf("%s could leave twice", tt.by)
			}
		}
	})
}
