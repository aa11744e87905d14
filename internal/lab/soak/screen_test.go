package soak

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"tictactoe/discordsim"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// container returns a message with a text and buttons, each of which has a custom_id and an emoji.
func container(text string, rows ...[][2]string) *discordsim.Message {
	box := discordsim.Component{Type: 17, Components: []discordsim.Component{{Type: 10, Content: text}}}
	for _, row := range rows {
		line := discordsim.Component{Type: 1}
		for _, b := range row {
			line.Components = append(line.Components, discordsim.Component{Type: 2, CustomID: b[0], Emoji: &discordsim.Emoji{Name: b[1]}})
		}
		box.Components = append(box.Components, line)
	}
	return &discordsim.Message{Components: []discordsim.Component{box}}
}

func TestReadingABoard(t *testing.T) {
	read := english(t).read
	s := read(container("### **p01** ❌ vs ⭕ the computer (easy)\n❌ **p01** to move · time runs out <t:1700000000:R>",
		[][2]string{{"play:m:2:a1", "❌"}, {"play:m:2:b1", "▫️"}}, [][2]string{{"play:m:2:a2", "⚪"}, {"play:m:2:b2", "✖️"}}, [][2]string{{"resign:m:2", ""}}))
	if s.match != "m" || s.ply != 2 || s.board != "X./OX" || s.x != "p01" || s.o != "the computer (easy)" || s.mover != "p01" ||
		s.deadline != 1700000000 || s.cause != "" || len(s.free) != 1 || s.button("resign") != "resign:m:2" {
		t.Errorf("got %+v", s)
	}
	words := container("### **p01** ❌ vs ⭕ **p02**\n⭕ **p02** to move", [][2]string{{"play:m:3:a1"}, {"play:m:3:b1"}}, [][2]string{{"play:m:3:a2"}, {"play:m:3:b2"}})
	for i, label := range []string{"a1 X leaves", "b1", "O", "b2 X last"} {
		square := &words.Components[0].Components[1+i/2].Components[i%2]
		square.Emoji, square.Label = nil, label
	}
	if s := read(words); s.board != "X./OX" || s.ply != 3 || s.mover != "p02" || len(s.free) != 1 || s.free[0] != "play:m:3:b1" {
		t.Errorf("in words: %+v", s)
	}
	for text, want := range map[string][2]string{
		"🏆 ⭕ **p02** wins with 3 in a row!":          {"line", "O"},
		"🤝 A draw: the board is full.":               {"full board", "draw"},
		"🤝 A draw: the players agreed.":              {"agreement", "draw"},
		"🏳️ **p02** resigned. ❌ **p01** wins!":       {"resignation", "X"},
		"⏰ **p01** ran out of time. ⭕ **p02** wins!": {"time", "O"},
		"Called off early. It doesn't count.":        {"aborted", ""},
	} {
		s := read(container("### **p01** ❌ vs ⭕ **p02**\n"+text, [][2]string{{"play:m:0:a1", "▫️"}}))
		if s.cause != want[0] || s.outcome != want[1] || s.mover != "" {
			t.Errorf("%s: %q by %q, to move: %q", text, s.outcome, s.cause, s.mover)
		}
	}
	if s := read(container("### **p01** is looking for a Tic-Tac-Toe opponent\nWho's in?", [][2]string{{"accept:c", ""}})); s.challenge != "c" ||
		s.from != "p01" || s.to != "" {
		t.Errorf("got %+v", s)
	}
	if s := read(container("### **p01** challenges **p02** to Tic-Tac-Toe\n<@1>, are you in?", [][2]string{{"accept:c", ""}})); s.challenge != "c" ||
		s.from != "p01" || s.to != "p02" {
		t.Errorf("got %+v", s)
	}
}

// The laws recognise texts by their keys, so that a changed wording does not make a law blind.
func TestTextsAreRecognised(t *testing.T) {
	english, err := os.ReadFile(filepath.Join("..", "..", "show", "locale", "texts", "en.json"))
	if err != nil {
		t.Fatal(err)
	}
	reworded := strings.NewReplacer("You played {{.Square}}", "On {{.Square}} is your mark now",
		"🧩 Daily puzzle · {{.Day}} · {{.Board}}", "{{.Board}}, the riddle of {{.Day}}", "🟥 Not {{.Square}}", "🟥 {{.Square}} was wrong", "a bit fast", "rather quick",
		"a lot going on", "a crowd", "Something went wrong", "An accident happened", "has been deleted", "is gone",
		"{{.MarkX}} vs {{.MarkO}}", "{{.MarkX}} against {{.MarkO}}", "⏰ {{.Loser}} ran out of time", "Time is up for {{.Loser}}").Replace(string(english))
	args := view.Args{
		"Square": "b2", "Left": "a1", "Day": view.Day(time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)), "Board": "classic", "Why": "It loses", "Reference": "1", "PluralCount": 2,
		"X": "**p01**", "MarkX": "❌", "MarkO": "⭕", "O": "**p02**", "Loser": "**p01**", "Mark": "⭕", "Winner": "**p02**",
	}
	for name, texts := range map[string]string{"as they are": string(english), "reworded": reworded} {
		book, err := locale.ReadBook(fstest.MapFS{"en.json": {Data: []byte(texts)}})
		if err != nil {
			t.Fatal(err)
		}
		w, err := newWords(book)
		if err != nil {
			t.Fatal(err)
		}
		said := func(key string) string { return book.In("en-US").Say(view.T(key, args), nil) }
		s := w.read(container("### "+said("match.seats")+"\n"+said("result.time"), [][2]string{{"play:m:1:a1", "❌"}}))
		if s.x != "p01" || s.o != "p02" || s.cause != "time" || s.outcome != "O" {
			t.Errorf("%s: read %+v", name, s)
		}
		for _, one := range told {
			for _, key := range one.keys {
				matters, _ := args[one.gap].(string)
				if day, is := args[one.gap].(view.Day); is {
					matters = time.Time(day).Format(time.DateOnly)
				}
				if got := w.told("### A title\n⚠️ " + said(key) + "\nMore"); len(got) != 1 || got[one.keys[0]] != matters {
					t.Errorf("%s, %s: %q says %v", name, key, said(key), got)
				}
			}
		}
	}
	other := strings.ReplaceAll(string(english), `"error.busy"`, `"error.crowded"`)
	without, err := locale.ReadBook(fstest.MapFS{"en.json": {Data: []byte(other)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newWords(without); err == nil {
		t.Error("newWords accepted a book that lacks a key")
	}
}

// english returns the texts of the embedded book.
func english(t *testing.T) words {
	t.Helper()
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWords(book)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestGarble(t *testing.T) {
	event := `{"data":{"name":"tictactoe","options":[{"name":"ai","type":1,"options":[{"name":"level","type":3,"value":"easy"}]}]}}`
	garbled, did := garble(json.RawMessage(event))
	if want := `{"data":{"name":"tictactoe","options":[{"name":"ai","options":[{"name":"level","type":3,"value":7}],"type":1}]}}`; !did || string(garbled) != want {
		t.Errorf("%v: %s", did, garbled)
	}
	for _, other := range []string{`{"data":{"custom_id":"play:m:0:a1"}}`, `{"data":{"options":[{"name":"opponent","type":6,"value":"1"}]}}`, `[]`} {
		if garbled, did := garble(json.RawMessage(other)); did {
			t.Errorf("%s became %s", other, garbled)
		}
	}
}
