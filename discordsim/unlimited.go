package discordsim

import (
	"errors"
	"net/http"
)

// SetRateLimits switches Discord's rate limits on or off: the limits of REST, the ban of
// an address and the limit on late edits, and on the gateway the limits on frames and on
// IDENTIFY. Without rate limits, responses have no bucket headers, like the responses of
// Discord's unlimited routes. Limits requested by Faults.RESTLimit still apply.
func (s *Sim) SetRateLimits(on bool) { s.unlimited.Store(!on) }

// driveRateLimits handles GET /sim/rate-limits.
func (s *Sim) driveRateLimits(*http.Request) (any, error) {
	return map[string]bool{"on": !s.unlimited.Load()}, nil
}

// driveSetRateLimits handles PUT /sim/rate-limits.
func (s *Sim) driveSetRateLimits(r *http.Request) (any, error) {
	var in struct {
		On *bool `json:"on"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	if in.On == nil {
		return nil, errors.New(`rate limits are "on": true or false`)
	}
	s.SetRateLimits(*in.On)
	return s.driveRateLimits(r)
}
