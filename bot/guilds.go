package bot

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"sync"
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

// guildState is what we read of a server in READY. Unavailable is a server that Discord has trouble with.
type guildState struct {
	ID          string `json:"id"`
	Unavailable bool   `json:"unavailable"`
}

// guilds gathers what Discord says about servers until somebody has listened. It keeps the last word about each, so that
// it stays as small as the number of servers, and which servers the bot is in for as long as it hears of them.
type guilds struct {
	mu      sync.Mutex
	present map[string]bool // the servers that the bot is in
	known   bool            // all of them
	resumed bool            // a session was
	telling bool            // what was taken is being handed on
	within  map[string]bool // whether the bot is in, by server
	changed map[string]bool // where something did
	news    chan struct{}   // capacity 1
}

func newGuilds() *guilds {
	return &guilds{present: make(map[string]bool), within: make(map[string]bool), changed: make(map[string]bool), news: make(chan struct{}, 1)}
}

// all takes a list of all that there are, as of a new session, and which others are known to be left. It never blocks.
func (g *guilds) all(list []guildState, gone ...string) {
	g.mu.Lock()
	g.known = true
	clear(g.within)
	clear(g.present)
	for _, guild := range list {
		g.within[guild.ID], g.present[guild.ID] = true, true
	}
	for _, id := range gone {
		g.within[id] = false
	}
	g.mu.Unlock()
	signal(g.news)
}

// resume takes the list of all that there were when a session ended that is to be resumed, of which somebody was told then.
func (g *guilds) resume(list []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, id := range list {
		g.present[id] = true
	}
}

// again takes it that a session was resumed. It never blocks.
func (g *guilds) again() {
	g.mu.Lock()
	g.resumed = true
	g.mu.Unlock()
	signal(g.news)
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
	switch kind {
	case "GUILD_CREATE", "GUILD_DELETE":
		g.one(data.ID, kind == "GUILD_CREATE")
	default:
		g.change(data.GuildID)
	}
}

// one takes whether the bot is in a server. It never blocks.
func (g *guilds) one(id string, within bool) {
	if id == "" {
		return
	}
	g.mu.Lock()
	g.within[id] = within
	if within {
		g.present[id] = true
	} else {
		delete(g.present, id)
	}
	g.mu.Unlock()
	signal(g.news)
}

// change takes that something changed in a server. It never blocks.
func (g *guilds) change(id string) {
	if id == "" {
		return
	}
	g.mu.Lock()
	g.changed[id] = true
	g.mu.Unlock()
	signal(g.news)
}

// has tells whether the bot is known to be in a server.
func (g *guilds) has(id string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.present[id]
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

// tell hands the news on until ctx ends. News that were not taken are handed on again, before any later ones. Told is called
// whenever some were taken.
func (g *guilds) tell(ctx context.Context, listen func(context.Context, Guilds) error, told func(), log *slog.Logger) {
	for {
		select {
		case <-g.news:
		case <-ctx.Done():
			return
		}
		news := g.take()
		if retry(ctx, log, "servers not noted", func() error { return listen(ctx, news) }, nil) != nil {
			return
		}
		g.handedOn()
		told()
	}
}
