package commands

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/view"
)

// The custom_ids of the inputs in the form of a new arena.
const (
	arenaBoardInput  = "board"
	arenaLastsInput  = "lasts"
	arenaClockInput  = "clock"
	arenaStartsInput = "starts"
	arenaNameInput   = "name"
)

// The choices in the form before the host changes them.
const (
	arenaLasts  = 20 * time.Minute
	arenaClock  = 30 * time.Second
	arenaStarts = "5" // minutes
)

// maxStarts is the longest time in minutes after which an arena may start without a named hour.
const maxStarts = 30

// arenaHour is the form in which a host names the day and hour of an arena, in UTC.
const arenaHour = "2006-01-02 15:04"

// arena opens the form of a new arena. If the channel has an open arena, it shows the standings of that one instead.
func (c *Play) arena(ctx context.Context, in *interaction) (bot.Reply, error) {
	if in.GuildID == "" || !in.BotMember() {
		return bot.Reply{}, refused("refusal.arena.server", nil)
	}
	switch open, err := c.openArena(ctx, in); {
	case err == nil:
		return c.showOpenArena(ctx, in, open)
	case !errors.Is(err, match.ErrNotFound):
		return bot.Reply{}, err
	}
	rated, _ := optionOf[bool](in, "rated", discordgo.ApplicationCommandOptionBoolean)
	return c.askArena(ctx, in, view.OpenArena{Rated: rated})
}

// openArena returns the open arena of the channel, or of the thread in which the boards of an arena are posted.
func (c *Play) openArena(ctx context.Context, in *interaction) (a arena.Arena, err error) {
	for _, place := range placesOf(in) {
		a, err = c.Arenas.Store.OpenArena(ctx, in.venue, place)
		if err == nil && place != in.ChannelID && a.Thread != in.ChannelID {
			err = match.ErrNotFound
		}
		if err == nil {
			break
		}
	}
	return a, err
}

// showOpenArena shows the standings of an open arena privately, with a link to its message. If the message was deleted, it posts it again.
func (c *Play) showOpenArena(ctx context.Context, in *interaction, a arena.Arena) (bot.Reply, error) {
	b, err := c.boardOf(ctx, a.ID)
	if err == nil && b.Shown == board.Gone {
		return c.moveArena(ctx, in, a, b)
	}
	if err == nil {
		c.recordBriefly(ctx)
		err = c.Redraw.Again(ctx, a.ID) // finds out whether the message is still there
	}
	if err != nil {
		return bot.Reply{}, err
	}
	return c.showStandings(ctx, in, a, 1, view.ArenaOpen(a))
}

// moveArena posts the message of an arena where the user asks for it.
func (c *Play) moveArena(ctx context.Context, in *interaction, a arena.Arena, b board.Board) (reply bot.Reply, err error) {
	if err := c.countPost(ctx, in, in.ID); err != nil {
		return bot.Reply{}, err
	}
	if err := c.Boards.Move(ctx, permitOf(in), reference(in, a.ID, "", b.Locale)); err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	return c.showArena(ctx, in, a)
}

// showArena returns the reply that shows an arena in a new message.
func (c *Play) showArena(ctx context.Context, in *interaction, a arena.Arena) (reply bot.Reply, err error) {
	defer func() { c.followUp(reply, a.ID) }()
	b, err := c.boardOf(ctx, a.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	components, err := c.Arena(ctx, b, a)
	return bot.Reply{Kind: bot.Post, Components: components, Sent: c.Redraw.Delivered(a.ID, a.Version, true, true)}, err
}

// mayOpenArena returns a refusal if the user may not start an arena here, and otherwise nil.
func mayOpenArena(in *interaction) error {
	if !in.policy.ArenasByAll && notModerating(in) != nil {
		return refused("refusal.arena.moderators", nil)
	}
	if in.NoPosts {
		return refused("refusal.arena.server", nil)
	}
	return refuseMatches(in)
}

// arenaBoards returns the names of the boards that an arena can have in the server, the default first.
func arenaBoards(p policy.Policy) []string {
	names := each(arena.Boards(), func(o game.Offer) string { return o.Name })
	return slices.DeleteFunc(names, func(name string) bool { return len(p.Boards) > 0 && !slices.Contains(p.Boards, name) })
}

// askArena opens the form of a new arena, in which everything but the name has a default.
func (c *Play) askArena(ctx context.Context, in *interaction, a view.OpenArena) (bot.Reply, error) {
	if err := mayOpenArena(in); err != nil {
		return bot.Reply{}, err
	}
	names := arenaBoards(in.policy)
	if len(names) == 0 {
		return bot.Reply{}, refused("refusal.arena.boards", nil)
	}
	words := c.private(ctx, in)
	say := func(t view.Text) string { return words.Say(t, labelStyle{}) }
	menu := func(id string, values []string, chosen string, name func(value string) view.Text) labeled {
		return labeled{label: say(view.T("arena.form."+id, nil)), input: discordgo.SelectMenu{
			MenuType: discordgo.StringSelectMenu, CustomID: id, Options: each(values, func(v string) discordgo.SelectMenuOption {
				return discordgo.SelectMenuOption{Label: say(name(v)), Value: v, Default: v == chosen}
			}),
		}}
	}
	spelled := func(of []time.Duration) []string { return each(of, time.Duration.String) }
	length := func(value string) view.Text {
		d, _ := time.ParseDuration(value)
		return view.TurnTime(d)
	}
	var lengths []time.Duration
	for d := arena.MinLasts; d <= arena.MaxLasts; d += 5 * time.Minute {
		lengths = append(lengths, d)
	}
	if a.Board == "" {
		a.Board, a.Lasts, a.Clock, a.Starts = names[0], arenaLasts.String(), arenaClock.String(), arenaStarts
	}
	return c.ask(ctx, in, view.OpenArena{Rated: a.Rated}, view.T("arena.form.title", nil), nil,
		menu(arenaBoardInput, names, a.Board, func(v string) view.Text { return view.T("choice.board."+v, nil) }),
		menu(arenaLastsInput, spelled(lengths), a.Lasts, length),
		menu(arenaClockInput, spelled(arena.TurnTimes()), a.Clock, length),
		labeled{
			label: say(view.T("arena.form.starts", nil)), note: say(view.T("arena.form.starts.note", view.Args{"Example": exampleHour(in.Received)})),
			input: textInput{id: arenaStartsInput, required: true, most: len(arenaHour), value: a.Starts},
		},
		labeled{label: say(view.T("arena.form.name", nil)), input: textInput{id: arenaNameInput, most: arena.MaxName, value: a.Name}}), nil
}

// exampleHour returns a day and hour at which an arena could start.
func exampleHour(now time.Time) string { return now.AddDate(0, 0, 1).UTC().Format(arenaHour) }

// startOf returns when an arena starts that the host wants to start as typed: in 1 to 30 minutes, or at an hour in UTC, which is the next one
// unless a day is typed with it. It returns false for any other text.
func startOf(typed string, now time.Time) (begins time.Time, is bool) {
	typed = strings.TrimSpace(typed)
	if n, err := strconv.Atoi(typed); err == nil {
		return now.Add(time.Duration(n) * time.Minute), n >= 1 && n <= maxStarts
	}
	if at, err := time.Parse(arenaHour, typed); err == nil {
		return at, true
	}
	at, err := time.Parse("15:04", typed)
	hour := time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute
	begins = now.UTC().Truncate(24 * time.Hour).Add(hour)
	if begins.Before(now.Add(arena.MinNotice)) {
		begins = begins.Add(24 * time.Hour)
	}
	return begins, err == nil
}

// announce posts the arena of a submitted form.
func (c *Play) announce(ctx context.Context, in *interaction, a view.OpenArena) (bot.Reply, error) {
	if err := mayOpenArena(in); err != nil {
		return bot.Reply{}, err
	}
	typed := in.Inputs[arenaStartsInput]
	begins, is := startOf(typed, in.Received)
	lasts, _ := time.ParseDuration(in.Inputs[arenaLastsInput])
	clock, _ := time.ParseDuration(in.Inputs[arenaClockInput])
	terms := arena.Terms{
		Name: clean(in.Inputs[arenaNameInput], arena.MaxName), Rules: rulesOf(in.Inputs[arenaBoardInput]), TurnTime: clock, Lasts: lasts,
		Begins: begins, Rated: a.Rated && !in.policy.Unrated,
	}
	again := view.Button{Do: typedArena(in, a.Rated, terms), Label: view.T("action.arena.again", nil)}
	late := refused("refusal.arena.time", view.Args{"Time": view.Title(typed), "Example": exampleHour(in.Received)}, again)
	if !is {
		return bot.Reply{}, late
	}
	announced, err := c.Arenas.Announce(ctx, creating(in, c.request(in), c.publicLanguage(ctx, in)), in.ChannelID, terms)
	switch {
	case errors.Is(err, arena.BadTime):
		return bot.Reply{}, late
	case errors.Is(err, arena.BadTerms):
		return bot.Reply{}, refused("refusal.arena.terms", nil, again)
	case err != nil:
		return bot.Reply{}, err
	}
	in.Saved = true
	if onPrivate(in) { // the form came from a refusal, which now says that it went well, and the redrawer posts the arena
		c.Redraw.Enqueue(announced.ID)
		return c.privately(ctx, in, view.Screen{Lines: []view.Text{view.T("arena.announced", nil)}}, nil)
	}
	return c.showArena(ctx, in, announced)
}

// typedArena returns the action that opens the form of a new arena with the inputs of a submitted one. Its custom_id may have no room for all
// of the name.
func typedArena(in *interaction, rated bool, terms arena.Terms) view.OpenArena {
	a := view.OpenArena{
		Rated: rated, Board: in.Inputs[arenaBoardInput], Lasts: terms.Lasts.String(), Clock: terms.TurnTime.String(),
		Starts: in.Inputs[arenaStartsInput], Name: terms.Name,
	}
	if !slices.Contains(arenaBoards(in.policy), a.Board) { // a forged input
		return view.OpenArena{Rated: rated}
	}
	for len(customIDOf(a)) > maxCustomID && a.Name+a.Starts != "" {
		long := &a.Name
		if a.Name == "" {
			long = &a.Starts
		}
		_, last := utf8.DecodeLastRuneInString(*long)
		*long = (*long)[:len(*long)-last]
	}
	return a
}

// inArena carries out what a user wants to do in an arena, and says privately what comes next. The redrawer updates the message.
func (c *Play) inArena(ctx context.Context, in *interaction, a view.Arena) (bot.Reply, error) {
	switch a.Do {
	case view.JoinArena:
		return c.stepInArena(ctx, in, a.Arena, arena.Arena.Join)
	case view.PauseArena:
		return c.stepInArena(ctx, in, a.Arena, arena.Arena.Pause)
	case view.LeaveArena:
		return c.stepInArena(ctx, in, a.Arena, arena.Arena.Leave)
	}
	found, err := c.arenaHere(ctx, in, a.Arena)
	if err != nil {
		return bot.Reply{}, err
	}
	if a.Do == view.ArenaStandings {
		return c.showStandings(ctx, in, found, a.Page)
	}
	if found.Host != in.by {
		if err := notModerating(in); err != nil {
			return bot.Reply{}, err
		}
	}
	return c.ask(ctx, in, a, view.T("arena.off.title", nil), []view.Text{view.T("arena.off.question", nil)}), nil
}

// arenaHere returns an arena of the server of the interaction, or a refusal.
func (c *Replies) arenaHere(ctx context.Context, in *interaction, id match.ID) (arena.Arena, error) {
	a, err := c.Arenas.Store.Arena(ctx, id)
	if errors.Is(err, match.ErrNotFound) || err == nil && a.Venue != in.venue {
		err = &match.Refusal{Reason: arena.Unknown}
	}
	return a, err
}

func (c *Play) stepInArena(ctx context.Context, in *interaction, id match.ID,
	step func(a arena.Arena, p match.User, now time.Time) (arena.Arena, error)) (bot.Reply, error) {
	a, err := c.Arenas.Change(ctx, c.request(in), id, func(a arena.Arena, now time.Time) (arena.Arena, error) { return step(a, in.by, now) })
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	c.Redraw.Enqueue(a.ID)
	quiet, err := c.Boards.TurnMentionsOff(ctx, in.by)
	return c.privately(ctx, in, view.InArena(a, in.by, quiet || in.policy.MentionsOff), err)
}

// showStandings shows a page of the standings of an arena privately, with a further text below the headline.
func (c *Play) showStandings(ctx context.Context, in *interaction, a arena.Arena, page int, more ...view.Text) (bot.Reply, error) {
	names, err := c.Matches.Names(ctx, entrants(a)...)
	s := view.StandingsOf(a, names, in.by, page, a.Host == in.by || notModerating(in) == nil)
	s.Lines = append(s.Lines[:1:1], append(more, s.Lines[1:]...)...)
	return c.privately(ctx, in, s, err)
}

func entrants(a arena.Arena) []match.User {
	return each(a.Entrants, func(e arena.Entrant) match.User { return e.Player })
}

// callOffArena calls an arena off, for its host or a moderator. What a moderator does is in the audit log.
func (c *Admin) callOffArena(ctx context.Context, in *interaction, a view.Arena) (bot.Reply, error) {
	found, err := c.arenaHere(ctx, in, a.Arena)
	if err != nil {
		return bot.Reply{}, err
	}
	why := arena.ByHost
	if found.Host != in.by {
		if err := notModerating(in); err != nil {
			return bot.Reply{}, err
		}
		why = arena.ByModerator
	}
	off := func(a arena.Arena, now time.Time) (arena.Arena, error) { return a.CallOff(why, now) }
	if why == arena.ByHost {
		found, err = c.Arenas.Change(ctx, c.request(in), a.Arena, off)
	} else {
		found, err = c.ruleArena(ctx, in, found, policy.CallOffArena, off)
	}
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	c.Redraw.Enqueue(found.ID)
	names, err := c.Matches.Names(ctx, entrants(found)...)
	s := view.OfArena(found, names)
	return c.privately(ctx, in, view.Screen{Tone: s.Tone, Lines: s.Lines}, err)
}

// ruleArena carries out a moderator's decision about an arena, with an entry in the audit log.
func (c *Admin) ruleArena(ctx context.Context, in *interaction, a arena.Arena, kind policy.Kind,
	how func(arena.Arena, time.Time) (arena.Arena, error)) (ruled arena.Arena, err error) {
	req := c.request(in)
	entry := policy.AuditEntry{Kind: kind, Chosen: strings.Fields(a.Name)}
	err = c.Moderation.Record(ctx, req, entry, func(d policy.AuditEntry) error {
		req.OnUpdate = append(req.OnUpdate, d)
		ruled, err = c.Arenas.Change(ctx, req, a.ID, how)
		return err
	})
	return ruled, err
}

// showArenas shows moderators the newest arenas of the server, and who may start one.
func (c *Admin) showArenas(ctx context.Context, in *interaction) (bot.Reply, error) {
	c.recordBriefly(ctx)
	all, err := c.Arenas.Store.VenueArenas(ctx, in.venue, view.ArenasAPage)
	return c.privately(ctx, in, view.OfArenas(all, in.policy.ArenasByAll), err)
}

func (c *Admin) pickArena(ctx context.Context, in *interaction, _ view.PickArena) (bot.Reply, error) {
	id := match.ID(only(chosen(in)))
	if !idPattern.MatchString(string(id)) {
		return bot.Reply{}, refused("refusal.admin.choice", nil)
	}
	a, err := c.arenaHere(ctx, in, id)
	return c.showArenaRuling(ctx, in, a, "", err)
}

func (c *Admin) showArenaRuling(ctx context.Context, in *interaction, a arena.Arena, ruled match.User, err error) (bot.Reply, error) {
	if err != nil {
		return bot.Reply{}, err
	}
	names, err := c.Matches.Names(ctx, entrants(a)...)
	return c.privately(ctx, in, view.OfArenaRuling(a, names, ruled), err)
}

// removeEntrant removes the chosen person from an arena, or undoes the removal of a person.
func (c *Admin) removeEntrant(ctx context.Context, in *interaction, action view.RemoveEntrant) (bot.Reply, error) {
	a, err := c.arenaHere(ctx, in, action.Arena)
	if err != nil {
		return bot.Reply{}, err
	}
	who, kind, how := action.Back, policy.LetBack, arena.Arena.LetBack
	if who == "" {
		who, kind, how = match.User(only(chosen(in))), policy.RemoveEntrant, arena.Arena.Remove
	}
	a, err = c.ruleArena(ctx, in, a, kind, func(a arena.Arena, _ time.Time) (arena.Arena, error) { return how(a, who) })
	if errors.Is(err, arena.NotJoined) {
		err = refused("refusal.arena.entrant", nil)
	}
	if err == nil {
		in.Saved = true
		c.Redraw.Enqueue(a.ID)
	}
	return c.showArenaRuling(ctx, in, a, who, err)
}
