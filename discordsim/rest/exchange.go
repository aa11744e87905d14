package rest

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// Exchange is one REST request and its response.
type Exchange struct {
	Time        time.Time       `json:"time"` // when the response was sent, by the simulator's clock
	Application string          `json:"application,omitempty"`
	Method      string          `json:"method"`
	Route       string          `json:"route"` // such as /channels/{channel}/messages
	Path        string          `json:"path"`  // with {token} in place of an interaction's token
	Request     json.RawMessage `json:"request,omitempty"`
	Status      int             `json:"status"`
	Response    json.RawMessage `json:"response,omitempty"`
	Took        time.Duration   `json:"took"` // real time, in nanoseconds in JSON
}

func (api *API) record(r *http.Request, c *call, template string, began time.Time, status int, response []byte) {
	if api.config.Record == nil {
		return
	}
	path := r.URL.Path
	if token := r.PathValue("token"); token != "" {
		path = strings.ReplaceAll(path, token, "{token}")
	}
	e := Exchange{
		Time: api.w.Clock.Now(), Application: c.App, Method: r.Method, Route: template, Path: path,
		Request: c.Body, Status: status, Response: response, Took: time.Since(began),
	}
	if r.URL.RawQuery != "" {
		e.Path += "?" + r.URL.RawQuery
	}
	api.recording.Lock()
	defer api.recording.Unlock()
	api.config.Record(e)
}
