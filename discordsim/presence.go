package discordsim

import (
	"encoding/json"
	"slices"
)

// isPresence reports whether what a client sends with op 3 is the update of a
// presence: since when it is idle, what it does and how it is. Nobody here sees
// that. Discord closes on one without these three (api-docs#2226).
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
