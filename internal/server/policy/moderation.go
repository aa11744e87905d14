//go:build !js

package policy

import (
	"context"
	"errors"
	"log/slog"
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
	// UndoSeason removes a season. The argument begun is the audit entry that recorded the beginning of the season; the argument undo
	// is the audit entry of the removal, which is saved in the same transaction.
	UndoSeason func(ctx context.Context, begun, undo AuditEntry, names ...match.Name) error
}

// SetPlaces sets where matches may begin; no places mean everywhere.
func (s *Moderation) SetPlaces(ctx context.Context, req match.Request, places []string) (Policy, error) {
	return s.set(ctx, req, AuditEntry{Kind: SetPlaces, Chosen: places}, func(p *Policy) { p.Places = places })
}

// SetTurnTime sets the turn time of matches whose challenger chooses none.
func (s *Moderation) SetTurnTime(ctx context.Context, req match.Request, d time.Duration) (Policy, error) {
	return s.set(ctx, req, AuditEntry{Kind: SetTurnTime, Chosen: []string{d.String()}}, func(p *Policy) { p.TurnTime = d })
}

// SetLevels sets which levels are on offer; no levels mean all.
func (s *Moderation) SetLevels(ctx context.Context, req match.Request, levels []string) (Policy, error) {
	return s.set(ctx, req, AuditEntry{Kind: SetLevels, Chosen: levels}, func(p *Policy) { p.Levels = levels })
}

// SetBoards sets which boards are on offer; no boards mean all.
func (s *Moderation) SetBoards(ctx context.Context, req match.Request, boards []string) (Policy, error) {
	return s.set(ctx, req, AuditEntry{Kind: SetBoards, Chosen: boards}, func(p *Policy) { p.Boards = boards })
}

// SetMentions switches turn mentions on or off, for players who have not switched them off.
func (s *Moderation) SetMentions(ctx context.Context, req match.Request, on bool) (Policy, error) {
	return s.set(ctx, req, AuditEntry{Kind: SetMentions, Chosen: onOrOff(on)}, func(p *Policy) { p.MentionsOff = !on })
}

// SetRatings sets whether matches that begin from now on are rated, unless their players agree otherwise.
func (s *Moderation) SetRatings(ctx context.Context, req match.Request, on bool) (Policy, error) {
	return s.set(ctx, req, AuditEntry{Kind: SetRatings, Chosen: onOrOff(on)}, func(p *Policy) { p.Unrated = !on })
}

// SetFeatures switches the given [Features] on and all others off.
func (s *Moderation) SetFeatures(ctx context.Context, req match.Request, on []Feature) (Policy, error) {
	return s.change(ctx, req, SetFeatures, func(p *Policy) (chosen []string) {
		p.Off = p.without(on)
		return words(p.Off)
	})
}

// SetLanguage sets the language of public messages, as Discord names it; empty: no choice.
func (s *Moderation) SetLanguage(ctx context.Context, req match.Request, language string) (Policy, error) {
	return s.set(ctx, req, AuditEntry{Kind: SetLanguage, Chosen: ifAny(language)}, func(p *Policy) { p.Language = language })
}

// SetTold sets the role that posts of open challenges mention; empty: none.
func (s *Moderation) SetTold(ctx context.Context, req match.Request, role string) (Policy, error) {
	return s.set(ctx, req, AuditEntry{Kind: SetTold, Chosen: ifAny(role)}, func(p *Policy) { p.Told = role })
}

// SetArenas sets whether anybody may start an arena, or only moderators.
func (s *Moderation) SetArenas(ctx context.Context, req match.Request, byAll bool) (Policy, error) {
	return s.set(ctx, req, AuditEntry{Kind: SetArenas, Chosen: onOrOff(byAll)}, func(p *Policy) { p.ArenasByAll = byAll })
}

// SetTidy sets how long after its end the board of a match shrinks to one line; zero: never. It applies to matches that end from now on.
func (s *Moderation) SetTidy(ctx context.Context, req match.Request, after time.Duration) (Policy, error) {
	return s.set(ctx, req, AuditEntry{Kind: SetTidy, Chosen: []string{after.String()}}, func(p *Policy) { p.TidyAfter = after })
}

// SetElsewhere sets whether leaderboards and profiles are private outside the places where matches may begin.
func (s *Moderation) SetElsewhere(ctx context.Context, req match.Request, private bool) (Policy, error) {
	return s.set(ctx, req, AuditEntry{Kind: SetElsewhere, Chosen: onOrOff(private)}, func(p *Policy) { p.PlacesOnly = private })
}

// SetLeavers sets whether former members of the server stay on its leaderboards.
func (s *Moderation) SetLeavers(ctx context.Context, req match.Request, on bool) (Policy, error) {
	return s.set(ctx, req, AuditEntry{Kind: SetLeavers, Chosen: onOrOff(!on)}, func(p *Policy) { p.LeaversOff = !on })
}

// SetStaff sets the roles whose holders are not on the leaderboards.
func (s *Moderation) SetStaff(ctx context.Context, req match.Request, roles []string) (Policy, error) {
	return s.set(ctx, req, AuditEntry{Kind: SetStaff, Chosen: roles}, func(p *Policy) { p.Staff = roles })
}

func ifAny(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

func words(features []Feature) (words []string) {
	for _, f := range features {
		words = append(words, string(f))
	}
	return words
}

func onOrOff(on bool) []string {
	if on {
		return []string{"on"}
	}
	return []string{"off"}
}

// set changes a policy, and saves an audit entry with the change.
func (s *Moderation) set(ctx context.Context, req match.Request, d AuditEntry, change func(*Policy)) (Policy, error) {
	return s.change(ctx, req, d.Kind, func(p *Policy) []string {
		change(p)
		return d.Chosen
	})
}

// change changes a policy, and saves an audit entry with the new choice. If nothing changes there is no entry, so that
// a request delivered twice has one entry.
func (s *Moderation) change(ctx context.Context, req match.Request, kind Kind, change func(*Policy) (chosen []string)) (Policy, error) {
	for {
		from, err := s.Store.Policy(ctx, req.Venue)
		if err != nil {
			return from, err
		}
		to := from
		d := AuditEntry{Kind: kind, Chosen: change(&to)}.from(req)
		if to.same(from) {
			return from, nil
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

// Undo undoes an entry of the audit log, and returns it: a void of a match that had ended, a reset, or the beginning of a
// season. Refusals: Unknown if there is nothing to undo, Undone, UndoExpired, NotLatest, and those of [match.Referee.Restore].
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
	switch undone.Kind {
	case Void:
		_, err = s.rule(ctx, req, d, s.Referee.Restore)
		return undone, err
	case BeginSeason:
		err = s.UndoSeason(ctx, undone, d, req.Names...)
	default:
		err = s.Store.UndoReset(ctx, d, req.Names...)
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
