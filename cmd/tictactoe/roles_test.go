package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
)

// rank saves rated matches on the classic board, of the half minute before now, after which the players have a rank in the given order: each
// plays 80 matches against people who are in no server, and the first wins most.
func rank(store match.Store, v match.Venue, now time.Time, players []match.User) error {
	const matches, others = 80, 12
	at := now.Add(-30 * time.Second)
	step := 30 * time.Second / time.Duration(matches*len(players)+1)
	for round := range matches {
		var begun, ended match.Save
		for i, p := range players {
			at = at.Add(step)
			x, o := p, match.User(fmt.Sprint(9001+(round+i)%others))
			if round*7%10 >= 8-8*i/len(players) { // O wins
				x, o = o, p
			}
			id := match.ID(fmt.Sprint("r", now.Unix(), "n", round, "p", i))
			m := match.Start(id, id, v, game.Classic(), match.Seats{match.Human(x), match.Human(o)}, time.Hour, 1, at)
			m.Stakes = rating.Full
			over := m
			for _, name := range []string{"a1", "a2", "b1", "b2", "c1"} {
				square, err := game.Classic().ParseSquare(name)
				if err == nil {
					over, err = over.Play(over.Turn().Player, over.Stage(), square, at)
				}
				if err != nil {
					return err
				}
			}
			begun.Matches, ended.Matches = append(begun.Matches, match.MatchChange{To: m}), append(ended.Matches, match.MatchChange{From: m, To: over})
		}
		for _, save := range []match.Save{begun, ended} {
			if err := store.Save(context.Background(), save); err != nil {
				return err
			}
		}
	}
	return nil
}

// serverState is a server in the answer to GET /sim/state.
type serverState struct {
	ID      string `json:"id"`
	Members []struct {
		User  string   `json:"user"`
		Roles []string `json:"roles"`
	} `json:"members"`
	Roles []struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"roles"`
}

// simState is an answer to GET /sim/state.
type simState struct {
	Guilds []serverState `json:"guilds"`
	Users  []struct {
		ID       string `json:"id"`
		Username string `json:"username"`
	} `json:"users"`
}

// holders returns the names of the members of the first server who have a role, in alphabetical order.
func (s simState) holders(role string) (names []string) {
	id := role
	for _, r := range s.Guilds[0].Roles {
		if r.Name == role {
			id = r.ID
		}
	}
	for _, m := range s.Guilds[0].Members {
		for _, u := range s.Users {
			if u.ID == m.User && slices.Contains(m.Roles, id) {
				names = append(names, u.Username)
			}
		}
	}
	slices.Sort(names)
	return names
}

func (w *world) simState() (s simState) {
	answer := httptest.NewRecorder()
	w.sim.Handler().ServeHTTP(answer, httptest.NewRequest("GET", "http://127.0.0.1/sim/state", nil))
	if err := json.Unmarshal(answer.Body.Bytes(), &s); err != nil {
		w.t.Fatal(err)
	}
	return s
}

func (w *world) serverState() serverState { return w.simState().Guilds[0] }

func (w *world) holders(role string) []string { return w.simState().holders(role) }
