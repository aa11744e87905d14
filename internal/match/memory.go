package match

import (
	"sync"
	"time"
)

const (
	// rememberedFor is how long a match is remembered after it was saved.
	rememberedFor = time.Minute
	// maxRemembered bounds how many matches are remembered in each of the two maps.
	maxRemembered = 1000
)

// memory has matches that go on as a referee last saved them, so that the next move need not load them. It is never the
// truth: what follows from a remembered match is only shown once it is saved, and the save fails if the stored version is
// another one. If another process has played on, a click on the newest board has a ply that the remembered match does not
// have, and the match is loaded.
//
// A memory is safe for concurrent use.
type memory struct {
	mu          sync.Mutex
	young, aged map[ID]remembered // when young is full it becomes aged, and the matches in aged are forgotten
}

// remembered is a match, and when it was saved.
type remembered struct {
	match Match
	saved time.Time
}

// recall returns a match if it is remembered, and forgets it: whoever saves it remembers it again.
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

// remember keeps a match that was saved, if it goes on.
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
