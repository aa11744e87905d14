package rest

import (
	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

var identityRoutes = []route{
	{pattern: "GET /gateway", serve: gatewayURL, open: true},
	{pattern: "GET /gateway/bot", serve: gatewayBot, limit: lookUpBudget},
	{pattern: "GET /users/@me", serve: userSelf, limit: lookUpBudget},
	{pattern: "PATCH /users/@me", serve: userRename, limit: lookUpBudget},
	{pattern: "GET /users/{user}", serve: userGet, limit: lookUpBudget},
	{pattern: "POST /users/@me/channels", serve: userDirect, limit: lookUpBudget},
	{pattern: "GET /applications/@me", serve: applicationSelf, limit: lookUpBudget},
	{pattern: "GET /oauth2/applications/@me", serve: applicationSelf, limit: lookUpBudget},
}

func gatewayURL(c *call) (answer, error) {
	return ok(map[string]any{"url": world.GatewayAt(c.Request)}), nil
}

// guildsPerShard is the number of servers per shard at the recommended number of shards.
const guildsPerShard = 1000

func gatewayBot(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		shards := max(1, (c.w.State.GuildCount(c.App)+guildsPerShard-1)/guildsPerShard)
		a = ok(map[string]any{"url": world.GatewayAt(c.Request), "shards": shards, "session_start_limit": c.w.Accounts.SessionStartLimit(c.App)})
		return nil
	})
	return a, err
}

func userSelf(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		a = ok(c.w.State.Self(c.App))
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
			if other := c.w.State.AccountByName(*name); other != nil && other.ID != c.App {
				return check.InvalidField("username", "USERNAME_TOO_MANY_USERS", "Too many users have this username, please try another")
			}
			renamed := *c.w.State.Accounts[c.App]
			renamed.Username = *name
			c.w.Put(world.Change{Account: &renamed})
			c.w.Events.PublishState()
		}
		a = ok(c.w.State.Self(c.App))
		return nil
	})
	return a, err
}

func userGet(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		found := c.w.State.Accounts[c.PathValue("user")]
		if found == nil {
			return check.ErrUnknownUser
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
		Recipient world.Snowflake `json:"recipient_id"`
	}
	if err := c.decode(&body); err != nil {
		return a, err
	}
	err = c.w.Locked(func() error {
		other := c.w.State.Accounts[string(body.Recipient)]
		switch {
		case other == nil:
			return check.ErrUnknownUser
		case other.Bot:
			return check.ErrCannotMessage
		}
		a = ok(c.w.State.ChannelObject(c.w.Guilds.OpenDirect(c.App, other.ID), c.App))
		return nil
	})
	return a, err
}

func applicationSelf(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		bot := c.w.State.Accounts[c.App]
		owner := c.w.State.Accounts[c.w.State.AccountOrder[0]].Profile
		a = ok(map[string]any{
			"id": c.App, "name": bot.Username, "icon": nil, "description": "", "type": nil, "summary": "",
			"bot": bot.Profile, "bot_public": true, "bot_require_code_grant": false, "owner": owner, "team": nil,
			"verify_key": VerifyKey(c.App), "flags": 0, "flags_new": "0", "tags": []string{}, "redirect_uris": []string{},
			"interactions_endpoint_url": c.w.State.EndpointOf(c.App), "role_connections_verification_url": nil, "event_webhooks_url": nil,
			"approximate_guild_count": c.w.State.GuildCount(c.App), "approximate_user_install_count": 0,
			"approximate_user_authorization_count": 0, "explicit_content_filter": 0, "eligible_oauth2_scopes": []string{},
			"integration_types_config": map[string]any{"0": map[string]any{}, "1": map[string]any{}},
			"install_params":           map[string]any{"scopes": []string{"applications.commands", "bot"}, "permissions": "0"},
		})
		return nil
	})
	return a, err
}
