package discordsim

import (
	"context"

	"tictactoe/discordsim/rest"
)

// Bot is one application on the simulator. A Bot may be created before its
// application exists.
type Bot struct {
	sim *Sim
	app string
}

// Bot returns the bot of the application with the given id.
func (s *Sim) Bot(application string) *Bot { return &Bot{s, application} }

// SetFaults replaces the faults for this bot. The faults for all bots then no
// longer apply to it.
func (b *Bot) SetFaults(f Faults) error { return b.sim.faults.Set(b.app, f) }

// ClearFaults removes the bot's own faults, so that the faults for all bots apply again.
func (b *Bot) ClearFaults() { b.sim.faults.Clear(b.app) }

// Arrivals returns how often the bot has connected to the gateway, counting the
// READY and RESUMED events sent to it.
func (b *Bot) Arrivals() int { return b.sim.gateway.Arrivals(b.app) }

// Attendance returns whether and how often the bot has connected to a shard. A bot without shards has shard 0.
func (b *Bot) Attendance(shard int) Attendance { return b.sim.gateway.Attendance(b.app, shard) }

// DropGateway cuts the bot's gateway connections without a close code and returns their number. The sessions can be
// resumed.
func (b *Bot) DropGateway() int { return b.sim.gateway.Drop(b.app) }

// CloseGateway closes the bot's gateway connections with a close code. A session cannot be resumed if Discord
// documents that its client needs a new session after that code.
func (b *Bot) CloseGateway(code int, reason string) int {
	return b.sim.gateway.Close(b.app, code, reason)
}

// Reconnect asks the bot to reconnect and resume (op 7).
func (b *Bot) Reconnect() int { return b.sim.gateway.Reconnect(b.app) }

// AskForHeartbeat asks the bot for a heartbeat (op 1). A connection without a
// heartbeat within 10 s is cut.
func (b *Bot) AskForHeartbeat() int { return b.sim.gateway.AskForHeartbeat(b.app) }

// InvalidateSessions tells the bot that its sessions are invalid (op 9). If resumable is set, it may still resume the
// sessions; otherwise it must identify again.
func (b *Bot) InvalidateSessions(resumable bool) int {
	return b.sim.gateway.InvalidateSessions(b.app, resumable)
}

// SetEndpoint sends the bot's interactions to a URL instead of the gateway; an empty URL selects the gateway again.
// The endpoint must answer a PING and refuse a bad signature at once; otherwise the error says how it answered.
func (b *Bot) SetEndpoint(ctx context.Context, url string) error {
	return b.sim.rest.SetEndpoint(ctx, b.app, url)
}

// VerifyKey returns the public key that verifies the signatures of the bot's
// interactions, in hexadecimal. It stays the same across restarts.
func (b *Bot) VerifyKey() string { return rest.VerifyKey(b.app) }

// AddEmoji gives the bot's application an emoji and returns its id. The limits of uploads do not apply.
func (b *Bot) AddEmoji(name string, image []byte) (id string, err error) {
	return b.sim.rest.AddEmoji(b.app, name, image)
}

// SetFaults replaces the faults for all bots without faults of their own. It
// returns an error if a value is invalid.
func (s *Sim) SetFaults(f Faults) error { return s.faults.Set("", f) }

// DropGateway is like [Bot.DropGateway], for all bots.
func (s *Sim) DropGateway() int { return s.gateway.Drop("") }

// CloseGateway is like [Bot.CloseGateway], for all bots.
func (s *Sim) CloseGateway(code int, reason string) int { return s.gateway.Close("", code, reason) }

// Reconnect is like [Bot.Reconnect], for all bots.
func (s *Sim) Reconnect() int { return s.gateway.Reconnect("") }

// InvalidateSessions is like [Bot.InvalidateSessions], for all bots.
func (s *Sim) InvalidateSessions(resumable bool) int {
	return s.gateway.InvalidateSessions("", resumable)
}
