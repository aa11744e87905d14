package match

import (
	"sync"
	"time"
)

const (
	// rememberedFor is how long a match is remembered that nobody plays on.
	rememberedFor = time.Minute
	// maxRemembered bounds how many matches are remembered, in either half of the memory.
	maxRemembered = 1000
)

// memory has the matches that go on as a referee saved them last, so that the next move needs not load them. It is never the truth: what
// follows from it is only what is saved, and that fails if the stored version is another one. Where another process has gone on with a
// match, a click on its newest board has a ply that what is remembered does not have, so that it is loaded before anything is saved.
// A memory is safe for concurrent use.
type memory struct {
	mu          sync.Mutex
	young, aged map[ID]remembered // when the young are many, they are the aged, and those are forgotten
}

// remembered is a match, and when it was saved.
type remembered struct {
	match Match
	saved time.Time
}

// recall reports a match, if it is remembered, and forgets it: whoever saves it remembers it again.
func (k *memory) recall(id ID, now time.Time) (Match, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	r, known := k.young[id]
	if !known {
		r, known = k.aged[id]
	}
	delete(k.young, id)
	delete(k.aged, id)
	return r.match, known && now.Sub(r.saved).Abs() < rememberedFor
}

// remember keeps a match that was saved.
func (k *memory) remember(m Match, now time.Time) {
	if m.Result.Over() {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.young == nil || len(k.young) >= maxRemembered {
		k.young, k.aged = make(map[ID]remembered), k.young
	}
	k.young[m.ID] = remembered{m, now}
}
