package browser

import (
	"context"
	"errors"
	"slices"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// onEnded shows an ended match: its review, one of its positions, a practice game from there, or a text to share.
func (p *Page) onEnded(ctx context.Context, verb string, f fields) (Drawn, error) {
	m, err := p.store().Match(ctx, match.ID(f.text(0)))
	if errors.Is(err, match.ErrNotFound) || err == nil && !view.Reviewable(m) {
		return p.open(ctx)
	}
	if err != nil {
		return Drawn{}, err
	}
	names, back := p.names(m), Button{Label: p.say("action.back"), Do: word("show", m.ID)}
	switch verb {
	case "practice":
		return p.practice(ctx, m, f)
	case "share":
		d := draw(p.Words, view.Screen{Lines: []view.Text{view.T("action.share", nil)}, Paste: view.ShareTexts(m)}, "play")
		d.Buttons = []Button{
			{Label: p.say("web.copy"), Copy: d.Paste, Weight: "main"}, {Label: p.say("web.link"), Copy: "#" + view.GameAddress(m.Record)}, back,
		}
		return d, nil
	}
	review, err := p.engines.Review(within(ctx, reviewTime), m.Record)
	if err != nil {
		return Drawn{}, err
	}
	var viewer match.User = me
	if m.Seats.Level() == "" {
		viewer = ""
	}
	s := view.OfReview(m, review, names, viewer)
	switch verb {
	case "walk":
		s = view.OfPosition(m, review, f.number(1), names, viewer)
	case "wrong":
		s = view.OfPosition(m, review, view.DecidingMove(m, review), names, viewer)
	}
	s.Notes = slices.DeleteFunc(s.Notes, func(t view.Text) bool { return t.Key == "walk.match" })
	d := draw(p.Words, s, "play")
	if verb == "review" { // other screens lead back to the review
		d.Buttons = append(d.Buttons, back)
	}
	return d, nil
}

// practice plays on from a position of an ended match against the computer.
func (p *Page) practice(ctx context.Context, m match.Match, f fields) (Drawn, error) {
	a := view.Practice{Match: m.ID, From: f.number(1), Aim: view.Aim(f.text(2)), Moves: view.Moves(f.text(3))}
	if square, err := m.Position().Rules().ParseSquare(f.text(4)); err == nil {
		a = a.After(square)
	}
	a, record, err := a.Replay(m)
	if illegal := (*game.IllegalMoveError)(nil); err != nil && !errors.As(err, &illegal) {
		return p.open(ctx)
	}
	own := m.Record.First(min(a.From, m.Record.Len())).Position().Turn()
	if !a.Over(record) && record.Position().Turn() != own {
		square, err := p.strong(ctx, record.Position())
		if err != nil {
			return Drawn{}, err
		}
		if record, err = record.Play(square); err != nil {
			return Drawn{}, err
		}
		a = a.After(square)
	}
	return draw(p.Words, view.OfPractice(m, a, record), "play"), nil
}

// strong returns the move of the strongest level.
func (p *Page) strong(ctx context.Context, at game.Position) (game.Square, error) {
	engine, err := p.engines.Engine(at.Rules(), ai.Unbeatable.String())
	if err != nil {
		return 0, err
	}
	return engine.Choose(ctx, at)
}
