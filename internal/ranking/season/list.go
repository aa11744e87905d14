package season

import (
	"slices"
	"strconv"
	"strings"
)

// WithPreseason adds season 0, which is not stored, to the seasons of a venue if they include season 1. They do not if the first
// seasons do not count any more.
func WithPreseason(all []Season) []Season {
	if n := len(all); n > 0 && all[n-1].Number == 1 {
		return append(slices.Clip(all), Season{Venue: all[0].Venue, Ended: all[n-1].Began})
	}
	return all
}

// Named returns the season with the given number or name: the first of the list if several have the name. It returns false if
// there is none.
func Named(all []Season, word string) (Season, bool) {
	word = strings.TrimSpace(word)
	i := slices.IndexFunc(all, func(s Season) bool { return strconv.Itoa(s.Number) == word })
	if i < 0 {
		i = slices.IndexFunc(all, func(s Season) bool { return s.Name != "" && strings.EqualFold(s.Name, word) })
	}
	if i < 0 {
		return Season{}, false
	}
	return all[i], true
}
