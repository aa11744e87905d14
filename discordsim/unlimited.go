package discordsim

import (
	"errors"
	"net/http"
)

// SetRateLimits says whether there are rate limits, as there are on Discord:
// those of REST, the ban of an address and the limit on late edits, and on the
// gateway those on frames and on IDENTIFY. Without them answers have no header
// of a bucket, as those of Discord's routes without one. Limits that
// Faults.RESTLimit asks for are told all the same.
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
