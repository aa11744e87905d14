package discordsim

import "net/http"

var identityRoutes = []route{
	{pattern: "GET /gateway", serve: gatewayURL, open: true},
	{pattern: "GET /gateway/bot", serve: gatewayBot, limit: someLookUps},
	{pattern: "GET /users/@me", serve: userSelf, limit: someLookUps},
	{pattern: "PATCH /users/@me", serve: userRename, limit: someLookUps},
	{pattern: "GET /users/{user}", serve: userGet, limit: someLookUps},
	{pattern: "POST /users/@me/channels", serve: userDirect, limit: someLookUps},
	{pattern: "GET /applications/@me", serve: applicationSelf, limit: someLookUps},
	{pattern: "GET /oauth2/applications/@me", serve: applicationSelf, limit: someLookUps},
}

// self returns a bot's user object as the bot sees it.
func (st *state) self(app string) any {
	return struct {
		Profile
		Verified    bool    `json:"verified"`
		MFAEnabled  bool    `json:"mfa_enabled"`
		Email       *string `json:"email"`
		Banner      *string `json:"banner"`
		AccentColor *int    `json:"accent_color"`
		Locale      string  `json:"locale"`
	}{Profile: st.accounts[app].Profile, Verified: true, MFAEnabled: true, Locale: "en-US"}
}

func gatewayURL(c *call) (answer, error) {
	return ok(map[string]any{"url": gatewayAt(c.Request)}), nil
}

// gatewayAt returns the URL of the gateway on the host that the client used.
func gatewayAt(r *http.Request) string {
	if r.TLS != nil {
		return "wss://" + r.Host + "/ws"
	}
	return "ws://" + r.Host + "/ws"
}

func gatewayBot(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		shards := max(1, (c.w.state.guildCount(c.App)+guildsAShard-1)/guildsAShard)
		a = ok(map[string]any{"url": gatewayAt(c.Request), "shards": shards, "session_start_limit": c.w.accounts.SessionStartLimit(c.App)})
		return nil
	})
	return a, err
}

func userSelf(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		a = ok(c.w.state.self(c.App))
		return nil
	})
	return a, err
}

func userRename(c *call) (a answer, err error) {
	if refused := c.api.checker.UserEdit(c.Body); refused != nil {
		return a, refused
	}
	var body struct {
		Username *string `json:"username"`
	}
	if err := c.decode(&body); err != nil {
		return a, err
	}
	err = c.w.Locked(func() error {
		if name := body.Username; name != nil {
			if other := c.w.state.accountByName(*name); other != nil && other.ID != c.App {
				return invalidForm("username", "USERNAME_TOO_MANY_USERS", "Too many users have this username, please try another")
			}
			renamed := *c.w.state.accounts[c.App]
			renamed.Username = *name
			c.w.Put(change{Account: &renamed})
			c.w.events.PublishState()
		}
		a = ok(c.w.state.self(c.App))
		return nil
	})
	return a, err
}

func userGet(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		found := c.w.state.accounts[c.PathValue("user")]
		if found == nil {
			return errUnknownUser
		}
		a = ok(found.Profile)
		return nil
	})
	return a, err
}

func userDirect(c *call) (a answer, err error) {
	if refused := c.api.checker.DirectCreate(c.Body); refused != nil {
		return a, refused
	}
	var body struct {
		Recipient snowflake `json:"recipient_id"`
	}
	if err := c.decode(&body); err != nil {
		return a, err
	}
	err = c.w.Locked(func() error {
		other := c.w.state.accounts[string(body.Recipient)]
		switch {
		case other == nil:
			return errUnknownUser
		case other.Bot:
			return errCannotMessage
		}
		a = ok(c.w.state.channelObject(c.w.guilds.OpenDirect(c.App, other.ID), c.App))
		return nil
	})
	return a, err
}

func applicationSelf(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		bot := c.w.state.accounts[c.App]
		owner := c.w.state.accounts[c.w.state.accountOrder[0]].Profile
		a = ok(map[string]any{
			"id": c.App, "name": bot.Username, "icon": nil, "description": "", "type": nil, "summary": "",
			"bot": bot.Profile, "bot_public": true, "bot_require_code_grant": false, "owner": owner, "team": nil,
			"verify_key": verifyKey(c.App), "flags": 0, "flags_new": "0", "tags": []string{}, "redirect_uris": []string{},
			"interactions_endpoint_url": c.w.state.endpointOf(c.App), "role_connections_verification_url": nil, "event_webhooks_url": nil,
			"approximate_guild_count": c.w.state.guildCount(c.App), "approximate_user_install_count": 0,
			"approximate_user_authorization_count": 0, "explicit_content_filter": 0, "eligible_oauth2_scopes": []string{},
			"integration_types_config": map[string]any{"0": map[string]any{}, "1": map[string]any{}},
			"install_params":           map[string]any{"scopes": []string{"applications.commands", "bot"}, "permissions": "0"},
		})
		return nil
	})
	return a, err
}
