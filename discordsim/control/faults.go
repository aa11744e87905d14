package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"tictactoe/discordsim/faults"
	"tictactoe/discordsim/gateway"
	"tictactoe/discordsim/transcript"
)

// driveFaults handles GET /sim/faults.
func (c *faultCalls) driveFaults(*http.Request) (any, error) {
	all, bots := c.faults.All()
	return map[string]any{"all": all, "bots": bots}, nil
}

// driveSetFaults handles PUT /sim/faults.
func (c *faultCalls) driveSetFaults(r *http.Request, in *struct {
	Application string
	Faults      json.RawMessage
}) (any, error) {
	app, err := c.w.Accounts.Bot(in.Application)
	if err != nil {
		return nil, err
	}
	var f faults.Faults
	if err := strictJSON(in.Faults, &f); err != nil {
		return nil, err
	}
	// A call over HTTP does not remove the hooks set by the embedding program.
	c.w.Lock()
	now := c.faults.Of(app)
	f.BeforeCallback, f.REST, f.Garble = now.BeforeCallback, now.REST, now.Garble
	c.w.Unlock()
	var some map[string]any
	if json.Unmarshal(in.Faults, &some); app != "" && len(some) == 0 {
		c.faults.Clear(app)
	} else if err := c.faults.Set(app, f); err != nil {
		return nil, err
	}
	return c.driveFaults(r)
}

// driveGateway handles POST /sim/gateway.
func (c *faultCalls) driveGateway(_ *http.Request, in *struct {
	Application, Action string
	Code                int
}) (any, error) {
	app, err := c.w.Accounts.Bot(in.Application)
	if err != nil {
		return nil, err
	}
	if in.Code != 0 && in.Action != "close" {
		return nil, fmt.Errorf("the action %q has no code", in.Action)
	}
	n := 0
	switch in.Action {
	case "reconnect":
		n = c.gateway.Reconnect(app)
	case "invalid":
		n = c.gateway.InvalidateSessions(app, false)
	case "invalid_resumable":
		n = c.gateway.InvalidateSessions(app, true)
	case "heartbeat":
		n = c.gateway.AskForHeartbeat(app)
	case "drop":
		n = c.gateway.Drop(app)
	case "close":
		if in.Code == 0 {
			in.Code = gateway.CloseUnknownError
		}
		if in.Code < 1000 || in.Code > 4999 || in.Code >= 1004 && in.Code <= 1006 || in.Code == 1015 {
			return nil, fmt.Errorf("%d is no close code that can be sent", in.Code)
		}
		n = c.gateway.Close(app, in.Code, "Closed on demand.")
	default:
		return nil, fmt.Errorf("the gateway has no action %q", in.Action)
	}
	return map[string]int{"connections": n}, nil
}

// driveRateLimits handles GET /sim/rate-limits.
func (c *faultCalls) driveRateLimits(*http.Request) (any, error) {
	return map[string]bool{"on": !c.w.Unlimited()}, nil
}

// driveSetRateLimits handles PUT /sim/rate-limits.
func (c *faultCalls) driveSetRateLimits(r *http.Request, in *struct{ On *bool }) (any, error) {
	if in.On == nil {
		return nil, errors.New(`rate limits are "on": true or false`)
	}
	c.w.SetRateLimits(*in.On)
	return c.driveRateLimits(r)
}

// serveTranscript handles GET /sim/transcript.
func (c *faultCalls) serveTranscript(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	filter := transcript.Filter{Interaction: query.Get("interaction"), Message: query.Get("message")}
	if last := query.Get("last"); last != "" {
		n, err := strconv.Atoi(last)
		if err != nil || n < 1 {
			writeDriven(w, nil, errors.New("last is a number of lines, from 1"))
			return
		}
		filter.Last = n
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Content-Disposition", `attachment; filename="transcript.jsonl"`)
	w.Header().Set("Cache-Control", "no-store")
	c.transcript.Write(w, filter) // fails only if the client has disconnected
}
