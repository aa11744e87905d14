package commands

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/view"
)

// resetInput is the input of the question before leaderboards are reset.
const resetInput = "word"

// moderated lets a handler answer only those who may manage the server, as Discord says with this very interaction: that
// the buttons were shown to somebody proves nothing.
func (c *Commands) moderated(handle bot.Handler) bot.Handler {
	const enough = discordgo.PermissionManageGuild | discordgo.PermissionAdministrator
	return func(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
		switch by := in.Interaction.Member; {
		case in.GuildID == "":
			return c.notice(ctx, in, view.T("refusal.admin.server", nil)), nil
		case in.PermissionsUnknown:
			return c.notice(ctx, in, view.T("refusal.admin.unknown", nil)), nil
		case by == nil || by.Permissions&enough == 0:
			return c.notice(ctx, in, view.T("refusal.admin", nil)), nil
		}
		return handle(ctx, in)
	}
}

// featured lets a handler answer unless the server has switched the feature off; then a text of that feature says so.
func (c *Commands) featured(f policy.Feature, handle bot.Handler) bot.Handler {
	return func(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
		p, err := c.policyOf(ctx, in)
		if err != nil {
			return bot.Reply{}, err
		}
		if !p.Has(f) {
			return c.notice(ctx, in, view.OffHere(f)), nil
		}
		return handle(ctx, in)
	}
}

// admin opens the screen from which a server is set up. All of it is one private message that turns its pages.
func (c *Commands) admin(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	p, err := c.policyOf(ctx, in)
	if err != nil {
		return bot.Reply{}, err
	}
	return c.showPolicy(ctx, in, p), nil
}

func (c *Commands) showPolicy(ctx context.Context, in *bot.Interaction, p policy.Policy) bot.Reply {
	now := cmp.Or(p.TurnTime, defaultClock)
	offer := each(clocks(), func(c clock) view.Option {
		return view.Option{Value: c.word, Label: view.TurnTime(c.time), Chosen: c.time == now}
	})
	return c.privately(ctx, in, view.OfPolicy(p, ai.LevelNames(), offer, in.ServerLocale()), c.style(nil))
}

func (c *Commands) openPage(ctx context.Context, in *bot.Interaction, a view.OpenPage) (bot.Reply, error) {
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
		return c.showPuzzlePost(ctx, in)
	case view.LanguagePage:
		p, err := c.policyOf(ctx, in)
		return c.privately(ctx, in, view.VenueLanguage(p, in.ServerLocale()), c.style(nil)), err
	case view.SeasonPage:
		return c.showSeason(ctx, in)
	case view.BeginSeasonPage:
		return c.askSeason(ctx, in, page), nil
	default:
		return c.askReset(ctx, in), nil
	}
}

// submitPage takes what was typed into the form of a page.
func (c *Commands) submitPage(ctx context.Context, in *bot.Interaction, a view.OpenPage) (bot.Reply, error) {
	if a.Page == view.BeginSeasonPage {
		return c.beginSeason(ctx, in, a.Number)
	}
	return c.reset(ctx, in)
}

func (c *Commands) showMatches(ctx context.Context, in *bot.Interaction, list view.ModerationPage, page int,
	read func(context.Context, match.Venue, int, int) ([]match.Match, error)) (bot.Reply, error) {
	matches, err := read(ctx, match.Venue(in.GuildID), (page-1)*view.MatchesAPage, view.MatchesAPage+1)
	if err != nil && !errors.Is(err, match.ErrUnreadable) {
		return bot.Reply{}, err
	}
	more := len(matches) > view.MatchesAPage || err != nil // one that cannot be read may be that which is beyond the page
	matches = matches[:min(len(matches), view.MatchesAPage)]
	names, boards, err := c.namesAndBoards(ctx, matches, nil)
	if err != nil {
		return bot.Reply{}, err
	}
	s := view.OfMatches(list, matches, names, page, more)
	return c.privately(ctx, in, s, c.style(boards)), nil
}

// namesAndBoards are the names of the players and of others, and where matches and challenges are shown.
func (c *Commands) namesAndBoards(ctx context.Context, matches []match.Match, challenges []match.Challenge,
	others ...match.User) (view.Names, map[match.ID]board.Board, error) {
	players, ids := others, []match.ID{}
	for _, m := range matches {
		players, ids = append(players, m.Seats.Players()...), append(ids, m.ID)
	}
	for _, ch := range challenges {
		players, ids = append(players, ch.From, ch.To), append(ids, ch.ID)
	}
	names, err := c.Matches.Names(ctx, players...)
	if err != nil {
		return nil, nil, err
	}
	boards, err := c.Boards.Boards(ctx, ids...)
	return names, boards, err
}

func (c *Commands) showAuditLog(ctx context.Context, in *bot.Interaction, page int) (bot.Reply, error) {
	entries, err := c.Policies.AuditLog(ctx, match.Venue(in.GuildID), (page-1)*view.EntriesAPage, view.EntriesAPage+1)
	if err != nil {
		return bot.Reply{}, err
	}
	more := len(entries) > view.EntriesAPage
	entries = entries[:min(len(entries), view.EntriesAPage)]
	matches, names, boards, err := c.whatAbout(ctx, entries...)
	if err != nil {
		return bot.Reply{}, err
	}
	s := view.OfAuditLog(entries, matches, names, page, more, in.Received)
	return c.privately(ctx, in, s, c.style(boards)), nil
}

// whatAbout returns the stored matches that audit entries are about, the names of the moderators and players, and the boards of
// the matches.
func (c *Commands) whatAbout(ctx context.Context, entries ...policy.AuditEntry) (map[match.ID]match.Match, view.Names, map[match.ID]board.Board, error) {
	var about []match.Match
	var who []match.User
	byID := map[match.ID]match.Match{}
	for _, d := range entries {
		who = append(who, d.By)
		if d.Match == "" {
			continue
		}
		m, err := c.Matches.Match(ctx, d.Match)
		if errors.Is(err, match.ErrNotFound) || errors.Is(err, match.ErrUnreadable) {
			continue // its data was deleted since, or makes no sense
		}
		if err != nil {
			return nil, nil, nil, err
		}
		about, byID[m.ID] = append(about, m), m
	}
	names, boards, err := c.namesAndBoards(ctx, about, nil, who...)
	return byID, names, boards, err
}

// setPolicy takes what was chosen. What no client offers is not understood, and changes nothing.
func (c *Commands) setPolicy(ctx context.Context, in *bot.Interaction, a view.SetPolicy) (bot.Reply, error) {
	if a.Field == view.PolicyPuzzles || a.Field == view.PolicyNoPuzzles {
		return c.setPuzzlePost(ctx, in, a)
	}
	if a.Field == view.PolicyLanguage || a.Field == view.PolicySecondLanguage {
		return c.setLanguage(ctx, in)
	}
	var p policy.Policy
	var err error
	switch req, values := c.request(in), chosen(in); {
	case a.Field == view.PolicyPlaces && len(values) <= view.MaxPlaces && picksChannels(in):
		p, err = c.Moderation.SetPlaces(ctx, req, values)
	case a.Field == view.PolicyClock && len(values) == 1 && clockOf(values[0]) != 0:
		p, err = c.Moderation.SetTurnTime(ctx, req, clockOf(values[0]))
	case a.Field == view.PolicyLevels && len(values) > 0 && !slices.ContainsFunc(values, notALevel):
		p, err = c.Moderation.SetLevels(ctx, req, inOrder(ai.LevelNames(), values))
	case a.Field == view.PolicyBoards && len(values) > 0 && !slices.ContainsFunc(values, notABoard):
		p, err = c.Moderation.SetBoards(ctx, req, inOrder(boardNames(), values))
	case a.Field == view.PolicyMentionsOff || a.Field == view.PolicyMentionsOn:
		p, err = c.Moderation.SetMentions(ctx, req, a.Field == view.PolicyMentionsOn)
	case a.Field == view.PolicyFeatures && !pressed(in) && !slices.ContainsFunc(values, notAFeature):
		p, err = c.Moderation.SetFeatures(ctx, req, each(values, func(name string) policy.Feature { return policy.Feature(name) }))
	case a.Field == view.PolicyRatingsOff || a.Field == view.PolicyRatingsOn:
		p, err = c.Moderation.SetRatings(ctx, req, a.Field == view.PolicyRatingsOn)
	default:
		return c.notice(ctx, in, view.T("refusal.admin.choice", nil)), nil
	}
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	return c.showPolicy(ctx, in, p), nil
}

// setLanguage takes the language that was chosen for what everybody sees.
func (c *Commands) setLanguage(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	language, is := languageOf(chosen(in))
	if !is {
		return c.notice(ctx, in, view.T("refusal.admin.choice", nil)), nil
	}
	p, err := c.Moderation.SetLanguage(ctx, c.request(in), language)
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	return c.privately(ctx, in, view.VenueLanguage(p, in.ServerLocale()), c.style(nil)), nil
}

// chosen are the values of a select, none for a button.
func chosen(in *bot.Interaction) []string {
	data, _ := in.Data.(discordgo.MessageComponentInteractionData)
	return data.Values
}

func notALevel(value string) bool { return !slices.Contains(ai.LevelNames(), value) }

func notAFeature(value string) bool {
	return !slices.Contains(policy.Features(), policy.Feature(value))
}

func notABoard(value string) bool { return !slices.Contains(boardNames(), value) }

// inOrder returns the chosen values in the order of all values; none if all were chosen, so that a value that a later version of the program
// adds is on offer too.
func inOrder(all, chosen []string) []string {
	values := slices.DeleteFunc(slices.Clone(all), func(v string) bool { return !slices.Contains(chosen, v) })
	if len(values) == len(all) {
		return nil
	}
	return values
}

// pickMatch shows the match that was picked from a list.
func (c *Commands) pickMatch(ctx context.Context, in *bot.Interaction, _ view.PickMatch) (bot.Reply, error) {
	id := only(chosen(in))
	if !idPattern.MatchString(id) {
		return c.notice(ctx, in, view.T("refusal.admin.choice", nil)), nil
	}
	m, err := c.Matches.Match(ctx, match.ID(id))
	if errors.Is(err, match.ErrNotFound) || err == nil && m.Venue != match.Venue(in.GuildID) {
		return c.notice(ctx, in, view.T("refusal.admin.match", nil)), nil
	}
	if err != nil {
		return bot.Reply{}, err
	}
	return c.showRuling(ctx, in, m, "")
}

func (c *Commands) showRuling(ctx context.Context, in *bot.Interaction, m match.Match, voided match.ID) (bot.Reply, error) {
	names, boards, err := c.namesAndBoards(ctx, []match.Match{m}, nil)
	if err != nil {
		return bot.Reply{}, err
	}
	return c.privately(ctx, in, view.OfRuling(m, names, voided), c.style(boards)), nil
}

// rule ends a match as a draw, or voids it. Its board follows by itself.
func (c *Commands) rule(ctx context.Context, in *bot.Interaction, a view.Rule) (bot.Reply, error) {
	how := c.Moderation.CallDraw
	if a.Ruling == view.RuleVoid {
		how = c.Moderation.Void
	}
	req := c.request(in)
	m, err := how(ctx, req, a.Match)
	switch refusal, is := errors.AsType[*match.Refusal](err); {
	case errors.Is(err, match.Unknown):
		return c.notice(ctx, in, view.T("refusal.admin.match", nil)), nil
	case is && refusal.Match != nil: // over, or voided already: show how it stands
		return c.showRuling(ctx, in, *refusal.Match, "")
	case err != nil:
		return bot.Reply{}, err
	}
	in.Saved = true
	c.Redraw.Enqueue(m.ID)
	return c.showRuling(ctx, in, m, req.ID)
}

// undo undoes what a moderator did. The board of a match follows by itself.
func (c *Commands) undo(ctx context.Context, in *bot.Interaction, a view.Undo) (bot.Reply, error) {
	if entry := only(chosen(in)); a.Entry == "" && idPattern.MatchString(entry) {
		a.Entry = match.ID(entry)
	}
	undone, err := c.Moderation.Undo(ctx, c.request(in), a.Entry)
	if errors.Is(err, match.Unknown) {
		return c.notice(ctx, in, view.T("refusal.admin.undo", nil)), nil
	}
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	if undone.Match != "" {
		c.Redraw.Enqueue(undone.Match)
	}
	matches, names, boards, err := c.whatAbout(ctx, undone)
	if err != nil {
		return bot.Reply{}, err
	}
	return c.privately(ctx, in, view.OfUndone(undone, matches, names), c.style(boards)), nil
}

// askReset opens the form in which a word must be typed to reset the leaderboards.
func (c *Commands) askReset(ctx context.Context, in *bot.Interaction) bot.Reply {
	label := c.private(ctx, in).Say(view.T("admin.reset.label", resetWord()), discordStyle{})
	return c.ask(ctx, in, view.OpenPage{Page: view.ResetPage, Number: 1}, view.T("admin.reset.title", nil),
		[]view.Text{view.T("admin.reset.question", nil)},
		labeled{label: label, id: resetInput, required: true, most: 20})
}

func resetWord() view.Args { return view.Args{"Word": view.T("admin.reset.word", nil)} }

func (c *Commands) reset(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	want := c.private(ctx, in).Say(view.T("admin.reset.word", nil), discordStyle{})
	if !strings.EqualFold(strings.TrimSpace(in.Inputs[resetInput]), want) {
		return c.notice(ctx, in, view.T("refusal.admin.reset", resetWord())), nil
	}
	req := c.request(in)
	if err := c.Moderation.ResetScores(ctx, req); err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	return c.privately(ctx, in, view.OfReset(req.ID), c.style(nil)), nil
}

// policyOf is the policy that holds where an interaction comes from.
func (c *Commands) policyOf(ctx context.Context, in *bot.Interaction) (policy.Policy, error) {
	return c.policyIn(ctx, match.Venue(in.GuildID))
}
