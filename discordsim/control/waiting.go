package control

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"tictactoe/discordsim/world"
)

const (
	// waitingLimit is the time limit of the calls that wait, in real time.
	waitingLimit = 30 * time.Second
	// waitingPause is the interval between two checks of the awaited condition.
	waitingPause = 10 * time.Millisecond
	// usualQuiet is the silence that GET /sim/quiet waits for by default.
	usualQuiet = 200 * time.Millisecond
)

// readyBot is the response of GET /sim/ready.
type readyBot struct {
	Application string   `json:"application"`
	Username    string   `json:"username"`
	Commands    []string `json:"commands"`
}

// driveReady waits until a bot has a command, and is connected to the gateway or has an interactions endpoint. With
// commands=0 it needs no command. An empty name stands for any bot.
func (c *setupCalls) driveReady(r *http.Request) (any, error) {
	ref, needsCommands := r.FormValue("bot"), r.FormValue("commands") != "0"
	var found readyBot
	err := waitUntil(r.Context(), c.w, func() bool {
		c.w.Lock()
		defer c.w.Unlock()
		for _, id := range c.w.State.AccountOrder {
			a := c.w.State.Accounts[id]
			if !a.Bot || ref != "" && ref != a.ID && ref != a.Username {
				continue
			}
			found = readyBot{Application: a.ID, Username: a.Username, Commands: []string{}}
			for _, guild := range append([]string{""}, c.w.State.GuildOrder...) {
				for _, command := range c.w.State.CommandsOf(a.ID, guild) {
					found.Commands = append(found.Commands, command.Name)
				}
			}
			reached := c.gateway.Connected(a.ID) || c.w.State.Applications[a.ID].Endpoint != ""
			if reached && (len(found.Commands) > 0 || !needsCommands) {
				return true
			}
		}
		return false
	})
	if err != nil {
		return nil, fmt.Errorf("%w: no such bot was connected and had commands within %v", err, waitingLimit)
	}
	return found, nil
}

// quiet is the response of GET /sim/quiet.
type quiet struct {
	// Unanswered lists the interactions that failed, were not answered in time, or had no message after a deferral.
	Unanswered []world.Result `json:"unanswered"`
}

// driveQuiet waits until no interaction is pending and, for a while, neither a bot nor the simulator has sent
// anything.
func (c *faultCalls) driveQuiet(r *http.Request) (any, error) {
	silence := usualQuiet
	if text := r.FormValue("ms"); text != "" {
		ms, err := strconv.Atoi(text)
		if err != nil || ms < 0 || time.Duration(ms)*time.Millisecond >= waitingLimit {
			return nil, fmt.Errorf("ms is a number of milliseconds below %v, not %q", waitingLimit, text)
		}
		silence = time.Duration(ms) * time.Millisecond
	}
	var seen quiet
	err := waitUntil(r.Context(), c.w, func() bool {
		c.w.Lock()
		defer c.w.Unlock()
		seen = quiet{c.w.Interactions.Unanswered()}
		return !c.w.Interactions.Pending() && c.transcript.Silence() >= silence
	})
	if err != nil {
		return nil, fmt.Errorf("%w: it was not quiet for %v within %v", err, silence, waitingLimit)
	}
	return seen, nil
}

// waitUntil calls done repeatedly until it returns true. It returns an error that wraps ErrUnavailable after the time
// limit, ErrClosed once the simulator is closed, and the context's error if the context ends.
func waitUntil(ctx context.Context, w *world.World, done func() bool) error {
	limit := time.NewTimer(waitingLimit)
	defer limit.Stop()
	pause := time.NewTicker(waitingPause)
	defer pause.Stop()
	for !done() {
		select {
		case <-pause.C:
		case <-limit.C:
			return world.ErrUnavailable
		case <-ctx.Done():
			return ctx.Err()
		case <-w.Life.Done():
			return world.ErrClosed
		}
	}
	return nil
}
