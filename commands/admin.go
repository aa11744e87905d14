package commands

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
	"tictactoe/internal/show/view"
)

// Admin has the handlers with which the moderators of a server set up the bot and decide about matches.
type Admin struct {
	*Replies
	// Moderation carries out the moderators' decisions.
	Moderation *policy.Moderation
	Posts      posting.Store
	RankRoles  rankrole.Store
	Roles      rankrole.Discord
	// Closed reports whether Discord says that the bot may not write in a channel.
	Closed func(ctx context.Context, channel string) bool
}

func (c *Admin) routes() []route {
	routes := []route{
		command(slashCommands, "tictactoe admin", c.admin),
		component("admin", c.openPage, func(f *fields, a *view.OpenPage) {
			oneOf(f, &a.Page, view.PolicyPage, view.RunningPage, view.EndedPage, view.AuditLogPage, view.ResetPage,
				view.SeasonPage, view.BeginSeasonPage, view.PuzzlePage, view.LanguagePage, view.ChannelsPage, view.RanksPage, view.ArenasPage, view.PeoplePage,
				view.PostsPage)
			f.number(&a.Number)
		}),
		modal("admin", c.submitPage),
		// setPolicy refuses unknown fields.
		component("policy", c.setPolicy, func(f *fields, a *view.SetPolicy) { text(f, &a.Field, wordPattern) }),
		component("rank", c.setRankRole, func(f *fields, a *view.RankRole) {
			oneOf(f, &a.Do, view.PickRankRole, view.PickRankBoard, view.PickMerit, view.StopRankRole)
			if f.more(a.Role != "") {
				text(f, &a.Role, userPattern)
				text(f, &a.Board, rulesPattern)
			}
		}),
		component("pick", c.pickMatch, noFields[view.PickMatch]),
		component("pickarena", c.pickArena, noFields[view.PickArena]),
		component("entrant", c.removeEntrant, func(f *fields, a *view.RemoveEntrant) {
			text(f, &a.Arena, idPattern)
			if f.more(a.Back != "") {
				text(f, &a.Back, userPattern)
			}
		}),
		component("rule", c.rule, func(f *fields, a *view.Rule) { oneOf(f, &a.Ruling, view.RuleDraw, view.RuleVoid); f.id(&a.Match) }),
		component("person", c.person, func(f *fields, a *view.Person) {
			oneOf(f, &a.Do, view.PickPerson, view.BarPerson, view.UnbarPerson, view.UnrankPerson, view.RankPerson)
			if a.Do != view.PickPerson {
				text(f, &a.Player, userPattern)
			}
			if f.more(a.How != "") {
				oneOf(f, &a.How, policy.Cancel)
			}
		}),
		modal("person", c.bar),
		component("undo", c.undo, func(f *fields, a *view.Undo) {
			if f.more(a.Entry != "") {
				text(f, &a.Entry, idPattern) // an audit entry, so f.about stays empty
			}
		}),
	}
	for i := range routes {
		routes[i].moderated = true
	}
	return append(routes, modal("arena", c.callOffArena)) // also for the host of the arena
}

// admin opens the screen on which moderators set up the bot for the server: one private message with pages.
func (c *Admin) admin(ctx context.Context, in *interaction) (bot.Reply, error) {
	now := cmp.Or(in.policy.TurnTime, policy.TurnTime)
	offer := each(clocks(), func(c clock) view.Option {
		return view.Option{Value: c.word, Label: view.TurnTime(c.time), Chosen: c.time == now}
	})
	also, err := c.alsoSet(ctx, in)
	return c.privately(ctx, in, view.OfPolicy(in.policy, also, view.Levels(), offer, in.ServerLocale()), err)
}

// maxPeople is up to how many people whom moderators have barred or taken off the leaderboards are counted exactly.
const maxPeople = 1000

// alsoSet reads what the server has set up beside its policy.
func (c *Admin) alsoSet(ctx context.Context, in *interaction) (also view.Also, err error) {
	if also.Leaderboard, err = c.Posts.Post(ctx, in.venue, posting.Leaderboard); err != nil {
		return also, err
	}
	if also.Puzzle, err = c.Posts.Post(ctx, in.venue, posting.Puzzle); err != nil {
		return also, err
	}
	if also.Roles, err = c.RankRoles.RankRoles(ctx, in.venue); err != nil {
		return also, err
	}
	also.People, err = c.Policies.People(ctx, in.venue, "", in.Received, 0, maxPeople)
	return also, err
}

func (c *Admin) openPage(ctx context.Context, in *interaction, a view.OpenPage) (bot.Reply, error) {
	page := max(a.Number, 1)
	switch a.Page {
	case view.PolicyPage:
		return c.admin(ctx, in)
	case view.RunningPage:
		return c.showMatches(ctx, in, a.Page, page, c.Policies.Running)
	case view.EndedPage:
		return c.showMatches(ctx, in, a.Page, page, c.Policies.Ended)
	case view.AuditLogPage:
		return c.showAuditLog(ctx, in, page)
	case view.PuzzlePage:
		return c.showPost(ctx, in, posting.Puzzle, false)
	case view.PostsPage:
		return c.showPost(ctx, in, posting.Leaderboard, false)
	case view.LanguagePage:
		return c.privately(ctx, in, view.VenueLanguage(in.policy, in.ServerLocale()), nil)
	case view.ChannelsPage:
		return c.privately(ctx, in, view.OfChannels(in.policy), nil)
	case view.RanksPage:
		return c.showRankRoles(ctx, in)
	case view.SeasonPage:
		return c.showSeason(ctx, in)
	case view.PeoplePage:
		return c.showPeople(ctx, in, page)
	case view.ArenasPage:
		return c.showArenas(ctx, in)
	case view.BeginSeasonPage:
		return c.askSeason(ctx, in, page), nil
	default:
		return c.askReset(ctx, in), nil
	}
}

// submitPage handles the submitted form of a page of that screen.
func (c *Admin) submitPage(ctx context.Context, in *interaction, a view.OpenPage) (bot.Reply, error) {
	if a.Page == view.BeginSeasonPage {
		return c.beginSeason(ctx, in, a.Number)
	}
	return c.reset(ctx, in)
}

func (c *Admin) showMatches(ctx context.Context, in *interaction, list view.ModerationPage, page int,
	read func(context.Context, match.Venue, int, int) ([]match.Match, error)) (bot.Reply, error) {
	matches, err := read(ctx, in.venue, (page-1)*view.MatchesAPage, view.MatchesAPage+1)
	if err != nil && !errors.Is(err, match.ErrUnreadable) {
		return bot.Reply{}, err
	}
	more := len(matches) > view.MatchesAPage || err != nil // an unreadable match may be the one after the page
	matches = matches[:min(len(matches), view.MatchesAPage)]
	names, err := c.names(ctx, matches)
	return c.privately(ctx, in, view.OfMatches(list, matches, names, page, more), err)
}

func (c *Admin) showAuditLog(ctx context.Context, in *interaction, page int) (bot.Reply, error) {
	entries, err := c.Policies.AuditLog(ctx, in.venue, (page-1)*view.EntriesAPage, view.EntriesAPage+1)
	if err != nil {
		return bot.Reply{}, err
	}
	more := len(entries) > view.EntriesAPage
	entries = entries[:min(len(entries), view.EntriesAPage)]
	matches, names, err := c.auditContext(ctx, entries...)
	return c.privately(ctx, in, view.OfAuditLog(entries, matches, names, page, more, in.Received), err)
}

// auditContext returns the matches that audit entries name, if they are still stored, and the names of the moderators and players
// in the entries.
func (c *Admin) auditContext(ctx context.Context, entries ...policy.AuditEntry) (map[match.ID]match.Match, view.Names, error) {
	var who []match.User
	byID := map[match.ID]match.Match{}
	for _, d := range entries {
		who = append(who, d.By, d.Whom)
		if d.Match == "" {
			continue
		}
		m, err := c.Matches.Match(ctx, d.Match)
		if errors.Is(err, match.ErrNotFound) || errors.Is(err, match.ErrUnreadable) {
			continue // the match was deleted since, or cannot be read
		}
		if err != nil {
			return nil, nil, err
		}
		byID[m.ID] = m
	}
	names, err := c.names(ctx, slices.Collect(maps.Values(byID)), who...)
	return byID, names, err
}

// setPolicy saves a moderator's choice, and shows the page on which it was made.
func (c *Admin) setPolicy(ctx context.Context, in *interaction, a view.SetPolicy) (bot.Reply, error) {
	switch a.Field {
	case view.PolicyPuzzles, view.PolicyNoPuzzles:
		return c.setPost(ctx, in, a.Field, posting.Puzzle)
	case view.PolicyPosts, view.PolicyNoPosts, view.PolicyPostsEvery, view.PolicyPostsBoard, view.PolicyPostsEdit, view.PolicyPostsAnew:
		return c.setPost(ctx, in, a.Field, posting.Leaderboard)
	}
	kind, values, page, err := settingOf(in, a.Field)
	if err != nil {
		return bot.Reply{}, err
	}
	p, err := c.Moderation.Set(ctx, c.request(in), kind, values...)
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved, in.policy = true, p
	return c.openPage(ctx, in, view.OpenPage{Page: page})
}

// settingOf returns the setting that a moderator has chosen in a field of a page: its kind and its values as audit entries have them, and the
// page. It refuses a choice that the page does not offer, which only a forged request can have.
func settingOf(in *interaction, field view.PolicyField) (kind policy.Kind, values []string, page view.ModerationPage, err error) {
	onOff := func(on bool) []string { return []string{map[bool]string{true: "on", false: "off"}[on]} }
	picked, offered := chosen(in), true
	values, page = picked, view.PolicyPage
	switch field {
	case view.PolicyMentionsOn, view.PolicyMentionsOff:
		kind, values = policy.SetMentions, onOff(field == view.PolicyMentionsOn)
	case view.PolicyRatingsOn, view.PolicyRatingsOff:
		kind, values = policy.SetRatings, onOff(field == view.PolicyRatingsOn)
	case view.PolicyArenasByAll, view.PolicyArenasByModerators:
		kind, values, page = policy.SetArenas, onOff(field == view.PolicyArenasByAll), view.ArenasPage
	case view.PolicyPlacesOnly, view.PolicyEverywhere:
		kind, values, page = policy.SetElsewhere, onOff(field == view.PolicyPlacesOnly), view.ChannelsPage
	case view.PolicyLeaversOn, view.PolicyLeaversOff:
		kind, values, page = policy.SetLeavers, onOff(field == view.PolicyLeaversOff), view.PeoplePage
	case view.PolicyClock:
		d := clockOf(only(picked))
		kind, values, offered = policy.SetTurnTime, []string{d.String()}, d != 0
	case view.PolicyTidy:
		after, unreadable := time.ParseDuration(only(picked))
		kind, values, page = policy.SetTidy, []string{after.String()}, view.ChannelsPage
		offered = unreadable == nil && (after == 0 || slices.Contains(policy.TidyTimes(), after))
	case view.PolicyLevels:
		kind, values, offered = policy.SetLevels, inOrder(view.Levels(), picked), len(picked) > 0 && among(picked, view.Levels())
	case view.PolicyBoards:
		kind, values, offered = policy.SetBoards, inOrder(game.OfferedNames(), picked), len(picked) > 0 && among(picked, game.OfferedNames())
	case view.PolicyFeatures: // moderators pick the features that are on, and the setting lists the features that are off
		all := each(policy.Features(), func(f policy.Feature) string { return string(f) })
		kind, offered = policy.SetFeatures, !picks(in, discordgo.ButtonComponent) && among(picked, all)
		values = slices.Sorted(slices.Values(slices.DeleteFunc(slices.Clone(all), func(f string) bool { return slices.Contains(picked, f) })))
	case view.PolicyLanguage, view.PolicySecondLanguage:
		language, is := languageOf(picked)
		kind, values, page, offered = policy.SetLanguage, strings.Fields(language), view.LanguagePage, is
	case view.PolicyPlaces:
		kind, page, offered = policy.SetPlaces, view.ChannelsPage, len(picked) <= view.MaxPlaces && picks(in, discordgo.ChannelSelectMenuComponent)
	case view.PolicyTold:
		kind, offered = policy.SetTold, len(picked) <= 1 && picks(in, discordgo.RoleSelectMenuComponent)
		if offered && !joinable(in, only(picked)) {
			err = refused("refusal.admin.role", nil)
		}
	case view.PolicyStaff:
		kind, page, offered = policy.SetStaff, view.PeoplePage, len(picked) <= policy.MaxStaff && picks(in, discordgo.RoleSelectMenuComponent)
		if offered && slices.Contains(picked, in.GuildID) {
			err = refused("refusal.admin.role", nil)
		}
	default:
		offered = false
	}
	if !offered {
		err = refused("refusal.admin.choice", nil)
	}
	return kind, values, page, err
}

// joinable reports whether members can be given the role that was chosen from a menu: it is neither everybody's nor managed by a bot or an
// integration. If no role was chosen, joinable returns true.
func joinable(in *interaction, role string) bool {
	known := clicked(in).Resolved.Roles[role]
	return role != in.GuildID && (known == nil || !known.Managed)
}

// among reports whether all values are among the offered ones.
func among(values, offered []string) bool {
	return !slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(offered, v) })
}

// inOrder returns the chosen values in the order that they have in all. If all were chosen, it returns none, which means all, so that
// values of later versions of the program are included.
func inOrder(all, chosen []string) []string {
	values := slices.DeleteFunc(slices.Clone(all), func(v string) bool { return !slices.Contains(chosen, v) })
	if len(values) == len(all) {
		return nil
	}
	return values
}

// pickMatch shows the match that was picked from a list.
func (c *Admin) pickMatch(ctx context.Context, in *interaction, _ view.PickMatch) (bot.Reply, error) {
	id := only(chosen(in))
	if !idPattern.MatchString(id) {
		return bot.Reply{}, refused("refusal.admin.choice", nil)
	}
	m, err := c.storedMatch(ctx, match.ID(id), refused("refusal.admin.match", nil))
	if err != nil {
		return bot.Reply{}, err
	}
	if m.Venue != in.venue {
		return bot.Reply{}, refused("refusal.admin.match", nil)
	}
	return c.showRuling(ctx, in, m, "")
}

func (c *Admin) showRuling(ctx context.Context, in *interaction, m match.Match, voided match.ID) (bot.Reply, error) {
	names, err := c.names(ctx, []match.Match{m})
	return c.privately(ctx, in, view.OfRuling(m, names, voided), err)
}

// rule carries out a moderator's ruling, which ends a match as a draw or voids it. The redrawer updates the board.
func (c *Admin) rule(ctx context.Context, in *interaction, a view.Rule) (bot.Reply, error) {
	how := c.Moderation.CallDraw
	if a.Ruling == view.RuleVoid {
		how = c.Moderation.Void
	}
	req := c.request(in)
	m, err := how(ctx, req, a.Match)
	switch refusal, is := errors.AsType[*match.Refusal](err); {
	case errors.Is(err, match.Unknown):
		return bot.Reply{}, refused("refusal.admin.match", nil)
	case is && refusal.Match != nil: // the match is already over or voided: show it as it is
		return c.showRuling(ctx, in, *refusal.Match, "")
	case err != nil:
		return bot.Reply{}, err
	}
	in.Saved = true
	c.redraw(ctx, m)
	return c.showRuling(ctx, in, m, req.ID)
}

// redraw brings the board of a match up to date and, in a series, the board of the newest game, whose score has changed.
func (c *Admin) redraw(ctx context.Context, m match.Match) {
	c.Redraw.Enqueue(m.ID)
	if latest, err := c.latestGame(ctx, m); err == nil && latest.ID != m.ID {
		_ = c.Redraw.Again(ctx, latest.ID) // the next change of the board shows the score, too
	}
}

// undo undoes an entry of the audit log. If the entry is about a match, the redrawer updates the board.
func (c *Admin) undo(ctx context.Context, in *interaction, a view.Undo) (bot.Reply, error) {
	if entry := only(chosen(in)); a.Entry == "" && idPattern.MatchString(entry) {
		a.Entry = match.ID(entry)
	}
	e, err := c.Policies.AuditEntry(ctx, in.venue, a.Entry)
	if err == nil && e.Kind == rankrole.SetRole {
		err = mayGiveRoles(in)
	}
	if err != nil && !errors.Is(err, match.ErrNotFound) {
		return bot.Reply{}, err
	}
	undone, err := c.Moderation.Undo(ctx, c.request(in), a.Entry)
	if errors.Is(err, match.Unknown) {
		return bot.Reply{}, refused("refusal.admin.undo", nil)
	}
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	if len(undone.Was) > 0 {
		return c.showAuditLog(ctx, in, 1)
	}
	matches, names, err := c.auditContext(ctx, undone)
	if m, known := matches[undone.Match]; known {
		c.redraw(ctx, m)
	}
	return c.privately(ctx, in, view.OfUndone(undone, matches, names), err)
}

// askReset opens the form that asks whether to reset the leaderboards. A reset can be undone.
func (c *Admin) askReset(ctx context.Context, in *interaction) bot.Reply {
	return c.ask(ctx, in, view.OpenPage{Page: view.ResetPage, Number: 1}, view.T("admin.reset.title", nil),
		[]view.Text{view.T("admin.reset.question", nil)})
}

func (c *Admin) reset(ctx context.Context, in *interaction) (bot.Reply, error) {
	req := c.request(in)
	err := c.Moderation.ResetScores(ctx, req)
	in.Saved = err == nil
	return c.privately(ctx, in, view.OfReset(req.ID), err)
}

// The custom_ids of the inputs in the form that begins a season.
const (
	seasonNameInput = "name"
	seasonDateInput = "date"
)

func (c *Admin) showSeason(ctx context.Context, in *interaction) (bot.Reply, error) {
	all, err := c.Seasons.Seasons(ctx, in.venue)
	var now season.Season
	if len(all) > 0 {
		now = all[0]
	}
	return c.privately(ctx, in, view.OfSeason(now), err)
}

// askSeason opens the form for the name and the last day of the season with that number. The form for the first season does not mention
// champions, because the time before it has none.
func (c *Admin) askSeason(ctx context.Context, in *interaction, number int) bot.Reply {
	words := c.private(ctx, in)
	say := func(t view.Text) string { return words.Say(t, labelStyle{}) }
	question := view.T("admin.season.question", nil)
	if number == 1 {
		question = view.T("admin.season.note", nil)
	}
	return c.ask(ctx, in, view.OpenPage{Page: view.BeginSeasonPage, Number: number}, view.T("admin.season.title", nil),
		[]view.Text{question},
		labeled{label: say(view.T("admin.season.name", nil)), input: textInput{id: seasonNameInput, required: true, most: view.MaxSeasonName}},
		labeled{label: say(view.T("admin.season.date", view.Args{"Date": exampleDate(in.Received)})), input: textInput{id: seasonDateInput, most: 20}})
}

// exampleDate returns a date on which a season could end.
func exampleDate(now time.Time) string { return now.AddDate(0, 3, 0).UTC().Format(time.DateOnly) }

// typedDate returns the end, in UTC, of a day that was typed into a form as 2026-12-31, or the zero time for an empty text. It refuses other
// texts and days that are over. The refusal has the button again, which opens the form.
func typedDate(typed string, now time.Time, again view.Button) (time.Time, error) {
	typed = strings.TrimSpace(typed)
	if typed == "" {
		return time.Time{}, nil
	}
	args := view.Args{"Date": view.Title(typed), "Example": exampleDate(now)}
	day, err := time.Parse("2006-1-2", typed)
	end := day.AddDate(0, 0, 1)
	switch {
	case err != nil, day.Year() > 9998: // a time in the year 10000 cannot be written as JSON
		return end, refused("refusal.date", args, again)
	case !end.After(now):
		return end, refused("refusal.season.date", args, again)
	}
	return end, nil
}

// beginSeason begins the season with that number, unless the next season has another number by now.
func (c *Admin) beginSeason(ctx context.Context, in *interaction, number int) (bot.Reply, error) {
	again := view.Button{Do: view.OpenPage{Page: view.BeginSeasonPage, Number: number}, Label: view.T("action.season.again", nil)}
	name := cleanTitle(in.Inputs[seasonNameInput])
	if name == "" {
		return bot.Reply{}, refused("refusal.season.name", nil, again)
	}
	ends, err := typedDate(in.Inputs[seasonDateInput], in.Received, again)
	if err != nil {
		return bot.Reply{}, err
	}
	s := season.Season{Number: number, Name: name, Ends: ends, Language: c.publicLanguage(ctx, in)}
	if in.BotMember() && !in.NoPosts {
		s.Channel = in.ChannelID
	}
	req := c.request(in)
	begun, err := season.Begin(ctx, c.Moderation, c.Seasons, req, s)
	if errors.Is(err, match.ErrConflict) {
		look := view.Button{Do: view.OpenPage{Page: view.SeasonPage, Number: 1}, Label: view.T("action.admin.season", nil)}
		return bot.Reply{}, refused("refusal.season.number", nil, look)
	}
	in.Saved = err == nil
	return c.privately(ctx, in, view.SeasonBegun(begun, req.ID), err)
}
