package locale_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/match"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

var update = flag.Bool("update", false, "write the goldens again")

const (
	alice   match.User = "alice"
	bob     match.User = "bob"
	mallory match.User = "mallory"
)

// TestRefusals checks the text of every reason, for every kind of user who can be refused for it, with the details that the core
// adds to the refusal.
func TestRefusals(t *testing.T) {
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	m := match.Start("m", "m", "", game.Classic(), match.Seats{match.Human(alice), match.Human(bob)}, time.Minute, 1, noon)
	rematch := m
	rematch.Rematch = match.Rematch{State: match.RematchProposed, By: alice, Deadline: noon.Add(match.RematchTime)}
	c, err := match.NewChallenge("c", "", alice, bob, match.Terms{Rules: game.Classic(), TurnTime: time.Minute}, noon)
	if err != nil {
		t.Fatal(err)
	}
	forAnybody, err := match.NewChallenge("c", "", alice, "", match.Terms{Rules: game.Classic(), TurnTime: time.Minute}, noon)
	if err != nil {
		t.Fatal(err)
	}
	about := func(r match.Reason, m *match.Match) *match.Refusal { return &match.Refusal{Reason: r, Match: m} }
	of := func(r match.Reason) *match.Refusal { return &match.Refusal{Reason: r, Challenge: &c} }

	rows := []struct {
		refusal *match.Refusal
		by      match.User
	}{
		{&match.Refusal{Reason: match.Unknown}, alice},
		{about(match.Stranger, &m), mallory},
		{about(match.NotYourTurn, &m), bob},
		{about(match.SquareTaken, &m), alice},
		{about(match.NoSuchSquare, &m), alice},
		{about(match.Stale, &m), alice},
		{about(match.Finished, &m), alice},
		{about(match.TimeUp, &m), alice},
		{about(match.AwaitingRematch, &rematch), alice},
		{of(match.OwnChallenge), alice},
		{&match.Refusal{Reason: match.OwnChallenge, Challenge: &forAnybody}, alice},
		{of(match.NotChallenged), mallory},
		{of(match.NotChallenger), bob},
		{of(match.NotChallenger), mallory},
		{about(match.ChallengeOver, &m), mallory},
		{&match.Refusal{Reason: match.SelfChallenge}, alice},
		{of(match.AlreadyPending), alice},
		{of(match.AlreadyPending), bob},
		{&match.Refusal{Reason: match.AlreadyPending, Challenge: &forAnybody}, alice},
		{&match.Refusal{Reason: match.TooManyYours, Limit: 5}, alice},
		{&match.Refusal{Reason: match.TooManyTheirs, Limit: 5, Player: bob}, alice},
		{&match.Refusal{Reason: match.TooManyPair, Limit: 2}, alice},
		{&match.Refusal{Reason: match.TooManyPosts, Limit: 5, Until: noon.Add(time.Minute)}, alice},
		{&match.Refusal{Reason: match.UnknownLevel}, alice},
		{&match.Refusal{Reason: match.WrongPlace, Allowed: []string{"games"}}, alice},
		{&match.Refusal{Reason: match.WrongPlace, Allowed: []string{"a", "b", "c", "d", "e"}}, alice},
		{&match.Refusal{Reason: match.LevelWithheld, Allowed: []string{"easy", "hard"}}, alice},
		{&match.Refusal{Reason: match.BoardWithheld, Allowed: []string{"drop", "4x4", "gone"}}, alice},
		{&match.Refusal{Reason: match.NotTaking, Player: bob}, alice},
		{&match.Refusal{Reason: match.NotOpen, Player: bob}, alice},
		{&match.Refusal{Reason: match.Blocking, Player: bob}, alice},
		{&match.Refusal{Reason: match.MissedMatches, Until: noon.Add(10 * time.Minute)}, alice},
		{&match.Refusal{Reason: match.TooSoon, Player: bob, Until: noon.Add(2 * time.Minute)}, alice},
		{about(match.HasLeft, &m), alice},
		{about(match.AskedAlready, &m), alice},
		{about(match.OwnWish, &m), alice},
		{about(match.NoHints, &m), alice},
		{about(match.OtherTeam, &m), bob},
		{about(match.CrowdPlaying, &m), bob},
		{about(match.Undone, &m), mallory},
		{&match.Refusal{Reason: match.UndoExpired, Until: noon}, mallory},
		{about(match.CutShort, &m), mallory},
		{&match.Refusal{Reason: match.NotLatest}, mallory},
		{&match.Refusal{Reason: match.ChangedSince}, mallory},
		{&match.Refusal{Reason: match.Barred}, bob},
		{&match.Refusal{Reason: match.Barred, Until: noon}, bob},
		{&match.Refusal{Reason: match.VenueBarred}, bob},
		{&match.Refusal{Reason: match.OtherBarred, Player: bob}, alice},
		{&match.Refusal{Reason: match.OwnBar}, mallory},
		{&match.Refusal{Reason: arena.Unknown}, alice},
		{&match.Refusal{Reason: arena.Taken}, alice},
		{&match.Refusal{Reason: arena.BadTerms}, alice},
		{&match.Refusal{Reason: arena.BadTime}, alice},
		{&match.Refusal{Reason: arena.Closed}, alice},
		{&match.Refusal{Reason: arena.Full, Limit: arena.MaxEntrants}, alice},
		{&match.Refusal{Reason: arena.NotJoined}, alice},
		{&match.Refusal{Reason: arena.Banned}, alice},
	}
	words, names := open(t).In("en-US"), view.Names{alice: "Alice", bob: "Bob"}
	worded := map[match.Reason]bool{}
	var got strings.Builder
	for _, row := range rows {
		worded[row.refusal.Reason] = true
		text := locale.Refusal(row.refusal, row.by, names)
		said := words.Say(text, visible{})
		if strings.Contains(said, "<no value>") || said == text.Key || said == "" {
			t.Errorf("the text for %q is %q", row.refusal.Reason, said)
		}
		fmt.Fprintf(&got, "%s, to %s\n  %s\n", row.refusal.Reason, row.by, said)
	}
	for _, reason := range reasons(t) {
		if !worded[reason] {
			t.Errorf("no golden has the reason %q", reason)
		}
	}
	golden(t, "refusals.golden", got.String())
}

// golden compares a text with a file, which -update writes.
func golden(t *testing.T, file, got string) {
	t.Helper()
	file = filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		t.Error(d)
	}
}

// reasons returns the reasons that the source of the core declares, each once.
func reasons(t *testing.T) (all []match.Reason) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../match/refusal.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		declared, is := n.(*ast.ValueSpec)
		if !is {
			return true
		}
		if of, is := declared.Type.(*ast.Ident); !is || of.Name != "Reason" {
			return true
		}
		reason, err := strconv.Unquote(declared.Values[0].(*ast.BasicLit).Value)
		if err != nil || reason == "" || slices.Contains(all, match.Reason(reason)) {
			t.Errorf("%s: the reason %q is declared twice or invalid: %v", declared.Names[0], reason, err)
		}
		all = append(all, match.Reason(reason))
		return true
	})
	if len(all) == 0 {
		t.Fatal("no reasons found in the source")
	}
	return all
}

func TestEveryReasonHasATextWithoutDetails(t *testing.T) {
	words := open(t).In("en-US")
	for _, reason := range reasons(t) {
		text := locale.Refusal(&match.Refusal{Reason: reason}, alice, nil)
		if said := words.Say(text, visible{}); text.Key == "" || said == text.Key || said == "" {
			t.Errorf("the text for %q is %q", reason, said)
		}
	}
}

func TestPlayers(t *testing.T) {
	m := match.Start("m", "m", "", game.Classic(), match.Seats{match.Human(alice), match.Computer("easy")}, time.Minute, 1, time.Time{})
	for _, tt := range []struct {
		name    string
		refusal match.Refusal
		want    []match.User
	}{
		{"nobody", match.Refusal{}, nil},
		{"the humans of a match", match.Refusal{Match: &m}, []match.User{alice}},
		{"the one who has too many matches", match.Refusal{Player: bob}, []match.User{bob}},
		{"both of a challenge", match.Refusal{Challenge: &match.Challenge{From: bob, To: mallory}}, []match.User{bob, mallory}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, locale.Players(&tt.refusal)); d != "" {
				t.Error(d)
			}
		})
	}
}
