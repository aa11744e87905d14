package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim"
	"tictactoe/game"
	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/store/sqlite"
)

// history is a number of rated matches on the classic board that have been played before a test.
type history struct{ begun, ended match.Save }

// add adds a match that X wins at once.
func (h *history) add(id match.ID, v match.Venue, x, o match.User, at time.Time) error {
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
	h.begun.Matches = append(h.begun.Matches, match.MatchChange{To: m})
	h.ended.Matches = append(h.ended.Matches, match.MatchChange{From: m, To: over})
	return nil
}

// save saves the matches and empties the history.
func (h *history) save(store match.Store) error {
	for _, save := range []match.Save{h.begun, h.ended} {
		if err := store.Save(context.Background(), save); err != nil {
			return err
		}
	}
	*h = history{}
	return nil
}

// rank saves matches of the half minute before now, after which the players have a rank in the given order: each plays 80 matches against
// people who are in no server, and the first wins most.
func rank(store match.Store, v match.Venue, now time.Time, players []match.User) error {
	const matches, others = 80, 12
	at := now.Add(-30 * time.Second)
	step := 30 * time.Second / time.Duration(matches*len(players)+1)
	for round := range matches {
		var h history
		for i, p := range players {
			at = at.Add(step)
			x, o := p, match.User(fmt.Sprint(9001+(round+i)%others))
			if round*7%10 >= 8-8*i/len(players) {
				x, o = o, p
			}
			if err := h.add(match.ID(fmt.Sprint("r", now.Unix(), "n", round, "p", i)), v, x, o, at); err != nil {
				return err
			}
		}
		if err := h.save(store); err != nil {
			return err
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
		Bot      bool   `json:"bot"`
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

// rolePlay is a server of sixty people, in which a bot in a process of its own gives a role to the first three.
type rolePlay struct {
	*halves
	server string
	gold   string            // the id of the role
	names  map[string]string // the names of the people, by id

	mu    sync.Mutex
	calls map[string]int // the bot's requests about roles, by kind
	armed atomic.Bool    // the next change of a role is carried out, and its answer is lost
	cut   chan struct{}  // receives a value when that has happened
}

// watch counts the requests about roles.
func (p *rolePlay) watch(w http.ResponseWriter, r *http.Request, through http.Handler) bool {
	kind := ""
	switch parts := strings.Split(r.URL.Path, "/guilds/"); {
	case len(parts) < 2:
		return false
	case strings.HasSuffix(parts[1], "/roles"):
		kind = "ask"
	case strings.Contains(parts[1], "/roles/"):
		kind = map[string]string{"PUT": "give", "DELETE": "take"}[r.Method]
	case strings.Contains(parts[1], "/members/"):
		kind = "member"
	default:
		return false
	}
	p.mu.Lock()
	p.calls[kind]++
	p.mu.Unlock()
	if (kind == "give" || kind == "take") && p.armed.CompareAndSwap(true, false) {
		through.ServeHTTP(httptest.NewRecorder(), r)
		p.cut <- struct{}{}
		panic(http.ErrAbortHandler)
	}
	return false
}

// counted returns the number of requests so far, by kind.
func (p *rolePlay) counted() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.calls)
}

// top returns the names of the first three on the ladder, in alphabetical order.
func (p *rolePlay) top() (names []string) {
	p.t.Helper()
	store, err := sqlite.Open(p.t.Context(), p.db)
	if err != nil {
		p.t.Fatal(err)
	}
	defer store.Close()
	page, err := store.Ladder(p.t.Context(), match.Venue(p.server), game.Classic(), season.Latest, score.Where{Page: 1}, "")
	if err != nil {
		p.t.Fatal(err)
	}
	for _, row := range page.Rows {
		if 0 < row.Rank && row.Rank <= 3 {
			names = append(names, p.names[string(row.Player)])
		}
	}
	slices.Sort(names)
	return names
}

func (p *rolePlay) holders() []string {
	p.t.Helper()
	var s simState
	p.ask("GET", "state", nil, &s)
	return slices.DeleteFunc(s.holders(p.gold), func(name string) bool { return name == "p60" })
}

// wantHolders waits until these people, and p60 who has the role from a moderator, have the role.
func (p *rolePlay) wantHolders(within time.Duration, want []string) {
	p.t.Helper()
	var diff string
	for end := time.Now().Add(within); ; <-time.After(100 * time.Millisecond) {
		if diff = cmp.Diff(strings.Join(want, " "), strings.Join(p.holders(), " ")); diff == "" {
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("after %v the role is not where it belongs: -want +got:\n%s", within, diff)
		}
	}
}

// use presses a button, or chooses a value of a menu, of a message that only alice sees.
func (p *rolePlay) use(m *discordsim.Message, what string, values ...string) *discordsim.Message {
	p.t.Helper()
	if len(values) > 0 {
		return p.act("select", map[string]any{"as": "alice", "message": m.ID, "custom_id": what, "values": values}).Message
	}
	return p.act("click", map[string]any{"as": "alice", "message": m.ID, "label": what}).Message
}

// beats has two people play a match, which the second resigns. It reports false if the match did not come to that: a bot that was killed a
// moment ago, on a busy machine, may be slow to answer.
func (p *rolePlay) beats(winner, loser string) bool {
	p.t.Helper()
	var r discordsim.Result
	act := func(call string, body map[string]any) bool {
		p.t.Helper()
		for {
			r = discordsim.Result{}
			p.ask("POST", call, body, &r)
			if r.Message == nil || !strings.Contains(textOf(r.Message), "a bit fast") {
				return r.Status == "answered"
			}
			<-time.After(time.Second) // the same few people are the strongest, and are quick
		}
	}
	press := func(as, label string) bool {
		p.t.Helper()
		if r.Message == nil || r.Ephemeral {
			return false
		}
		for _, b := range buttonsOf(r.Message) {
			if b.Label == label || strings.HasPrefix(b.CustomID, "play:") && strings.HasSuffix(b.CustomID, ":"+label) {
				return act("click", map[string]any{"as": as, "message": r.Message.ID, "custom_id": b.CustomID})
			}
		}
		return false
	}
	return act("command", map[string]any{
		"as": winner, "channel": "general", "name": "tictactoe challenge", "options": map[string]any{"opponent": loser, "first": "me"},
	}) && press(loser, "Accept") && press(winner, "b2") && press(loser, "a1") && press(loser, "Resign") && r.Modal != nil &&
		act("modal", map[string]any{"as": loser, "interaction": r.Interaction})
}

// TestRolesFollowTheMatchesOfSixtyPeople is an evening in a server whose first three have a role: the bot is killed many times, also after
// Discord has changed a role and before the bot knows; then its role stands too low for a while; and then moderators stop giving the role.
// The bot compares roles and ladders when it starts, and then each minute. The test restarts it rather than wait for that minute.
func TestRolesFollowTheMatchesOfSixtyPeople(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	const people, regulars, played, kills = 60, 12, 200, 16
	p := &rolePlay{names: map[string]string{}, calls: map[string]int{}, cut: make(chan struct{}, 1)}
	random := rand.New(rand.NewPCG(60, 200))
	folder := t.TempDir()
	var all []string
	p.halves = newHalvesWith(t, folder, func(d *driver) {
		var done struct{}
		for i := 4; i <= people; i++ {
			d.ask("POST", "users", map[string]any{"username": fmt.Sprintf("p%02d", i)}, &done)
		}
		var made struct{ ID string }
		d.ask("POST", "guilds/Playground/roles", map[string]any{"name": "Gold"}, &made)
		d.ask("PUT", "guilds/Playground/members/p60", map[string]any{"roles": []string{"Gold"}}, &done)
		var s simState
		d.ask("GET", "state", nil, &s)
		p.server = s.Guilds[0].ID
		for _, u := range s.Users {
			if !u.Bot {
				p.names[u.ID], all = u.Username, append(all, u.Username)
			}
		}
		for _, r := range s.Guilds[0].Roles {
			if r.Name == "Gold" {
				p.gold = r.ID
			}
		}
		// The regulars have a rank, and are about equally strong.
		db := filepath.Join(folder, "bot", "bot.db")
		if err := os.MkdirAll(filepath.Dir(db), 0o700); err != nil {
			t.Fatal(err)
		}
		store, err := sqlite.Open(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		ids := slices.Sorted(maps.Keys(p.names))
		at := time.Now().Add(-30 * time.Hour) // matches of the same two people within a day would soon not be rated
		for round := range 100 {
			var h history
			for i := range regulars / 2 {
				order := random.Perm(regulars)
				at = at.Add(time.Second)
				if err := h.add(match.ID(fmt.Sprint("r", round, "m", i)), match.Venue(p.server), match.User(ids[order[0]]), match.User(ids[order[1]]), at); err != nil {
					t.Fatal(err)
				}
			}
			if err := h.save(store); err != nil {
				t.Fatal(err)
			}
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	})
	p.ask("PUT", "guilds/Playground/members/"+ownID(secretToken), map[string]any{"permissions": []string{"MANAGE_ROLES"}}, new(struct{}))
	watch := p.watch
	p.wire.watch.Store(&watch)
	slices.Sort(all)
	ranked := p.top()
	if len(all) != people || len(ranked) != 3 {
		t.Fatalf("there are %d people, and %v are first", len(all), ranked)
	}

	page := p.command("alice", "tictactoe admin", nil).Message
	p.use(page, "Roles for ranks")
	p.use(page, "rank:role", p.gold)
	if text := textOf(p.use(page, "rank:merit:"+p.gold+":classic", "top3")); !strings.Contains(text, "top 3") || strings.Contains(text, "can't") {
		t.Fatal(text)
	}
	began := time.Now()
	p.restart()
	p.wantHolders(patience, p.top())

	before, least, lost := []string{}, 0, 0
	saw := func() { // adds the changes since the last look
		now := p.holders()
		for _, name := range now {
			if !slices.Contains(before, name) {
				least++
			}
		}
		for _, name := range before {
			if !slices.Contains(now, name) {
				least++
			}
		}
		before = now
	}
	saw()
	strong := func() string { // one of those who may be among the first three
		return p.names[slices.Sorted(maps.Keys(p.names))[random.IntN(regulars)]]
	}
	for n := 0; n < played; {
		a, b := all[random.IntN(people)], all[random.IntN(people)]
		if n%2 == 0 {
			a, b = strong(), strong()
		}
		if random.IntN(2) == 0 {
			a, b = b, a
		}
		if a == b || !p.beats(a, b) {
			continue
		}
		if n++; n%(played/kills) > 0 {
			continue
		}
		cutting := n/(played/kills)%2 == 0
		p.armed.Store(cutting)
		p.restart()
		if cutting {
			select {
			case <-p.cut:
				lost++
				p.restart()
			case <-time.After(2 * time.Second): // nobody has gained or lost the role
				if !p.armed.CompareAndSwap(true, false) {
					<-p.cut
					lost++
					p.restart()
				}
			}
		}
		p.wantHolders(patience, p.top())
		saw()
	}
	calls := p.counted()
	// A request whose answer is lost is repeated. Between two kills the first three may change for a minute unseen. Other requests are not
	// counted: after a kill Discord delivers the clicks on the admin page again, which ask for the roles.
	if sum, most := calls["give"]+calls["take"], least+2*lost+6*(int(time.Since(began).Minutes())+1); sum > most {
		t.Errorf("the bot has changed roles %d times, %v, and %d would do", sum, calls, most)
	}
	t.Logf("%d matches in %v, %d kills, %d of them after a change of a role: requests %v; %d changes were seen", played, time.Since(began).Round(time.Second), kills+lost, lost, calls, least)
	if least < 4 || lost == 0 { // which matches are played depends on how quickly the killed bot answers again
		t.Errorf("the first three have changed too little for this test: %d changes, %d lost answers", least, lost)
	}

	// The role is moved above the bot's.
	move := func(position int) {
		var done struct{}
		p.ask("PATCH", "guilds/Playground/roles/Gold", map[string]any{"position": position}, &done)
	}
	move(5)
	held := p.holders()
	for first := p.top(); slices.Equal(first, p.top()); {
		p.beats(strong(), first[random.IntN(3)])
	}
	calls = p.counted()
	for range 3 {
		p.restart()
	}
	page = p.command("alice", "tictactoe admin", nil).Message
	if text := textOf(p.use(page, "Roles for ranks")); !strings.Contains(text, "move my role above it") {
		t.Error(text)
	}
	p.use(page, "Settings")
	waitUntil(t, "the audit log says once that the role is too high", func() bool {
		n := strings.Count(textOf(p.use(page, "Recent actions")), "move my role above it")
		p.use(page, "Settings")
		return n == 1
	})
	if now := p.counted(); now["give"] != calls["give"] || now["take"] != calls["take"] || !slices.Equal(held, p.holders()) {
		t.Errorf("the bot has tried to change a role above its own: %v, then %v", calls, now)
	}
	move(1)
	p.restart()
	p.wantHolders(patience, p.top())

	p.use(page, "Roles for ranks")
	p.use(page, "rank:role", p.gold)
	p.use(page, "Stop giving it")
	p.restart()
	p.wantHolders(patience, nil)
	var s simState
	p.ask("GET", "state", nil, &s)
	if d := cmp.Diff([]string{"p60"}, s.holders(p.gold)); d != "" {
		t.Errorf("the role of a moderator: -want +got:\n%s", d)
	}
	p.wantTrueScores()
}
