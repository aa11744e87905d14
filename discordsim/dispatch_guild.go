package discordsim

// members calls f for the sessions that have an intent and whose bots are in a server.
func (s *Sim) members(guildID string, intent int, f func(*session)) {
	for _, se := range s.sessions {
		if se.intents&intent != 0 && se.concerns(guildID) && s.state.installed(se.app, guildID) {
			f(se)
		}
	}
}

// dispatchChannel tells bots that a channel or thread was created, changed or
// deleted, if they see it or saw it before.
func (s *Sim) dispatchChannel(what string, before, after *Channel) {
	kind := "CHANNEL_" + what
	if after.isThread() {
		kind = "THREAD_" + what
	}
	s.members(after.GuildID, intentGuilds, func(se *session) {
		now := s.state.permissions(se.app, after)
		if (now | s.state.permissions(se.app, before)).Has(ViewChannel) {
			object := s.state.channelObject(after, se.app)
			if kind == "THREAD_CREATE" {
				object.New = true
			}
			se.dispatch(kind, object, nil)
		}
	})
}

// dispatchRole tells bots that a role was created or changed.
func (s *Sim) dispatchRole(kind string, guildID string, role Role) {
	event := map[string]any{"guild_id": guildID, "role": role}
	s.members(guildID, intentGuilds, func(se *session) { se.dispatch(kind, event, nil) })
}

func (s *Sim) dispatchRoleDelete(guildID, roleID string) {
	event := map[string]string{"guild_id": guildID, "role_id": roleID}
	s.members(guildID, intentGuilds, func(se *session) { se.dispatch("GUILD_ROLE_DELETE", event, nil) })
}

// dispatchMember tells bots that a member joined a server or changed. A bot is
// told about its own member even without the intent.
func (s *Sim) dispatchMember(kind, guildID string, m *Member) {
	event := struct {
		guildMember
		GuildID string `json:"guild_id"`
	}{s.state.guildMember(m), guildID}
	s.members(guildID, intentGuildMembers|intentGuilds, func(se *session) {
		if se.intents&intentGuildMembers != 0 || kind == "GUILD_MEMBER_UPDATE" && se.app == m.UserID {
			se.dispatch(kind, event, nil)
		}
	})
}

// dispatchJoin tells a bot about the server that it has joined.
func (s *Sim) dispatchJoin(g *Guild, app string) {
	for _, se := range s.sessions {
		if se.app == app && se.intents&intentGuilds != 0 && se.concerns(g.ID) {
			se.dispatch("GUILD_CREATE", s.state.guildCreate(g, app), nil)
		}
	}
}

// dispatchLeave tells bots that a member left a server, and a bot that it left itself.
func (s *Sim) dispatchLeave(guildID string, left *account) {
	event := map[string]any{"guild_id": guildID, "user": left.Profile}
	s.members(guildID, intentGuildMembers, func(se *session) { se.dispatch("GUILD_MEMBER_REMOVE", event, nil) })
	for _, se := range s.sessions {
		if se.app == left.ID && se.intents&intentGuilds != 0 && se.concerns(guildID) {
			se.dispatch("GUILD_DELETE", map[string]string{"id": guildID}, nil)
		}
	}
}

// dispatchPresence tells bots with the presence intent about a person's status.
func (s *Sim) dispatchPresence(a *account) {
	for _, id := range s.state.guildOrder {
		if s.state.guilds[id].member(a.ID) == nil {
			continue
		}
		event := a.presence(id)
		s.members(id, intentPresences, func(se *session) { se.dispatch("PRESENCE_UPDATE", event, nil) })
	}
}
