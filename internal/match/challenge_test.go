package match_test

import (
	"errors"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

func terms(first match.First) match.Terms {
	return match.Terms{Rules: game.Classic(), First: first, TurnTime: time.Minute}
}

func challenged(t testing.TB, first match.First) match.Challenge {
	t.Helper()
	c, err := match.NewChallenge("c", "venue", alice, bob, terms(first), noon)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestNewChallenge(t *testing.T) {
	want := match.Challenge{
		ID: "c", Venue: "venue", From: alice, To: bob, Terms: terms(match.Me),
		Status: match.Pending, Created: noon, Deadline: noon.Add(5 * time.Minute), Version: 1,
	}
	if d := diff(want, challenged(t, match.Me)); d != "" {
		t.Error(d)
	}
	_, err := match.NewChallenge("c", "", alice, alice, terms(match.Me), noon)
	refused(t, err, match.SelfChallenge)
}

// TestOpenChallenge tests an open challenge from its beginning to each end.
func TestOpenChallenge(t *testing.T) {
	c, err := match.NewChallenge("c", "venue", alice, "", terms(match.Them), noon)
	if err != nil {
		t.Fatal(err)
	}
	if want := noon.Add(15 * time.Minute); !c.Open() || !c.Deadline.Equal(want) {
		t.Errorf("want an open challenge until %v, got %+v", want, c)
	}
	_, _, err = c.Accept(alice, false, noon)
	refused(t, err, match.OwnChallenge)
	_, err = c.Decline(mallory, noon)
	refused(t, err, match.NotChallenged)
	_, err = c.Withdraw(mallory, noon)
	refused(t, err, match.NotChallenger)

	accepted, m, err := c.Accept(mallory, false, noon)
	if err != nil {
		t.Fatal(err)
	}
	if accepted.Open() || accepted.To != mallory || m.Seats != (match.Seats{match.Human(mallory), match.Human(alice)}) || m.Proposer != game.O {
		t.Errorf("accepted by mallory, who begins: %+v, %+v", accepted, m)
	}
	_, _, err = accepted.Accept(bob, false, noon)
	refused(t, err, match.NotChallenged)

	expired, due := c.Expire(c.Deadline)
	if !due || !expired.Open() {
		t.Errorf("want it to expire for nobody, got %+v", expired)
	}
	_, _, err = expired.Accept(bob, false, c.Deadline)
	refused(t, err, match.ChallengeOver)
	left, ended := c.Leave(alice, noon)
	if !ended || left.Status != match.Withdrawn {
		t.Errorf("want it to end with alice, got %+v", left)
	}
}

// TestEveryAnswerToAChallenge tries all combinations of status, player, time and answer.
func TestEveryAnswerToAChallenge(t *testing.T) {
	pending := challenged(t, match.Me)
	deadline := pending.Deadline
	states := map[match.ChallengeStatus]match.Challenge{match.Pending: pending}
	accepted, _, err := pending.Accept(bob, false, noon)
	if err != nil {
		t.Fatal(err)
	}
	states[match.Accepted] = accepted
	if states[match.Declined], err = pending.Decline(bob, noon); err != nil {
		t.Fatal(err)
	}
	if states[match.Withdrawn], err = pending.Withdraw(alice, noon); err != nil {
		t.Fatal(err)
	}
	states[match.Expired], _ = pending.Expire(deadline)

	answers := map[match.ChallengeStatus]func(match.Challenge, match.User, time.Time) (match.Challenge, error){
		match.Accepted: func(c match.Challenge, by match.User, at time.Time) (match.Challenge, error) {
			next, _, err := c.Accept(by, false, at)
			return next, err
		},
		match.Declined:  match.Challenge.Decline,
		match.Withdrawn: match.Challenge.Withdraw,
	}
	for status, c := range states {
		if c.Status != status || (status != match.Pending) != c.Deadline.IsZero() {
			t.Fatalf("%v: %+v", status, c)
		}
		for _, by := range []match.User{alice, bob, mallory} {
			for _, at := range []time.Time{noon, deadline.Add(-1), deadline, deadline.Add(time.Hour)} {
				open := status == match.Pending && at.Before(deadline)
				for answer, give := range answers {
					var want error
					switch {
					case answer == match.Withdrawn && (by == mallory || by == bob && open):
						want = match.NotChallenger
					case answer == match.Withdrawn && !open:
						want = match.ChallengeOver
					case answer == match.Withdrawn:
					case by == mallory:
						want = match.NotChallenged
					case !open:
						want = match.ChallengeOver
					case by == alice:
						want = match.OwnChallenge
					}
					next, err := give(c, by, at)
					if !errors.Is(err, want) {
						t.Errorf("state %d, %s, answer %d at %v: want %v, got %v", status, by, answer, at, want, err)
					}
					if err != nil && next != c {
						t.Error("a refused answer changed the challenge")
					}
					if err == nil && (next.Status != answer || next.Version != 2 || !next.Deadline.IsZero()) {
						t.Errorf("answer %d: %+v", answer, next)
					}
				}
				next, due := c.Expire(at)
				if due != (status == match.Pending && !at.Before(deadline)) {
					t.Errorf("state %d at %v: due %v", status, at, due)
				}
				if due && (next.Status != match.Expired || next.Version != 2) || !due && next != c {
					t.Errorf("%+v", next)
				}
			}
		}
	}
}

func TestAccept(t *testing.T) {
	at := noon.Add(time.Minute)
	for _, tt := range []struct {
		name  string
		first match.First
		coin  bool
		x, o  match.User
	}{
		{"the challenger moves first", match.Me, false, alice, bob},
		{"the challenger moves first, whatever the coin shows", match.Me, true, alice, bob},
		{"the challenged moves first", match.Them, false, bob, alice},
		{"the challenged player moves first, whatever the coin shows", match.Them, true, bob, alice},
		{"the coin says the challenger", match.Random, false, alice, bob},
		{"the coin says the challenged", match.Random, true, bob, alice},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, m, err := challenged(t, tt.first).Accept(bob, tt.coin, at)
			if err != nil {
				t.Fatal(err)
			}
			want := match.Start("c", "c", "venue", game.Classic(), match.Seats{match.Human(tt.x), match.Human(tt.o)}, time.Minute, 3, at)
			want.Proposer = want.Seats.Mark(alice)
			if d := diff(want, m); d != "" {
				t.Error(d)
			}
		})
	}
}
