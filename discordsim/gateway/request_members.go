package gateway

import (
	"encoding/json"
	"slices"

	"tictactoe/discordsim/world"
)

const (
	// maxFound is the maximum number of members found by a request by name or by ids.
	maxFound = 100
	// chunkMembers is the number of members in one GUILD_MEMBERS_CHUNK.
	chunkMembers = 1000
	// maxNonce is the maximum length of a nonce that is returned, in bytes.
	maxNonce = 32
)

// membersRequest is the object of op 8.
type membersRequest struct {
	Guild     snowflakes `json:"guild_id"`
	Query     *string    `json:"query"`
	Limit     int        `json:"limit"`
	Presences bool       `json:"presences"`
	Users     snowflakes `json:"user_ids"`
	Nonce     string     `json:"nonce"`
}

// snowflakes is a list of ids. A client may send a single id without the list.
type snowflakes []world.Snowflake

// UnmarshalJSON reads a list of ids or a single id; null is an empty list.
func (s *snowflakes) UnmarshalJSON(text []byte) error {
	if text[0] == '[' {
		return json.Unmarshal(text, (*[]world.Snowflake)(s))
	}
	var one world.Snowflake
	if err := json.Unmarshal(text, &one); err != nil || one == "" {
		return err
	}
	*s = snowflakes{one}
	return nil
}

// requestMembers handles op 8, which requests members of a server: all members,
// the members whose name begins with a query, or members by id.
func (c *connection) requestMembers(d json.RawMessage) {
	var in membersRequest
	if json.Unmarshal(d, &in) != nil || len(in.Guild) != 1 || in.Limit < 0 || in.Query == nil && in.Users == nil {
		c.close(CloseDecode, "Error while decoding payload.")
		return
	}
	g := c.gateway
	g.w.Lock()
	defer g.w.Unlock()
	if se := c.session; se != nil {
		g.tellMembers(se, in)
	}
}

// tellMembers sends the requested members. As on Discord, it sends nothing if the
// bot is not in the server, or requests all members without the members intent.
func (g *Gateway) tellMembers(se *session, in membersRequest) {
	guild := g.w.State.Guilds[string(in.Guild[0])]
	everybody := in.Users == nil && *in.Query == "" && in.Limit == 0
	switch {
	case guild == nil, guild.Member(se.app) == nil, !se.concerns(guild.ID), everybody && se.intents&world.IntentGuildMembers == 0:
		return
	}
	var found []*world.Member
	missing := slices.Clone(in.Users)
	for i := range guild.Members {
		m := &guild.Members[i]
		if in.Users == nil {
			if !g.w.State.MemberNamed(m, *in.Query) {
				continue
			}
		} else if !slices.Contains(in.Users, world.Snowflake(m.UserID)) {
			continue
		}
		missing = slices.DeleteFunc(missing, func(id world.Snowflake) bool { return string(id) == m.UserID })
		found = append(found, m)
	}
	if !everybody {
		most := maxFound
		if in.Users == nil && in.Limit > 0 {
			most = min(most, in.Limit)
		}
		found = found[:min(len(found), most)]
	}
	chunks := slices.Collect(slices.Chunk(found, chunkMembers))
	if len(chunks) == 0 {
		chunks = [][]*world.Member{nil}
	}
	for i, some := range chunks {
		event := map[string]any{"guild_id": guild.ID, "chunk_index": i, "chunk_count": len(chunks)}
		members, presences := []world.GuildMember{}, []world.Presence{}
		for _, m := range some {
			members = append(members, g.w.State.GuildMember(m))
			if a := g.w.State.Accounts[m.UserID]; a.CurrentStatus() != "offline" {
				presences = append(presences, a.Presence(guild.ID))
			}
		}
		event["members"] = members
		if in.Presences && se.intents&world.IntentPresences != 0 {
			event["presences"] = presences
		}
		if in.Users != nil {
			event["not_found"] = append([]world.Snowflake{}, missing...)
		}
		if in.Nonce != "" && len(in.Nonce) <= maxNonce {
			event["nonce"] = in.Nonce
		}
		se.dispatch("GUILD_MEMBERS_CHUNK", event, nil)
	}
}
