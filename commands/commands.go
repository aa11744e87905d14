// Package commands translates between Discord and the core: a slash command, button or modal becomes a request to the
// referee, and the screen that comes of it a reply. It owns the command tree and the custom_id codec, and knows no rule
// of the game.
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
	"tictactoe/game"
	"tictactoe/internal/boards"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/people/user"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/replica/claim"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// Commands answers interactions. Its handlers are safe for concurrent use.
type Commands struct {
	Painter // with the stores, the texts and the site of which the handlers make use too
	Referee *match.Referee
	Records profile.Store
	Archive archive.Store
	Players user.Store
	// KeepSessions records the gateway sessions before an erasure. A process that is killed after it is then sent no earlier interaction of
	// the player again, which would store something anew. It may be nil.
	KeepSessions func()
	// Moderation carries out what the moderators of servers decide.
	Moderation *policy.Moderation
	// Arbiter lets people solve puzzles. Solvers stores who has solved them and where puzzles are posted.
	Arbiter *daily.Arbiter
	Solvers daily.Store
	// Claims let one of several processes do what is to be done once.
	Claims interface {
		Claim(ctx context.Context, c claim.Claim) error
	}
	Redraw *boards.Redrawer
	Asides *boards.Asides
	// Review judges a finished game. Moves for which the context leaves no time stay unjudged. The error wraps [match.ErrBusy] if
	// too many users ask at once.
	Review func(ctx context.Context, record game.Record) (ai.Review, error)
	// Advise returns what to play in a position. It returns false if there was not enough time to find out. The error wraps
	// [match.ErrBusy] if too many users ask at once.
	Advise func(ctx context.Context, p game.Position) (ai.Advice, bool, error)
	// Pages are those of the operator that /tictactoe privacy links to.
	Pages view.Policies
	// IsSelf reports whether a user is this bot.
	IsSelf func(userID string) bool
}

// Route adds all handlers.
func (c *Commands) Route(r *bot.Router) {
	for path, handle := range c.slashCommands() {
		r.Command(path, c.refusing(handle))
	}
	r.ClaimingCommand("tictactoe move")
	for path, suggest := range c.suggestions() {
		r.Autocomplete(path, suggest)
	}
	r.UserCommand(challengeMenu, c.refusing(c.challengeFromMenu))
	r.UserCommand(profileMenu, c.refusing(c.featured(policy.Profiles, c.profileFromMenu)))
	for verb, handle := range c.components() {
		r.Component(verb, c.refusing(handle))
	}
	r.Claiming("play")
	for verb, handle := range c.modals() {
		r.Modal(verb, c.refusing(handle))
	}
	r.Unknown = c.unknown
}

func (c *Commands) slashCommands() map[string]bot.Handler {
	return map[string]bot.Handler{
		"tictactoe challenge": c.challenge, "tictactoe ai": c.ai, "tictactoe move": c.move, "tictactoe leaderboard": c.leaderboard,
		"tictactoe profile": c.featured(policy.Profiles, c.profile), "tictactoe show": c.featured(policy.Replays, c.find),
		"tictactoe daily": c.featured(policy.Daily, c.daily), "tictactoe best": c.featured(policy.Best, c.best),
		"tictactoe learn": c.featured(policy.Learn, c.learn), "tictactoe games": c.games, "tictactoe help": c.help,
		"tictactoe settings": c.settings, "tictactoe privacy": c.privacy, "tictactoe admin": c.moderated(c.admin),
	}
}

// suggestions are the handlers of commands that are being typed.
func (c *Commands) suggestions() map[string]bot.Handler {
	return map[string]bot.Handler{"tictactoe move": c.suggestMove, "tictactoe leaderboard": c.suggestSeason, "tictactoe show": c.suggestMatch}
}

// components are the handlers of buttons and menus, by the verb of their custom_ids.
func (c *Commands) components() map[string]bot.Handler {
	return map[string]bot.Handler{
		"play": used(c, c.play), "accept": used(c, c.accept), "decline": used(c, c.decline), "withdraw": used(c, c.withdraw),
		"resign": ofMatch(c, c.askResign), "rematch": used(c, c.rematch), "norematch": used(c, c.declineRematch),
		"easier": ofMatch(c, c.ease),
		"wrong":  ofMatch(c, c.wrong), "hint": c.featured(policy.Hints, used(c, c.hint)),
		"learn": c.featured(policy.Learn, used(c, c.learnAt)), "lessons": c.featured(policy.Learn, used(c, c.listLessons)), "lesson": c.featured(policy.Learn, used(c, c.pickLesson)),
		"review": ofMatch(c, c.review), "walk": ofMatch(c, c.walk), "replay": c.featured(policy.Best, c.featured(policy.Replays, used(c, c.watch))),
		"practice": ofMatch(c, c.practice), "show": ofMatch(c, c.show), "computer": used(c, c.playComputer),
		"board": used(c, c.turnLeaderboard), "ranking": used(c, c.pickRanking), "rankedon": used(c, c.pickBoard), "seasons": used(c, c.pickSeason),
		"share": c.featured(policy.Sharing, ofMatch(c, c.share)), "post": c.featured(policy.Sharing, ofMatch(c, c.postShared)),
		"mentions": used(c, c.switchMentions),
		"season":   used(c, c.showSeasonBoards),
		"solve":    c.featured(policy.Daily, used(c, c.solve)),
		"daily":    c.featured(policy.Daily, used(c, c.pressPuzzle)), "puzzle": c.featured(policy.Daily, used(c, c.usePuzzle)),
		"settings": used(c, c.changeSetting), "mysettings": used(c, c.showSettings), "privacy": used(c, c.handleData),
		"admin": c.moderated(used(c, c.openPage)), "policy": c.moderated(used(c, c.setPolicy)),
		"pick": c.moderated(used(c, c.pickMatch)), "rule": c.moderated(used(c, c.rule)),
		"undo": c.moderated(used(c, c.undo)),
	}
}

// modals are the handlers of what was typed into a form, by the verb of its custom_id.
func (c *Commands) modals() map[string]bot.Handler {
	return map[string]bot.Handler{
		"resign": used(c, c.resign), "privacy": used(c, c.erase), "admin": c.moderated(used(c, c.submitPage)),
	}
}

// used returns a handler for components and forms whose custom_id holds an action of type A. It refuses any other custom_id.
func used[A view.Action](c *Commands, handle func(context.Context, *bot.Interaction, A) (bot.Reply, error)) bot.Handler {
	return func(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
		id, _ := parseCustomID(in.CustomID()) // one that cannot be read has no action
		action, ok := id.action.(A)
		if !ok {
			return c.unknown(ctx, in)
		}
		if belongs, err := c.belongs(ctx, in, id); err != nil {
			return bot.Reply{}, err
		} else if !belongs {
			return c.unknown(ctx, in)
		}
		return handle(ctx, in, action)
	}
}

// ofMatch does what used does, for an action about a match, which it loads for handle.
func ofMatch[A view.Action](c *Commands, handle func(context.Context, *bot.Interaction, A, match.Match) (bot.Reply, error)) bot.Handler {
	return used(c, func(ctx context.Context, in *bot.Interaction, action A) (bot.Reply, error) {
		id, _ := parseCustomID(in.CustomID()) // used has read it
		m, err := c.Matches.Match(ctx, id.about)
		if errors.Is(err, match.ErrNotFound) {
			err = &match.Refusal{Reason: match.Unknown}
		}
		if err != nil {
			return bot.Reply{}, err
		}
		return handle(ctx, in, action, m)
	})
}

// belongs reports whether the pressed custom_id is about the message that it was pressed on, so that the answer may redraw the
// message: it has a button of the same match, challenge or leaderboard, or shows the match. Any other custom_id was made by hand.
func (c *Commands) belongs(ctx context.Context, in *bot.Interaction, id customID) (bool, error) {
	leaderboard := slices.Contains([]string{"board", "ranking", "rankedon", "seasons"}, id.verb)
	if in.Message == nil || id.about == "" && !leaderboard || in.Carries(in.CustomID()) {
		return true, nil
	}
	for _, carried := range in.Carried() {
		other, err := parseCustomID(carried)
		if err == nil && other.about == id.about && (id.about != "" || other.verb == id.verb) {
			return true, nil
		}
	}
	b, err := c.boardOf(ctx, id.about)
	return err == nil && b.Message == in.Message.ID, err
}

// unknown answers an interaction that no handler takes.
func (c *Commands) unknown(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	refusal := view.T("refusal.button", nil)
	if in.CommandPath() != "" {
		refusal = view.T("refusal.command", nil)
	}
	return c.notice(ctx, in, refusal), nil
}

// Apology words a failure that nobody expected. It uses the language of the person's Discord, because the database may have failed.
func (c *Commands) Apology(in *bot.Interaction, reference string, err error) bot.Reply {
	say := func(t view.Text) bot.Reply { return c.noticeIn(c.Book.In(in.Locale()), t) }
	switch {
	case in.Saved:
		return say(view.T("error.unshown", view.Args{"Reference": reference}))
	case errors.Is(err, match.ErrBusy), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled),
		errors.Is(err, bot.ErrModalLate):
		return c.Busy(in)
	case errors.Is(err, match.ErrUnsaved): // said to everybody; the log has it once
		return say(view.T("error.unsaved", nil))
	default:
		return say(view.T("error.unexpected", view.Args{"Reference": reference}))
	}
}

// RateLimited words the answer to a user who asks for too much at once.
func (c *Commands) RateLimited(in *bot.Interaction) bot.Reply {
	return c.noticeIn(c.Book.In(in.Locale()), view.T("error.ratelimited", nil))
}

// Busy words the answer to an interaction for which there was no room.
func (c *Commands) Busy(in *bot.Interaction) bot.Reply {
	return c.noticeIn(c.Book.In(in.Locale()), view.T("error.busy", nil))
}

// request returns the request that an interaction stands for.
func (c *Commands) request(in *bot.Interaction) match.Request {
	id, _ := idOf(in.ID) // refusing has checked it
	player := match.User(in.User().ID)
	req := match.Request{
		ID: id, By: player, Venue: match.Venue(in.GuildID), At: in.Received, Places: placesOf(in),
	}
	if name := nameOf(in); name != "" {
		req.Names = []match.Name{{Player: player, Name: name}}
	}
	if in.Claim != nil {
		req.OnGrant = []match.Extra{*in.Claim}
	}
	return req
}

// creating adds to req where a challenge or match that it creates will be shown, and in which language. The message has no id yet.
func creating(in *bot.Interaction, req match.Request, language string) match.Request {
	req.OnCreate = []match.Extra{reference(in, req.ID, "", language)}
	return req
}

// about returns the request of a click on the message that shows the challenge or match id.
func (c *Commands) about(in *bot.Interaction, id match.ID) match.Request {
	req := c.request(in)
	if in.Message != nil {
		// The language is used only if the board has none yet.
		req.OnUpdate = []match.Extra{reference(in, id, in.Message.ID, cmp.Or(in.ServerLocale(), in.Locale()))}
	}
	return req
}

// placesOf returns the channel of an interaction and, if it is a thread, the channel that the thread is in.
func placesOf(in *bot.Interaction) []string {
	if in.Parent == "" {
		return []string{in.ChannelID}
	}
	return []string{in.ChannelID, in.Parent}
}

func reference(in *bot.Interaction, id match.ID, message, language string) board.Reference {
	return board.Reference{
		ID: id, Guild: in.GuildID, Channel: in.ChannelID, Message: message,
		Token: in.Token, Expires: in.Received.Add(bot.TokenLife), Member: in.BotMember(), Locale: language,
	}
}

// private returns the words for the person alone: in the language that the person has chosen, else in that of the person's Discord.
func (c *Commands) private(ctx context.Context, in *bot.Interaction) locale.Words {
	return c.Book.In(c.privateLanguage(ctx, in))
}

func (c *Commands) privateLanguage(ctx context.Context, in *bot.Interaction) string {
	chosen, _ := c.Players.Language(ctx, match.User(in.User().ID)) // on an error, the language of Discord will do
	return cmp.Or(chosen, in.Locale())
}

// publicLanguage returns the language of messages to everybody in the channel: the server's choice, else the language of a Community
// server, else the private language of the person who acts.
func (c *Commands) publicLanguage(ctx context.Context, in *bot.Interaction) (string, error) {
	language, err := c.serverLanguage(ctx, in)
	if err != nil || language != "" {
		return language, err
	}
	return c.privateLanguage(ctx, in), nil
}

// serverLanguage returns the language that the server has chosen in the bot, else the one it has as a Community; empty if neither.
func (c *Commands) serverLanguage(ctx context.Context, in *bot.Interaction) (string, error) {
	p, err := c.policyOf(ctx, in)
	return cmp.Or(p.Language, in.ServerLocale()), err
}

// boardOf returns the board of a challenge or match, the zero board if it is shown nowhere.
func (c *Commands) boardOf(ctx context.Context, id match.ID) (board.Board, error) {
	b, err := c.Boards.Board(ctx, id)
	if errors.Is(err, match.ErrNotFound) {
		err = nil
	}
	return b, err
}

// ofBoard returns the words in the language of a board, which does not change.
func (c *Commands) ofBoard(ctx context.Context, id match.ID) (locale.Words, error) {
	b, err := c.boardOf(ctx, id)
	return c.Book.In(b.Locale), err
}

// notice returns a private answer of one text.
func (c *Commands) notice(ctx context.Context, in *bot.Interaction, t view.Text, buttons ...view.Button) bot.Reply {
	return c.noticeIn(c.private(ctx, in), t, buttons...)
}

func (c *Commands) noticeIn(words locale.Words, t view.Text, buttons ...view.Button) bot.Reply {
	return bot.Reply{Kind: bot.Post, Private: true, Components: encode(view.Notice(t, buttons...), words, c.style(nil))}
}

// privately shows a screen to the person alone: in place of a private message that was clicked, else in a new one.
func (c *Commands) privately(ctx context.Context, in *bot.Interaction, s view.Screen, style discordStyle) bot.Reply {
	reply := shown(in, c.inPlace(ctx, in), s, c.private(ctx, in), style)
	reply.Private = true
	return reply
}

// publicly shows a screen to everybody in the channel.
func (c *Commands) publicly(ctx context.Context, in *bot.Interaction, kind bot.Kind, s view.Screen, style discordStyle) (bot.Reply, error) {
	language, err := c.publicLanguage(ctx, in)
	if err != nil {
		return bot.Reply{}, err
	}
	return shown(in, kind, s, c.Book.In(language), style), nil
}

// inPlace returns the kind of reply for a private screen: an update of the clicked message if that is private, else a post. A board stays as
// it is, also where Discord shows it to one person alone.
func (c *Commands) inPlace(ctx context.Context, in *bot.Interaction) bot.Kind {
	if !onPrivate(in) || slices.ContainsFunc(in.Carried(), ofRunningBoard) {
		return bot.Post
	}
	if id, _ := parseCustomID(in.CustomID()); id.about != "" {
		if b, err := c.boardOf(ctx, id.about); err != nil || b.Message == in.Message.ID {
			return bot.Post
		}
	}
	return bot.Update
}

// onPrivate reports whether a click was on a message that one person alone sees.
func onPrivate(in *bot.Interaction) bool {
	return in.Message != nil && in.Message.Flags&discordgo.MessageFlagsEphemeral != 0
}

// ofRunningBoard reports whether a custom_id is one that only the board of a match that goes on has. Where that board is may not be saved yet.
func ofRunningBoard(customID string) bool {
	id, _ := parseCustomID(customID)
	_, plays := id.action.(view.Play)
	_, resigns := id.action.(view.Resign)
	return plays || resigns
}

// confirm returns the private answer to a click or modal that came without its message, which can then not be redrawn: the screen
// without the board, which a redraw brings up to date. Discord always sends the message; other servers may not.
func (c *Commands) confirm(ctx context.Context, in *bot.Interaction, s view.Screen) bot.Reply {
	return c.privately(ctx, in, view.Confirmed(s), c.style(nil))
}

// ask opens a form with a question and inputs.
func (c *Commands) ask(ctx context.Context, in *bot.Interaction, do view.Action, title view.Text, question []view.Text,
	inputs ...discordgo.MessageComponent) bot.Reply {
	words := c.private(ctx, in)
	text := discordgo.TextDisplay{Content: strings.Join(said(question, words, discordStyle{}), "\n")}
	return bot.Reply{Kind: bot.Ask, Modal: &bot.Modal{
		CustomID: customIDOf(do), Title: words.Say(title, discordStyle{}),
		Components: append([]discordgo.MessageComponent{text}, inputs...),
	}}
}

// showSaved shows a match that the referee has changed, unless that failed.
func (c *Commands) showSaved(ctx context.Context, in *bot.Interaction, kind bot.Kind, m match.Match, err error) (bot.Reply, error) {
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	if kind == bot.Update {
		c.outdated(m)
	}
	return c.showMatch(ctx, in, kind, m)
}

// showMatch returns the reply that shows a match, as a new message or as an update of the clicked one.
func (c *Commands) showMatch(ctx context.Context, in *bot.Interaction, kind bot.Kind, m match.Match) (reply bot.Reply, err error) {
	defer func() { c.followUp(reply, m.ID) }()
	s, style, err := c.screenOf(ctx, m)
	if err != nil {
		return bot.Reply{}, err
	}
	if kind == bot.Update && in.Message == nil {
		return c.confirm(ctx, in, s), nil
	}
	words := c.Book.In(m.Locale)
	if m.Locale == "" {
		if words, err = c.ofBoard(ctx, m.ID); err != nil {
			return bot.Reply{}, err
		}
	}
	drawn := drawing(m, s, words, style)
	if drawn.Stale {
		c.Redraw.NoteStale(m.ID)
	}
	return bot.Reply{
		Kind: kind, Components: drawn.Components,
		Sent: receipt(c.Redraw.Delivered(m.ID, drawn.Version, kind == bot.Post, boards.Mentioned(m))),
	}, nil
}

// followUp lets a redraw show what the reply does not show, also after an error or a panic.
func (c *Commands) followUp(reply bot.Reply, id match.ID) {
	if reply.Sent == nil {
		c.Redraw.Enqueue(id)
	}
}

// showSavedChallenge shows a challenge that the referee has changed, unless that failed.
func (c *Commands) showSavedChallenge(ctx context.Context, in *bot.Interaction, kind bot.Kind, ch match.Challenge, err error) (bot.Reply, error) {
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	return c.showChallenge(ctx, in, kind, ch)
}

// showChallenge returns the reply that shows a challenge. A new message with a pending one notifies the challenged player.
func (c *Commands) showChallenge(ctx context.Context, in *bot.Interaction, kind bot.Kind, ch match.Challenge) (reply bot.Reply, err error) {
	defer func() { c.followUp(reply, ch.ID) }()
	s, err := c.screenOfChallenge(ctx, ch)
	if err != nil {
		return bot.Reply{}, err
	}
	if kind == bot.Update && in.Message == nil {
		return c.confirm(ctx, in, s), nil
	}
	words, err := c.ofBoard(ctx, ch.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	reply = bot.Reply{
		Kind: kind, Components: encode(s, words, c.style(nil)),
		Sent: receipt(c.Redraw.Delivered(ch.ID, ch.Version, kind == bot.Post, false)),
	}
	if kind == bot.Post && ch.Status == match.Pending {
		reply.Ping = []string{string(ch.To)}
	}
	return reply, nil
}

// isOff reports whether an option was given and is false.
func isOff(in *bot.Interaction, option string) bool {
	on, is := optionOf[bool](in, option, discordgo.ApplicationCommandOptionBoolean)
	return is && !on
}

// choice returns the value of a text option, empty if it was not given.
func choice(in *bot.Interaction, option string) string {
	value, _ := optionOf[string](in, option, discordgo.ApplicationCommandOptionString)
	return value
}

// each returns what the function returns for each element. The result is empty and not nil if there are none.
func each[T, U any](all []T, of func(T) U) []U {
	made := make([]U, len(all))
	for i, one := range all {
		made[i] = of(one)
	}
	return made
}

// optionOf returns the value of an option, and whether one of that type was given.
func optionOf[T any](in *bot.Interaction, name string, kind discordgo.ApplicationCommandOptionType) (value T, is bool) {
	if o := in.Options()[name]; o != nil && o.Type == kind {
		value, is = o.Value.(T)
	}
	return value, is
}
