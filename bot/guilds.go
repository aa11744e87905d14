package bot

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"
)

// Guilds is what became known of the bot's servers, by their ids, of those that a shard hears of. No id is both present and
// gone.
type Guilds struct {
	Shard   Shard
	All     bool     // Present are all that there are
	Resumed bool     // a session was resumed: what was known at its end still holds, and what happened since is told
	Present []string // the bot is in these: said of each at every new session, and of one that it joins
	Gone    []string // the bot was removed from these, or they were deleted
	Changed []string // in these a channel, a thread, a role or the bot's own membership changed
}

// guilds gathers what Discord says about servers until somebody has listened. It keeps the last word about each, so that
// it stays as small as the number of servers, and which servers the bot is in for as long as it hears of them.
type guilds struct {
	news chan struct{} // capacity 1: there is something to take

	mu      sync.Mutex
	present map[string]time.Time // when the bot was last known to be in each of these servers
	known   bool                 // all of them
	resumed bool                 // a session was
	telling bool                 // what was taken is being handed on
	within  map[string]bool      // whether the bot is in, by server, of what was not taken yet
	changed map[string]bool      // where something did
}

func newGuilds() *guilds {
	return &guilds{
		news: make(chan struct{}, 1), present: make(map[string]time.Time), within: make(map[string]bool), changed: make(map[string]bool),
	}
}

// note changes what is known, and tells that there is news. It never blocks.
func (g *guilds) note(change func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change()
	signal(g.news)
}

// all takes a list of all that there are. The bot has left the others that it was in.
func (g *guilds) all(ids []string) {
	g.note(func() {
		before := g.present
		g.known, g.present = true, make(map[string]time.Time)
		clear(g.within)
		for id := range before {
			g.within[id] = false
		}
		for _, id := range ids {
			g.enter(id)
		}
	})
}

// enter notes that the bot is in a server; the caller holds mu.
func (g *guilds) enter(id string) { g.within[id], g.present[id] = true, time.Now() }

// resume takes the list of all that there were when a session ended that is to be resumed, of which somebody was told then.
func (g *guilds) resume(ids []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, id := range ids {
		g.present[id] = time.Now()
	}
}

// again takes it that a session was resumed.
func (g *guilds) again() { g.note(func() { g.resumed = true }) }

// meet takes it that an interaction showed that the bot is in a server. That is news once a day at most: another process may
// have seen meanwhile that the bot has left.
func (g *guilds) meet(id string) {
	g.mu.Lock()
	known, is := g.present[id]
	g.mu.Unlock()
	if !is || time.Since(known) >= listEvery {
		g.note(func() { g.enter(id) })
	}
}

// event takes what an event says about a server, if it says anything of interest. It never blocks.
func (g *guilds) event(kind string, raw json.RawMessage) {
	switch kind {
	case "GUILD_CREATE", "GUILD_DELETE", "CHANNEL_UPDATE", "THREAD_UPDATE", "GUILD_ROLE_UPDATE", "GUILD_MEMBER_UPDATE":
	default:
		return
	}
	var data struct {
		ID          string `json:"id"`
		GuildID     string `json:"guild_id"`
		Unavailable bool   `json:"unavailable"`
	}
	// One that cannot be read tells of no server, and by an outage of Discord's nobody was removed.
	if json.Unmarshal(raw, &data) != nil || data.Unavailable {
		return
	}
	switch {
	case kind == "GUILD_CREATE" && data.ID != "":
		g.note(func() { g.enter(data.ID) })
	case kind == "GUILD_DELETE" && data.ID != "":
		g.note(func() { g.within[data.ID] = false; delete(g.present, data.ID) })
	case data.GuildID != "":
		g.note(func() { g.changed[data.GuildID] = true })
	}
}

// has tells whether the bot is known to be in a server.
func (g *guilds) has(id string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, is := g.present[id]
	return is
}

// take returns what was gathered, and forgets it.
func (g *guilds) take() Guilds {
	g.mu.Lock()
	defer g.mu.Unlock()
	news := Guilds{All: g.known, Resumed: g.resumed, Changed: slices.Sorted(maps.Keys(g.changed))}
	for id, within := range g.within {
		if within {
			news.Present = append(news.Present, id)
		} else {
			news.Gone = append(news.Gone, id)
		}
	}
	g.known, g.resumed, g.telling = false, false, true
	clear(g.within)
	clear(g.changed)
	slices.Sort(news.Present)
	slices.Sort(news.Gone)
	return news
}

// untold tells whether there is something that nobody has listened to yet.
func (g *guilds) untold() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.telling || g.known || g.resumed || len(g.within)+len(g.changed) > 0
}

// handedOn notes that somebody has listened to what was taken.
func (g *guilds) handedOn() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.telling = false
}
