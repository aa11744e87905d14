package commands_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
)

// looksAt returns the page on which carol sees a user.
func (d *desk) looksAt(who string) bot.Reply {
	d.t.Helper()
	d.opened()
	d.turn(carol, "People")
	return d.pick("person:pick", who)
}

// bars lets carol bar a user until a day, or for good if it is empty.
func (d *desk) bars(who, until, matches string) bot.Reply {
	d.t.Helper()
	return d.barsFor("0", who, until, matches)
}

// barsFor lets carol bar a user for a number of days, or until a day if it is not empty.
func (d *desk) barsFor(days, who, until, matches string) bot.Reply {
	d.t.Helper()
	d.looksAt(who)
	return d.fillIn(carol, "person:bar:"+who, "length", days, "date", until, "matches", matches)
}

// setBar sets a bar of the host.
func (d *desk) setBar(b policy.Bar) {
	d.t.Helper()
	if _, err := d.store.SetBar(d.t.Context(), b, policy.Cancel, d.now(), policy.AuditEntry{}); err != nil {
		d.t.Fatal(err)
	}
}

// closes bars the server.
func (d *desk) closes() { d.setBar(policy.Bar{Venue: guild}) }

// used returns what became of an interaction by each way in which the route can be used: by each form of its custom_id, for a button or form.
func (d *desk) used(by, route string) (replies []bot.Reply) {
	d.t.Helper()
	class, name, _ := strings.Cut(route, " ")
	switch class {
	case "command", "autocomplete":
		in := d.typed(by, strings.TrimPrefix(name, "tictactoe "), "match=1a")
		if class == "autocomplete" {
			in.Type = discordgo.InteractionApplicationCommandAutocomplete
			in.ApplicationCommandData().Options[0].Options[0].Focused = true
		}
		return []bot.Reply{d.handle(in)}
	case "user":
		data := discordgo.ApplicationCommandInteractionData{Name: name, CommandType: discordgo.UserApplicationCommand, TargetID: alice, Resolved: resolved(alice)}
		return []bot.Reply{d.handle(d.interaction(by, discordgo.InteractionApplicationCommand, data))}
	}
	for id := range customIDs {
		verb, _, _ := strings.Cut(id, ":")
		if verb != name {
			continue
		}
		in := d.interaction(by, discordgo.InteractionMessageComponent, discordgo.MessageComponentInteractionData{CustomID: id})
		if class == "modal" {
			in = d.interaction(by, discordgo.InteractionModalSubmit, discordgo.ModalSubmitInteractionData{CustomID: id})
		}
		in.Message = &discordgo.Message{ID: "9", ChannelID: d.place.channel}
		replies = append(replies, d.handle(in))
	}
	return replies
}

// why returns the refusal that all replies have, or nothing if none of them is refused because of a bar.
func why(t *testing.T, route string, replies []bot.Reply) string {
	t.Helper()
	var all []string
	for _, r := range replies {
		reason := match.Reason(r.Refusal)
		if reason != match.Barred && reason != match.VenueBarred {
			reason = ""
		}
		if reason != "" && !r.Private {
			t.Errorf("%s: the refusal is public", route)
		}
		if all = append(all, string(reason)); all[0] != string(reason) {
			t.Errorf("%s: %q differ", route, all)
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s: no custom_id to try", route)
	}
	return all[0]
}

// TestWhatABarredUserCanUse uses every command, menu, button and form as a barred user. The golden says what becomes of each, so a new route
// needs a line.
func TestWhatABarredUserCanUse(t *testing.T) {
	here, everywhere, closed := policy.Bar{Venue: guild, Player: bob}, policy.Bar{Player: bob}, policy.Bar{Venue: guild}
	router := bot.NewRouter()
	newDesk(t).commands.Route(router)
	outcomes := make(map[string][]string)
	for _, tt := range []struct {
		bar policy.Bar
		at  place
		by  string
	}{
		// The first four have one outcome, the next three are of users who are not barred, and the last three of moderators.
		{here, inServer, bob}, {everywhere, inServer, bob}, {everywhere, inBotDM, bob}, {everywhere, inPrivate, bob},
		{here, inBotDM, bob}, {policy.Bar{Venue: "77", Player: bob}, inServer, bob}, {here, inServer, alice},
		{here, inCharge, bob}, {everywhere, inCharge, bob}, {closed, inCharge, carol},
	} {
		d := newDesk(t)
		d.apologises = true
		d.setBar(tt.bar)
		d.place = tt.at
		for _, route := range router.Routes() {
			outcome := ""
			if replies := d.used(tt.by, route); !strings.HasPrefix(route, "autocomplete") {
				outcome = why(t, route, replies)
			} else if len(replies[0].Choices) > 0 && tt.bar == closed {
				t.Errorf("%s suggests something in a barred server", route)
			}
			outcomes[route] = append(outcomes[route], outcome)
		}
	}
	var lines []string
	for route, of := range outcomes {
		if strings.HasPrefix(route, "autocomplete") {
			continue // a refused suggestion is an empty one
		}
		word := "refused"
		if of[0] == "" {
			word = "allowed"
		} else if of[7] == "" {
			word = "refused, but not to moderators"
		}
		if slices.ContainsFunc(of[:4], func(o string) bool { return o != of[0] }) {
			t.Errorf("%s: the outcome depends on the bar and the place: %q", route, of[:4])
		}
		if slices.ContainsFunc(of[4:7], func(o string) bool { return o != "" }) {
			t.Errorf("%s is refused where nobody is barred: %q", route, of[4:7])
		}
		if of[8] != of[0] {
			t.Errorf("%s: a bar of the host does not hold for moderators", route)
		}
		if of[9] != string(match.VenueBarred) {
			t.Errorf("%s can be used in a barred server", route)
		}
		lines = append(lines, word+": "+route)
	}
	slices.Sort(lines)
	goldenFile(t, "barred.txt", []byte(strings.Join(lines, "\n")))
}
