package rest

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

// pause waits for some milliseconds, or until ctx ends.
func pause(ctx context.Context, ms int) {
	if ms <= 0 {
		return
	}
	late := time.NewTimer(time.Duration(ms) * time.Millisecond)
	defer late.Stop()
	select {
	case <-late.C:
	case <-ctx.Done():
	}
}

// misbehave applies the faults to a REST call. If it returns an error, the error
// is the response and the call is not served.
func (api *API) misbehave(c *call) error {
	hit, f := api.faults.CountREST(c.caller)
	pause(c.Context(), f.RESTDelayMS)
	if f.REST != nil {
		if status := f.REST(c.Request); status != 0 {
			return bareRefusal(status)
		}
	}
	switch {
	case !hit:
		return nil
	case f.RESTLimit != "":
		return &limitedError{after: time.Duration(f.Normal().RESTRetryAfterMS) * time.Millisecond, kind: f.RESTLimit}
	}
	return bareRefusal(f.RESTStatus)
}

func bareRefusal(status int) error {
	return check.Refusal(status, 0, fmt.Sprintf("%d: %s", status, http.StatusText(status)))
}

// callerOf returns the application that makes a request, or "" if the token, the path and the answered interaction do
// not identify it.
func (api *API) callerOf(c *call) string {
	if id, valid := world.ApplicationOf(c.Header.Get("Authorization")); valid {
		return id
	}
	api.w.Lock()
	defer api.w.Unlock()
	if app := c.PathValue("app"); app != "" {
		return api.w.State.Speaker(app)
	}
	id := c.PathValue("interaction")
	if g := api.w.State.Grants[id]; g != nil {
		return g.Application
	}
	if in := api.w.Interactions.Find(id); in != nil {
		return in.ApplicationID
	}
	return ""
}

// delayAnswer delays the response to a callback by the fault CallbackDelayMS.
func (api *API) delayAnswer(c *call) {
	api.w.Lock()
	f := api.faults.Of(c.caller)
	api.w.Unlock()
	pause(c.Context(), f.CallbackDelayMS)
}
