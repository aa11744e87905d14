package commands_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/internal/show/view"
)

// pictured returns the reply that shows alice a picture of a match of bob, whose name contains markdown.
func (d *desk) pictured() bot.Reply {
	return d.commands.Shown(d.typed(alice, "help"), view.Screen{
		Lines: []view.Text{view.T("privacy.title", nil)},
		Picture: &view.Picture{
			Name: "name.png", Content: []byte("PNG"), Alt: view.T("privacy.name", view.Args{"Name": view.Name("Bob_*the*_Builder")}),
		},
		Notes: []view.Text{view.T("privacy.use", nil)},
	})
}

// inWords returns the text of the reply that is sent if Discord refuses the files.
func inWords(r bot.Reply) bot.Reply {
	r.Components, r.Files = r.Wordy, nil
	return r
}

func TestPicturesComeAlong(t *testing.T) {
	d := newDesk(t)
	want := []rest.File{{
		Name: "name.png", Type: "image/png", Content: []byte("PNG"),
		Description: "Your Discord ID, and your last known name: Bob_*the*_Builder",
	}}
	if diff := cmp.Diff(want, d.pictured().Files); diff != "" {
		t.Error(diff)
	}
	d.noFiles = true
	if r := d.pictured(); len(r.Files) > 0 || r.Wordy != nil {
		t.Errorf("%+v", r)
	}
}

func TestLongDescriptionsAreCut(t *testing.T) {
	d := newDesk(t)
	long := view.T("privacy.use", nil)
	for range 100 {
		long = view.T("rules.note", view.Args{"Name": "nested", "How": long})
	}
	r := d.commands.Shown(d.typed(alice, "help"), view.Screen{Picture: &view.Picture{Name: "a.png", Alt: long}})
	if got := r.Files[0].Description; utf8.RuneCountInString(got) > 1024 || !strings.HasSuffix(got, "…") {
		t.Errorf("%d characters: %s", utf8.RuneCountInString(got), got)
	}
	for _, c := range checkers(t) {
		if refusal := c.CallbackOn(callback(t, r), true); refusal != nil {
			t.Error(refusal)
		}
	}
}
