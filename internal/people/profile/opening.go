package profile

import (
	"cmp"
	"slices"

	"tictactoe/game"
	"tictactoe/internal/ranking/score"
)

// Zone is an area of a board. Squares that the symmetries of the board map to each other are in the same zone.
type Zone struct {
	Kind   ZoneKind
	Column int // the left column of the zone; only for [OfColumn]
}

// ZoneKind says where on the board a zone lies.
type ZoneKind uint8

// The kinds of zones.
const (
	OfCorner ZoneKind = iota
	OfEdge            // along the rim, except the corners
	OfInside          // neither along the rim nor in the centre
	OfCentre          // the innermost squares
	OfColumn          // a column and its mirror image: with gravity a player chooses only a column
)

// Columns returns the names of the two columns of a zone [OfColumn]. They are equal if it is the middle column.
func (z Zone) Columns(rules game.Rules) (left, right string) {
	letter := func(column int) string { return rules.Name(game.Square(column))[:1] }
	return letter(z.Column), letter(rules.Width() - 1 - z.Column)
}

// ZoneOf returns the zone of a square.
func ZoneOf(rules game.Rules, square game.Square) Zone {
	width, height := rules.Width(), rules.Height()
	column, row := int(square)%width, int(square)/width
	column, row = min(column, width-1-column), min(row, height-1-row)
	ring := min(column, row)
	switch {
	case rules.Gravity():
		return Zone{OfColumn, column}
	case column == 0 && row == 0:
		return Zone{Kind: OfCorner}
	case ring == (min(width, height)-1)/2:
		return Zone{Kind: OfCentre}
	case ring == 0:
		return Zone{Kind: OfEdge}
	default:
		return Zone{Kind: OfInside}
	}
}

// Opening is a first move, up to symmetry, and the tally of the matches that began with it.
type Opening struct {
	Rules game.Rules
	Zone  Zone
	score.Tally
}

// FirstMove is like [Opening], but for a single square.
type FirstMove struct {
	Rules  game.Rules
	Square game.Square
	score.Tally
}

// OpeningsOf sums up first moves by their zones, the most frequent first.
func OpeningsOf(moves []FirstMove) (openings []Opening) {
	for _, m := range moves {
		zone := ZoneOf(m.Rules, m.Square)
		i := slices.IndexFunc(openings, func(o Opening) bool { return o.Rules == m.Rules && o.Zone == zone })
		if i < 0 {
			i, openings = len(openings), append(openings, Opening{Rules: m.Rules, Zone: zone})
		}
		openings[i].Tally = openings[i].Plus(m.Tally)
	}
	slices.SortStableFunc(openings, func(a, b Opening) int {
		return cmp.Or(b.Total()-a.Total(), cmp.Compare(a.Zone.Kind, b.Zone.Kind), a.Zone.Column-b.Zone.Column)
	})
	return openings
}

// maxOpenings is the largest number of openings that Favourites returns.
const maxOpenings = 3

// Favourites returns the most frequent openings with the rule set that the player has begun most often.
func (r Record) Favourites() (some []Opening) {
	begun := map[game.Rules]int{}
	var on game.Rules
	for _, o := range r.Openings {
		begun[o.Rules] += o.Total()
	}
	for _, o := range r.Openings {
		if begun[o.Rules] > begun[on] {
			on = o.Rules
		}
	}
	for _, o := range r.Openings {
		if o.Rules == on && len(some) < maxOpenings {
			some = append(some, o)
		}
	}
	return some
}
