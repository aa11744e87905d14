package commands_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"go.uber.org/goleak"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/commands"
	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/boards"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
	"tictactoe/internal/show/locale"
	"tictactoe/store/sqlite"
	"tictactoe/store/sqlite/sqlitetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// These are the ids of the users, the bots and the places.
const (
	alice = "1001"
	bob   = "1002"
	carol = "1003"
	robot = "2001" // the bot of another application
	self  = "3001"

	guild   = "4001"
	channel = "5001"
)

var names = map[string]string{alice: "Alice", bob: "Bob", carol: "Carol", robot: "Robot", self: "Tic-Tac-Toe"}

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// lowest is an engine that plays the first empty square.
type lowest struct{}

func (lowest) Choose(_ context.Context, p game.Position) (game.Square, error) {
	for s := range p.Legal().All() {
		return s, nil
	}
	return 0, errors.New("nothing to play")
}

// desk is the whole path from an interaction to its reply, with a real database. The test controls the clock, the ids and Discord.
type desk struct {
	t        *testing.T
	store    *sqlite.Store
	commands *commands.Commands
	discord  *discord
	lanes    bot.Lanes
	clock    atomic.Pointer[time.Time] // written by the test, and read by the redrawer, too
	last     int64                     // the latest snowflake id
	routes   map[string]bool

	// place is where the next interaction comes from.
	place place
	// noFiles says that the bot may not attach files there.
	noFiles bool
	noPosts bool // the bot may not write where the interactions come from
	roles   rolesHere
	shut    string   // the channel in which the bot may not write
	probed  []string // the channels about which the bot has asked Discord whether it may write there
	// These are the languages of the server and of the user's client; empty for English.
	server, person discordgo.Locale
	// undelivered is the error in the next receipt; nil means success.
	undelivered error
	// calls says whether players are called to their matches if they want that. It is off by default, so that other tests see no
	// mentions.
	calls bool
	// apologises says whether an error of a handler is answered with an apology. Otherwise it ends the test.
	apologises bool

	board *message // the latest public message of the bot
	line  *message // the latest private message
}

// deskClock is a clock that shows the time of a desk.
type deskClock struct{ of *desk }

func (c deskClock) Read() (date, ran time.Time)          { return c.of.now(), c.of.now() }
func (c deskClock) After(time.Duration) <-chan time.Time { return nil }

// place is where an interaction comes from.
type place struct {
	guild, channel string
	context        discordgo.InteractionContextType
	installed      bool  // the bot is in the server; otherwise the user has brought it along
	listed         bool  // the bot is in the server, but only the gateway says so
	permissions    int64 // the permissions of the user there
	silent         bool  // the interaction does not contain the permissions
	parent         string
}

var (
	inServer  = place{guild: guild, channel: channel, installed: true, permissions: 1<<50 | discordgo.PermissionSendMessages}
	unheard   = place{guild: guild, channel: channel, installed: true, permissions: 1 << 50} // the bot may write there without an interaction
	asGuest   = place{guild: guild, channel: channel, permissions: 1 << 50}                  // the user has brought the bot along
	asSilent  = place{guild: guild, channel: channel}                                        // the user has brought the bot along, and may not let it answer in public
	inThread  = place{guild: guild, channel: "5004", parent: channel, installed: true, permissions: 1 << 50}
	inBotDM   = place{channel: "5002", context: discordgo.InteractionContextBotDM}
	inPrivate = place{channel: "5003", context: discordgo.InteractionContextPrivateChannel}
)

// message is a message that the bot has sent.
type message struct {
	id         string
	components []discordgo.MessageComponent
	private    bool
}

// engines holds the engines by level; each plays with any rules.
type engines map[string]match.Engine

func (e engines) Engine(_ game.Rules, level string) (match.Engine, error) {
	if engine, ok := e[level]; ok {
		return engine, nil
	}
	return nil, match.ErrNoEngine
}

// callingBoards is the store of a desk's boards.
type callingBoards struct {
	*sqlite.Store
	desk *desk
}

func (b callingBoards) TurnMentionsOff(ctx context.Context, p match.User) (bool, error) {
	if !b.desk.calls {
		return true, nil
	}
	return b.Store.TurnMentionsOff(ctx, p)
}

// puzzles caches the puzzles for all desks.
var puzzles = &daily.Puzzles{Make: puzzle.Of}

// newCallingDesk returns a desk that calls players to their matches.
func newCallingDesk(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t)
	d.calls = true
	return d
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	store, err := sqlitetest.Open(t.Context(), filepath.Join(sqlitetest.Folder(t), "db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{
		t: t, store: store, last: 6000, place: inServer, routes: map[string]bool{},
		discord: &discord{next: 7000, messages: map[string]string{}}, roles: seesRoles(),
	}
	d.setNow(noon)
	engines := engines{}
	for _, level := range ai.LevelNames() {
		engines[level] = lowest{}
	}
	engines[ai.Fair(6).String()] = lowest{}
	stakes := ladder.Stakes(store, store)
	painter := commands.Painter{
		Matches: store, Boards: store, Policies: store, Ladders: store, Scores: store, Seasons: store, Puzzles: puzzles, Stakes: stakes, Book: book, Site: rest.Site(""),
	}
	referee := &match.Referee{
		Store: store, Engines: engines, Limits: match.DefaultLimits(), Coin: func() bool { return false }, Stakes: stakes,
		Time: &match.Schedulers{Clock: clock.New(deskClock{d})},
		Fit: func(_ context.Context, level string, _ game.Rules, _ match.User, _ bool) (string, error) {
			if level == ai.FairName {
				return ai.Fair(6).String(), nil
			}
			return level, nil
		},
	}
	isSelf := func(id string) bool { return id == self }
	painter.Arenas = &arena.Desk{Store: store, Time: referee.Time}
	replies := &commands.Replies{
		Painter: painter, Players: store, Claims: store, Posts: store,
		Review: func(ctx context.Context, record game.Record) (ai.Review, error) {
			solver, err := ai.NewSolver(record.Position().Rules())
			if err != nil {
				return nil, err
			}
			return solver.ReviewWithin(ctx, record), nil
		},
	}
	learn := commands.Learn{
		Replies: replies, Referee: referee, Attempts: &daily.Attempts{Store: store, Puzzles: puzzles}, Solvers: store,
		Advise: func(ctx context.Context, p game.Position) (ai.Advice, bool, error) {
			solver, err := ai.NewSolver(p.Rules())
			if err != nil {
				return ai.Advice{}, false, err
			}
			advice, known := solver.AdviseWithin(ctx, p)
			return solver.Favour(p, advice), known, nil
		},
	}
	moderation := &policy.Moderation{
		Store: store, Referee: referee, Log: slog.New(slog.NewTextHandler(&d.discord.log, nil)),
		Redraw: func(id match.ID) { d.commands.Redraw.Enqueue(id) },
		Undoes: map[policy.Kind]policy.Undoing{
			policy.BeginSeason: season.Undo(store), rankrole.SetRole: rankrole.Undo(store),
			policy.PostPuzzles: posting.Undo(store, posting.Puzzle), policy.PostLeaderboards: posting.Undo(store, posting.Leaderboard),
		},
	}
	d.commands = &commands.Commands{
		Replies: replies, Learn: learn,
		Play:   commands.Play{Replies: replies, Referee: referee, IsSelf: isSelf},
		Look:   commands.Look{Replies: replies, Records: store, Archive: store, IsSelf: isSelf},
		People: commands.People{Replies: replies, Solvers: store},
		Admin:  commands.Admin{Replies: replies, Moderation: moderation, Posts: store, RankRoles: store, Roles: &d.roles, Closed: d.isShut},
	}
	d.commands.Asides = boards.NewAsides(boards.AsidesConfig{
		Store: store, Messenger: d.discord, Now: d.now, Log: slog.New(slog.NewTextHandler(&d.discord.log, nil)),
	})
	d.commands.Redraw = boards.NewRedrawer(boards.RedrawerConfig{
		Matches: store, Boards: callingBoards{store, d}, Arenas: painter.Arenas, Policies: store, Messenger: d.discord, Lanes: &d.lanes,
		Painter: painter,
		Now:     d.now, Log: slog.New(slog.NewTextHandler(&d.discord.log, nil)),
	})
	return d
}

// now returns the desk's time, which only advance and setNow change.
func (d *desk) now() time.Time           { return *d.clock.Load() }
func (d *desk) advance(by time.Duration) { d.setNow(d.now().Add(by)) }
func (d *desk) setNow(now time.Time)     { d.clock.Store(&now) }

// isShut reports whether the bot may not write in a channel, and records that it was asked.
func (d *desk) isShut(_ context.Context, channel string) bool {
	d.probed = append(d.probed, channel)
	return channel == d.shut
}

// interaction returns an interaction of a user at the desk's current place.
func (d *desk) interaction(by string, kind discordgo.InteractionType, data discordgo.InteractionData) *bot.Interaction {
	d.last++
	user := &discordgo.User{ID: by, Username: strings.ToLower(names[by]), GlobalName: names[by]}
	in := &discordgo.Interaction{
		ID: fmt.Sprint(d.last), AppID: self, Type: kind, Data: data, Token: fmt.Sprint("token-of-", d.last),
		GuildID: d.place.guild, ChannelID: d.place.channel, Context: d.place.context, Locale: discordgo.EnglishUS,
		AuthorizingIntegrationOwners: map[discordgo.ApplicationIntegrationType]string{discordgo.ApplicationIntegrationUserInstall: by},
	}
	in.Locale = cmp.Or(d.person, in.Locale)
	if d.place.guild != "" {
		if d.server != "" {
			in.GuildLocale = &d.server
		}
		in.Member = &discordgo.Member{User: user, Permissions: d.place.permissions}
		if d.place.installed {
			in.AuthorizingIntegrationOwners = map[discordgo.ApplicationIntegrationType]string{discordgo.ApplicationIntegrationGuildInstall: d.place.guild}
		}
	} else {
		in.User = user
	}
	return &bot.Interaction{
		Interaction: in, Received: d.now(), Parent: d.place.parent, Within: d.place.listed, PermissionsUnknown: d.place.silent, NoFiles: d.noFiles, NoPosts: d.noPosts,
	}
}

// people are the names of the options whose value is a user.
var people = []string{"opponent", "player", "versus"}

// option returns an option of a slash command: "opponent=1002" is a user, "rated=true" a boolean, "seconds=45" a number, and any other
// value is text.
func option(given string) *discordgo.ApplicationCommandInteractionDataOption {
	name, value, _ := strings.Cut(given, "=")
	o := &discordgo.ApplicationCommandInteractionDataOption{Name: name, Type: discordgo.ApplicationCommandOptionString, Value: value}
	if slices.Contains(people, name) {
		o.Type = discordgo.ApplicationCommandOptionUser
	}
	switch name {
	case "rated":
		o.Type, o.Value = discordgo.ApplicationCommandOptionBoolean, value == "true"
	case "seconds":
		n, _ := strconv.ParseFloat(value, 64)
		o.Type, o.Value = discordgo.ApplicationCommandOptionInteger, n
	}
	return o
}

// resolved returns the data about users that Discord sends along with a command. All of them are members who see the channel.
func resolved(users ...string) *discordgo.ApplicationCommandInteractionDataResolved {
	all, members := map[string]*discordgo.User{}, map[string]*discordgo.Member{}
	for _, user := range users {
		members[user] = &discordgo.Member{Permissions: discordgo.PermissionViewChannel}
		all[user] = &discordgo.User{ID: user, Username: strings.ToLower(names[user]), GlobalName: names[user], Bot: user == robot || user == self}
	}
	return &discordgo.ApplicationCommandInteractionDataResolved{Users: all, Members: members}
}

// run runs a slash command and returns the reply.
func (d *desk) run(by, name string, options ...string) bot.Reply {
	d.t.Helper()
	return d.handle(d.typed(by, name, options...))
}

// typed returns the interaction of a slash command.
func (d *desk) typed(by, name string, options ...string) *bot.Interaction {
	sub := &discordgo.ApplicationCommandInteractionDataOption{Name: name, Type: discordgo.ApplicationCommandOptionSubCommand}
	data := discordgo.ApplicationCommandInteractionData{
		Name: "tictactoe", CommandType: discordgo.ChatApplicationCommand, Options: []*discordgo.ApplicationCommandInteractionDataOption{sub},
	}
	var named []string
	for _, given := range options {
		o := option(given)
		sub.Options = append(sub.Options, o)
		if slices.Contains(people, o.Name) {
			named = append(named, o.Value.(string))
		}
	}
	if len(named) > 0 {
		data.Resolved = resolved(named...)
	}
	d.routes["command tictactoe "+name] = true
	return d.interaction(by, discordgo.InteractionApplicationCommand, data)
}

// suggest returns the suggestions for the last of the given options of /tictactoe move.
func (d *desk) suggest(by string, options ...string) bot.Reply {
	d.t.Helper()
	return d.suggestFor(by, "move", options...)
}

// suggestFor is like suggest, for another command.
func (d *desk) suggestFor(by, name string, options ...string) bot.Reply {
	d.t.Helper()
	in := d.typed(by, name, options...)
	in.Type = discordgo.InteractionApplicationCommandAutocomplete
	data := in.Data.(discordgo.ApplicationCommandInteractionData)
	data.Options[0].Options[len(options)-1].Focused = true
	d.routes["autocomplete tictactoe "+name] = true
	return d.handle(in)
}

// menu uses a command in the context menu of a user.
func (d *desk) menu(by, target string) bot.Reply {
	d.t.Helper()
	return d.menuOf(by, "Challenge to Tic-Tac-Toe", target)
}

func (d *desk) menuOf(by, name, target string) bot.Reply {
	d.t.Helper()
	d.routes["user "+name] = true
	return d.handle(d.interaction(by, discordgo.InteractionApplicationCommand, discordgo.ApplicationCommandInteractionData{
		Name: name, CommandType: discordgo.UserApplicationCommand, TargetID: target, Resolved: resolved(target),
	}))
}

// click presses a button with the given custom_id on the board, even if the board has no such button.
func (d *desk) click(by, customID string) bot.Reply {
	d.t.Helper()
	return d.clickOn(by, d.board, customID)
}

func (d *desk) clickOn(by string, m *message, customID string) bot.Reply {
	d.t.Helper()
	return d.handle(d.clicking(by, m, customID))
}

// The roles of the server: of the people who want to be told of open challenges, and of a bot.
const (
	toldRole  = "7001"
	botRole   = "7002"
	highRole  = "7004"
	staffRole = "7005"
)

// rolesHere is what Discord says about the roles of the server.
type rolesHere struct {
	rankrole.Discord
	server rankrole.Server
	err    error
}

func (r *rolesHere) Server(context.Context, match.Venue) (rankrole.Server, error) {
	return r.server, r.err
}

// seesRoles returns what Discord says unless a test changes it.
func seesRoles() rolesHere {
	return rolesHere{server: rankrole.Server{Manages: true, Roles: map[string]rankrole.Role{
		toldRole: {Below: true}, botRole: {Managed: true}, highRole: {}, staffRole: {Below: true, Powerful: true},
	}}}
}

// clicking returns the interaction of a click on a message, or of a choice of the given values there.
func (d *desk) clicking(by string, m *message, customID string, values ...string) *bot.Interaction {
	verb, _, _ := strings.Cut(customID, ":")
	d.routes["component "+verb] = true
	data := discordgo.MessageComponentInteractionData{CustomID: customID, Values: values}
	if customID == "policy:places" || customID == "policy:puzzles" || customID == "policy:posts" {
		data.ComponentType, data.Resolved.Channels = discordgo.ChannelSelectMenuComponent, map[string]*discordgo.Channel{}
		for _, id := range values {
			data.Resolved.Channels[id] = &discordgo.Channel{ID: id, GuildID: d.place.guild}
		}
	}
	if customID == "person:pick" {
		data.ComponentType, data.Resolved.Users = discordgo.UserSelectMenuComponent, resolved(values...).Users
	}
	if customID == "policy:told" || customID == "rank:role" {
		data.ComponentType, data.Resolved.Roles = discordgo.RoleSelectMenuComponent, map[string]*discordgo.Role{}
		for _, id := range values {
			data.Resolved.Roles[id] = &discordgo.Role{ID: id, Managed: id == botRole}
		}
	}
	in := d.interaction(by, discordgo.InteractionMessageComponent, data)
	m.clicked(d, in)
	return in
}

// choose picks users in the menu of the latest private message.
func (d *desk) choose(by string, people ...string) bot.Reply {
	d.t.Helper()
	d.routes["component settings"] = true
	in := d.interaction(by, discordgo.InteractionMessageComponent, discordgo.MessageComponentInteractionData{
		CustomID: "settings:blocked", ComponentType: discordgo.UserSelectMenuComponent, Values: people,
		Resolved: discordgo.MessageComponentInteractionDataResolved{Users: resolved(people...).Users},
	})
	d.line.clicked(d, in)
	return d.handle(in)
}

// clicked adds the clicked message to an interaction.
func (m *message) clicked(d *desk, in *bot.Interaction) {
	flags := discordgo.MessageFlagsIsComponentsV2
	if m.private {
		flags |= discordgo.MessageFlagsEphemeral
	}
	in.Message = &discordgo.Message{ID: m.id, ChannelID: d.place.channel, Flags: flags}
	in.Components, _ = json.Marshal(m.components) // components that cannot be encoded could not have been sent
}

// press presses the button with the given label, or the square with the given name, on the board.
func (d *desk) press(by, what string) bot.Reply {
	d.t.Helper()
	return d.click(by, d.button(d.board.components, what))
}

// button returns the custom_id of the button with the given label, or of the square with the given name.
func (d *desk) button(components []discordgo.MessageComponent, what string) string {
	d.t.Helper()
	for _, b := range buttons(components) {
		if b.Label == what || len(b.Label) <= len("b2") && strings.HasSuffix(b.CustomID, ":"+what) {
			return b.CustomID
		}
	}
	d.t.Fatalf("no button %q in %s", what, pretty(d.t, components))
	return ""
}

// submit submits a modal.
func (d *desk) submit(by string, m *bot.Modal) bot.Reply {
	d.t.Helper()
	verb, _, _ := strings.Cut(m.CustomID, ":")
	d.routes["modal "+verb] = true
	in := d.interaction(by, discordgo.InteractionModalSubmit, discordgo.ModalSubmitInteractionData{CustomID: m.CustomID})
	d.board.clicked(d, in)
	return d.handle(in)
}

// resign presses Resign and confirms it.
func (d *desk) resign(by string) bot.Reply {
	d.t.Helper()
	asked := d.press(by, "Resign")
	if asked.Kind != bot.Ask {
		d.t.Fatalf("got no form to confirm, but %v", asked.Kind)
	}
	return d.submit(by, asked.Modal)
}

// show presses the button in the list of matches that moves the board to the desk's current place.
func (d *desk) show(by string) bot.Reply {
	d.t.Helper()
	d.run(by, "games")
	return d.clickOn(by, d.line, d.button(d.line.components, "Show it here"))
}

// play makes moves, the players in turn.
func (d *desk) play(squares string, players ...string) bot.Reply {
	d.t.Helper()
	var reply bot.Reply
	for i, name := range strings.Fields(squares) {
		if reply = d.press(players[i%len(players)], name); reply.Kind != bot.Update {
			d.t.Fatalf("%s: %s", name, pretty(d.t, reply.Components))
		}
	}
	return reply
}

// challenge makes alice challenge bob.
func (d *desk) challenge(options ...string) bot.Reply {
	d.t.Helper()
	return d.run(alice, "challenge", append([]string{"opponent=" + bob}, options...)...)
}

// seeks is an open challenge of alice's.
func (d *desk) seeks(options ...string) bot.Reply {
	d.t.Helper()
	return d.run(alice, "challenge", options...)
}

// started begins a match of alice, who moves first, against bob.
func (d *desk) started(options ...string) bot.Reply {
	d.t.Helper()
	d.challenge(append([]string{"first=me"}, options...)...)
	return d.press(bob, "Accept")
}

// wish begins a casual match of alice against bob, in which each makes a move and a player asks for something.
func (d *desk) wish(by, what string) bot.Reply {
	d.t.Helper()
	d.started("rated=false")
	d.play("b2 a1", alice, bob)
	return d.press(by, what)
}

// handle lets an interaction be answered, and delivers the reply.
func (d *desk) handle(in *bot.Interaction) bot.Reply {
	d.t.Helper()
	reply, err := d.commands.Handle(d.t.Context(), in)
	if err != nil && d.apologises {
		return d.commands.Apology(in, "ref", err)
	}
	if err != nil {
		d.t.Fatalf("%v: %v", in.Data, err)
	}
	d.deliver(in, reply)
	return reply
}

// deliver does with a reply what Discord would do.
func (d *desk) deliver(in *bot.Interaction, reply bot.Reply) {
	receipt := messages.Receipt{Channel: in.ChannelID, Err: d.undelivered}
	if d.undelivered == nil {
		switch reply.Kind {
		case bot.Post:
			m := &message{id: fmt.Sprint("8", in.ID), components: reply.Components, private: reply.Private || d.place == asSilent}
			receipt.Message = m.id
			if reply.Private {
				d.line = m
			} else {
				d.board = m
			}
		case bot.Update:
			if d.board != nil && d.board.private && d.board.id == in.Message.ID {
				d.board.components, receipt.Message = reply.Components, in.Message.ID
				break
			}
			if in.Message.Flags&discordgo.MessageFlagsEphemeral != 0 {
				d.line = &message{id: in.Message.ID, components: reply.Components, private: true}
				break
			}
			d.board = &message{id: in.Message.ID, components: reply.Components}
			receipt.Message = in.Message.ID
		}
	} else {
		receipt.Channel = ""
	}
	d.undelivered = nil
	if reply.Sent != nil {
		reply.Sent(receipt)
	}
}

// flush draws the outdated boards, and returns the requests to Discord.
func (d *desk) flush() []string {
	d.commands.Redraw.Flush(d.t.Context())
	return d.discord.take()
}

// buttons returns all buttons of a message, in order.
func buttons(components []discordgo.MessageComponent) []discordgo.Button {
	var all []discordgo.Button
	for _, c := range components {
		switch c := c.(type) {
		case discordgo.Container:
			all = append(all, buttons(c.Components)...)
		case discordgo.ActionsRow:
			all = append(all, buttons(c.Components)...)
		case discordgo.Button:
			all = append(all, c)
		}
	}
	return all
}

// text returns all text of a message.
func text(components []discordgo.MessageComponent) string {
	var said []string
	for _, c := range components {
		switch c := c.(type) {
		case discordgo.Container:
			said = append(said, text(c.Components))
		case discordgo.TextDisplay:
			said = append(said, c.Content)
		}
	}
	return strings.Join(said, "\n")
}

func labels(components []discordgo.MessageComponent) string {
	var all []string
	for _, b := range buttons(components) {
		if b.Label != "" && (b.Emoji == nil || len(b.Label) > len("b2")) {
			all = append(all, b.Label)
		}
	}
	return strings.Join(all, ", ")
}

// marks returns the squares of a message as they look, row by row.
func marks(components []discordgo.MessageComponent) string {
	var b strings.Builder
	for _, button := range buttons(components) {
		if button.Emoji != nil && len(button.Label) <= len("b2") {
			b.WriteString(map[string]string{"❌": "X", "❎": "X", "⭕": "O", "🅾️": "O"}[button.Emoji.Name])
			if button.Emoji.Name == "▫️" {
				b.WriteString(".")
			}
		}
	}
	squares := b.String()
	if len(squares) != 9 {
		return squares
	}
	return squares[:3] + "/" + squares[3:6] + "/" + squares[6:]
}

func pretty(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// callback returns the reply as the body of an interaction callback, in the form in which package bot sends it.
func callback(t testing.TB, reply bot.Reply) []byte {
	t.Helper()
	kind := map[bot.Kind]int{bot.Post: 4, bot.Update: 7, bot.Suggest: 8, bot.Ask: 9}[reply.Kind]
	body := map[string]any{"type": kind}
	switch reply.Kind {
	case bot.Suggest:
		body["data"] = map[string]any{"choices": append([]bot.Choice{}, reply.Choices...)}
	case bot.Ask:
		body["data"] = map[string]any{"custom_id": reply.Modal.CustomID, "title": reply.Modal.Title, "components": reply.Modal.Components}
	case bot.Post, bot.Update:
		flags := discordgo.MessageFlagsIsComponentsV2
		if reply.Private && reply.Kind == bot.Post {
			flags |= discordgo.MessageFlagsEphemeral
		}
		mentions := map[string]any{"parse": []string{}}
		if len(reply.Ping) > 0 {
			mentions["users"] = reply.Ping
		}
		if reply.PingRole != "" {
			mentions["roles"] = []string{reply.PingRole}
		}
		data := map[string]any{"flags": flags, "components": reply.Components, "embeds": []any{}, "allowed_mentions": mentions}
		for i, f := range reply.Files {
			about := map[string]any{"id": i, "filename": f.Name}
			if f.Description != "" {
				about["description"] = f.Description
			}
			data["attachments"] = []any{about}
		}
		body["data"] = data
	}
	return []byte(pretty(t, body))
}

func ids(list []match.Match) []match.ID {
	var all []match.ID
	for _, m := range list {
		all = append(all, m.ID)
	}
	slices.Sort(all)
	return all
}
