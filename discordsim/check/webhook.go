package check

// ChannelWebhookCreate checks a new webhook of a channel, apart from its avatar.
func (c *Checker) ChannelWebhookCreate(body []byte) *Error {
	return c.check(ChannelWebhookCreate, body, false)
}

// ChannelWebhookEdit checks a change of a channel's webhook.
func (c *Checker) ChannelWebhookEdit(body []byte) *Error {
	return c.check(ChannelWebhookEdit, body, false)
}

// WebhookExecute checks a message sent by a channel's webhook.
func (c *Checker) WebhookExecute(body []byte) *Error { return c.check(WebhookExecute, body, false) }

func channelWebhookCreate(v value) {
	if v.object() {
		webhookName(v.required("name"))
		v.member("avatar").anyText()
	}
}

func channelWebhookEdit(v value) {
	if v.object() {
		webhookName(v.member("name"))
		v.member("avatar").anyText()
		v.member("channel_id").snowflake()
	}
}

// webhookExecute checks a message and the name of its sender.
func webhookExecute(v value) {
	message{kind: WebhookCreate}.check(v)
	if v.object() {
		name := v.member("username")
		if text, is := name.data.(string); is {
			name.refuseReserved(text, "clyde", "discord")
		}
	}
}

func webhookName(v value) {
	if v.present() {
		v.refuseReserved(v.text(1, maxWebhookName), "clyde", "discord")
	}
}
