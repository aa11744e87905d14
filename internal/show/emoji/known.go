package emoji

import (
	"slices"
	"sync"

	"tictactoe/game"
)

// Drawn has Discord's ids of the bot's own emoji that a board needs, by name. If it is nil, the board is drawn with Unicode emoji.
type Drawn map[string]string

// Known says which emoji of [Set] exist at Discord, as far as this process knows from the rows of the [Store]. While an emoji that a board
// may need is missing, the board is drawn with Unicode emoji. A zero Known knows of no emoji at Discord yet.
type Known struct {
	mu       sync.Mutex
	drawn    map[game.Rules]Drawn // only for rules whose emoji all exist
	have     int                  // the number of emoji of the set that exist
	doubtful bool                 // Discord has refused an emoji, and the rows have not been compared with Discord since then
}

// Count returns how many emoji of the set exist, and how many there are in the set.
func (k *Known) Count() (have, want int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.have, len(Set())
}

// For returns the emoji with which a board of the rules is drawn. It is nil if some do not exist yet, or if k is nil.
func (k *Known) For(r game.Rules) Drawn {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.drawn[r]
}

// Refused records that Discord has refused an emoji of the set, because somebody has deleted it. Until the rows are compared with Discord,
// boards are drawn with Unicode emoji.
func (k *Known) Refused() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.drawn, k.doubtful = nil, true
}

// inDoubt reports whether the rows must be compared with Discord, because an emoji was refused.
func (k *Known) inDoubt() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.doubtful
}

// learn records that the emoji in the rows exist. The argument compared reports whether the rows were just compared with Discord. If they
// were not, a refused emoji stays in doubt, and boards are still drawn with Unicode emoji.
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
}
