package policy

import "slices"

// Feature is something that the members of a venue can use, unless its policy has switched it off. Its text is stored.
type Feature string

// The features.
const (
	Profiles Feature = "profiles" // what others have played
	Replays  Feature = "replays"  // finding a match and walking through it
	Best     Feature = "best"     // the matches of the venue that are worth seeing
	Sharing  Feature = "sharing"  // finished matches as pictures and texts
	Daily    Feature = "daily"    // the puzzle of the day
	Learn    Feature = "learn"    // the course
	Hints    Feature = "hints"    // in matches against the computer
)

// Features returns all features, in the order in which they are listed.
func Features() []Feature { return []Feature{Profiles, Replays, Best, Sharing, Daily, Learn, Hints} }

// Has reports whether the members of the venue can use the feature.
func (p Policy) Has(f Feature) bool { return !slices.Contains(p.Off, f) }

// without returns the features that are off if only the given ones are on. Features that this program does not know stay as
// they are.
func (p Policy) without(on []Feature) (off []Feature) {
	for _, f := range p.Off {
		if !slices.Contains(Features(), f) {
			off = append(off, f)
		}
	}
	for _, f := range Features() {
		if !slices.Contains(on, f) {
			off = append(off, f)
		}
	}
	slices.Sort(off)
	return off
}
