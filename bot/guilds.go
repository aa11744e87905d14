package bot

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"tictactoe/bot/gateway"
)

// Guilds is news about the servers of one shard, by their ids. No server is both in Present and in Gone.
type Guilds struct {
	Shard   gateway.Shard
	All     bool     // Present lists all servers of the shard
	Resumed bool     // a session was resumed: the servers known before still count, and Discord sends the missed events
	Present []string // the bot is in these servers: all at every new session, and each server that it joins later
	Gone    []string // the bot was removed from these, or they were deleted
	Changed []string // a channel, a thread, a role or the bot's own membership changed in these
}

// guilds gathers Discord's news about servers until take is called. Newer news about a server replaces older news, so there is at most one
// piece for each server. While the connection lasts, guilds also knows in which servers the bot is.
type guilds struct {
	news chan struct{} // capacity 1: there is news to take

	mu      sync.Mutex
	present map[string]bool // the servers that the bot is in, as far as known
	known   bool            // present holds all servers; part of the news
	resumed bool            // a session was resumed; part of the news
	within  map[string]bool // whether the bot is in the server with an id; part of the news
	changed map[string]bool // the servers in which something changed; part of the news
	telling bool            // the news that was taken is not passed on yet
}

func newGuilds() *guilds {
	return &guilds{
		news: make(chan struct{}, 1), present: make(map[string]bool), within: make(map[string]bool), changed: make(map[string]bool),
	}
}

// note calls change, which adds news, and signals on g.news that there is news. It never blocks.
func (g *guilds) note(change func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change()
	select {
	case g.news <- struct{}{}:
	default: // a pending signal is enough
	}
}

// setAll records the list of all servers of the shard. A server that was known and is not in the list has removed the bot.
func (g *guilds) setAll(ids []string) {
	g.note(func() {
		before := g.present
		g.known, g.present = true, make(map[string]bool)
		for id := range before {
			g.within[id] = false
		}
		for _, id := range ids {
			g.enter(id)
		}
	})
}

// enter records that the bot is in a server; the caller holds mu.
func (g *guilds) enter(id string) { g.within[id], g.present[id] = true, true }

// resume restores the servers known at the end of the session that is about to be resumed. They have been reported already.
func (g *guilds) resume(ids []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, id := range ids {
		g.present[id] = true
	}
}

// noteResumed records that the session was resumed.
func (g *guilds) noteResumed() { g.note(func() { g.resumed = true }) }

// meet records that the bot is in a server from which an interaction came.
func (g *guilds) meet(id string) {
	if !g.has(id) {
		g.note(func() { g.enter(id) })
	}
}

// event records the news in a gateway event about a server, and ignores all other events. It never blocks.
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
	// An unreadable event names no server. A server that is unavailable because of an outage has not removed the bot.
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

// has reports whether the bot is known to be in a server.
func (g *guilds) has(id string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.present[id]
}

// take returns the gathered news and forgets it.
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

// untold reports whether there is news that was not taken, or was taken and not passed on yet.
func (g *guilds) untold() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.telling || g.known || g.resumed || len(g.within)+len(g.changed) > 0
}

// handedOn records that the news that take returned has been delivered.
func (g *guilds) handedOn() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.telling = false
}
