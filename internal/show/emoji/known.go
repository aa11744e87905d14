package emoji

import (
	"slices"
	"sync"

	"tictactoe/game"
)

// Drawn maps the names of the emoji of a board to Discord's ids. A board with a nil Drawn is drawn with Unicode.
type Drawn map[string]string

// Known holds the state of the set at Discord, as far as a process knows. A board is drawn with Unicode while an emoji that it may need
// is missing.
type Known struct {
	refused chan struct{} // capacity 1: Discord refused one of our emoji
	missing chan struct{} // capacity 1: the rows lack emoji of the set

	mu       sync.Mutex
	drawn    map[game.Rules]Drawn // of boards whose emoji all exist
	have     int                  // the number of emoji of the set that exist
	doubtful bool                 // an emoji was refused, and the rows have not been compared with Discord since
}

// NewKnown returns a Known without emoji.
func NewKnown() *Known {
	return &Known{refused: make(chan struct{}, 1), missing: make(chan struct{}, 1)}
}

// Count returns how many emoji of the set exist, and how many there are in the set.
func (k *Known) Count() (have, want int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.have, len(Set())
}

// For returns the emoji of a board with some rules. A nil Known has none.
func (k *Known) For(r game.Rules) Drawn {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.drawn[r]
}

// Refused notes that Discord has refused one of our emoji, because somebody deleted it. Boards are drawn with Unicode until the rows
// have been compared with Discord.
func (k *Known) Refused() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.drawn, k.doubtful = nil, true
	signal(k.refused)
}

// inDoubt reports whether the rows have to be compared with Discord.
func (k *Known) inDoubt() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.doubtful
}

// learn takes the rows for the existing emoji, unless Discord has refused one and the rows have not been compared since.
func (k *Known) learn(rows []Row, compared bool) {
	ids := make(Drawn, len(rows))
	for _, r := range rows {
		ids[r.Name] = r.ID
	}
	there := func(e Emoji) bool { return slices.Contains(rows, Row{ids[e.Name], e.Name, e.Hash()}) }
	have := 0
	for _, e := range Set() {
		if there(e) {
			have++
		}
	}
	drawn := make(map[game.Rules]Drawn)
	for _, offer := range game.Offered() {
		if !slices.ContainsFunc(setOf(offer.Rules), func(e Emoji) bool { return !there(e) }) {
			drawn[offer.Rules] = ids
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.have, k.drawn = have, nil
	if k.doubtful = k.doubtful && !compared; !k.doubtful {
		k.drawn = drawn
	}
	if have < len(Set()) {
		signal(k.missing)
	}
}

// signal never blocks: one signal that nobody has taken yet is enough.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
