package commands_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
)

// inCharge is a place where the acting user may manage the server.
var inCharge = place{guild: guild, channel: channel, installed: true, permissions: 1<<50 | discordgo.PermissionManageGuild}

// opened returns the moderation screen of carol, who has become a moderator.
func (d *desk) opened() bot.Reply {
	d.t.Helper()
	d.place = inCharge
	return d.run(carol, "admin")
}

// tells has open challenges mention a role, and returns the screen on which carol chose it.
func (d *desk) tells() bot.Reply {
	d.t.Helper()
	d.opened()
	return d.pick("policy:told", toldRole)
}

// ranks returns the page of a role that carol, who may give roles, has chosen.
func (d *desk) ranks(role string) bot.Reply {
	d.t.Helper()
	d.opened()
	d.place.permissions |= discordgo.PermissionManageRoles
	d.turn(carol, "Roles for ranks")
	return d.pick("rank:role", role)
}

// deletesRankRole deletes a role at Discord that is given for a rank.
func (d *desk) deletesRankRole() {
	d.t.Helper()
	d.ranks(toldRole)
	d.pick("rank:merit:7001:classic", "top3")
	delete(d.roles.server.Roles, toldRole)
}

// picked returns the screen on which carol sees the match of the board.
func (d *desk) picked() bot.Reply {
	d.t.Helper()
	d.opened()
	return d.pick("pick", string(d.id()))
}

// pick chooses values in a menu of carol's private message.
func (d *desk) pick(customID string, values ...string) bot.Reply {
	d.t.Helper()
	return d.handle(d.clicking(carol, d.line, customID, values...))
}

// reset presses the button that resets the leaderboards, and confirms it.
func (d *desk) reset() bot.Reply {
	d.t.Helper()
	return d.resetBy(inCharge)
}

// resetBy is like reset, but the user is at the place then when confirming.
func (d *desk) resetBy(then place) bot.Reply {
	d.t.Helper()
	d.place = inCharge
	asked := d.turn(carol, "Reset leaderboards")
	d.place = then
	return d.fillIn(carol, asked.Modal.CustomID)
}

// fillIn submits the form that a user's private message has opened, with the given names and texts of inputs.
func (d *desk) fillIn(by, form string, typed ...string) bot.Reply {
	d.t.Helper()
	verb, _, _ := strings.Cut(form, ":")
	d.routes["modal "+verb] = true
	in := d.interaction(by, discordgo.InteractionModalSubmit, discordgo.ModalSubmitInteractionData{CustomID: form})
	in.Inputs = make(map[string]string)
	for pair := range slices.Chunk(typed, 2) {
		in.Inputs[pair[0]] = pair[1]
	}
	d.line.clicked(d, in)
	return d.handle(in)
}

// asksForSeason presses the button that opens the form to begin a season.
func (d *desk) asksForSeason() bot.Reply {
	d.t.Helper()
	d.opened()
	d.turn(carol, "Season")
	return d.turn(carol, "Start a season")
}

// wonSeason makes a season that a player has won, and the season after it.
func (d *desk) wonSeason() {
	d.t.Helper()
	d.begins("Winter *one*", "")
	d.place = inServer
	d.advance(time.Hour)
	d.won()
	d.advance(time.Hour)
	d.begins("Spring", "2026-06-01")
	d.place = inServer
}

// champions returns the post of the champions of the first season.
func (d *desk) champions() bot.Reply {
	d.t.Helper()
	all, err := d.store.Seasons(d.t.Context(), guild)
	if err != nil || len(all) != 2 {
		d.t.Fatal(all, err)
	}
	components, err := d.commands.Champions(d.t.Context(), all[1])
	if err != nil {
		d.t.Fatal(err)
	}
	return bot.Reply{Components: components}
}

// begins begins a season by the form.
func (d *desk) begins(name, date string) bot.Reply {
	d.t.Helper()
	return d.fillIn(carol, d.asksForSeason().Modal.CustomID, "name", name, "date", date)
}

// done returns the audit entry that the given number of later entries follow.
func (d *desk) done(since int) policy.AuditEntry {
	d.t.Helper()
	entries, err := d.store.AuditLog(d.t.Context(), guild, since, 1)
	if err != nil || len(entries) == 0 {
		d.t.Fatal(entries, err)
	}
	return entries[0]
}

// undoLatest undoes the latest entry, from the menu of the audit log.
func (d *desk) undoLatest() bot.Reply {
	d.t.Helper()
	return d.pick("undo", string(d.done(0).ID))
}

// entries makes an audit entry of every kind.
func (d *desk) entries() bot.Reply {
	d.t.Helper()
	d.won()
	voided := string(d.id())
	d.started()
	drawn := string(d.id())
	d.opened()
	d.pick("policy:places", "5001")
	d.pick("policy:places", "5001", "5002", "5003", "5004", "5005")
	d.pick("policy:places")
	d.pick("policy:clock", "1h")
	d.pick("policy:clock", "5m")
	d.pick("policy:levels", "easy", "hard")
	d.pick("pick", voided)
	d.turn(carol, "Void")
	d.pick("pick", drawn)
	d.turn(carol, "End as a draw")
	d.opened()
	d.turn(carol, "Turn pings off")
	d.turn(carol, "Turn pings on")
	d.turn(carol, "Turn ratings off")
	d.turn(carol, "Turn ratings on")
	d.reset()
	d.flush()
	d.turn(carol, "Settings")
	return d.turn(carol, "Recent actions")
}

func TestEveryActionOfAModeratorIsLoggedOnce(t *testing.T) {
	d := newDesk(t)
	d.entries()
	if n := strings.Count(d.discord.log.String(), "msg=moderation"); n != 13 {
		t.Errorf("%d lines:\n%s", n, d.discord.log.String())
	}
	entries, err := d.store.AuditLog(t.Context(), guild, 0, 99)
	if err != nil || len(entries) != 13 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}

func TestAChangeWithoutEffectIsNotLogged(t *testing.T) {
	d := newDesk(t)
	d.opened()
	for range 2 {
		d.pick("policy:clock", "1h")
		d.pick("policy:levels", "hard", "easy")
		d.pick("policy:places", "5001")
		d.clickOn(carol, d.line, "policy:off")
		d.clickOn(carol, d.line, "policy:unrated")
	}
	entries, err := d.store.AuditLog(t.Context(), guild, 0, 99)
	if err != nil || len(entries) != 5 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}

// Then a level that a later version adds is on offer, too.
func TestChoosingAllLevelsStoresNone(t *testing.T) {
	d := newDesk(t)
	d.opened()
	d.pick("policy:levels", "easy")
	d.pick("policy:levels", append(ai.LevelNames(), ai.FairName)...)
	d.pick("policy:boards", "drop")
	d.pick("policy:boards", "classic", "4x4", "5x5", "infinite", "drop", "drop-5x5", "misere")
	p, err := d.store.Policy(t.Context(), guild)
	if err != nil || p.Version != 4 || len(p.Levels) != 0 || len(p.Boards) != 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestForgedRequestsOfNonModerators tests forged requests of users who are not moderators, in messages with the button and without
// it.
func TestForgedRequestsOfNonModerators(t *testing.T) {
	for _, customID := range []string{
		"admin:policy:1", "admin:running:1", "admin:ended:1", "admin:deeds:1", "admin:reset:1", "policy:places", "policy:clock",
		"policy:levels", "policy:boards", "policy:off", "policy:told", "pick", "rule:draw:", "rule:void:", "undo", "undo:1a",
	} {
		t.Run(customID, func(t *testing.T) {
			d := newDesk(t)
			d.started()
			if strings.HasPrefix(customID, "rule:") {
				d.picked()
				customID += string(d.id())
			} else {
				d.opened()
			}
			d.place = inServer
			before := d.line
			value := "5m"
			if customID == "policy:places" || customID == "policy:told" {
				value = "5001"
			}
			if r := d.pick(customID, value); r.Kind != bot.Post || !r.Private || !strings.Contains(text(r.Components), "Manage Server") {
				t.Errorf("%v: %s", r.Kind, text(r.Components))
			}
			d.line = before
			entries, err := d.store.AuditLog(t.Context(), guild, 0, 9)
			if err != nil || len(entries) > 0 {
				t.Errorf("%v, %v", entries, err)
			}
			if m, err := d.store.Match(t.Context(), d.id()); err != nil || m.Result.Over() {
				t.Errorf("%v, %v", m.Result, err)
			}
		})
	}
}

func TestAModeratorOfAnotherServerRulesNothingHere(t *testing.T) {
	d := newDesk(t)
	d.won()
	id := string(d.id())
	d.place = place{guild: "4002", channel: "5009", installed: true, permissions: discordgo.PermissionAdministrator}
	d.run(carol, "admin")
	// The button is forged, on a message that carries it.
	d.line.components = append(d.line.components, discordgo.Button{CustomID: "rule:void:" + id})
	if r := d.clickOn(carol, d.line, "rule:void:"+id); !strings.Contains(text(r.Components), "no such match in this server") {
		t.Error(text(r.Components))
	}
	if m, err := d.store.Match(t.Context(), match.ID(id)); err != nil || !m.Result.Counts() {
		t.Errorf("%v, %v", m.Result, err)
	}
}

func TestTheBoardOfAVoidedMatchIsRedrawn(t *testing.T) {
	d := newDesk(t)
	d.won()
	d.flush()
	board := d.board.id
	d.picked()
	d.turn(carol, "Void")
	if asked := d.flush(); len(asked) != 1 || !strings.Contains(d.discord.says(board), "Voided by a moderator") {
		t.Errorf("%q: %s", asked, d.discord.says(board))
	}
	page, err := d.store.Leaderboard(t.Context(), guild, score.Board{Of: score.People, Season: season.Latest}, score.Where{Page: 1}, alice)
	if err != nil || len(page.Rows) != 0 {
		t.Errorf("%v, %v", page.Rows, err)
	}
}

func TestTheBoardOfARestoredMatchIsRedrawn(t *testing.T) {
	d := newDesk(t)
	d.won()
	d.flush()
	board := d.board.id
	d.picked()
	d.turn(carol, "Void")
	d.flush()
	d.turn(carol, "Undo")
	if asked := d.flush(); len(asked) != 1 || !strings.Contains(d.discord.says(board), "wins with 3 in a row") {
		t.Errorf("%q: %s", asked, d.discord.says(board))
	}
	page, err := d.store.Leaderboard(t.Context(), guild, score.Board{Of: score.People}, score.Where{Page: 1}, alice)
	if err != nil || len(page.Rows) != 2 || page.Own == nil || page.Own.Wins != 1 {
		t.Errorf("%+v, %v", page, err)
	}
	if entry := d.done(0); entry.Kind != policy.Undo || entry.Match != d.id() || entry.Undoes != d.done(1).ID || !d.done(1).Undone {
		t.Errorf("%+v after %+v", entry, d.done(1))
	}
}

// TestOnlyOneOfTwoSimultaneousUndosSucceeds tests two moderators who undo an action at the same time, after both have seen that it
// can be undone.
func TestOnlyOneOfTwoSimultaneousUndosSucceeds(t *testing.T) {
	for name, do := range map[string]func(d *desk){
		"void":  func(d *desk) { d.won(); d.picked(); d.turn(carol, "Void") },
		"reset": func(d *desk) { d.won(); d.opened(); d.reset() },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			do(d)
			id := d.done(0).ID
			said := make(chan string, 2)
			for range 2 {
				in := d.clicking(carol, d.line, "undo", string(id))
				go func() {
					reply, err := d.commands.Handle(t.Context(), in)
					said <- fmt.Sprint(text(reply.Components), err)
				}()
			}
			both := <-said + <-said
			if strings.Count(both, "Undone:") != 1 || strings.Count(both, "already undone this") != 1 {
				t.Error(both)
			}
			if entry := d.done(0); entry.Undoes != id || d.done(1).ID != id {
				t.Errorf("%+v after %+v", entry, d.done(1))
			}
		})
	}
}

func TestAThreadCountsAsItsChannel(t *testing.T) {
	for parent, private := range map[string]bool{channel: false, "5009": true} {
		d := newDesk(t)
		d.opened()
		d.pick("policy:places", channel)
		d.place = place{guild: guild, channel: "5020", parent: parent, installed: true, permissions: 1 << 50}
		if r := d.run(alice, "ai"); r.Private != private {
			t.Errorf("in a thread of %s: %s", parent, text(r.Components))
		}
	}
}

func TestMentionsSwitchedOffInAServer(t *testing.T) {
	for _, off := range []bool{false, true} {
		d := newCallingDesk(t)
		d.opened()
		if off {
			d.turn(carol, "Turn pings off")
		}
		d.place = inServer
		d.started("clock=1h")
		posted := strings.Contains(fmt.Sprint(d.flush()), "pinging")
		if posted == off {
			t.Errorf("off %v, mentioned %v", off, posted)
		}
	}
}

// TestListsOfHostileNamesFit tests lists with the longest names, full of characters that must be escaped.
func TestListsOfHostileNamesFit(t *testing.T) {
	d := newDesk(t)
	all := checkers(t)
	name := strings.Repeat("*", 31) + "@"
	for i := range 12 {
		at := d.now().Add(time.Duration(i) * time.Second)
		id := match.ID(fmt.Sprintf("m%d", i))
		x, o := match.User(fmt.Sprint(9100+i)), match.User(fmt.Sprint(9200+i))
		m := match.Start(id, id, guild, game.Classic(), match.Seats{match.Human(x), match.Human(o)}, time.Hour, 1, at)
		d.save(match.Save{Matches: []match.MatchChange{{To: m}}, Names: []match.Name{{Player: x, Name: name}, {Player: o, Name: name}}})
	}
	d.opened()
	r := d.turn(carol, "Matches in progress")
	accepted(t, all, callback(t, r))
	for i := range 11 {
		d.pick("pick", fmt.Sprint("m", i))
		d.turn(carol, "Void")
	}
	d.save(match.Save{Names: []match.Name{{Player: carol, Name: name}}})
	d.line = nil
	d.opened()
	r = d.turn(carol, "Recent actions")
	accepted(t, all, callback(t, r))
	if n := len([]rune(text(r.Components))); n > 4000 {
		t.Errorf("%d characters", n)
	}
}
