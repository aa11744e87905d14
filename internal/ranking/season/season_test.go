package season_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/match"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func after(seconds int) time.Time { return noon.Add(time.Duration(seconds) * time.Second) }

func TestWhichSeasonAMatchBelongsTo(t *testing.T) {
	boundaries := season.Boundaries{after(10), after(20), after(20), after(30)}
	for _, tt := range []struct{ second, want int }{{0, 0}, {10, 0}, {11, 1}, {20, 1}, {21, 3}, {30, 3}, {31, 4}, {99, 4}} {
		if got := boundaries.Number(after(tt.second)); got != tt.want {
			t.Errorf("a match that ended after %d s is of season %d, not %d", tt.second, got, tt.want)
		}
	}
	if got := season.Boundaries(nil).Number(noon); got != 0 {
		t.Errorf("without a boundary the match is of season %d", got)
	}
	t.Run("the season of a match agrees with the span of the season", func(t *testing.T) {
		for number := range len(boundaries) + 1 {
			from, to := boundaries.Span(number)
			for second := range 40 {
				at := after(second)
				within := at.After(from) && (to.IsZero() || !at.After(to))
				if got := boundaries.Number(at); (got == number) != within {
					t.Errorf("second %d is of season %d, and season %d lasts from %v to %v", second, got, number, from, to)
				}
			}
		}
	})
	t.Run("the boundaries between two matches are as many as between their seasons", func(t *testing.T) {
		for from := range 40 {
			for to := from; to < 40; to++ {
				between := boundaries.Between(after(from), after(to))
				if want := boundaries.Number(after(to)) - boundaries.Number(after(from)); len(between) != want {
					t.Errorf("%d lie between the seconds %d and %d, not %d", len(between), from, to, want)
				}
			}
		}
		if between := boundaries.Between(after(25), after(5)); len(between) != 0 {
			t.Errorf("%v lie between a match and an earlier one", between)
		}
	})
}

// ledger is a store that records its calls.
type ledger struct {
	season.Store
	seasons []season.Season
	entries []policy.AuditEntry
	err     error
}

func (l *ledger) BeginSeason(_ context.Context, s season.Season, e policy.AuditEntry, _ ...match.Name) error {
	l.seasons, l.entries = append(l.seasons, s), append(l.entries, e)
	return l.err
}

func (l *ledger) UndoSeason(ctx context.Context, s season.Season, e policy.AuditEntry, names ...match.Name) error {
	return l.BeginSeason(ctx, s, e, names...)
}

func TestModeratorsBeginAndUndoSeasons(t *testing.T) {
	var log strings.Builder
	l := &ledger{}
	by := &policy.Moderation{Log: slog.New(slog.NewTextHandler(&log, nil))}
	winter := season.Season{Number: 3, Name: "The long  winter", Ends: after(60), Channel: "5001"}
	_, err := season.Begin(t.Context(), by, l, match.Request{ID: "1", Venue: "home", By: "carol", At: noon}, winter)
	if err != nil {
		t.Fatal(err)
	}
	winter.Venue, winter.By, winter.Began = "home", "carol", noon
	words := []string{"The", "long", "winter"}
	if diff := cmp.Diff([]season.Season{winter}, l.seasons); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]policy.AuditEntry{
		{ID: "1", Venue: "home", By: "carol", At: noon, Kind: policy.BeginSeason, Chosen: words},
	}, l.entries); diff != "" {
		t.Error(diff)
	}
	l.err = match.ErrConflict
	if _, err := season.Begin(t.Context(), by, l, match.Request{}, winter); !errors.Is(err, match.ErrConflict) {
		t.Error(err)
	}
	if strings.Count(log.String(), "msg=moderation") != 1 {
		t.Errorf("the log says:\n%s", log.String())
	}
}

// almanac is a store with the given seasons, the newest first.
type almanac struct {
	ledger
	all []season.Season
}

func (a *almanac) Seasons(context.Context, match.Venue) ([]season.Season, error) { return a.all, nil }

func TestOnlyTheNewestSeasonIsUndone(t *testing.T) {
	summer := season.Season{Venue: "home", Number: 1, Began: noon, Ended: after(60)}
	autumn := season.Season{Venue: "home", Number: 2, Began: after(60)}
	for _, tt := range []struct {
		what  string
		begun time.Time
		all   []season.Season
		err   error // the error that the store returns
		want  error
	}{
		{"the newest", autumn.Began, []season.Season{autumn, summer}, nil, nil},
		{"one that another has followed", summer.Began, []season.Season{autumn, summer}, nil, match.NotLatest},
		{"one that is gone", autumn.Began, nil, nil, match.NotLatest},
		{"one that another follows at the same moment", autumn.Began, []season.Season{autumn, summer}, match.ErrConflict, match.NotLatest},
		{"while nothing can be saved", autumn.Began, []season.Season{autumn, summer}, match.ErrBusy, match.ErrBusy},
	} {
		t.Run(tt.what, func(t *testing.T) {
			store := &almanac{ledger{err: tt.err}, tt.all}
			begun := policy.AuditEntry{Venue: "home", At: tt.begun, Kind: policy.BeginSeason}
			undo := policy.AuditEntry{ID: "2", Venue: "home", By: "dave", Kind: policy.Undo}
			if err := season.Undo(store)(t.Context(), begun, undo); !errors.Is(err, tt.want) {
				t.Errorf("the error is %v, not %v", err, tt.want)
			}
			if tt.want == nil {
				if diff := cmp.Diff([]season.Season{autumn}, store.seasons); diff != "" || store.entries[0].ID != undo.ID {
					t.Error(diff, store.entries)
				}
			}
		})
	}
}

func TestWhichSeasonIsMeant(t *testing.T) {
	all := season.WithPreseason([]season.Season{
		{Number: 4, Name: "Spring", Began: noon.Add(3)}, {Number: 3, Name: "1", Began: noon.Add(2)}, {Number: 2, Began: noon.Add(1)}, {Number: 1, Name: "Spring", Began: noon},
	})
	for word, want := range map[string]int{"4": 4, " 2 ": 2, "spring": 4, "1": 1, "0": 0, "": -1, "5": -1, "Autumn": -1, "01": -1} {
		got, is := season.Named(all, word)
		if is != (want >= 0) || is && got.Number != want {
			t.Errorf("%q means season %d, %v", word, got.Number, is)
		}
	}
	if zero := all[4]; zero.Number != 0 || zero.GoesOn() || !zero.Ended.Equal(noon) {
		t.Errorf("the preseason is %+v", zero)
	}
}

func TestWithoutTheFirstSeasonThereIsNoPreseason(t *testing.T) {
	for _, all := range [][]season.Season{nil, {{Number: 3}, {Number: 2}}} {
		if got := season.WithPreseason(all); len(got) != len(all) {
			t.Errorf("%+v", got)
		}
	}
}
