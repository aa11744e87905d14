package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/replica/claim"
)

// These requests must be made once in all, not once by each process.
const (
	listing     = "GET /users/@me/guilds"
	registering = "PUT /applications/{app}/commands"
	editing     = "PATCH /channels/{channel}/messages/{message}"
)

// leftBehind saves a move without updating the board, as a process does that is killed before it can answer.
func (h *harbour) leftBehind(i int) match.ID {
	h.t.Helper()
	m := h.open(i)
	square, err := m.Position().Rules().ParseSquare("b2")
	if err != nil {
		h.t.Fatal(err)
	}
	next, err := m.Play(m.Turn().Player, m.Record.Len(), square, h.sim.Clock().Now())
	if err != nil {
		h.t.Fatal(err)
	}
	if err := h.store.Save(h.t.Context(), match.Save{Matches: []match.MatchChange{{From: m, To: next}}}); err != nil {
		h.t.Fatal(err)
	}
	return m.ID
}

func (h *harbour) isBehind(id match.ID) bool {
	h.t.Helper()
	ids, err := h.store.Behind(h.t.Context(), match.Partition{}, "", 99)
	if err != nil {
		h.t.Fatal(err)
	}
	return slices.Contains(ids, id)
}

func TestReplicasOverHTTP(t *testing.T) {
	// startTwo starts two processes, of which the first does the housekeeping, and begins a match in each server.
	startTwo := func(t *testing.T, h *harbour) (first, second *replica) {
		t.Helper()
		h.clock = "1h"
		first = h.serve()
		passed(5 * time.Second)
		second = h.serve()
		passed(5 * time.Second)
		h.began()
		passed(30 * time.Second) // the bot has made all redraws of the new boards
		return first, second
	}
	// playing checks that any process answers clicks in all four servers.
	playing := func(h *harbour, who, square string) {
		h.t.Helper()
		for i := range h.venues {
			began := time.Now()
			if r := h.plays(i, who, square); r.Status != "answered" || r.Ephemeral || time.Since(began) > time.Second {
				h.t.Errorf("server %d, %s %s after %v: %+v", i, who, square, time.Since(began), r)
			}
		}
	}
	harbourIn(t, "share the clicks, and one does what is to be done once", func(t *testing.T, h *harbour) {
		startTwo(t, h)
		playing(h, "x", "b2")
		playing(h, "o", "a1")
		for request, want := range map[string]int{listing: 1, registering: 1} {
			if got := h.times(request); got != want {
				t.Errorf("%s: %d times", request, got)
			}
		}
		if told := h.said(); strings.Contains(told, "level=ERROR") {
			t.Error(told)
		}
	})
	harbourIn(t, "are tended to by another when the one that did is killed, and nobody waits for that", func(t *testing.T, h *harbour) {
		first, _ := startTwo(t, h)
		id := h.leftBehind(0)
		first.kill()
		if err := h.store.Claim(t.Context(), claim.Claim{Interaction: "old", By: "one", Until: time.Now()}); err != nil {
			t.Fatal(err)
		}
		for i := range 3 { // the dead process still has the lease
			passed(8 * time.Second)
			if r := h.plays(i+1, "x", "b2"); r.Status != "answered" || r.Ephemeral {
				t.Errorf("server %d: %+v\n%s", i+1, r, h.said())
			}
			if !h.isBehind(id) {
				t.Fatalf("another process does the housekeeping after %v", time.Duration(i+1)*8*time.Second)
			}
		}
		passed(20 * time.Second)
		if h.isBehind(id) {
			t.Errorf("the board is behind\n%s", h.said())
		}
		if n := h.times(listing); n != 2 {
			t.Errorf("servers were listed %d times", n)
		}
		passed(time.Minute)
		if err := h.store.Claim(t.Context(), claim.Claim{Interaction: "old", By: "other", Until: time.Now()}); err != nil {
			t.Errorf("old claims are kept: %v", err)
		}
		for i := range h.venues {
			if r := h.plays(i, "o", "a1"); r.Status != "answered" || h.open(i).Record.Len() != 2 {
				t.Errorf("server %d: %+v", i, r)
			}
		}
	})
	harbourIn(t, "draw what another one that was killed has left behind", func(t *testing.T, h *harbour) {
		_, second := startTwo(t, h)
		id, before := h.leftBehind(0), h.times(editing)
		passed(30 * time.Second)
		if !h.isBehind(id) {
			t.Fatal("the board was redrawn before the change was reported: the test needs another board")
		}
		second.kill()
		passed(45 * time.Second)
		if n := h.times(editing) - before; n != 1 || h.isBehind(id) {
			t.Errorf("drawn %d times\n%s", n, h.said())
		}
	})
	harbourIn(t, "hand over at once when they are stopped", func(t *testing.T, h *harbour) {
		first, _ := startTwo(t, h)
		id := h.leftBehind(0)
		first.cancel()
		if err := <-first.ended; err != nil {
			t.Fatal(err)
		}
		passed(6 * time.Second)
		if h.isBehind(id) {
			t.Errorf("the board is behind\n%s", h.said())
		}
		for i := range 3 {
			if r := h.plays(i+1, "x", "b2"); r.Status != "answered" {
				t.Errorf("server %d: %+v", i+1, r)
			}
		}
	})
}
