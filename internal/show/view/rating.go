package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
)

// stakes has the key of the text about each kind of stakes.
var stakes = map[rating.Stakes]string{
	rating.Full: "stakes.full", rating.Half: "stakes.half", rating.Casual: "stakes.casual",
	rating.Unranked: "stakes.unranked", rating.TooOften: "stakes.often", rating.TooFarApart: "stakes.far",
}

// withStakes returns the text with the key or, if the match has stakes, the text with the key and ".stakes", which names them.
func withStakes(key string, s rating.Stakes, args Args) Text {
	if said, has := stakes[s]; has {
		args["Stakes"] = T(said, nil)
		key += ".stakes"
	}
	return T(key, args)
}

// WithChanges adds the changes of the players' ratings, X first, to the board of an ended match. changes is empty if the match did not
// count, and has no entry for a player whose data was deleted.
func WithChanges(s Screen, changes []ladder.Change, names Names) Screen {
	if len(changes) == 0 {
		return s
	}
	if slices.ContainsFunc(changes, func(c ladder.Change) bool { return c.Stale }) {
		s.Lines, s.Stale = append(s.Lines, T("rated.stale", nil)), true
		return s
	}
	said := changeText(changes[0], names)
	if len(changes) > 1 {
		said = T("rated.both", Args{"X": said, "O": changeText(changes[1], names)})
	}
	s.Lines = append(s.Lines, T("rated", Args{"Changes": said}))
	favourite := slices.MaxFunc(changes, func(a, b ladder.Change) int { return cmp.Compare(a.Expected, b.Expected) })
	if percent := int(math.Round(100 * favourite.Expected)); len(changes) > 1 && percent > 50 {
		s.Notes = append([]Text{T("rated.expected", Args{"Name": names.Of(favourite.Player), "Percent": percent})}, s.Notes...)
	}
	return s
}

// changeText returns a player's new rating and its change.
func changeText(c ladder.Change, names Names) Text {
	gain := "±0"
	switch n := c.Gain(); {
	case n > 0:
		gain = fmt.Sprintf("+%d", n)
	case n < 0:
		gain = fmt.Sprintf("\u2212%d", -n)
	}
	return T("rated.change", Args{"Name": names.Of(c.Player), "Rating": RatingText(c.After), "Gain": gain})
}

// RatingText returns a rating in whole points, with a question mark if it is provisional.
func RatingText(r rating.Rating) string {
	if r.Provisional() {
		return fmt.Sprintf("%d?", r.Points())
	}
	return fmt.Sprint(r.Points())
}
