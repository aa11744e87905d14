package bot

import "encoding/json"

// resumption is the session that a connection resumes.
//
// Defect: discordgo v0.29.0 keeps the id of its session and the number of the latest event to itself. So a session ends with the
// process.
//
// Cure: the bot keeps both. Where discordgo identifies, the shim sends RESUME, and it numbers the heartbeats.
//
// Cost: to parse discordgo's few messages.
//
// Test: TestTheNextProcessResumes, the script restart-at-once.
type resumption struct {
	Token    string `json:"token"`
	ID       string `json:"session_id"` // empty: there is none, and discordgo identifies
	Sequence int64  `json:"seq"`
}

// inPlaceOf returns what is sent in place of discordgo's IDENTIFY.
func (r resumption) inPlaceOf(identify []byte) []byte {
	if r.ID == "" {
		return identify
	}
	body, _ := json.Marshal(map[string]any{"op": opResume, "d": r}) // strings and a number never fail
	return body
}
