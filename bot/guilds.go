package bot

import (
	"context"
	"log/slog"
	"slices"
	"sync"
)

// Guilds says which servers the bot is in, of those that a shard hears of.
type Guilds struct {
	Shard   Shard
	All     bool     // Present are all of them
	Present []string // ids of servers that the bot is in
	Gone    []string // ids of servers that the bot is not in any more
}

// guildState is what we read of a server in READY. Unavailable is a server that Discord has trouble with.
type guildState struct {
	ID          string `json:"id"`
	Unavailable bool   `json:"unavailable"`
}

// guilds gathers what the gateway says about servers until somebody has listened. It keeps the last word about each, so that
// it stays as small as the number of servers.
type guilds struct {
	mu     sync.Mutex
	known  bool            // all of them
	within map[string]bool // whether the bot is in, by server
	news   chan struct{}   // capacity 1
}

func newGuilds() *guilds {
	return &guilds{within: make(map[string]bool), news: make(chan struct{}, 1)}
}

// all takes the list of a new session. It never blocks.
func (g *guilds) all(list []guildState) {
	g.mu.Lock()
	g.known = true
	clear(g.within)
	for _, guild := range list {
		g.within[guild.ID] = true
	}
	g.mu.Unlock()
	signal(g.news)
}

// one takes a change. It never blocks.
func (g *guilds) one(id string, within bool) {
	g.mu.Lock()
	g.within[id] = within
	g.mu.Unlock()
	signal(g.news)
}

// take returns what was gathered, and forgets it.
func (g *guilds) take() Guilds {
	g.mu.Lock()
	defer g.mu.Unlock()
	news := Guilds{All: g.known}
	for id, within := range g.within {
		if within {
			news.Present = append(news.Present, id)
		} else {
			news.Gone = append(news.Gone, id)
		}
	}
	g.known = false
	clear(g.within)
	slices.Sort(news.Present)
	slices.Sort(news.Gone)
	return news
}

// tell hands the news on until ctx ends. News that were not taken are handed on again, before any later ones.
func (g *guilds) tell(ctx context.Context, listen func(context.Context, Guilds) error, log *slog.Logger) {
	for {
		select {
		case <-g.news:
		case <-ctx.Done():
			return
		}
		news := g.take()
		for attempt := 1; ; attempt++ {
			err := listen(ctx, news)
			if err == nil {
				break
			}
			if ctx.Err() != nil {
				return
			}
			log.Error("servers not noted", "attempt", attempt, "err", err)
			if pause(ctx, backoff(attempt)) != nil {
				return
			}
		}
	}
}
