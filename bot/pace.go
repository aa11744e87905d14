package bot

import (
	"math"
	"time"

	"golang.org/x/time/rate"
)

// paceBurst is how many seconds' worth of interactions a person may ask for at once.
const paceBurst = 4

// paceLimit bounds how many people are remembered, in each of two generations.
const paceLimit = 8192

// paces holds every person to a rate. Who was not heard for paceBurst seconds may be forgotten: their burst is full again, as
// that of a newcomer is. A generation is kept for that long at least, unless more than paceLimit people come in it.
type paces struct {
	rate              rate.Limit // 0: none
	current, previous map[string]*rate.Limiter
	since             time.Time
}

// allow reports whether that person may ask for one more now.
func (p *paces) allow(person string) bool {
	if p.rate == 0 || person == "" {
		return true
	}
	now := time.Now()
	if p.current == nil || len(p.current) >= paceLimit || now.Sub(p.since) > paceBurst*time.Second {
		p.current, p.previous, p.since = make(map[string]*rate.Limiter), p.current, now
	}
	pace := p.current[person]
	if pace == nil {
		if pace = p.previous[person]; pace == nil {
			pace = rate.NewLimiter(p.rate, int(math.Ceil(paceBurst*float64(p.rate))))
		}
		p.current[person] = pace
	}
	return pace.AllowN(now, 1)
}
