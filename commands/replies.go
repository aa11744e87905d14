package commands

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/game"
	"tictactoe/internal/boards"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
	"tictactoe/internal/people/user"
	"tictactoe/internal/replica/claim"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/picture"
	"tictactoe/internal/show/view"
)

// Replies makes the replies to interactions, for all areas. It chooses the language, who sees the reply, and which message it replaces.
type Replies struct {
	Painter
	Players user.Store
	// Claims let only one of several processes do something that must be done once.
	Claims interface {
		Claim(ctx context.Context, c claim.Claim) error
	}
	// Posts limit how many public messages a user has the bot post; see [match.PublicPost].
	Posts interface {
		AddPublicPost(ctx context.Context, p match.PublicPost) error
	}
	Redraw *boards.Redrawer
	Asides *boards.Asides
	// Review judges the moves of a finished game. Moves for which the time of ctx is too short stay unjudged. The error wraps
	// [match.ErrBusy] if too many users ask at once.
	Review func(ctx context.Context, record game.Record) (ai.Review, error)
}

// interaction is an interaction of the bot with its user, its server and the server's policy.
type interaction struct {
	*bot.Interaction
	by     match.User
	venue  match.Venue
	policy policy.Policy // zero for a move, for which it is not read
	barred bool          // the user is barred, so answers are private
}

func newInteraction(in *bot.Interaction) *interaction {
	return &interaction{Interaction: in, by: match.User(in.User().ID), venue: match.Venue(in.GuildID)}
}

// unknown refuses an interaction for which there is no handler.
func (c *Replies) unknown(ctx context.Context, in *interaction) (bot.Reply, error) {
	refusal := view.T("refusal.button", nil)
	if in.CommandPath() != "" {
		refusal = view.T("refusal.command", nil)
	}
	return c.notice(ctx, in, refusal), nil
}

// Apology returns the reply to an interaction that failed, or that was turned away because the bot is busy or the user exceeds the rate limit.
// It uses the language of the user's Discord, because the database with the user's choice may have failed.
func (c *Replies) Apology(in *bot.Interaction, reference string, err error) bot.Reply {
	say := func(t view.Text) bot.Reply { return c.noticeIn(c.Book.In(in.Locale()), t) }
	switch {
	case errors.Is(err, bot.ErrRateLimited):
		return say(view.T("error.ratelimited", nil))
	case errors.Is(err, rest.ErrArchived):
		return say(view.T("error.archived", nil))
	case in.Saved:
		return say(view.T("error.unshown", view.Args{"Reference": reference}))
	case errors.Is(err, bot.ErrBusy), errors.Is(err, match.ErrBusy), errors.Is(err, context.DeadlineExceeded),
		errors.Is(err, context.Canceled), errors.Is(err, bot.ErrModalLate):
		return say(view.T("error.busy", nil))
	case errors.Is(err, match.ErrUnsaved): // every user is told so; the log has the error once
		return say(view.T("error.unsaved", nil))
	default:
		return say(view.T("error.unexpected", view.Args{"Reference": reference}))
	}
}

// request returns the [match.Request] of an interaction: who asks, where and when.
func (c *Replies) request(in *interaction) match.Request {
	id, _ := idOf(in.ID) // handler has checked it
	req := match.Request{ID: id, By: in.by, Venue: in.venue, At: in.Received, Interaction: in.ID, Places: placesOf(in)}
	if name := nameOf(in); name != "" {
		req.Names = []match.Name{{Player: in.by, Name: name}}
	}
	if in.Claim != nil {
		req.OnGrant = []match.Extra{*in.Claim}
	}
	return req
}

// creating returns the request with a reference for the board of the challenge or match that it creates: the language, and the message,
// still without an id. That message counts as a public post.
func creating(in *interaction, req match.Request, language string) match.Request {
	req.OnCreate = []match.Extra{reference(in, req.ID, "", language)}
	if post, limited := publicPost(in, in.ID); limited {
		req.OnCreate = append(req.OnCreate, post)
	}
	return req
}

// publicPost returns the public post that the interaction asks for. It reports false if only the user will see the message: in a chat with
// the bot, and where Discord shows the bot's answers to nobody else.
func publicPost(in *interaction, id string) (p match.PublicPost, limited bool) {
	if in.Context == discordgo.InteractionContextBotDM || onlyPrivate(in) {
		return p, false
	}
	return match.PublicPost{By: in.by, Place: cmp.Or(in.GuildID, in.ChannelID), ID: id, At: in.Received}, true
}

// countPost counts a public post that creates nothing. It returns a refusal if the user has had too many lately. A post with the same id
// counts once.
func (c *Replies) countPost(ctx context.Context, in *interaction, id string) error {
	if post, limited := publicPost(in, id); limited {
		return c.Posts.AddPublicPost(ctx, post)
	}
	return nil
}

// about returns the request for a click on the message that shows the challenge or match. Saving the request also records the click for the
// board.
func (c *Replies) about(in *interaction, id match.ID) match.Request {
	req := c.request(in)
	if in.Message != nil && !onPosition(in) {
		// The language is used only if the board has none yet.
		req.OnUpdate = []match.Extra{reference(in, id, in.Message.ID, cmp.Or(in.ServerLocale(), in.Locale()))}
	}
	return req
}

// placesOf returns the channel of an interaction and, if it is a thread, the channel that the thread is in.
func placesOf(in *interaction) []string {
	if in.Parent == "" {
		return []string{in.ChannelID}
	}
	return []string{in.ChannelID, in.Parent}
}

func reference(in *interaction, id match.ID, message, language string) board.Reference {
	return board.Reference{
		ID: id, Guild: in.GuildID, Channel: in.ChannelID, Message: message,
		Token: in.Token, Expires: in.Received.Add(messages.TokenLife), Member: in.BotMember(), Locale: language,
	}
}

// private returns the texts for messages that only the acting user sees, in the language of the user's settings or, without one, of the
// user's Discord.
func (c *Replies) private(ctx context.Context, in *interaction) locale.Words {
	return c.Book.In(c.privateLanguage(ctx, in))
}

func (c *Replies) privateLanguage(ctx context.Context, in *interaction) string {
	chosen, _ := c.Players.Language(ctx, in.by) // after an error, Discord's language is used
	return cmp.Or(chosen, in.Locale())
}

// publicLanguage returns the language of messages that everybody in the channel sees: the server's language or, without one, the private
// language of the acting user.
func (c *Replies) publicLanguage(ctx context.Context, in *interaction) string {
	if language := in.serverLanguage(); language != "" {
		return language
	}
	return c.privateLanguage(ctx, in)
}

// serverLanguage returns the language that moderators have chosen in the bot or, without one, the language of a Community server at
// Discord. It is empty if there is neither.
func (in *interaction) serverLanguage() string { return cmp.Or(in.policy.Language, in.ServerLocale()) }

// boardOf returns the board of a challenge or match, or the zero board if there is none.
func (c *Replies) boardOf(ctx context.Context, id match.ID) (board.Board, error) {
	b, err := c.Boards.Board(ctx, id)
	if errors.Is(err, match.ErrNotFound) {
		err = nil
	}
	return b, err
}

// ofBoard returns the texts in the language of a board. That language does not change.
func (c *Replies) ofBoard(ctx context.Context, id match.ID) (locale.Words, error) {
	b, err := c.boardOf(ctx, id)
	return c.Book.In(b.Locale), err
}

// notice returns a private reply that has only a text and buttons.
func (c *Replies) notice(ctx context.Context, in *interaction, t view.Text, buttons ...view.Button) bot.Reply {
	return c.noticeIn(c.private(ctx, in), t, buttons...)
}

func (c *Replies) noticeIn(words locale.Words, t view.Text, buttons ...view.Button) bot.Reply {
	return bot.Reply{Kind: bot.Post, Private: true, Components: encode(view.Notice(t, buttons...), words, c.style(nil))}
}

// noticeLinked is notice for a text that may link to boards.
func (c *Replies) noticeLinked(ctx context.Context, in *interaction, t view.Text, buttons ...view.Button) (bot.Reply, error) {
	s, style := view.Notice(t, buttons...), c.style(nil)
	if len(links(s.Lines)) > 0 {
		c.recordBriefly(ctx)
	}
	var err error
	style.boards, err = c.linked(ctx, s)
	return bot.Reply{Kind: bot.Post, Private: true, Components: encode(s, c.private(ctx, in), style)}, err
}

// privately shows a screen only to the acting user, as an update of the clicked message if that is private, and otherwise as a new message.
// If err is not nil, it returns err.
func (c *Replies) privately(ctx context.Context, in *interaction, s view.Screen, err error) (bot.Reply, error) {
	return c.privatelyOn(ctx, in, game.Classic(), s, err)
}

// privatelyOn does the same as privately, for a screen about a board with these rules.
func (c *Replies) privatelyOn(ctx context.Context, in *interaction, rules game.Rules, s view.Screen, err error) (bot.Reply, error) {
	style := c.styleOf(rules)
	if err == nil {
		style.boards, err = c.linked(ctx, s)
	}
	if err != nil {
		return bot.Reply{}, err
	}
	reply := shown(in, c.inPlace(ctx, in), s, c.private(ctx, in), style)
	reply.Private = true
	return reply, nil
}

// linked returns the boards to which the texts of a screen link.
func (c *Replies) linked(ctx context.Context, s view.Screen) (map[match.ID]board.Board, error) {
	ids := links(slices.Concat(s.Lines, s.Notes))
	if len(ids) == 0 {
		return nil, nil
	}
	return c.Boards.Boards(ctx, ids...)
}

// suggest returns the suggestions: the options for which fits returns true. fits gets the label in lower case, and the value.
func (c *Replies) suggest(ctx context.Context, in *interaction, options []view.Option, fits func(label, value string) bool) bot.Reply {
	reply, words := bot.Reply{Kind: bot.Suggest}, c.private(ctx, in)
	for _, o := range options {
		label := cutName(words.Say(o.Label, labelStyle{}), maxChoiceLength)
		if fits(strings.ToLower(label), o.Value) {
			reply.Choices = append(reply.Choices, bot.Choice{Name: label, Value: o.Value})
		}
	}
	return reply
}

// links returns the matches to which texts link.
func links(texts []view.Text) (ids []match.ID) {
	for _, t := range texts {
		for _, arg := range t.Args {
			switch arg := arg.(type) {
			case view.Link:
				ids = append(ids, arg.Match)
			case view.Text:
				ids = append(ids, links([]view.Text{arg})...)
			}
		}
	}
	return ids
}

// publicly shows a screen to everybody in the channel.
func (c *Replies) publicly(ctx context.Context, in *interaction, kind bot.Kind, s view.Screen, style discordStyle) bot.Reply {
	return shown(in, kind, s, c.Book.In(c.publicLanguage(ctx, in)), style)
}

// post posts a screen for everybody in the channel. If the user has had too many public posts there, or the post cannot be counted, only the
// user sees the screen, because nothing in it has to be said to others.
func (c *Replies) post(ctx context.Context, in *interaction, s view.Screen, style discordStyle) (bot.Reply, error) {
	err := c.countPost(ctx, in, in.ID)
	refusal, is := errors.AsType[*match.Refusal](err)
	switch {
	case is && refusal.Reason == match.TooManyPosts:
		s.Notes = append(s.Notes, view.T("posts.private", view.Args{"Limit": refusal.Limit, "Until": view.Moment(refusal.Until)}))
		return c.privately(ctx, in, s, nil)
	case errors.Is(err, match.ErrBusy), errors.Is(err, match.ErrUnsaved):
		return c.privately(ctx, in, s, nil)
	case err != nil:
		return bot.Reply{}, err
	}
	return c.publicly(ctx, in, bot.Post, s, style), nil
}

// inPlace returns the kind of reply for a private screen: an update of the clicked message if that is private, and otherwise a post. It
// never replaces a board, even if Discord shows that board only to one user.
func (c *Replies) inPlace(ctx context.Context, in *interaction) bot.Kind {
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

// onPrivate reports whether only the acting user sees the clicked message.
func onPrivate(in *interaction) bool {
	return in.Message != nil && in.Message.Flags&discordgo.MessageFlagsEphemeral != 0
}

// onPosition reports whether the clicked message privately shows a position of a match, and so is not the match's board.
func onPosition(in *interaction) bool {
	return onPrivate(in) && slices.ContainsFunc(in.Carried(), func(customID string) bool {
		id, _ := parseCustomID(customID)
		walk, _ := id.action.(view.Walk)
		return walk.Way == view.ToFirst
	})
}

// ofRunningBoard reports whether the custom_id is of a kind that only boards of open matches have. Such a board may not be saved yet.
func ofRunningBoard(customID string) bool {
	id, _ := parseCustomID(customID)
	_, plays := id.action.(view.Play)
	_, resigns := id.action.(view.Resign)
	return plays || resigns
}

// ask returns the reply that opens a form with a question and inputs. Submitting the form requests the action do.
func (c *Replies) ask(ctx context.Context, in *interaction, do view.Action, title view.Text, question []view.Text,
	inputs ...discordgo.MessageComponent) bot.Reply {
	words := c.private(ctx, in)
	var components []discordgo.MessageComponent
	if len(question) > 0 {
		components = append(components, discordgo.TextDisplay{Content: strings.Join(said(question, words, discordStyle{}), "\n")})
	}
	return bot.Reply{Kind: bot.Ask, Modal: &bot.Modal{
		CustomID: customIDOf(do), Title: words.Say(title, discordStyle{}), Components: append(components, inputs...),
	}}
}

// showSaved shows a match that the referee has changed. If err is not nil, it returns err.
func (c *Replies) showSaved(ctx context.Context, in *interaction, kind bot.Kind, m match.Match, err error) (bot.Reply, error) {
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	if kind == bot.Update {
		c.outdated(m)
	}
	return c.showMatch(ctx, in, kind, m)
}

// showMatch returns the reply that shows a match, as a new message or as an update of the clicked one. The next drawing does not have the notes.
func (c *Replies) showMatch(ctx context.Context, in *interaction, kind bot.Kind, m match.Match, notes ...view.Text) (reply bot.Reply, err error) {
	defer func() { c.followUp(reply, m.ID) }()
	s, style, err := c.screenOf(ctx, m)
	if err != nil {
		return bot.Reply{}, err
	}
	s.Notes = append(notes, s.Notes...)
	if kind == bot.Update && onPosition(in) {
		return c.showReviewed(ctx, in, m, nil, m.Record.Len())
	}
	words := c.Book.In(m.Locale)
	if m.Locale == "" {
		if words, err = c.ofBoard(ctx, m.ID); err != nil {
			return bot.Reply{}, err
		}
	}
	drawn := drawing(m, s, words, style)
	more := boards.Mentioned(m) || drawn.Version < m.Version
	reply = bot.Reply{
		Kind: kind, Components: drawn.Components,
		Sent: c.Redraw.Delivered(m.ID, drawn.Version, kind == bot.Post, more),
	}
	if kind == bot.Update && m.Arena != "" && !m.Result.Over() {
		reply.Ping = each(m.Seats.Players(), func(p match.User) string { return string(p) }) // an edit marks the board for them and notifies nobody
	}
	return reply, nil
}

// followUp enqueues the board for a redraw if the reply does not show it, as after an error or a panic. It must be deferred.
func (c *Replies) followUp(reply bot.Reply, id match.ID) {
	if reply.Sent == nil {
		c.Redraw.Enqueue(id)
	}
}

// showSavedChallenge shows a challenge that the referee has changed. If err is not nil, it returns err.
func (c *Replies) showSavedChallenge(ctx context.Context, in *interaction, kind bot.Kind, ch match.Challenge, err error) (bot.Reply, error) {
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	return c.showChallenge(ctx, in, kind, ch)
}

// showChallenge returns the reply that shows a challenge. A new message with a pending challenge notifies the challenged player.
func (c *Replies) showChallenge(ctx context.Context, in *interaction, kind bot.Kind, ch match.Challenge) (reply bot.Reply, err error) {
	defer func() { c.followUp(reply, ch.ID) }()
	s, err := c.screenOfChallenge(ctx, ch)
	if err != nil {
		return bot.Reply{}, err
	}
	words, err := c.ofBoard(ctx, ch.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	reply = bot.Reply{
		Kind: kind, Components: encode(s, words, c.style(nil)),
		Sent: c.Redraw.Delivered(ch.ID, ch.Version, kind == bot.Post, false),
	}
	if kind == bot.Post && ch.Status == match.Pending && !ch.Open() {
		reply.Ping = []string{string(ch.To)}
	}
	return reply, nil
}

// names returns the names of the players of matches and of further users.
func (c *Replies) names(ctx context.Context, matches []match.Match, others ...match.User) (view.Names, error) {
	for _, m := range matches {
		others = append(others, m.Seats.Players()...)
	}
	return c.Matches.Names(ctx, others...)
}

// showReviewed shows a position of a match privately, with the marks of a review. An empty review has no marks.
func (c *Replies) showReviewed(ctx context.Context, in *interaction, m match.Match, review ai.Review, move int) (bot.Reply, error) {
	return c.privatelyPictured(ctx, in, m, view.OfPosition(m, review, move, namesIn(m), in.by))
}

// privatelyPictured is privatelyOn for a screen with a small board of a match. The board is a large picture, unless the user has asked for
// text boards.
func (c *Replies) privatelyPictured(ctx context.Context, in *interaction, m match.Match, s view.Screen) (bot.Reply, error) {
	if !m.Looks[in.by].TextBoard {
		squares := each(s.Cells, func(c view.Cell) picture.Square { return picture.Square{Mark: c.Mark, Look: lookOf(c)} })
		file, err := picture.NewBoard(s.Columns, squares).PNG(picture.DefaultSize)
		if err != nil {
			return bot.Reply{}, err
		}
		s.Picture = &view.Picture{Name: "board.png", Content: file, Alt: view.CellsText(s, m.Position().Rules())}
	}
	return c.privatelyOn(ctx, in, m.Position().Rules(), s, nil)
}

// recordBriefly saves the latest receipts, so that links to the newest messages are known. If that takes too long, it gives up, and links
// may be missing.
func (c *Replies) recordBriefly(ctx context.Context) {
	brief, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	_ = c.Redraw.SaveReceipts(brief)
}

// aside returns the private line of the acting user under the board of a match or challenge.
func (c *Replies) aside(in *interaction, id match.ID) boards.Line {
	return boards.Line{Board: id, User: in.by, Token: in.Token, Expires: in.Received.Add(messages.TokenLife)}
}

// outdated deletes the private lines of the players, because the match has changed since. A teacher's remark stays until the next one
// replaces it.
func (c *Replies) outdated(m match.Match) {
	if !view.Teaches(m) {
		c.Asides.Outdated(m.ID, m.Seats.Players()...)
	}
}

// refusePost returns a refusal if the user may not make the bot post in the channel of the interaction, and otherwise nil.
func refusePost(in *interaction) error {
	switch {
	case onlyPrivate(in):
		return refused("refusal.share.external", nil)
	case mute(in):
		return refused("refusal.share.write", nil)
	}
	return refuseMatches(in)
}

// permitOf returns the condition for posts where the interaction comes from.
func permitOf(in *interaction) match.Permit {
	return match.Permit{Venue: in.venue, Players: []match.User{in.by}, At: in.Received, Places: placesOf(in)}
}

// refuseMatches returns a refusal if matches may not begin where the interaction comes from, and otherwise nil.
func refuseMatches(in *interaction) error {
	return in.policy.Refuse(match.Permit{Venue: in.policy.Venue, Places: placesOf(in)})
}

// privateHere returns a note that says where the bot shows leaderboards and profiles to everybody, if the server wants them private where
// the interaction comes from, and otherwise nothing.
func privateHere(in *interaction) []view.Text {
	if !in.policy.PrivateAt(placesOf(in)) {
		return nil
	}
	return []view.Text{view.T("posts.elsewhere", view.Args{"Places": view.PlaceNames(in.policy.Places)})}
}

// storedMatch returns a match, or the given refusal if there is no such match.
func (c *Replies) storedMatch(ctx context.Context, id match.ID, refusal error) (match.Match, error) {
	m, err := c.Matches.Match(ctx, id)
	if errors.Is(err, match.ErrNotFound) {
		err = refusal
	}
	return m, err
}

// postedFor is how long a press of a share button is claimed. It is longer than an interaction can be under way, so that the second of two
// quick presses finds the claim, and short enough that users can soon try again after Discord has refused the post.
const postedFor = 30 * time.Second

// postOnce returns the reply to a press of a share button on a private message: it sends the public reply post, and then replaces the
// private message by posted, which has no such button. If the button is pressed several times at once, in any process, only one press sends
// post. The others only replace the private message.
func (c *Replies) postOnce(ctx context.Context, in *interaction, post, posted bot.Reply, err error) (bot.Reply, error) {
	if err != nil || !onPrivate(in) { // a forged custom_id
		return post, err
	}
	button := claim.Claim{Interaction: in.Message.ID + " " + in.CustomID(), By: rand.Text(), Until: in.Received.Add(postedFor)}
	if err := c.countPost(ctx, in, button.Interaction); err != nil {
		return bot.Reply{}, err
	}
	err = c.Claims.Claim(ctx, button)
	if errors.Is(err, claim.ErrTaken) {
		return posted, nil
	}
	post.Clicked = &posted
	return post, err
}

// mute reports whether the acting user may not write in the channel or thread of the interaction.
func mute(in *interaction) bool {
	by := in.Interaction.Member
	if by == nil || in.PermissionsUnknown {
		return false
	}
	needed := int64(discordgo.PermissionSendMessages)
	if in.Parent != "" {
		needed = discordgo.PermissionSendMessagesInThreads
	}
	return by.Permissions&needed == 0
}
