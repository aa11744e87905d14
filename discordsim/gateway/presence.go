package gateway

import (
	"encoding/json"
	"slices"
)

// isPresence reports whether the data of an op 3 is a presence update: the date since when the client is idle, its
// activities and its status. Discord closes the connection if one of the three is missing (api-docs#2226). The
// simulator does not show the presence of bots.
func isPresence(d json.RawMessage) bool {
	var says map[string]json.RawMessage
	if json.Unmarshal(d, &says) != nil || says["since"] == nil || says["activities"] == nil {
		return false
	}
	var in struct {
		Since      *int64 `json:"since"`
		Status     string `json:"status"`
		AFK        bool   `json:"afk"`
		Activities []struct {
			Name *string `json:"name"`
			Type *int    `json:"type"`
		} `json:"activities"`
	}
	if json.Unmarshal(d, &in) != nil {
		return false
	}
	for _, a := range in.Activities {
		if a.Name == nil || a.Type == nil {
			return false
		}
	}
	return slices.Contains([]string{"online", "dnd", "idle", "invisible", "offline"}, in.Status)
}
