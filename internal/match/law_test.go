package match_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
)

// TestLaws sends random requests of three players, sensible or not, for current and outdated boards, while time passes, other
// writers interfere, and the bot leaves and returns. After each request the laws must hold for everything that is stored.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{probed: newStore(t), now: noon, last: map[match.ID]match.Match{}}
		w.referee = newReferee(w.probed)
		w.referee.Time = timekeeper{now: func() time.Time { return w.now }}
		w.referee.Coin = func() bool { return rapid.Bool().Draw(t, "coin") }
		t.Repeat(map[string]func(*rapid.T){
			"":          w.laws,
			"challenge": w.challenge,
			"answer":    w.answer,
			"computer":  w.computer,
			"crowd":     w.crowd,
			"vote":      w.vote,
			"play":      w.play,
			"line":      w.line,
			"resign":    w.resign,
			"wish":      w.wish,
			"rematch":   w.rematch,
			"moderate":  w.moderate,
			"time":      w.time,
			"away":      w.away,
		})
	})
}

// world is a store with a referee, and the values that were stored before the latest request.
type world struct {
	*probed
	referee *match.Referee
	now     time.Time
	n       int
	last    map[match.ID]match.Match
}

var people = rapid.SampledFrom([]match.User{alice, bob, mallory})

func (w *world) request(t *rapid.T) match.Request {
	w.n++
	w.now = w.now.Add(time.Duration(rapid.IntRange(0, 20).Draw(t, "seconds")) * time.Second)
	return match.Request{ID: match.ID(fmt.Sprint(w.n)), By: people.Draw(t, "by"), Venue: "venue", At: w.now}
}

// some returns the id of a random match or challenge so far, or an unknown id.
func (w *world) some(t *rapid.T) match.ID {
	return match.ID(fmt.Sprint(rapid.IntRange(1, max(1, w.n)).Draw(t, "id")))
}

// settled checks the error of a request: a refusal is allowed, any other error is not.
func settled(t *rapid.T, err error) {
	refusal := (*match.Refusal)(nil)
	if err != nil && !errors.As(err, &refusal) {
		t.Fatal(err)
	}
}

func (w *world) challenge(t *rapid.T) {
	first := match.First(rapid.IntRange(0, 2).Draw(t, "first"))
	_, err := w.referee.Challenge(t.Context(), w.request(t), people.Draw(t, "to"), terms(first))
	settled(t, err)
}

func (w *world) answer(t *rapid.T) {
	req, id := w.request(t), w.some(t)
	var err error
	switch rapid.IntRange(0, 5).Draw(t, "answer") {
	case 0:
		_, err = w.referee.Decline(t.Context(), req, id)
	case 1:
		_, err = w.referee.Withdraw(t.Context(), req, id)
	default:
		_, err = w.referee.Accept(t.Context(), req, id)
	}
	settled(t, err)
}

func (w *world) computer(t *rapid.T) {
	first := match.First(rapid.IntRange(0, 2).Draw(t, "first"))
	_, err := w.referee.PlayComputer(t.Context(), w.request(t), "easy", terms(first))
	settled(t, err)
}

func (w *world) crowd(t *rapid.T) {
	req := w.request(t)
	req.Places = []string{rapid.SampledFrom([]string{"one channel", "another"}).Draw(t, "channel")}
	level, terms := rapid.SampledFrom([]string{"easy", ""}).Draw(t, "level"), terms(match.Random)
	_, err := w.referee.PlayCrowd(t.Context(), req, level, terms)
	settled(t, err)
}

// vote votes on the board of a crowd, if there is one.
func (w *world) vote(t *rapid.T) {
	m, err := w.CrowdIn(t.Context(), "one channel")
	if err == nil {
		_, err = w.referee.Play(t.Context(), w.request(t), m.ID, m.Stage(), rapid.SampledFrom([]string{"a1", "b2", "c3", "a3"}).Draw(t, "square"))
	}
	if !errors.Is(err, match.ErrNotFound) {
		settled(t, err)
	}
}

func (w *world) play(t *rapid.T) {
	req, id := w.request(t), w.some(t)
	ply, name := rapid.IntRange(0, 9).Draw(t, "ply"), rapid.SampledFrom([]string{"a1", "b2", "c3", "a3", "c1", "d4"}).Draw(t, "square")
	if rapid.Bool().Draw(t, "raced") {
		w.before = func() {
			_, err := w.referee.Play(t.Context(), req, id, ply, "b1")
			settled(t, err)
		}
	}
	_, err := w.referee.Play(t.Context(), req, id, ply, name)
	w.before = nil // if the request was refused before any save, the other writer did not get its turn
	settled(t, err)
}

// line plays a whole match, so that rematches can be requested.
func (w *world) line(t *rapid.T) {
	id := w.some(t)
	for range 9 {
		matches, _ := w.stored(t)
		m, ok := matches[id]
		if !ok || m.Result.Over() {
			return
		}
		for s := range m.Position().Legal().All() {
			req := w.request(t)
			req.By = cmp.Or(m.Turn().Player, req.By) // a crowd has no player
			_, err := w.referee.Play(t.Context(), req, id, m.Stage(), m.Position().Rules().Name(s))
			settled(t, err)
			break
		}
		w.laws(t)
	}
}

func (w *world) resign(t *rapid.T) {
	_, err := w.referee.Resign(t.Context(), w.request(t), w.some(t), rapid.IntRange(0, 9).Draw(t, "ply"))
	settled(t, err)
}

// wish asks for something, or answers.
func (w *world) wish(t *rapid.T) {
	req, id := w.request(t), w.some(t)
	matches, _ := w.stored(t)
	stage := matches[id].Stage() - rapid.IntRange(0, 1).Draw(t, "behind")
	var err error
	switch kind := match.WishKind(rapid.IntRange(0, 2).Draw(t, "wish")); kind {
	case match.NoWish:
		_, err = w.referee.AnswerWish(t.Context(), req, id, stage, rapid.Bool().Draw(t, "agrees"))
	default:
		_, err = w.referee.AskWish(t.Context(), req, id, stage, kind)
	}
	settled(t, err)
}

func (w *world) moderate(t *rapid.T) {
	hows := map[string]func(context.Context, match.Request, match.ID) (match.Match, error){
		"draw": w.referee.CallDraw, "void": w.referee.Void, "restore": w.referee.Restore,
	}
	how := hows[rapid.SampledFrom([]string{"draw", "void", "restore"}).Draw(t, "how")]
	_, err := how(t.Context(), w.request(t), w.some(t))
	settled(t, err)
}

func (w *world) rematch(t *rapid.T) {
	req, id := w.request(t), w.some(t)
	if rapid.IntRange(0, 4).Draw(t, "no") == 0 {
		_, err := w.referee.DeclineRematch(t.Context(), req, id)
		settled(t, err)
		return
	}
	version := rapid.IntRange(1, 20).Draw(t, "version")
	if rapid.Bool().Draw(t, "current") {
		matches, _ := w.stored(t)
		version = matches[id].Version
	}
	_, _, err := w.referee.AskRematch(t.Context(), req, id, version)
	settled(t, err)
}

func (w *world) time(t *rapid.T) {
	w.now = w.now.Add(time.Duration(rapid.IntRange(0, 400).Draw(t, "seconds")) * time.Second)
	due, err := w.TakeDue(t.Context(), match.Partition{}, w.now, 100, w.now)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range due {
		changed, err := w.referee.Expire(t.Context(), id, always(w.now))
		if err != nil || !changed {
			t.Fatalf("%s was due: %v, %v", id, changed, err)
		}
	}
	if next, _ := w.NextDeadline(t.Context(), match.Partition{}, time.Time{}); !next.IsZero() && !next.After(w.now) {
		t.Fatal("something is still due")
	}
}

func (w *world) away(t *rapid.T) {
	gap := time.Duration(rapid.IntRange(1, 10_000).Draw(t, "seconds")) * time.Second
	left := map[match.ID]time.Duration{}
	for id, at := range w.deadlines(t) {
		if at.After(w.now) {
			left[id] = at.Sub(w.now)
		}
	}
	if err := w.Save(t.Context(), match.Save{Seen: match.Seen{At: w.now}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Credit(t.Context(), match.Partition{}, clock.Span{From: w.now, To: w.now.Add(gap)}); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(gap)
	for id, at := range w.deadlines(t) {
		if was, ok := left[id]; ok && at.Sub(w.now) != was {
			t.Fatalf("%s had %v left, and now has %v", id, was, at.Sub(w.now))
		}
	}
}

// deadlines returns the deadlines of all stored values.
func (w *world) deadlines(t *rapid.T) map[match.ID]time.Time {
	due := map[match.ID]time.Time{}
	matches, challenges := w.stored(t)
	for id, c := range challenges {
		due[id] = c.Deadline
	}
	for id, m := range matches {
		due[id] = cmp.Or(m.Deadline, m.Rematch.Deadline)
	}
	maps.DeleteFunc(due, func(_ match.ID, at time.Time) bool { return at.IsZero() })
	return due
}

func (w *world) laws(t *rapid.T) {
	open, pairs, places := map[match.User]int{}, map[match.Seats]int{}, map[string]int{}
	matches, challenges := w.stored(t)
	for id, m := range matches {
		p := m.Position()
		if m.Deadline.IsZero() != m.Result.Over() || m.Ended.IsZero() == m.Result.Over() {
			t.Fatalf("%s: over %v, deadline %v, ended %v", id, m.Result.Over(), m.Deadline, m.Ended)
		}
		void := m.Result.Cause == match.ByVoid
		if void && m.Result.Outcome != game.InProgress || (m.Result.Cause == match.ByModerator || m.Result.Cause == match.ByAgreement) && m.Result.Outcome != game.Draw {
			t.Fatalf("%s: a moderator's or an agreed result is %v", id, m.Result)
		}
		if m.Voided.Over() && !void || m.Voided.Cause == match.ByVoid {
			t.Fatalf("%s: the result is %v, before the void it was %v", id, m.Result, m.Voided)
		}
		if !void && (p.Outcome() != game.InProgress) != (m.Result.Cause == match.ByLine || m.Result.Cause == match.ByFullBoard) {
			t.Fatalf("%s: %s ended %v", id, p, m.Result)
		}
		if m.Result.Cause == match.ByLine && m.Result.Outcome != p.Outcome() || m.Result.Cause == match.ByAbort && m.Record.Len() > 1 && !m.Seats.HasCrowd() {
			t.Fatalf("%s: %s ended %v", id, p, m.Result)
		}
		if m.Rematch.State != match.NoRematch && !m.Result.Over() {
			t.Fatalf("%s: a rematch of a match that goes on", id)
		}
		if (m.Rematch.Deadline.IsZero()) != (m.Rematch.State != match.RematchProposed) {
			t.Fatalf("%s: %+v", id, m.Rematch)
		}
		if !m.Result.Over() && m.Turn().IsComputer() {
			t.Fatalf("%s: the computer has not answered", id)
		}
		want := 0
		if m.Result.Over() {
			want = 1
		} else {
			for _, player := range m.Seats.Players() {
				open[player]++
			}
			if m.Seats.HasCrowd() {
				places[m.Place]++
				for _, v := range m.Votes {
					if v.Since > 0 && (v.Ply != m.Record.Len() || v.Side != p.Turn() || !p.Legal().Has(v.Square)) {
						t.Fatalf("%s: %+v is a vote on %s", id, v, p)
					}
				}
			}
			if seats := m.Seats; seats.People() {
				if seats[0].Player > seats[1].Player {
					seats = seats.Swapped()
				}
				pairs[seats]++
			}
		}
		if w.ended[id] != want {
			t.Fatalf("%s: counted %d times", id, w.ended[id])
		}
		for ply := range m.Record.Len() {
			if n := w.plies[fmt.Sprint(id, " ", ply)]; n != 1 {
				t.Fatalf("%s: ply %d written %d times", id, ply, n)
			}
		}
		if next, ok := matches[m.Rematch.Next]; m.Rematch.Next != "" && (!ok || next.Series != m.Series || next.Seats != m.Seats.Swapped()) {
			t.Fatalf("%s: its rematch is %+v", id, next)
		}
		w.grown(t, m)
	}
	for player, n := range open {
		if n > w.referee.Limits.Open {
			t.Fatalf("%s has %d matches open", player, n)
		}
	}
	for place, n := range places {
		if n > 1 {
			t.Fatalf("%d crowds play in %s", n, place)
		}
	}
	for pair, n := range pairs {
		if n > w.referee.Limits.Pair {
			t.Fatalf("%v have %d matches open", pair, n)
		}
	}
	for id, c := range challenges {
		if c.Deadline.IsZero() != (c.Status != match.Pending) {
			t.Fatalf("%s: %+v", id, c)
		}
		if _, ok := matches[id]; ok != (c.Status == match.Accepted) {
			t.Fatalf("%s: status %d, match %v", id, c.Status, ok)
		}
	}
}

// ending returns how a match ended, even if it was voided afterwards.
func ending(m match.Match) match.Result {
	if m.Voided.Over() {
		return m.Voided
	}
	return m.Result
}

// grown compares a match with its state at the previous check of the laws.
func (w *world) grown(t *rapid.T, m match.Match) {
	old, known := w.last[m.ID]
	w.last[m.ID] = m
	if !known {
		return
	}
	changed := diff(old, m) != ""
	switch {
	case m.Version < old.Version, changed != (m.Version > old.Version):
		t.Fatalf("%s: version %d after %d, changed %v", m.ID, m.Version, old.Version, changed)
	case m.Record.Len() < old.Record.Len() && m.Backs == old.Backs:
		t.Fatalf("%s: a move was taken back, and nobody agreed", m.ID)
	case m.Stage() < old.Stage():
		t.Fatalf("%s: stage %d after %d", m.ID, m.Stage(), old.Stage())
	case old.Result.Over() && (ending(m) != ending(old) || m.Record.Len() != old.Record.Len() || !m.Ended.Equal(old.Ended)):
		t.Fatalf("%s: the match changed after its end: %v", m.ID, m.Result)
	case m.Seats != old.Seats || m.Series != old.Series || !m.Created.Equal(old.Created):
		t.Fatalf("%s: an unchangeable field changed", m.ID)
	}
	for ply := range min(old.Record.Len(), m.Record.Len()) {
		if m.Record.Square(ply) != old.Record.Square(ply) {
			t.Fatalf("%s: ply %d changed", m.ID, ply)
		}
	}
}
