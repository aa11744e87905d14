package discordsim

import "net/http"

var identityRoutes = []route{
	{pattern: "GET /gateway", serve: (*Sim).gatewayURL, open: true},
	{pattern: "GET /gateway/bot", serve: (*Sim).gatewayBot, limit: someLookUps},
	{pattern: "GET /users/@me", serve: (*Sim).userSelf, limit: someLookUps},
	{pattern: "PATCH /users/@me", serve: (*Sim).userRename, limit: someLookUps},
	{pattern: "GET /users/{user}", serve: (*Sim).userGet, limit: someLookUps},
	{pattern: "POST /users/@me/channels", serve: (*Sim).userDirect, limit: someLookUps},
	{pattern: "GET /applications/@me", serve: (*Sim).applicationSelf, limit: someLookUps},
	{pattern: "GET /oauth2/applications/@me", serve: (*Sim).applicationSelf, limit: someLookUps},
}

// self returns a bot's user object as the bot sees it.
func (s *Sim) self(app string) any {
	return struct {
		Profile
		Verified    bool    `json:"verified"`
		MFAEnabled  bool    `json:"mfa_enabled"`
		Email       *string `json:"email"`
		Banner      *string `json:"banner"`
		AccentColor *int    `json:"accent_color"`
		Locale      string  `json:"locale"`
	}{Profile: s.state.accounts[app].Profile, Verified: true, MFAEnabled: true, Locale: "en-US"}
}

func (s *Sim) gatewayURL(c *call) (answer, error) {
	return ok(map[string]any{"url": gatewayAt(c.Request)}), nil
}

// gatewayAt returns the URL of the gateway on the host that the client used.
func gatewayAt(r *http.Request) string {
	if r.TLS != nil {
		return "wss://" + r.Host + "/ws"
	}
	return "ws://" + r.Host + "/ws"
}

func (s *Sim) gatewayBot(c *call) (a answer, err error) {
	err = s.locked(func() error {
		shards := max(1, (s.guildsOf(c.App, nil)+guildsAShard-1)/guildsAShard)
		a = ok(map[string]any{"url": gatewayAt(c.Request), "shards": shards, "session_start_limit": s.sessionStartLimit(c.App)})
		return nil
	})
	return a, err
}

func (s *Sim) userSelf(c *call) (a answer, err error) {
	err = s.locked(func() error {
		a = ok(s.self(c.App))
		return nil
	})
	return a, err
}

func (s *Sim) userRename(c *call) (a answer, err error) {
	if refused := s.checker.UserEdit(c.Body); refused != nil {
		return a, refused
	}
	var body struct {
		Username *string `json:"username"`
	}
	if err := c.decode(&body); err != nil {
		return a, err
	}
	err = s.locked(func() error {
		if name := body.Username; name != nil {
			if other := s.state.accountByName(*name); other != nil && other.ID != c.App {
				return invalidForm("username", "USERNAME_TOO_MANY_USERS", "Too many users have this username, please try another")
			}
			renamed := *s.state.accounts[c.App]
			renamed.Username = *name
			s.put(change{Account: &renamed})
			s.publishState()
		}
		a = ok(s.self(c.App))
		return nil
	})
	return a, err
}

func (s *Sim) userGet(c *call) (a answer, err error) {
	err = s.locked(func() error {
		found := s.state.accounts[c.PathValue("user")]
		if found == nil {
			return errUnknownUser
		}
		a = ok(found.Profile)
		return nil
	})
	return a, err
}

func (s *Sim) userDirect(c *call) (a answer, err error) {
	if refused := s.checker.DirectCreate(c.Body); refused != nil {
		return a, refused
	}
	var body struct {
		Recipient snowflake `json:"recipient_id"`
	}
	if err := c.decode(&body); err != nil {
		return a, err
	}
	err = s.locked(func() error {
		other := s.state.accounts[string(body.Recipient)]
		switch {
		case other == nil:
			return errUnknownUser
		case other.Bot:
			return errCannotMessage
		}
		a = ok(s.state.channelObject(s.openDirect(c.App, other.ID), c.App))
		return nil
	})
	return a, err
}

func (s *Sim) applicationSelf(c *call) (a answer, err error) {
	err = s.locked(func() error {
		bot := s.state.accounts[c.App]
		owner := s.state.accounts[s.state.accountOrder[0]].Profile
		a = ok(map[string]any{
			"id": c.App, "name": bot.Username, "icon": nil, "description": "", "type": nil, "summary": "",
			"bot": bot.Profile, "bot_public": true, "bot_require_code_grant": false, "owner": owner, "team": nil,
			"verify_key": verifyKey(c.App), "flags": 0, "flags_new": "0", "tags": []string{}, "redirect_uris": []string{},
			"interactions_endpoint_url": s.endpointOf(c.App), "role_connections_verification_url": nil, "event_webhooks_url": nil,
			"approximate_guild_count": s.guildsOf(c.App, nil), "approximate_user_install_count": 0,
			"approximate_user_authorization_count": 0, "explicit_content_filter": 0, "eligible_oauth2_scopes": []string{},
			"integration_types_config": map[string]any{"0": map[string]any{}, "1": map[string]any{}},
			"install_params":           map[string]any{"scopes": []string{"applications.commands", "bot"}, "permissions": "0"},
		})
		return nil
	})
	return a, err
}
