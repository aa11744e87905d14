package view

import (
	"fmt"
	"math"

	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
)

// stakesText says what a match counts for the ratings, and why that is less than usual. It is false where there are no ratings.
func stakesText(s rating.Stakes) (Text, bool) {
	switch s {
	case rating.Full:
		return T("stakes.full", nil), true
	case rating.Half:
		return T("stakes.half", nil), true
	case rating.Casual:
		return T("stakes.casual", nil), true
	case rating.Unranked:
		return T("stakes.unranked", nil), true
	case rating.TooOften:
		return T("stakes.often", nil), true
	case rating.TooFarApart:
		return T("stakes.far", nil), true
	default:
		return Text{}, false
	}
}

// WithChanges adds to the board of a match that has ended how it has changed the ratings of its players, X first. There are no
// changes where it did not count, and none of a player who has left.
func WithChanges(s Screen, changes []ladder.Change, names Names) Screen {
	if len(changes) == 0 {
		return s
	}
	for _, c := range changes {
		if c.Stale {
			s.Lines, s.Stale = append(s.Lines, T("rated.stale", nil)), true
			return s
		}
	}
	said := changeText(changes[0], names)
	if len(changes) > 1 {
		said = T("rated.both", Args{"X": said, "O": changeText(changes[1], names)})
	}
	s.Lines = append(s.Lines, T("rated", Args{"Changes": said}))
	favourite := changes[0]
	for _, c := range changes {
		if c.Expected > favourite.Expected {
			favourite = c
		}
	}
	if percent := int(math.Round(100 * favourite.Expected)); len(changes) > 1 && percent > 50 {
		s.Notes = append([]Text{T("rated.expected", Args{"Name": names.Of(favourite.Player), "Percent": percent})}, s.Notes...)
	}
	return s
}

// changeText is a player's new rating, and by how much it has changed.
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

// RatingText is a rating in whole points, with a question mark while little is known of the player.
func RatingText(r rating.Rating) string {
	if r.Provisional() {
		return fmt.Sprintf("%d?", r.Points())
	}
	return fmt.Sprint(r.Points())
}
