package commands

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/boards"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/roster"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/emoji"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/picture"
	"tictactoe/internal/show/view"
)

// Painter draws the messages that the bot also sends or edits without an interaction: boards, mentions, champions of seasons and puzzles.
type Painter struct {
	Matches match.Store
	Boards  board.Store
	// Policies stores the policies of servers.
	Policies policy.Store
	Ladders  ladder.Store
	Scores   score.Store
	Seasons  season.Store
	Puzzles  *daily.Puzzles
	Arenas   *arena.Desk
	Members  *roster.Checker
	Stakes   match.Stakes // determines the stakes of a match; nil means that no match is rated
	Book     *locale.Book
	Emoji    *emoji.Known // the bot's own emoji; nil means Unicode emoji
	// CommandIDs are needed to make commands in texts clickable. It may be nil.
	CommandIDs *bot.CommandIDs
	Site       string // scheme and host of links to boards, from rest.Site
}

// Challenge draws a challenge that has not led to a match.
func (p Painter) Challenge(ctx context.Context, b board.Board, c match.Challenge) ([]discordgo.MessageComponent, error) {
	s, err := p.screenOfChallenge(ctx, c)
	if err != nil {
		return nil, err
	}
	return encode(s, p.words(b), p.style(nil)), nil
}

// screenOfChallenge reads the data for the screen of a challenge from the store, and returns the screen. While the challenge is
// pending, the screen names the stakes of the match.
func (p Painter) screenOfChallenge(ctx context.Context, c match.Challenge) (view.Screen, error) {
	names, err := p.Matches.Names(ctx, c.From, c.To)
	if err != nil {
		return view.Screen{}, err
	}
	stakes := rating.NoStakes
	if c.Status == match.Pending {
		if stakes, err = p.Stakes.Of(ctx, c, c.Created); err != nil {
			return view.Screen{}, err
		}
	}
	return view.OfChallenge(c, names, climb, stakes), nil
}

// Match draws a match, with mentions in place of the names of the called players.
func (p Painter) Match(ctx context.Context, b board.Board, m match.Match, called ...string) (boards.Drawing, error) {
	m.Small = b.Small
	screen, style, err := p.screenOf(ctx, m)
	if err != nil {
		return boards.Drawing{}, err
	}
	screen = view.Calling(screen, m, called)
	return drawing(m, screen, p.words(b), style), nil
}

// drawing draws a match from its screen. While the message of the rematch, or the ratings after the match, are not known yet, the drawing
// of a whole board has the version before the match's, so that the message is drawn again later.
func drawing(m match.Match, s view.Screen, words locale.Words, style discordStyle) boards.Drawing {
	d := boards.Drawing{Components: encode(s, words, style), Version: m.Version}
	next := m.Rematch.Next
	small := s.Beside != nil // it shows neither ratings nor a link
	if !small && (s.Stale || next != "" && style.boards[next].Message == "" && !unposted(m, style)) {
		d.Version--
	}
	return d
}

// unposted reports whether nothing shows the next game of the match's series, and the bot cannot post its board.
func unposted(m match.Match, style discordStyle) bool {
	next := style.boards[m.NextGame()]
	return m.NextGame() != "" && next.Message == "" && !next.Member
}

// seriesOf returns the state of a series as of a game.
func (p Painter) seriesOf(ctx context.Context, m match.Match) (match.Series, error) {
	ended, err := p.Matches.Games(ctx, m.Series)
	if err != nil && !errors.Is(err, match.ErrUnreadable) {
		return match.Series{}, err
	}
	of := match.SeriesOf(m, ended)
	if of.End != match.SeriesLevel {
		return of, nil
	}
	moved := map[match.ID][]time.Time{}
	for _, g := range ended {
		if moved[g.ID], err = p.Matches.MoveTimes(ctx, g.ID); err != nil {
			return of, err
		}
	}
	return of.OnTime(m, ended, moved), nil
}

// latestGame returns the newest game of the match's series, or the match outside of a series.
func (p Painter) latestGame(ctx context.Context, m match.Match) (_ match.Match, err error) {
	for err == nil && m.NextGame() != "" {
		m, err = p.Matches.Match(ctx, m.NextGame())
	}
	return m, err
}

// screenOf reads the data for the screen of a match from the store. It returns the screen, and the style with the links for it.
func (p Painter) screenOf(ctx context.Context, m match.Match) (s view.Screen, style discordStyle, err error) {
	looks := m.Looks
	if looks == nil {
		if looks, err = p.Matches.Looks(ctx, m.Seats.Players()...); err != nil {
			return s, style, err
		}
		if m.NoHints, err = p.noHints(ctx, m); err != nil {
			return s, style, err
		}
	}
	m.Looks = looks
	names, textBoard := namesIn(m), m.Seats.Players()
	if m.Seats.HasCrowd() {
		for _, v := range m.Votes {
			textBoard = append(textBoard, v.By)
		}
		if looks, err = p.Matches.Looks(ctx, append(textBoard, m.Host)...); err != nil {
			return s, style, err
		}
		textBoard = append(textBoard, m.Host)
	}
	textBoard = slices.DeleteFunc(textBoard, func(p match.User) bool { return !looks[p].TextBoard })
	var running score.Running
	var of match.Series
	if m.BestOf > 0 {
		if of, err = p.seriesOf(ctx, m); err != nil {
			return s, style, err
		}
	} else if m.Series != m.ID {
		past, err := p.Matches.Series(ctx, m.Series)
		if err != nil {
			return s, style, err
		}
		running = score.RunningOf(m.Seats[0], past)
	}
	style = p.styleOf(m.Position().Rules())
	switch {
	case m.Rematch.State == match.RematchStarted:
		style.boards, err = p.Boards.Boards(ctx, m.Rematch.Next)
	case m.Arena != "":
		style.boards, err = p.Boards.Boards(ctx, m.Arena)
	}
	s = view.OfMatch(m, names, running, textBoard...)
	if m.Arena != "" && err == nil {
		var a arena.Arena
		a, err = p.Arenas.Store.Arena(ctx, m.Arena)
		s = view.ArenaMatch(s, m, a, names)
	}
	if m.BestOf > 0 {
		s = view.InSeries(s, m, of, names, unposted(m, style))
	}
	if ladder.Counts(m) && err == nil {
		var changes []ladder.Change
		changes, err = p.Ladders.Changes(ctx, m.ID)
		s = view.WithChanges(s, changes, names)
	}
	if err == nil && (m.Result.Over() || m.Easable()) {
		s, err = p.allowing(ctx, s, m)
	}
	if level := m.Seats.Level(); err == nil && level != "" && m.Seats.HasCrowd() && (!m.Result.Over() || m.Result.Counts()) {
		wins := 0
		wins, err = p.Matches.CrowdWins(ctx, m.Venue, m.Place, level)
		s = view.WithCrowdWins(s, m, wins)
	}
	if err == nil && m.Small && m.Result.Over() {
		s = view.Tidied(s, m, names)
	}
	return s, style, err
}

// namesIn returns the names of the players of a match. The match must have been loaded with the players' looks.
func namesIn(m match.Match) view.Names {
	names := view.Names{}
	for _, p := range m.Seats.Players() {
		names[p] = m.Looks[p].Name
	}
	return names
}

// noHints reports whether hints are off: the match is open and against the computer, and the server has switched them off.
func (p Painter) noHints(ctx context.Context, m match.Match) (bool, error) {
	if m.Seats.Level() == "" || m.Result.Over() {
		return false, nil
	}
	allowed, err := p.policyIn(ctx, m.Venue)
	return !allowed.Has(policy.Hints), err
}

// allowing adds to the screen of a match the levels of the computer that its venue allows.
func (p Painter) allowing(ctx context.Context, s view.Screen, m match.Match) (view.Screen, error) {
	allowed, err := p.policyIn(ctx, m.Venue)
	if level := m.Seats.Level(); level != "" && !m.Seats.HasCrowd() {
		s = view.AgainstComputer(s, m, view.LevelsNextTo(allowed.Offered(view.Levels()), m.Position().Rules(), level))
	}
	return s, err
}

// policyIn returns the policy of a venue.
func (p Painter) policyIn(ctx context.Context, v match.Venue) (policy.Policy, error) {
	if v == "" {
		return policy.Policy{}, nil
	}
	return p.Policies.Policy(ctx, v)
}

// Arena draws an arena. At its end, a picture of the podium is above the words.
func (p Painter) Arena(ctx context.Context, b board.Board, a arena.Arena) ([]discordgo.MessageComponent, error) {
	names, err := p.Matches.Names(ctx, entrants(a)...)
	if err != nil {
		return nil, err
	}
	words, style := p.words(b), p.style(nil)
	drawn := encode(view.OfArena(a, names), words, style)
	first, alt := view.PodiumOf(a, names)
	if len(first) == 0 {
		return drawn, nil
	}
	steps := each(first, func(s arena.Standing) picture.Step {
		return picture.Step{Place: s.Place, Points: s.Points, Name: cleanName(names[s.Player])}
	})
	file, err := picture.Podium(steps).PNG()
	podium := attach(view.Picture{Name: "podium.png", Content: file, Alt: alt}, words, style)
	return append([]discordgo.MessageComponent{podium}, drawn...), err
}

// ArenaEnd draws the message that tells the players where the boards of an arena are that it is over.
func (p Painter) ArenaEnd(ctx context.Context, b board.Board, a arena.Arena) ([]discordgo.MessageComponent, error) {
	names, err := p.Matches.Names(ctx, entrants(a)...)
	return encode(view.ArenaEnd(a, names), p.words(b), p.linking(b)), err
}

// ThreadName returns the name of the thread for the boards of an arena.
func (p Painter) ThreadName(b board.Board, a arena.Arena) string {
	return p.words(b).Say(view.ArenaName(a), labelStyle{})
}

// Moved draws a message that links to the message where the board is now.
func (p Painter) Moved(b board.Board) []discordgo.MessageComponent {
	return encode(view.Moved(b.ID), p.words(b), p.linking(b))
}

// Mention draws the mention that calls the side to move to its turn or, if begun is set, the mention that calls the proposer to the match
// that has begun.
func (p Painter) Mention(ctx context.Context, b board.Board, m match.Match, begun bool) ([]discordgo.MessageComponent, error) {
	names, err := p.Matches.Names(ctx, m.Seats.Players()...)
	s := view.TurnMention(m, names)
	if begun {
		s = view.StartMention(m, names)
	}
	return encode(s, p.words(b), p.linking(b)), err
}

// About returns the challenge or match that a custom_id names, or nothing if it names none.
func (p Painter) About(customID string) match.ID {
	id, _ := parseCustomID(customID)
	return id.about
}

// style returns the style that makes links to these boards.
func (p Painter) style(boards map[match.ID]board.Board) discordStyle {
	return discordStyle{boards: boards, site: p.Site, emoji: p.Emoji.For(game.Classic()), ids: p.CommandIDs}
}

// styleOf returns the style for the board of a match or puzzle with these rules.
func (p Painter) styleOf(rules game.Rules) discordStyle {
	style := p.style(nil)
	style.emoji = p.Emoji.For(rules)
	return style
}

// linking returns the style that makes links to one board.
func (p Painter) linking(b board.Board) discordStyle {
	return p.style(map[match.ID]board.Board{b.ID: b})
}

func (p Painter) words(b board.Board) locale.Words { return p.Book.In(b.Locale) }

// onPodium is the last place of champions on a leaderboard. Equal players share a place, so there can be more champions; a post names at
// most a page of them.
const onPodium = 3

// Champions draws the champions of a season that has ended. The error is a boards.Skip if there is nothing to post.
func (p Painter) Champions(ctx context.Context, over season.Season) ([]discordgo.MessageComponent, error) {
	all, err := p.Seasons.Seasons(ctx, over.Venue)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(s season.Season) bool { return s.Number == over.Number })
	switch {
	case i < 0: // the leaderboards were reset since, and no longer have the season
		return nil, boards.Skip(boards.Nobody)
	case i == 0 || !all[i].Ended.Equal(over.Ended):
		return nil, boards.Skip(boards.Undone)
	}
	wins, err := p.winners(ctx, over)
	if err != nil {
		return nil, err
	}
	podiums, err := p.podiums(ctx, over)
	if err != nil {
		return nil, err
	}
	if len(wins)+len(podiums) == 0 {
		return nil, boards.Skip(boards.Nobody)
	}
	allowed, err := p.Policies.Policy(ctx, over.Venue)
	if err != nil {
		return nil, err
	}
	var named []match.User
	for _, row := range wins {
		named = append(named, row.Player)
	}
	for _, podium := range podiums {
		for _, row := range podium.Rows {
			named = append(named, row.Player)
		}
	}
	if allowed.LeavesOut() {
		if changed, err := p.Members.Check(ctx, over.Venue, named); changed || err != nil {
			return nil, cmp.Or(err, boards.ErrNotYet)
		}
	}
	words := p.Book.In(cmp.Or(allowed.Language, over.Language))
	return encode(view.Champions(all[i], all[0], wins, podiums), words, p.style(nil)), nil
}

// winners returns the players who have won the most matches in a season.
func (p Painter) winners(ctx context.Context, s season.Season) ([]score.Row, error) {
	page, err := p.Scores.Leaderboard(ctx, s.Venue, score.Board{Of: score.People, Season: s.Number}, score.Where{Page: 1}, "")
	if err == nil && page.Stale {
		err = boards.ErrNotYet
	}
	return slices.DeleteFunc(page.Rows, func(r score.Row) bool { return r.Wins == 0 || r.Rank > onPodium }), err
}

// podiums returns the best players on each ladder of a season. It leaves out ladders without ranked players.
func (p Painter) podiums(ctx context.Context, s season.Season) (all []view.Podium, err error) {
	for _, offered := range game.Offered() {
		page, err := p.Ladders.Ladder(ctx, s.Venue, offered.Rules, s.Number, score.Where{Page: 1}, "")
		switch {
		case err != nil:
			return nil, err
		case page.Stale:
			return nil, boards.ErrNotYet
		}
		rows := slices.DeleteFunc(page.Rows, func(r ladder.Row) bool { return r.Rank > onPodium || !r.Ranked() })
		if len(rows) > 0 {
			all = append(all, view.Podium{Rules: offered.Rules, Rows: rows})
		}
	}
	return all, nil
}
