package storetest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
)

// EndOfMatch measures what the save that ends a rated match costs beside that of one which is not, by turns, among a thousand people
// at one server: how long it takes, and how much of a processor, as the database counts it. They have played some matches when settle
// is called, as a database has that plans by what is in it.
func EndOfMatch(b *testing.B, s Store, settle func(), processor func() time.Duration) {
	random := rand.New(rand.NewPCG(1, 2))
	n := 0
	type cost struct{ took, processor time.Duration }
	end := func(stakes rating.Stakes, x, o int) cost {
		n++
		m := begin(match.ID(fmt.Sprint(b.N, "-", n)), match.User(fmt.Sprint(x)), match.User(fmt.Sprint(o)), after(n))
		m.Stakes = stakes
		save(b, s, match.Save{Matches: []match.MatchChange{{To: m}}})
		over := late(m)
		start, before := time.Now(), processor()
		save(b, s, match.Save{Matches: []match.MatchChange{{From: m, To: over}}})
		took := time.Since(start)
		return cost{took, processor() - before}
	}
	both := func() (unrated, rated cost) {
		x := random.IntN(1000)
		o := (x + 1 + random.IntN(999)) % 1000
		return end(rating.NoStakes, x, o), end(rating.Full, x, o)
	}
	for range 1000 {
		both()
	}
	settle()
	took := make(map[rating.Stakes][]cost)
	for b.Loop() {
		unrated, rated := both()
		took[rating.NoStakes], took[rating.Full] = append(took[rating.NoStakes], unrated), append(took[rating.Full], rated)
	}
	for name, of := range map[string]func(cost) time.Duration{
		"": func(c cost) time.Duration { return c.took }, "cpu-": func(c cost) time.Duration { return c.processor },
	} {
		median := func(all []cost) float64 {
			slices.SortFunc(all, func(x, y cost) int { return cmp.Compare(of(x), of(y)) })
			return float64(of(all[len(all)/2]).Microseconds())
		}
		unrated, rated := median(took[rating.NoStakes]), median(took[rating.Full])
		b.ReportMetric(unrated, name+"unrated-us")
		b.ReportMetric(rated, name+"rated-us")
		b.ReportMetric(rated/unrated, name+"rated/unrated")
	}
	b.ReportMetric(0, "ns/op")
}

// LadderPages measures pages of a ladder of so many players, who are numbers of 18 digits. Anew opens the store again.
func LadderPages(b *testing.B, s Store, players int, anew func() Store) {
	pages := players / score.RowsOnAPage
	for _, which := range []struct {
		name        string
		first, last int
		anew        bool
	}{
		{"first page", 1, 1, false},
		{"last page", pages, pages, false},
		{"any page", 1, pages, false},
		{"any page after a start", 1, pages, true},
	} {
		b.Run(which.name+" and own row", func(b *testing.B) {
			var took []time.Duration
			for n := range b.N {
				if which.anew && n == 100 {
					break // a start takes half a second
				}
				if which.anew {
					s = anew()
				}
				page := which.first + rand.IntN(which.last-which.first+1)
				own := match.User(fmt.Sprintf("%018d", 1+rand.IntN(players)))
				start := time.Now()
				p, err := s.Ladder(b.Context(), "home", game.Classic(), season.Latest, score.Where{Page: page}, own)
				took = append(took, time.Since(start))
				if err != nil || len(p.Rows) != score.RowsOnAPage || p.Own == nil {
					b.Fatalf("%+v, %v", p, err)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-us")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-us")
			b.ReportMetric(0, "ns/op")
		})
	}
}
