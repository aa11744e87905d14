package world

import (
	"fmt"
	"maps"
)

// Fresh reports whether New created the state because there was no state file.
func (w *World) Fresh() bool { return w.fresh }

// Blank returns an empty world in memory, at the same date. Its ids continue the ids of w. It takes the lock.
func (w *World) Blank() (*World, error) {
	config := w.Config
	config.State, config.Empty, config.Start = "", true, w.Clock.Now()
	blank, err := New(config)
	if err != nil {
		return nil, err
	}
	w.Lock()
	defer w.Unlock()
	blank.State.mint = w.State.mint
	return blank, nil
}

// Become replaces the state by the state of a blank world that has been filled. The clock keeps running. Bots stay,
// with their commands, emoji, endpoints and direct-message channels, but a bot with commands in the new world has
// only the new commands. Bots are told that they leave all servers and join the new ones. Interactions in flight time out, and
// all results are forgotten. It takes the lock.
func (w *World) Become(filled *World) error {
	return w.Locked(func() error {
		old, st := w.State, filled.State
		if err := filled.admit(old); err != nil {
			return err
		}
		for _, id := range old.GuildOrder {
			w.Events.toGuild(id, "GUILD_DELETE", IntentGuilds, map[string]string{"id": id})
		}
		w.Interactions.forget()
		st.mint.see(old.mint.last)
		st.offset, st.pending = old.offset, nil
		if j := old.journal; j != nil {
			j.state = st
			if err := j.rewrite(); err != nil {
				j.state = old
				return err
			}
			st.journal = j
		}
		w.State = st
		filled.endLife()
		for _, id := range st.GuildOrder {
			w.Events.GuildCreate(st.Guilds[id])
		}
		w.Events.PublishClock()
		w.Events.PublishState()
		return nil
	})
}

// admit adds the bots of another state, and the objects that belong to them. Bots that w already has keep the name
// and the commands that they have in w.
func (w *World) admit(old *State) error {
	st := w.State
	for _, id := range old.AccountOrder {
		bot := old.Accounts[id]
		if !bot.Bot {
			continue
		}
		switch here := st.Accounts[id]; {
		case here != nil && !here.Bot:
			return fmt.Errorf("the id %s of %s is taken by the bot %s", id, here.Username, bot.Username)
		case here == nil && st.AccountByName(bot.Username) != nil:
			return fmt.Errorf("the username %q is taken by a bot", bot.Username)
		case here == nil:
			w.Accounts.add(bot)
		}
		w.Put(Change{Application: old.Applications[id]})
		w.keepCommands(id, old)
	}
	for _, e := range old.Emojis {
		w.Put(Change{Emoji: e})
	}
	maps.Copy(st.Avatars, old.Avatars)
	for _, before := range old.directs { // bots remember the channels' ids
		now := st.direct(before.Recipients[0], before.Recipients[1])
		if now == nil || now.ID == before.ID || len(st.Posts[now.ID]) > 0 {
			continue
		}
		w.Put(Change{ChannelDeleted: now.ID})
		w.Put(Change{Channel: &Channel{ID: before.ID, Type: ChannelDirect, Recipients: before.Recipients}})
	}
	return nil
}

// keepCommands adds the commands that an application has in another state, unless the application has commands in w.
func (w *World) keepCommands(app string, old *State) {
	for _, c := range w.State.Commands {
		if c.ApplicationID == app {
			return
		}
	}
	for _, c := range old.Commands {
		if c.ApplicationID == app && (c.GuildID == "" || w.State.Installed(app, c.GuildID)) {
			w.Put(Change{Command: c})
		}
	}
}

// forget times out the interactions in flight and forgets all results.
func (ins *Interactions) forget() {
	for _, in := range ins.inFlight {
		ins.Settle(in, TimedOut, nil)
		in.timer.Stop()
	}
	ins.inFlight, ins.deferred, ins.settledLog = map[string]*Interaction{}, map[string][]*Interaction{}, settledLog{}
}
