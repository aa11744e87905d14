package commands_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/commands"
	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/people/user"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/replica/claim"
	"tictactoe/internal/server/policy"
)

func (d *desk) closed(by string) bot.Reply {
	d.t.Helper()
	d.run(by, "settings")
	return d.turn(by, "Turn challenges off")
}

func (d *desk) blocked(by string, people ...string) bot.Reply {
	d.t.Helper()
	d.run(by, "settings")
	return d.choose(by, people...)
}

// known saves every kind of data about alice.
func (d *desk) known() {
	d.t.Helper()
	d.busyDay()
	d.blocked(alice, bob)
	d.closed(alice)
	entry := policy.AuditEntry{ID: "deed", Venue: guild, By: alice, At: noon, Kind: policy.Undo, Chosen: []string{"season", "Autumn"}, Undoes: "begun"}
	if err := d.store.Save(d.t.Context(), match.Save{Extras: []match.Extra{entry}}); err != nil {
		d.t.Fatal(err)
	}
	winter := season.Season{Venue: guild, Number: 1, Name: "Winter", Began: noon.Add(24 * time.Hour), Ends: noon.Add(48 * time.Hour), By: alice, Channel: "1"}
	if err := d.store.BeginSeason(d.t.Context(), winter, policy.AuditEntry{ID: "season", Venue: guild, By: carol, At: winter.Began, Kind: policy.BeginSeason}); err != nil {
		d.t.Fatal(err)
	}
	if err := d.store.SolveLesson(d.t.Context(), alice, "fork", noon); err != nil {
		d.t.Fatal(err)
	}
	a, err := arena.New("arena", guild, "1", alice, arena.Terms{
		Name: "Friday", Rules: arena.Boards()[0].Rules, TurnTime: time.Minute, Lasts: time.Hour, Begins: noon.Add(time.Hour),
	}, noon)
	if err == nil {
		a, err = a.Join(alice, noon.Add(time.Second))
	}
	if err := errors.Join(err, d.store.Save(d.t.Context(), match.Save{Extras: []match.Extra{arena.Change{To: a}}})); err != nil {
		d.t.Fatal(err)
	}
	line := board.Aside{ID: d.id(), User: alice, Token: "secret", Message: rest.Original, Expires: noon.Add(time.Minute)}
	if _, err := d.store.ReplaceAside(d.t.Context(), line); err != nil {
		d.t.Fatal(err)
	}
}

// erased makes a user have all data deleted.
func (d *desk) erased(by string) bot.Reply {
	d.t.Helper()
	d.run(by, "privacy")
	return d.confirmErasure(by, "delete")
}

// confirmErasure presses the button to delete all data, and types the word in the form.
func (d *desk) confirmErasure(by, word string) bot.Reply {
	d.t.Helper()
	return d.fillIn(by, d.turn(by, "Delete everything").Modal.CustomID, "word", word)
}

func TestDeletingEverythingAsksForAWord(t *testing.T) {
	d := newDesk(t)
	d.known()
	d.run(alice, "privacy")
	if said := text(d.confirmErasure(alice, "delet").Components); !strings.Contains(said, "Nothing was deleted") {
		t.Error(said)
	}
	if held := mustHeld(d, alice); held.Name == "" {
		t.Error("the data was deleted")
	}
	d.run(alice, "privacy")
	d.confirmErasure(alice, " Delete ")
	if held := mustHeld(d, alice); held.Name != "" {
		t.Errorf("the data %+v was not deleted", held)
	}
}

func TestAnExportHoldsOnlyThePlayersData(t *testing.T) {
	d := newDesk(t)
	d.known()
	d.run(alice, "privacy")
	r := d.turn(alice, "Export")
	if len(r.Files) != 1 || !r.Private {
		t.Fatalf("%d files", len(r.Files))
	}
	goldenFile(t, "export.json", r.Files[0].Content)
	if text := string(r.Files[0].Content); strings.Contains(text, carol) || strings.Contains(text, "Bob") || strings.Contains(text, "Carol") || strings.Contains(text, "secret") {
		t.Errorf("the export names other users or contains a secret:\n%s", text)
	}
	var body struct {
		Matches []struct{ Moves []string }
	}
	if err := json.Unmarshal(r.Files[0].Content, &body); err != nil || len(body.Matches) == 0 {
		t.Fatal(err)
	}
}

func TestALargeExportFitsAMessage(t *testing.T) {
	m := match.Start("fvvvvvvvvvvvv", "m", "1000000000000000000", gameOf(t, "infinite"), match.Seats{match.Human(alice), match.Human(bob)}, time.Hour, 1, noon)
	for i, square := range strings.Fields(sixtyPlies) {
		s, err := m.Position().Rules().ParseSquare(square)
		if err != nil {
			t.Fatal(err)
		}
		if m, err = m.Play(m.Turn().Player, i, s, noon.Add(time.Duration(i)*time.Millisecond)); err != nil {
			t.Fatal(err)
		}
	}
	m.Rematch = match.Rematch{State: match.RematchStarted, By: alice, Next: m.ID}
	stood := rating.Rating{Value: 1720.317199, Deviation: 260.488763, Volatility: 0.059998921, At: noon}
	played := user.Played{
		Match: m, Rating: stood, Other: stood, Judged: true, Review: profile.Side{Critical: 30, Errors: 30, Recovered: true},
	}
	for i := range m.Record.Len() {
		played.Moved = append(played.Moved, noon.Add(time.Duration(i)*time.Millisecond))
	}
	data := user.Data{}
	for range user.MaxExported {
		data.Played = append(data.Played, played)
		data.Did = append(data.Did, policy.AuditEntry{Venue: m.Venue, At: noon, Kind: policy.Void, Match: m.ID})
		terms := match.Terms{Rules: gameOf(t, "infinite"), TurnTime: time.Hour}
		challenge := match.Challenge{ID: m.ID, Venue: m.Venue, From: alice, Terms: terms, Created: noon, Deadline: noon}
		data.Challenged = append(data.Challenged, challenge)
	}
	content, err := commands.Exported(alice, data, noon, false)
	if err != nil || len(content) > 10<<20 {
		t.Errorf("%d bytes, %v", len(content), err)
	}
}

func gameOf(t *testing.T, name string) game.Rules {
	t.Helper()
	for _, offer := range game.Offered() {
		if offer.Name == name {
			return offer.Rules
		}
	}
	t.Fatal(name)
	return game.Rules{}
}

func TestErasingEndsAndRedrawsOpenMatches(t *testing.T) {
	d := newDesk(t)
	d.started()
	d.play("b2 a1", alice, bob)
	d.flush()
	d.erased(alice)
	asked := d.flush()
	said := fmt.Sprint(d.discord.messages)
	if len(asked) != 1 || !strings.Contains(said, "deleted player") || strings.Contains(said, "Alice") {
		t.Errorf("%q: %s", asked, said)
	}
}

func TestABlockIsNotRevealed(t *testing.T) {
	closed, blocked := newDesk(t), newDesk(t)
	closed.closed(bob)
	blocked.blocked(bob, alice)
	one, other := closed.challenge(), blocked.challenge()
	if pretty(t, one.Components) != pretty(t, other.Components) {
		t.Errorf("%s\nor\n%s", text(one.Components), text(other.Components))
	}
}

// TestAForgedCustomIDGrantsNoRights tests that a forged custom_id gives a user access only to actions that everybody has, on the
// user's own data.
func TestAForgedCustomIDGrantsNoRights(t *testing.T) {
	d := newDesk(t)
	d.known()
	before := pretty(t, mustHeld(d, alice))
	for _, id := range []string{"settings:everybody", "settings:mentionson", "settings:blocked", "privacy:export", "privacy:erase", "privacy:" + alice} {
		d.clickOn(carol, d.board, id)
	}
	d.run(carol, "privacy")
	d.fillIn(carol, "privacy:erase", "word", "delete")
	if after := pretty(t, mustHeld(d, alice)); after != before {
		t.Errorf("%s became %s", before, after)
	}
	if held := mustHeld(d, carol); held.Challenges+held.Matches > 0 || held.Name != "" {
		t.Errorf("carol's own data was not deleted: %+v", held)
	}
}

func TestAForgedCustomIDRedrawsNoBoardOfOthers(t *testing.T) {
	d := newDesk(t)
	d.started()
	board := *d.board
	for id := range customIDs {
		for _, value := range []string{"players", "classic", "0"} { // the values of a ranking, a rule set and a season, where the custom_id belongs to a menu
			if r := d.handle(d.clicking(carol, &board, id, value)); r.Kind == bot.Update {
				t.Errorf("%s replaces the board by %s", id, text(r.Components))
			}
		}
	}
}

func mustHeld(d *desk, p string) user.Held {
	d.t.Helper()
	held, err := d.store.Held(d.t.Context(), match.User(p))
	if err != nil {
		d.t.Fatal(err)
	}
	return held
}

func TestAMenuOfTooManyPeopleIsRefused(t *testing.T) {
	d := newDesk(t)
	var many []string
	for i := range user.MaxBlocked + 1 {
		many = append(many, fmt.Sprint(9000+i))
	}
	d.run(alice, "settings")
	if r := d.choose(alice, many...); r.Kind != bot.Post || !r.Private {
		t.Errorf("%s", text(r.Components))
	}
	d.choose(alice, append(many[:user.MaxBlocked-1], alice)...)
	if held := mustHeld(d, alice); len(held.Settings.Blocked) != user.MaxBlocked-1 {
		t.Errorf("%d are blocked", len(held.Settings.Blocked))
	}
}

// overtaken is a store that calls before, once, when something is about to be saved.
type overtaken struct {
	match.Store
	before func()
}

func (s *overtaken) Save(ctx context.Context, save match.Save) error {
	if before := s.before; before != nil {
		s.before = nil
		before()
	}
	return s.Store.Save(ctx, save)
}

// TestAFormOvertakesAVote tests that a vote is not saved if the voter's data is deleted while the vote is handled.
func TestAFormOvertakesAVote(t *testing.T) {
	d := newDesk(t)
	d.run(alice, "crowd")
	d.press(bob, "a1")
	vote := d.clicking(bob, d.board, d.button(d.board.components, "b2"))
	form := d.interaction(bob, discordgo.InteractionModalSubmit, nil).ID
	d.commands.Play.Referee.Store = &overtaken{Store: d.store, before: func() {
		if _, err := d.store.Erase(t.Context(), bob, d.now(), form); err != nil {
			t.Error(err)
		}
	}}
	if _, err := d.commands.Handle(t.Context(), vote); !errors.Is(err, claim.ErrTaken) {
		t.Error("the vote was handled:", err)
	}
	if held, err := d.store.Held(t.Context(), bob); err != nil || held.Crowds > 0 || held.Name != "" {
		t.Error("left of the voter:", held, err)
	}
}
