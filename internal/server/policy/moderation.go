//go:build !js

package policy

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"tictactoe/internal/match"
)

// Moderation carries out the decisions of moderators, and records each: an audit entry in the store and a line in the
// log. It does not check that a user is a moderator: its callers must, before each request. All methods are safe for
// concurrent use.
type Moderation struct {
	Store   Store
	Referee *match.Referee
	Log     *slog.Logger
	// Redraw is called with the matches, challenges and arenas that a bar has changed.
	Redraw func(match.ID)
	// Undoes undoes the actions of other packages, by kind.
	Undoes map[Kind]Undoing
}

// Undoing undoes the action of the audit entry undone, and saves the audit entry undo in the same transaction.
type Undoing func(ctx context.Context, undone, undo AuditEntry, names ...match.Name) error

// Set sets a setting to the given values, in the form of [AuditEntry.Chosen]: "on" or "off" for a switch, and for SetFeatures the features
// that are off, in alphabetical order.
func (s *Moderation) Set(ctx context.Context, req match.Request, kind Kind, values ...string) (Policy, error) {
	return s.change(ctx, req, kind, "", func(p *Policy) error {
		p.choose(kind, values...)
		return nil
	})
}

// change changes a setting, and saves an audit entry with the new choice, which may undo another entry. If nothing changes there is no
// entry, so that a request delivered twice has one entry.
func (s *Moderation) change(ctx context.Context, req match.Request, kind Kind, undoes match.ID, do func(*Policy) error) (Policy, error) {
	for {
		from, err := s.Store.Policy(ctx, req.Venue)
		if err != nil {
			return from, err
		}
		to := from
		if err := do(&to); err != nil {
			return from, err
		}
		was, now := from.choice(kind), to.choice(kind)
		if slices.Equal(was, now) {
			return from, nil
		}
		d := AuditEntry{Kind: kind, Chosen: now, Was: append([]string{string(kind)}, was...)}.from(req)
		if undoes != "" {
			d = AuditEntry{Kind: Undo, Chosen: append([]string{string(kind)}, now...), Undoes: undoes}.from(req)
		}
		to.Version++
		err = s.Store.SetPolicy(ctx, from, to, d, req.Names...)
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
func (s *Moderation) CallDraw(ctx context.Context, req match.Request, id match.ID) (match.Match, error) {
	return s.rule(ctx, req, AuditEntry{Kind: CallDraw, Match: id}, s.Referee.CallDraw)
}

// Void voids a match, and takes its score back; see [match.Referee.Void].
func (s *Moderation) Void(ctx context.Context, req match.Request, id match.ID) (match.Match, error) {
	return s.rule(ctx, req, AuditEntry{Kind: Void, Match: id}, s.Referee.Void)
}

func (s *Moderation) rule(ctx context.Context, req match.Request, d AuditEntry,
	how func(context.Context, match.Request, match.ID) (match.Match, error)) (match.Match, error) {
	d = d.from(req)
	req.OnUpdate = append(req.OnUpdate, d)
	m, err := how(ctx, req, d.Match)
	if err == nil {
		s.log(ctx, d)
	}
	return m, err
}

// ResetScores resets the leaderboards of a venue: matches that have ended by the time of the request no longer count there.
func (s *Moderation) ResetScores(ctx context.Context, req match.Request) error {
	return s.Record(ctx, req, AuditEntry{Kind: ResetScores}, func(d AuditEntry) error { return s.Store.ResetScores(ctx, d, req.Names...) })
}

// Bar keeps a user from playing in the venue until a time; zero means for good. Nobody decides about
// himself: the refusal is [match.OwnBar], as for LiftBar.
func (s *Moderation) Bar(ctx context.Context, req match.Request, who match.User, until time.Time, how Ending) error {
	return s.setBar(ctx, req, AuditEntry{Kind: BarUser, Whom: who, Chosen: timeOf(until)}, func(d AuditEntry) error {
		ended, err := s.Store.SetBar(ctx, Bar{req.Venue, who, until}, how, req.At, d, req.Names...)
		for _, id := range ended {
			s.Redraw(id)
		}
		return err
	})
}

// LiftBar lets the person play again.
func (s *Moderation) LiftBar(ctx context.Context, req match.Request, who match.User) error {
	return s.setBar(ctx, req, AuditEntry{Kind: LiftBar, Whom: who}, func(d AuditEntry) error {
		return s.Store.LiftBar(ctx, Bar{Venue: req.Venue, Player: who}, d, req.Names...)
	})
}

func (s *Moderation) setBar(ctx context.Context, req match.Request, d AuditEntry, save func(AuditEntry) error) error {
	if d.Whom == req.By {
		return &match.Refusal{Reason: match.OwnBar}
	}
	return s.Record(ctx, req, d, save)
}

// SetRanked takes a user off the leaderboards of the venue, or puts the user back on them.
func (s *Moderation) SetRanked(ctx context.Context, req match.Request, who match.User, ranked bool) error {
	kind := TakeOff
	if ranked {
		kind = PutBack
	}
	return s.Record(ctx, req, AuditEntry{Kind: kind, Whom: who}, func(d AuditEntry) error {
		return s.Store.SetRanked(ctx, req.Venue, who, ranked, d, req.Names...)
	})
}

// Record calls save to save the action of a moderator with the audit entry of the request, and logs the action. It logs nothing if save
// returns [ErrUnchanged].
func (s *Moderation) Record(ctx context.Context, req match.Request, d AuditEntry, save func(AuditEntry) error) error {
	d = d.from(req)
	err := save(d)
	if errors.Is(err, ErrUnchanged) {
		return nil
	}
	if err == nil {
		s.log(ctx, d)
	}
	return err
}

// Undo undoes an entry of the audit log, and returns it: a setting, a void of a match that had ended, a reset, or an action in
// [Moderation.Undoes]. Refusals: Unknown if there is nothing to undo, Undone, UndoExpired, NotLatest, ChangedSince, and those of [match.Referee.Restore].
func (s *Moderation) Undo(ctx context.Context, req match.Request, id match.ID) (AuditEntry, error) {
	undone, err := s.Store.AuditEntry(ctx, req.Venue, id)
	if errors.Is(err, match.ErrNotFound) {
		err = &match.Refusal{Reason: match.Unknown}
	}
	if err == nil {
		err = undone.undoable(req.At)
	}
	if err != nil {
		return undone, err
	}
	d := AuditEntry{Kind: Undo, Match: undone.Match, Chosen: append([]string{string(undone.Kind)}, undone.Chosen...), Undoes: id}.from(req)
	if len(undone.Was) > 0 {
		d.Chosen = undone.Was
	}
	switch do, is := s.Undoes[undone.Kind]; {
	case is:
		err = do(ctx, undone, d, req.Names...)
	case undone.Kind == ResetScores:
		err = s.Store.UndoReset(ctx, d, req.Names...)
	case undone.Kind == Void:
		_, err = s.rule(ctx, req, d, s.Referee.Restore)
		return undone, err
	default:
		_, err = s.change(ctx, req, undone.Kind, id, func(p *Policy) error {
			if !slices.Equal(p.choice(undone.Kind), undone.Chosen) {
				return &match.Refusal{Reason: match.ChangedSince}
			}
			p.choose(undone.Kind, undone.Was[1:]...)
			return nil
		})
		return undone, err
	}
	if err == nil {
		s.log(ctx, d)
	}
	return undone, err
}

// log logs the id of the audit entry instead of the moderator's id, because the deletion of a user's data cannot change log lines.
func (s *Moderation) log(ctx context.Context, d AuditEntry) {
	s.Log.InfoContext(ctx, "moderation", "entry", d.ID, "kind", d.Kind, "venue", d.Venue,
		"match", d.Match, "chosen", d.Chosen, "undoes", d.Undoes)
}
