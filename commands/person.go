package commands

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/view"
)

// forBarred reports whether a barred user can still use a route: it shows only the user's own data, settings and help, or serves to finish a
// match in progress.
func (r route) forBarred(in *interaction) bool {
	switch r.class {
	case slashCommands:
		if r.name == "tictactoe profile" {
			return cmp.Or(person(in, "player"), in.by) == in.by && person(in, "versus") == ""
		}
		return slices.Contains([]string{"tictactoe settings", "tictactoe privacy", "tictactoe help", "tictactoe games", "tictactoe move"}, r.name)
	case suggestions:
		return r.name == "tictactoe move"
	case components:
		return slices.Contains([]string{"settings", "mysettings", "privacy", "topic", "mentions", "play", "resign", "wish", "hint", "next"}, r.name)
	default:
		return r.class == modals && (r.name == "privacy" || r.name == "resign")
	}
}

// barred returns the refusal to a user who may not use a route in the venue of the interaction, or nil. It reads the store each time,
// because another process may have set the bar. Moderators whom a moderator has barred can still moderate, lest one locks out the others.
func (c *Replies) barred(ctx context.Context, in *interaction, r route) error {
	b, err := c.Policies.Barred(ctx, in.venue, in.by, in.Received)
	if err != nil {
		return err
	}
	in.barred = b != policy.Bar{}
	if b.Player != "" && (r.forBarred(in) || r.moderated && !b.ByHost() && notModerating(in) == nil) {
		return nil
	}
	return b.Refuse(in.by, true)
}

// showPeople shows moderators whom they have barred or taken off the leaderboards.
func (c *Admin) showPeople(ctx context.Context, in *interaction, page int) (bot.Reply, error) {
	people, err := c.Policies.People(ctx, in.venue, "", in.Received, (page-1)*view.PeopleAPage, view.PeopleAPage+1)
	more := len(people) > view.PeopleAPage
	return c.privately(ctx, in, view.OfPeople(in.policy, people[:min(len(people), view.PeopleAPage)], page, more), err)
}

// showPerson shows moderators a user. If a moderator has just barred the user, done is the audit entry; otherwise it is the zero entry.
func (c *Admin) showPerson(ctx context.Context, in *interaction, who match.User, done policy.AuditEntry) (bot.Reply, error) {
	found, err := c.Policies.People(ctx, in.venue, who, in.Received, 0, 1)
	return c.privately(ctx, in, view.OfPerson(append(found, policy.Person{Player: who})[0], done), err)
}

// person carries out a step of a moderator about a user.
func (c *Admin) person(ctx context.Context, in *interaction, a view.Person) (bot.Reply, error) {
	req, err := c.request(in), error(nil)
	if a.Do != view.PickPerson && !isSnowflake(string(a.Player)) {
		return bot.Reply{}, refused("refusal.admin.choice", nil)
	}
	switch a.Do {
	case view.PickPerson:
		who := only(chosen(in))
		if who == "" || !picks(in, discordgo.UserSelectMenuComponent) {
			return bot.Reply{}, refused("refusal.admin.choice", nil)
		}
		if clicked(in).Resolved.Users[who].Bot {
			return bot.Reply{}, refused("refusal.bar.bot", nil)
		}
		return c.showPerson(ctx, in, match.User(who), policy.AuditEntry{})
	case view.BarPerson:
		return c.askBar(ctx, in, a)
	case view.UnbarPerson:
		err = c.Moderation.LiftBar(ctx, req, a.Player)
	case view.UnrankPerson, view.RankPerson:
		err = c.Moderation.SetRanked(ctx, req, a.Player, a.Do == view.RankPerson)
	}
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	return c.showPerson(ctx, in, a.Player, policy.AuditEntry{})
}

// The custom_ids of the inputs in the form that bars a user.
const (
	barLengthInput  = "length"
	barDateInput    = "date"
	barMatchesInput = "matches"
)

// barDays returns the numbers of days for which a user can be barred; 0 is for good.
func barDays() []int { return []int{0, 1, 7, 30} }

// askBar opens the form that asks how long to bar a user, and what becomes of matches in progress.
func (c *Admin) askBar(ctx context.Context, in *interaction, a view.Person) (bot.Reply, error) {
	if a.Player == in.by {
		return bot.Reply{}, &match.Refusal{Reason: match.OwnBar}
	}
	words := c.private(ctx, in)
	say := func(key string, args view.Args) string { return words.Say(view.T(key, args), labelStyle{}) }
	lengths := discordgo.SelectMenu{MenuType: discordgo.StringSelectMenu, CustomID: barLengthInput}
	for _, days := range barDays() {
		label := say("time.days", view.Args{"PluralCount": days})
		if days == 0 {
			label = say("admin.bar.forgood", nil)
		}
		lengths.Options = append(lengths.Options, discordgo.SelectMenuOption{Label: label, Value: strconv.Itoa(days), Default: days == 0})
	}
	endings := discordgo.SelectMenu{MenuType: discordgo.StringSelectMenu, CustomID: barMatchesInput}
	for _, how := range []policy.Ending{policy.GoOn, policy.Cancel} {
		endings.Options = append(endings.Options, discordgo.SelectMenuOption{
			Label: say("admin.bar."+string(how), nil), Value: string(how), Default: how == cmp.Or(a.How, policy.GoOn),
		})
	}
	return c.ask(ctx, in, a, view.T("admin.bar.title", nil), []view.Text{view.T("admin.bar.question", view.Args{"Name": view.Mention(a.Player)})},
		labeled{label: say("admin.bar.length", nil), input: lengths},
		labeled{
			label: say("admin.bar.until", view.Args{"Date": exampleDate(in.Received)}), note: say("admin.bar.until.note", nil),
			input: textInput{id: barDateInput, most: 20},
		},
		labeled{label: say("action.admin.running", nil), input: endings}), nil
}

// bar bars a user as the submitted form says. A date counts instead of the chosen length.
func (c *Admin) bar(ctx context.Context, in *interaction, a view.Person) (bot.Reply, error) {
	days, broken := strconv.Atoi(in.Inputs[barLengthInput])
	how := policy.Ending(in.Inputs[barMatchesInput])
	if a.Do != view.BarPerson || !isSnowflake(string(a.Player)) || broken != nil || !slices.Contains(barDays(), days) ||
		how != policy.GoOn && how != policy.Cancel {
		return bot.Reply{}, refused("refusal.admin.choice", nil)
	}
	if a.How = how; how == policy.GoOn {
		a.How = ""
	}
	again := view.Button{Do: a, Label: view.T("action.admin.bar", nil)}
	until, err := typedDate(in.Inputs[barDateInput], in.Received, again)
	switch {
	case err != nil:
		return bot.Reply{}, err
	case until.IsZero() && days > 0:
		until = in.Received.AddDate(0, 0, days)
	}
	req := c.request(in)
	if err := c.Moderation.Bar(ctx, req, a.Player, until, how); err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	done, err := c.Policies.AuditEntry(ctx, in.venue, req.ID)
	if err != nil && !errors.Is(err, match.ErrNotFound) { // there is none if nothing has changed
		return bot.Reply{}, err
	}
	return c.showPerson(ctx, in, a.Player, done)
}
