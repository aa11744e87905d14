package policy_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
)

func TestRefuse(t *testing.T) {
	strict := policy.Policy{Places: []string{"games", "lounge"}, Levels: []string{"easy", "hard"}, Boards: []string{"4x4", "drop"}}
	for _, tt := range []struct {
		name   string
		policy policy.Policy
		ask    match.Permit
		want   error
	}{
		{"nothing said, everything allowed", policy.Policy{}, match.Permit{Places: []string{"general"}, Level: "easy"}, nil},
		{"one of the places", strict, match.Permit{Places: []string{"lounge"}}, nil},
		{"a thread in one of the places", strict, match.Permit{Places: []string{"thread", "games"}}, nil},
		{"another place", strict, match.Permit{Places: []string{"general"}}, match.WrongPlace},
		{"no place at all", strict, match.Permit{}, match.WrongPlace},
		{"a level on offer", strict, match.Permit{Places: []string{"games"}, Level: "hard"}, nil},
		{"a level withheld", strict, match.Permit{Places: []string{"games"}, Level: "unbeatable"}, match.LevelWithheld},
		{"a board on offer", strict, match.Permit{Places: []string{"games"}, Board: "drop"}, nil},
		{"a board withheld", strict, match.Permit{Places: []string{"games"}, Board: "classic"}, match.BoardWithheld},
		{"both wrong: first go elsewhere", strict, match.Permit{Places: []string{"general"}, Level: "unbeatable"}, match.WrongPlace},
		{"quiet forbids nothing", policy.Policy{MentionsOff: true, TurnTime: time.Hour}, match.Permit{Places: []string{"general"}}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.policy.Refuse(tt.ask)
			if !errors.Is(err, tt.want) {
				t.Fatalf("got %v", err)
			}
			if refusal := (*match.Refusal)(nil); errors.As(err, &refusal) && len(refusal.Allowed) != 2 {
				t.Errorf("the refusal does not say what is allowed: %v", refusal.Allowed)
			}
		})
	}
}

func TestOffered(t *testing.T) {
	all := []string{"random", "easy", "hard"}
	for _, tt := range []struct {
		name      string
		has, want []string
	}{
		{"all if none were chosen", nil, all},
		{"some, in the order of all", []string{"hard", "random"}, []string{"random", "hard"}},
		{"the chosen levels that still exist", []string{"retired", "easy"}, []string{"easy"}},
		{"all if no chosen level is left", []string{"retired"}, all},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, policy.Policy{Levels: tt.has}.Offered(all)); d != "" {
				t.Error(d)
			}
		})
	}
}

// shelf is a store of one policy.
type shelf struct {
	policy.Store
	kept    policy.Policy
	entries []policy.AuditEntry
	before  func() // called once, before a change is compared with the stored version
}

func (s *shelf) Policy(context.Context, match.Venue) (policy.Policy, error) { return s.kept, nil }

func (s *shelf) SetPolicy(_ context.Context, from, to policy.Policy, entry policy.AuditEntry, _ ...match.Name) error {
	if before := s.before; before != nil {
		s.before = nil
		before()
	}
	if from.Version != s.kept.Version {
		return match.ErrConflict
	}
	s.kept, s.entries = to, append(s.entries, entry)
	return nil
}

func (s *shelf) AuditEntry(_ context.Context, _ match.Venue, id match.ID) (policy.AuditEntry, error) {
	for _, e := range s.entries {
		if e.ID == id {
			return e, nil
		}
	}
	return policy.AuditEntry{}, match.ErrNotFound
}

func TestASettingIsUndone(t *testing.T) {
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	for kind, value := range map[policy.Kind]string{
		policy.SetPlaces: "games", policy.SetTurnTime: "1h0m0s", policy.SetLevels: "easy", policy.SetBoards: "4x4", policy.SetMentions: "off",
		policy.SetRatings: "off", policy.SetFeatures: "arena", policy.SetLanguage: "de", policy.SetTold: "7", policy.SetArenas: "on",
		policy.SetTidy: "10m0s", policy.SetElsewhere: "on", policy.SetLeavers: "on", policy.SetStaff: "8",
	} {
		t.Run(string(kind), func(t *testing.T) {
			s := &shelf{}
			moderation := &policy.Moderation{Store: s, Log: slog.New(slog.DiscardHandler)}
			set := func(id match.ID, value string) {
				if _, err := moderation.Set(t.Context(), match.Request{ID: id, At: noon}, kind, strings.Fields(value)...); err != nil {
					t.Fatal(err)
				}
			}
			undo := func(id match.ID) error {
				_, err := moderation.Undo(t.Context(), match.Request{ID: "undo " + id, At: noon.Add(time.Hour)}, id)
				return err
			}
			set("1", value)
			before := s.kept
			other := strings.Join(s.entries[0].Was[1:], " ")
			set("2", other)
			if err := undo("1"); !errors.Is(err, match.ChangedSince) {
				t.Errorf("undoing a setting that was changed since: %v", err)
			}
			if err := undo("2"); err != nil {
				t.Fatal(err)
			}
			before.Version = s.kept.Version
			if d := cmp.Diff(before, s.kept); d != "" {
				t.Error(d)
			}
			last := s.entries[len(s.entries)-1]
			if want := []string{string(kind), value}; last.Kind != policy.Undo || last.Undoes != "2" || !slices.Equal(last.Chosen, want) {
				t.Errorf("the audit entry is %+v, want %q", last, want)
			}
			s.entries[0].Was = nil
			if err := undo("1"); !errors.Is(err, match.Unknown) {
				t.Errorf("undoing an entry of an older version: %v", err)
			}
		})
	}
}

func TestTwoModeratorsDoNotUndoEachOther(t *testing.T) {
	var log strings.Builder
	s := &shelf{}
	moderation := &policy.Moderation{Store: s, Log: slog.New(slog.NewTextHandler(&log, nil))}
	s.before = func() { s.kept = policy.Policy{Venue: "home", Places: []string{"games"}, Version: 1} }
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	got, err := moderation.Set(t.Context(), match.Request{ID: "1", By: "carol", Venue: "home", At: noon}, policy.SetMentions, "off")
	if err != nil {
		t.Fatal(err)
	}
	want := policy.Policy{Venue: "home", Places: []string{"games"}, MentionsOff: true, Version: 2}
	if d := cmp.Diff([]policy.Policy{want, want}, []policy.Policy{got, s.kept}); d != "" {
		t.Error(d)
	}
	entries := []policy.AuditEntry{{ID: "1", Venue: "home", By: "carol", At: noon, Kind: policy.SetMentions, Chosen: []string{"off"}, Was: []string{"mentions", "on"}}}
	if d := cmp.Diff(entries, s.entries); d != "" {
		t.Error(d)
	}
	if n := strings.Count(log.String(), "\n"); n != 1 || !strings.Contains(log.String(), "entry=1") || strings.Contains(log.String(), "carol") {
		t.Errorf("%d lines: %s", n, log.String())
	}
}

func TestAChangeThatChangesNothingIsNotLogged(t *testing.T) {
	features := slices.Sorted(slices.Values(policy.Features()))
	names := make([]string, len(features))
	for i, f := range features {
		names[i] = string(f)
	}
	for _, tt := range []struct {
		kind   policy.Kind
		values []string
		want   policy.Policy
	}{
		{policy.SetPlaces, []string{"games"}, policy.Policy{Places: []string{"games"}, Version: 1}},
		{policy.SetTurnTime, []string{"1h0m0s"}, policy.Policy{TurnTime: time.Hour, Version: 1}},
		{policy.SetLevels, []string{"easy"}, policy.Policy{Levels: []string{"easy"}, Version: 1}},
		{policy.SetMentions, []string{"off"}, policy.Policy{MentionsOff: true, Version: 1}},
		{policy.SetRatings, []string{"off"}, policy.Policy{Unrated: true, Version: 1}},
		{policy.SetTold, []string{"6001"}, policy.Policy{Told: "6001", Version: 1}},
		{policy.SetFeatures, names, policy.Policy{Off: features, Version: 1}},
	} {
		t.Run(string(tt.kind), func(t *testing.T) {
			s := &shelf{}
			moderation := &policy.Moderation{Store: s, Log: slog.New(slog.DiscardHandler)}
			for range 2 {
				got, err := moderation.Set(t.Context(), match.Request{}, tt.kind, tt.values...)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(tt.want, got); d != "" {
					t.Error(d)
				}
			}
			if len(s.entries) != 1 || s.entries[0].Kind != tt.kind {
				t.Errorf("the audit entries are %+v", s.entries)
			}
		})
	}
}

func TestFeatures(t *testing.T) {
	nothing := policy.Policy{Off: policy.Features()}
	for _, f := range policy.Features() {
		if !(policy.Policy{}).Has(f) || nothing.Has(f) {
			t.Errorf("%s is off by default, or on although everything is switched off", f)
		}
	}
}
