package browser

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/show/view"
)

// names returns names for the players of a match.
func (p *Page) names(m match.Match) view.Names {
	if m.Seats.Level() != "" {
		return view.Names{me: p.say("terminal.player")}
	}
	return view.Names{m.Seats[0].Player: p.say("terminal.player.one"), m.Seats[1].Player: p.say("terminal.player.two")}
}

// open shows the latest match in progress or, if there is none, begins a match that anybody can play.
func (p *Page) open(ctx context.Context) (Drawn, error) {
	all, err := p.store().matches(ctx)
	if err != nil {
		return Drawn{}, err
	}
	if len(all) > 0 {
		latest := all[len(all)-1]
		if !latest.Result.Over() && latest.TurnTime > 0 && latest.Seats.Level() == "" {
			// Nobody loses time while the page is closed.
			renewed := latest
			renewed.Deadline, renewed.Version = p.Now().Add(latest.TurnTime), latest.Version+1
			if err := p.store().Save(ctx, match.Save{Matches: []match.MatchChange{{From: latest, To: renewed}}}); err == nil {
				latest = renewed
			}
		}
		if _, expired := latest.Expire(p.Now()); !expired {
			return p.board(ctx, latest)
		}
	}
	return p.begin(ctx, fields{[]string{"classic", ai.FairName, "X"}})
}

// begin begins a match on the chosen terms. Then it removes the match before, if that has hardly begun.
func (p *Page) begin(ctx context.Context, f fields) (Drawn, error) {
	rules, known := game.OnOffer(f.text(0))
	if !known {
		rules = game.Classic()
	}
	terms := match.Terms{Rules: rules, First: map[string]match.First{"X": match.Me, "O": match.Them}[f.text(2)]}
	unplayed, req := p.unplayed(ctx), p.request(me)
	var m match.Match
	var err error
	if f.text(1) == string(friend) {
		seats := match.Seats{match.Human(me), match.Human(friend)}
		m = match.Start(req.ID, req.ID, "", rules, seats, time.Duration(f.number(3))*time.Second, 1, req.At)
		err = p.store().Save(ctx, match.Save{Matches: []match.MatchChange{{To: m}}})
	} else {
		m, err = p.referee().PlayComputer(ctx, req, f.text(1), terms)
	}
	if err != nil {
		return Drawn{}, err
	}
	_ = p.Rows.Put(ctx, unplayed...) // after an error the old match stays among the matches
	return p.board(ctx, m)
}

// unplayed returns the change that removes the latest match, if the match has hardly begun: without a move, or in progress with one move.
func (p *Page) unplayed(ctx context.Context) (changes []Change) {
	if all, err := p.store().matches(ctx); err == nil && len(all) > 0 {
		if latest := all[len(all)-1]; latest.Record.Len() == 0 || latest.Aborts() && !latest.Result.Over() {
			changes = []Change{{Key: matchKey + string(latest.ID), From: int64(latest.Version)}}
		}
	}
	return changes
}

// form shows the choices for a new match; those of the latest match are chosen.
func (p *Page) form(ctx context.Context) (Drawn, error) {
	board, opponent, mark, seconds := "classic", ai.FairName, "X", 0
	if all, err := p.store().matches(ctx); err == nil && len(all) > 0 {
		m := all[len(all)-1]
		board, opponent = m.Position().Rules().Title(), match.LevelName(m.Seats.Level())
		if own := m.Seats.Mark(me); opponent != "" && own == game.O {
			mark = "O"
		} else if opponent == "" {
			opponent, seconds = string(friend), int(m.TurnTime/time.Second)
		}
	}
	say := func(t view.Text) string { return p.Words.Say(t, style{}) }
	choose := func(name, chosen string, values []string, label func(string) view.Text) Menu {
		menu := Menu{Name: name, Label: p.say("web." + name)}
		for _, v := range values {
			menu.Options = append(menu.Options, Option{Label: p.Words.Say(label(v), plain{}), Value: v, Chosen: v == chosen})
		}
		return menu
	}
	d := Drawn{Tab: "play", Lines: []string{say(view.T("web.new", nil))}}
	d.Menus = []Menu{
		choose("board", board, game.OfferedNames(), func(v string) view.Text { return view.T("choice.board."+v, nil) }),
		choose("opponent", opponent, append(view.Levels(), string(friend)), func(v string) view.Text {
			if v == string(friend) {
				return view.T("web.friend", nil)
			}
			return view.T("choice.level."+v, nil)
		}),
		choose("side", mark, []string{"X", "O", "random"}, func(v string) view.Text {
			if v == "random" {
				return view.T("web.random", nil)
			}
			return view.T("square.mark", view.Args{"Mark": v})
		}),
		choose("clock", strconv.Itoa(seconds), []string{"0", "60", "300"}, func(v string) view.Text {
			if v == "0" {
				return view.T("web.clock.none", nil)
			}
			n, _ := strconv.Atoi(v)
			return view.TurnTime(time.Duration(n) * time.Second)
		}),
	}
	for i, o := range d.Menus[1].Options { // the signs show children who the opponent is
		sign := "🤖 "
		if o.Value == string(friend) {
			sign = "👥 "
		}
		d.Menus[1].Options[i].Label = sign + o.Label
	}
	d.Buttons = []Button{{Label: p.say("web.start"), Do: "new", Weight: "main"}, {Label: p.say("web.cancel"), Do: "cancel"}}
	return d, nil
}

// onMatch carries out an action on a match in progress.
func (p *Page) onMatch(ctx context.Context, verb string, f fields) (Drawn, error) {
	id := match.ID(f.text(0))
	m, err := p.store().Match(ctx, id)
	if errors.Is(err, match.ErrNotFound) {
		return p.open(ctx)
	}
	if err != nil {
		return Drawn{}, err
	}
	req, r := p.request(me), p.referee()
	if turn := m.Turn(); !m.Result.Over() && !turn.IsComputer() {
		req.By = turn.Player // two players share the screen
	}
	switch verb {
	case "play":
		m, err = r.Play(ctx, req, id, f.number(1), f.text(2))
	case "resign":
		m, err = r.Resign(ctx, req, id, f.number(1))
	case "ease":
		easier := view.LevelsNextTo(view.Levels(), m.Position().Rules(), m.Seats.Level()).Easier
		m, err = r.Ease(ctx, req, id, f.number(1), easier)
	case "expire":
		if _, err = r.Expire(ctx, id, p.Now); err == nil {
			m, err = p.store().Match(ctx, id)
		}
	case "undo":
		m, err = p.undo(ctx, m, f.number(1))
	case "rematch":
		return p.rematch(ctx, m, f.number(1))
	case "hint":
		return p.hint(ctx, req, m, f.number(1))
	}
	if err != nil {
		return Drawn{}, err
	}
	return p.board(ctx, m)
}

// undo takes back the last move of a person, and what followed it. Nobody else is playing, so nobody has to agree. Against the computer
// the match counts as helped.
func (p *Page) undo(ctx context.Context, m match.Match, stage int) (match.Match, error) {
	back := lastOwn(m)
	if back < 0 || stage != m.Stage() || m.Result.Over() {
		return m, nil
	}
	next := m
	next.Record, next.Helped = m.Record.First(back), m.Seats.Level() != ""
	next.Backs++
	next.Version++
	if m.TurnTime > 0 {
		next.Deadline = p.Now().Add(m.TurnTime)
	}
	err := p.store().Save(ctx, match.Save{Matches: []match.MatchChange{{From: m, To: next}}})
	if errors.Is(err, match.ErrConflict) {
		return p.store().Match(ctx, m.ID)
	}
	return next, err
}

// lastOwn returns the number of moves before the last move of a person, or -1 if no person has moved.
func lastOwn(m match.Match) int {
	for n := m.Record.Len() - 1; n >= 0; n-- {
		if !m.Seats.Of(m.Record.First(n).Position().Turn()).IsComputer() {
			return n
		}
	}
	return -1
}

// rematch starts the next match with the marks swapped. On one screen both players press the same button.
func (p *Page) rematch(ctx context.Context, m match.Match, version int) (Drawn, error) {
	by := []match.User{me}
	if m.Seats.Level() == "" {
		by = append(by, friend)
	}
	for _, u := range by {
		changed, next, err := p.referee().AskRematch(ctx, p.request(u), m.ID, version)
		if err != nil {
			return Drawn{}, err
		}
		if next != nil {
			return p.board(ctx, *next)
		}
		version = changed.Version
	}
	return p.board(ctx, m)
}

// hint proposes a move on the board, and says why it is good.
func (p *Page) hint(ctx context.Context, req match.Request, m match.Match, stage int) (Drawn, error) {
	m, err := p.referee().MayHelp(ctx, req, m.ID, stage)
	if err != nil {
		return Drawn{}, err
	}
	advice, known, err := p.engines.Advise(within(ctx, adviceTime), m.Position())
	if err != nil {
		return Drawn{}, err
	}
	if !known {
		square, err := p.strong(ctx, m.Position())
		if err != nil {
			return Drawn{}, err
		}
		advice = ai.Advice{Squares: game.SetOf(square)}
	}
	proposed, helps := view.OfHint(m, advice, false)
	if helps {
		if m, _, err = p.referee().Help(ctx, req, m.ID, stage); err != nil {
			return Drawn{}, err
		}
	}
	d, err := p.board(ctx, m)
	d.Lines = append(d.Lines[:min(1, len(d.Lines))], p.Words.Say(proposed.Lines[0], style{})) // in place of the last move
	for i, c := range proposed.Cells {
		if c.Better {
			d.Cells[i].Look = "better"
		}
	}
	return d, err
}

// board draws a match.
func (p *Page) board(ctx context.Context, m match.Match) (Drawn, error) {
	names := p.names(m)
	running, err := p.running(ctx, m)
	if err != nil {
		return Drawn{}, err
	}
	s := view.OfMatch(m, names, running)
	computer := m.Seats.Level() != ""
	for i, line := range s.Lines {
		switch {
		case computer && strings.HasPrefix(line.Key, "match.turn"):
			s.Lines[i] = view.T("web.turn", line.Args)
		case computer && strings.HasPrefix(line.Key, "result.line") && m.Seats.Of(m.Result.Outcome.Winner()).IsComputer():
			s.Lines[i] = view.T("web.lost", line.Args)
		case computer && strings.HasPrefix(line.Key, "result.line"):
			s.Lines[i] = view.T("web.won", line.Args)
		case computer && (strings.HasPrefix(line.Key, "match.played") || strings.HasPrefix(line.Key, "match.answered")):
			s.Lines[i] = view.Played(m, me, names, false).Lines[0]
		}
	}
	if computer && (m.Easable() || m.Result.Over()) {
		s = view.AgainstComputer(s, m, view.LevelsNextTo(view.Levels(), m.Position().Rules(), m.Seats.Level()))
	}
	if view.Teaches(m) && lastOwn(m) >= 0 {
		review, err := p.engines.Review(within(ctx, reviewTime), m.Record)
		if err != nil {
			return Drawn{}, err
		}
		s.Notes = append(view.OfLesson(m, me, review, names).Lines, s.Notes...)
	}
	s.Lines, s.Notes = inOrder(s.Lines, s.Notes)
	d := draw(p.Words, s, "play")
	d.Self = word("show", m.ID)
	if i := slices.IndexFunc(d.Buttons, func(b Button) bool { return strings.HasPrefix(b.Do, "resign:") }); i >= 0 {
		resign := d.Buttons[i]
		d.Buttons = slices.Delete(d.Buttons, i, i+1)
		if title, question := view.AskResign(m); !m.Aborts() { // a new match replaces a match that can be aborted
			resign.Ask = []string{p.Words.Say(title, style{}), p.Words.Say(question, style{})}
			d.Buttons = append(d.Buttons, resign) // last, where it is not pressed by mistake
		}
	}
	fall(d.Cells, m.Position())
	if !m.Result.Over() && lastOwn(m) >= 0 {
		d.Buttons = append([]Button{{Label: p.say("action.takeback"), Do: word("undo", m.ID, m.Stage())}}, d.Buttons...)
	}
	if !m.Result.Over() && !computer && m.TurnTime > 0 {
		d.Until, d.Expire = m.Deadline.UnixMilli(), word("expire", m.ID)
	}
	return d, nil
}

// fall makes a press on an empty square do what a press on the square does where the mark lands.
func fall(cells []Cell, p game.Position) {
	for s := range p.Marks(game.None).All() {
		if to := p.Landing(s); p.Rules().Gravity() {
			cells[s].Do = cells[to].Do
		}
	}
}

// inOrder returns the lines of a board with the ones about the moment above it, and the notes and the lines about the whole match below. So
// the board stays where it is from move to move. It leaves out texts about leaderboards, which the page does not have.
func inOrder(lines, notes []view.Text) (above, below []view.Text) {
	ranked := func(t view.Text) bool {
		return t.Key == "match.helped" || t.Key == "match.fair" || t.Key == "match.perfect.first"
	}
	notes = slices.DeleteFunc(notes, ranked)
	for _, t := range slices.DeleteFunc(lines, ranked) {
		switch {
		case strings.HasPrefix(t.Key, "match.seats"), strings.HasPrefix(t.Key, "match.running"):
			below = append(below, t)
		case t.Key == "web.turn" || strings.HasPrefix(t.Key, "match.turn"):
			above = append([]view.Text{t}, above...)
		default:
			above = append(above, t)
		}
	}
	return above, append(notes, below...)
}

// running counts the earlier matches of a chain of rematches, with the seat of X as A.
func (p *Page) running(ctx context.Context, m match.Match) (score.Running, error) {
	if m.Series == m.ID && m.Rematch.Next == "" { // the only one: reading all matches takes longer with each
		return score.Running{}, nil
	}
	all, err := p.store().matches(ctx)
	var past []match.Past
	for _, other := range all {
		if other.Series == m.Series && other.Result.Over() {
			past = append(past, match.Past{Seats: other.Seats, Result: other.Result, Count: 1})
		}
	}
	if len(past) < 2 {
		return score.Running{}, err // the headline says as much
	}
	return score.RunningOf(m.Seats[0], past), err
}

// refused shows the true board after a refusal, and says why if the person can do something about it.
func (p *Page) refused(ctx context.Context, r *match.Refusal) (Drawn, error) {
	taken := []string{p.say("refusal.taken")}
	switch {
	case r.Match == nil && r.Reason == match.SquareTaken:
		return Drawn{Tone: "warning", Notes: taken}, nil
	case r.Match == nil:
		return p.open(ctx)
	}
	d, err := p.board(ctx, *r.Match)
	if r.Reason == match.SquareTaken {
		d.Notes = append(taken, d.Notes...)
	}
	return d, err
}
