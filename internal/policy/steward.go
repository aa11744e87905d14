package policy

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/score"
)

// Steward carries out what moderators decide, and writes it down: a deed in the store and a line in the log. Who is a
// moderator it is told; ask before each request. All methods are safe for concurrent use.
type Steward struct {
	Store   Store
	Referee *match.Referee
	Log     *slog.Logger
}

// SetPlaces says where matches may begin; none: everywhere.
func (s *Steward) SetPlaces(ctx context.Context, req match.Request, places []string) (Policy, error) {
	return s.set(ctx, req, Deed{Kind: SetPlaces, Chosen: places}, func(p *Policy) { p.Places = places })
}

// SetTurnTime says how long a move may take unless the challenger says otherwise.
func (s *Steward) SetTurnTime(ctx context.Context, req match.Request, d time.Duration) (Policy, error) {
	return s.set(ctx, req, Deed{Kind: SetTurnTime, Chosen: []string{d.String()}}, func(p *Policy) { p.TurnTime = d })
}

// SetLevels says which levels are on offer; none: all.
func (s *Steward) SetLevels(ctx context.Context, req match.Request, levels []string) (Policy, error) {
	return s.set(ctx, req, Deed{Kind: SetLevels, Chosen: levels}, func(p *Policy) { p.Levels = levels })
}

// SetMentions says whether turns are mentioned where the players do not mind.
func (s *Steward) SetMentions(ctx context.Context, req match.Request, on bool) (Policy, error) {
	word := "off"
	if on {
		word = "on"
	}
	return s.set(ctx, req, Deed{Kind: SetMentions, Chosen: []string{word}}, func(p *Policy) { p.Quiet = !on })
}

// set changes a policy. What was so already is no deed, so that a request delivered twice is one.
func (s *Steward) set(ctx context.Context, req match.Request, d Deed, change func(*Policy)) (Policy, error) {
	for {
		from, err := s.Store.Policy(ctx, req.Venue)
		if err != nil {
			return from, err
		}
		to := from
		if change(&to); to.same(from) {
			return from, nil
		}
		to.Version++
		d = d.of(req)
		err = s.Store.Save(ctx, append([]match.Change{Set{from, to}, d}, req.Also...)...)
		if errors.Is(err, match.ErrConflict) && ctx.Err() == nil {
			continue
		}
		if err != nil {
			return from, err
		}
		s.log(ctx, d)
		return to, nil
	}
}

// CallDraw ends a match as a draw; see [match.Referee.CallDraw].
func (s *Steward) CallDraw(ctx context.Context, req match.Request, id match.ID) (match.Match, error) {
	return s.rule(ctx, req, Deed{Kind: CallDraw, Match: id}, s.Referee.CallDraw)
}

// Void takes a match back, and the score with it; see [match.Referee.Void].
func (s *Steward) Void(ctx context.Context, req match.Request, id match.ID) (match.Match, error) {
	return s.rule(ctx, req, Deed{Kind: Void, Match: id}, s.Referee.Void)
}

func (s *Steward) rule(ctx context.Context, req match.Request, d Deed,
	how func(context.Context, match.Request, match.ID) (match.Match, error)) (match.Match, error) {
	d = d.of(req)
	req.Also = append([]match.Change{d}, req.Also...)
	m, err := how(ctx, req, d.Match)
	if err == nil {
		s.log(ctx, d)
	}
	return m, err
}

// ResetScores lets the leaderboards of a venue begin anew: what has ended by then does not count there any more.
func (s *Steward) ResetScores(ctx context.Context, req match.Request) error {
	d := Deed{Kind: ResetScores}.of(req)
	changes := append([]match.Change{score.Reset{Venue: req.Venue, At: req.At}, d}, req.Also...)
	if err := s.Store.Save(ctx, changes...); err != nil {
		return err
	}
	s.log(ctx, d)
	return nil
}

// of is the deed as that request did it.
func (d Deed) of(req match.Request) Deed {
	d.ID, d.Venue, d.By, d.At = req.ID, req.Venue, req.By, req.At
	return d
}

func (s *Steward) log(ctx context.Context, d Deed) {
	s.Log.InfoContext(ctx, "moderator's deed", "kind", d.Kind, "venue", d.Venue, "by", d.By, "match", d.Match, "chosen", d.Chosen)
}
