package emoji

import (
	"slices"
	"sync"

	"tictactoe/game"
)

// Drawn are the emoji that a board is drawn with: Discord's ids of them by their names. The zero value has none, and then the
// board is drawn with Unicode.
type Drawn map[string]string

// Known is what a process knows of the set at Discord. A board is drawn with Unicode as long as an emoji is missing that it may need.
type Known struct {
	refused chan struct{} // capacity 1: Discord did not take an emoji of ours
	missing chan struct{} // capacity 1: the rows are not those of the whole set

	mu       sync.Mutex
	drawn    map[game.Rules]Drawn // those boards alone whose emoji are all there
	have     int                  // of the set
	trouble  error                // of the last round of who brings it, nil if it went well
	doubtful bool                 // one was refused, and the rows have not been compared with Discord since
}

// NewKnown returns a Known that knows of none.
func NewKnown() *Known {
	return &Known{refused: make(chan struct{}, 1), missing: make(chan struct{}, 1)}
}

// State is how far the set is.
type State struct {
	Have, Want int
	// Trouble is why the last round did not make it whole, nil if it did or goes on, or if another process brings it.
	Trouble error
}

// State may be asked for at any time.
func (k *Known) State() State {
	k.mu.Lock()
	defer k.mu.Unlock()
	return State{k.have, len(Set()), k.trouble}
}

// For returns the emoji of a board by those rules. A nil Known has none.
func (k *Known) For(r game.Rules) Drawn {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.drawn[r]
}

// Refused says that Discord does not take an emoji of ours any more: somebody deleted it. Boards are drawn with Unicode until the
// rows have been compared with what is there.
func (k *Known) Refused() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.drawn, k.doubtful = nil, true
	signal(k.refused)
}

// inDoubt tells whether the rows are to be compared.
func (k *Known) inDoubt() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.doubtful
}

// failed notes how a round ended.
func (k *Known) failed(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trouble = err
}

// learn takes the rows for what there is, unless Discord refused one and they were not compared since.
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
