package main

import (
	"bytes"
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/discordsim"
	"tictactoe/discordsim/check"
)

// forgeries holds, for each route of commands/testdata/routes.txt, the custom_ids or options of forged interactions. $m stands for
// a match in which the forger does not play. Each component is clicked, and also used as a menu with values that it does not offer.
var forgeries = map[string][]string{
	"component accept": {"accept:$m"}, "component decline": {"decline:$m"}, "component withdraw": {"withdraw:$m"}, "component open": {"open:0"},
	"component play": {"play:$m:0:a1", "play:$m:0:e5"}, "component resign": {"resign:$m:0"}, "component wish": {"wish:$m:0:draw", "wish:$m:0:agree"}, "component easier": {"easier:$m:1"},
	"component rematch": {"rematch:$m:1"}, "component norematch": {"norematch:$m:1"}, "component next": {"next:$m"}, "component hint": {"hint:$m:0"},
	"component board": {"board:nonsense:1", "board:players:0", "board:players:999999999"}, "component computer": {"computer:godlike"},
	"component daily": {"daily:2026-01-02:9:a1", "daily:2026-02-30:0:a1", "daily:2999-01-01:0:a1"}, "component solve": {"solve:0000-00-00"},
	"component puzzle": {"puzzle:nonsense:2026-01-02", "puzzle:post:2026-01-02"}, "component post": {"post:$m:gif", "post:$m:exe"},
	"component share": {"share:$m:gif", "share:$m:exe"}, "component show": {"show:0"}, "component review": {"review:$m:0", "review:$m:99"},
	"component walk": {"walk:$m:99:next", "walk:$m:1:sideways"}, "component wrong": {"wrong:$m"}, "component practice": {"practice:$m:0:win:zz", "practice:$m:99:win"},
	"component learn": {"learn:nothing", "learn:line:e5"}, "component lesson": {"lesson"}, "component topic": {"topic"}, "component lessons": {"lessons:x"},
	"component ranking": {"ranking:players", "ranking:nonsense"}, "component rankedon": {"rankedon:players"},
	"component seasons": {"seasons:players"}, "component season": {"season:999999999"}, "component posted": {"posted:2026-11-23:nonsense"}, "component replay": {"replay"},
	"component mentions": {"mentions:perhaps"}, "component mysettings": {"mysettings:nonsense"}, "component privacy": {"privacy:nonsense"},
	"component settings": {"settings:blocked", "settings:language", "settings:nonsense"},
	"component admin":    {"admin:nonsense:1", "admin:policy:99999999999999999999"}, "component pick": {"pick"},
	"component rank":   {"rank:role", "rank:merit:1:classic", "rank:board:1:classic", "rank:stop:1:classic", "rank:merit:99999999999999999999:classic", "rank:merit", "rank:board:1:nonsense", "rank:nonsense:1:classic"},
	"component person": {"person:pick", "person:off:99999999999999999999", "person:unbar:0", "person:nonsense:1"}, "modal person": {"person:bar:0", "person:off:1", "person:nonsense:1"},
	"component policy": {"policy:puzzles", "policy:places", "policy:clock", "policy:levels", "policy:features", "policy:language", "policy:told", "policy:nonsense"},
	"component arena":  {"arena:$m:join", "arena:0:standings:9", "arena:$m:off", "arena:$m:nonsense"}, "component newarena": {"newarena:nonsense"},
	"component pickarena": {"pickarena"}, "component entrant": {"entrant:$m", "entrant:0"},
	"modal arena": {"arena:$m:off", "arena:0:off"}, "modal newarena": {"newarena:casual", "newarena:nonsense"}, "command tictactoe arena": {"rated"},
	"component rule": {"rule:void:0", "rule:nonsense:$m"}, "component undo": {"undo", "undo:0"},
	"modal admin": {"admin:begin:1", "admin:nonsense:1"}, "modal privacy": {"privacy:erase", "privacy:nonsense"}, "modal resign": {"resign:$m:0", "resign:0:0"},
	"autocomplete tictactoe leaderboard": {"season"}, "autocomplete tictactoe move": {"square"}, "autocomplete tictactoe show": {"match"},
	"command tictactoe admin": {"member"}, "command tictactoe ai": {"level"}, "command tictactoe best": {"of", "board", "time"},
	"command tictactoe challenge": {"opponent"}, "command tictactoe crowd": {"level", "seconds"}, "command tictactoe daily": {"day"}, "command tictactoe games": {"of"},
	"command tictactoe help": {"topic"}, "command tictactoe leaderboard": {"of", "board", "season"}, "command tictactoe learn": {"lesson"},
	"command tictactoe move": {"square", "opponent"}, "command tictactoe privacy": {"of"}, "command tictactoe profile": {"player", "versus"},
	"command tictactoe settings": {"of"}, "command tictactoe show": {"match"},
	"user Challenge to Tic-Tac-Toe": {""}, "user Tic-Tac-Toe profile": {""},
}

// forger sends interactions that no client offers, as a moderator who does not play, and checks the answers.
type forger struct {
	*world
	before map[string]string // the rows of the tables, which must not change
	menus  map[string]string // the ids of the messages with menus, by the menu's custom_id
}

// drive makes a call of the simulator's API.
func (f *forger) drive(call string, body map[string]any) (r discordsim.Result) {
	f.t.Helper()
	<-time.After(2 * time.Second) // an earlier call would exceed the user's rate limit
	text, err := json.Marshal(body)
	if err != nil {
		f.t.Fatal(err)
	}
	w := httptest.NewRecorder()
	f.sim.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "http://sim.test/sim/"+call, bytes.NewReader(text)))
	synctest.Wait()
	if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil || w.Code != http.StatusOK {
		f.t.Fatalf("%s %s: %d %s", call, text, w.Code, w.Body)
	}
	return r
}

// forge makes a call that the bot must refuse, with a private answer and without any change of a table.
func (f *forger) forge(call string, body map[string]any) {
	f.t.Helper()
	body["forge"] = true
	r := f.drive(call, body)
	said := ""
	if r.Message != nil {
		said = textOf(r.Message)
	}
	if text := fmt.Sprintf("%.300v", body); r.Status != discordsim.Answered || call != "command" && !r.Ephemeral || strings.Contains(said, "Something went wrong") {
		f.t.Errorf("%s %s: %s, ephemeral %t, %v: %s", call, text, r.Status, r.Ephemeral, r.Error, said)
	} else if now := f.tables(); body["name"] == "tictactoe daily" { // the command daily begins an attempt of the user
		f.before = now
	} else if !maps.Equal(now, f.before) {
		for name := range now {
			if now[name] != f.before[name] {
				f.t.Errorf("%s %s changed %s: %s\n%s\nwas\n%s", call, text, name, said, now[name], f.before[name])
			}
		}
		f.before = now
	}
}

// tables returns the rows of all tables, except the tables that only the bot needs.
func (f *forger) tables() map[string]string {
	f.t.Helper()
	db, err := sql.Open("sqlite3", "file:"+f.db+"?mode=ro")
	if err != nil {
		f.t.Fatal(err)
	}
	defer db.Close()
	all := map[string]string{}
	noted := []string{"boards", "asides", "claims", "public_posts", "sessions", "leases", "presence", "presence_of_parts", "emoji", "back_offs", "venues"}
	for name := range strings.Lines(f.rows(db, `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)) {
		if name = strings.Trim(name, "[]\n"); !slices.Contains(noted, name) {
			all[name] = f.rows(db, `SELECT * FROM `+name)
		}
	}
	return all
}

func (f *forger) rows(db *sql.DB, query string) string {
	f.t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		f.t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		f.t.Fatal(err)
	}
	var b strings.Builder
	for rows.Next() {
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			f.t.Fatal(err)
		}
		fmt.Fprintln(&b, row)
	}
	return b.String()
}

// TestForgedValues forges an interaction for every route, on the messages with its menus and on a match of other users. The bot
// must answer each privately and change nothing, also on the pages of moderators.
func TestForgedValues(t *testing.T) {
	text, err := os.ReadFile("../../commands/testdata/routes.txt")
	if err != nil {
		t.Fatal(err)
	}
	routes := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, route := range routes {
		if len(forgeries[route]) == 0 {
			t.Errorf("nothing is forged for the route %q", route)
		}
	}
	checker, err := check.New(openAPI(t))
	if err != nil {
		t.Fatal(err)
	}
	db := preparedFile(t, "")
	synctest.Test(t, func(t *testing.T) {
		f := &forger{world: newWorld(t, stage{spec: openAPI(t), checker: checker}, db, false), menus: map[string]string{}}
		defer f.close()
		f.forgeAll(routes)
		f.checkBodies()
	})
}

func (f *forger) forgeAll(routes []string) {
	f.t.Helper()
	// Open challenges are off, because otherwise anybody may have one posted, on whatever terms.
	for _, line := range []string{"manager carol", "carol /tictactoe admin", "look answer", "carol picks policy:features profiles replays best sharing daily learn hints", "alice /tictactoe challenge opponent:bob first:me clock:24h", "bob clicks Accept", "call match m"} {
		if err := f.do(line); err != nil {
			f.t.Fatal(err)
		}
	}
	if _, err := f.sim.AddServer(discordsim.Server{Name: "Elsewhere", Channels: []string{"lobby"}}); err != nil {
		f.t.Fatal(err)
	}
	there, err := f.sim.User("alice").Write("lobby", "hello")
	if err != nil {
		f.t.Fatal(err)
	}
	board, lobby := f.here, there.ChannelID
	pages := func() {
		f.menus["settings:blocked"] = f.drive("command", map[string]any{"as": "carol", "channel": "general", "name": "tictactoe settings"}).Message.ID
		for _, page := range []string{"", "admin:puzzle:1", "admin:language:1", "admin:ranks:1", "admin:people:1"} {
			r := f.drive("command", map[string]any{"as": "carol", "channel": "general", "name": "tictactoe admin"})
			if page != "" {
				r = f.drive("click", map[string]any{"as": "carol", "message": r.Message.ID, "custom_id": page})
			}
			if r.Status != discordsim.Answered || r.Message == nil {
				f.t.Fatalf("page %q: %s %v", page, r.Status, r.Error)
			}
			walk(r.Message.Components, func(c discordsim.Component) {
				if c.Type != 2 && c.CustomID != "" {
					f.menus[c.CustomID] = r.Message.ID
				}
			})
		}
	}
	pages()
	f.before = f.tables()
	values := [][]string{{lobby}, {"99999999999999999999"}, {"18446744073709551616"}, {"007"}, {""}, {"0"}, {"-1"}, {"nonsense"}, {strings.Repeat("x", 4000)}, slices.Repeat([]string{lobby}, 30)}
	for _, route := range routes {
		kind, name, _ := strings.Cut(route, " ")
		for _, forged := range forgeries[route] {
			forged = strings.ReplaceAll(forged, "$m", f.named["m"])
			switch kind {
			case "component":
				message := board
				if at := f.menus[forged]; at != "" {
					message = at
				}
				for _, id := range []string{forged, name + ":", name + ":0", name + ":-1:x", name + ":99999999999999999999", name + ":" + strings.Repeat("z", 80)} {
					f.forge("click", map[string]any{"as": "carol", "message": message, "custom_id": id})
				}
				for _, v := range values {
					f.forge("select", map[string]any{"as": "carol", "message": message, "custom_id": forged, "values": v})
				}
			case "modal":
				opened := f.opened(name)
				for _, v := range values {
					fields := map[string]any{"word": v[0], "name": "A season", "date": cmp.Or(v[0], "today")}
					f.forge("modal", map[string]any{"as": "carol", "interaction": opened, "custom_id": forged, "fields": fields})
				}
			case "autocomplete":
				for _, v := range values {
					body := map[string]any{"as": "carol", "channel": "general", "name": name, "options": map[string]any{forged: v[0][:min(len(v[0]), 100)]}, "focused": forged}
					if r := f.drive("autocomplete", body); r.Status != discordsim.Answered {
						f.t.Errorf("%s %.50s: %s", name, v[0], r.Status)
					}
				}
			case "command", "user":
				for _, v := range values {
					body := map[string]any{"as": "carol", "channel": "general", "name": name, "target": cmp.Or(v[0], "0"), "options": map[string]any{forged: cmp.Or(v[0], "none")}}
					if kind == "command" {
						delete(body, "target")
					}
					f.forge("command", body)
				}
			}
		}
	}
	pages()
}

// opened opens a modal as carol and returns the interaction that opened it. Verbs other than privacy share one modal.
func (f *forger) opened(verb string) string {
	f.t.Helper()
	command, label := "tictactoe admin", "Reset leaderboards"
	if verb == "privacy" {
		command, label = "tictactoe privacy", "Delete everything"
	}
	r := f.drive("command", map[string]any{"as": "carol", "channel": "general", "name": command})
	r = f.drive("click", map[string]any{"as": "carol", "message": r.Message.ID, "label": label})
	if r.Modal == nil {
		f.t.Fatalf("%s opens no form", label)
	}
	return r.Interaction
}
