package check

// ThreadCreate checks a new thread.
func (c *Checker) ThreadCreate(body []byte) *Error { return c.check(ThreadCreate, body, false) }

// ThreadEdit checks a change of a thread.
func (c *Checker) ThreadEdit(body []byte) *Error { return c.check(ThreadEdit, body, false) }

// PostCreate checks a new post of a forum, with its first message.
func (c *Checker) PostCreate(body []byte) *Error { return c.check(PostCreate, body, false) }

// ChannelEdit checks a change of a channel other than a thread.
func (c *Checker) ChannelEdit(body []byte) *Error { return c.check(ChannelEdit, body, false) }

// ChannelCreate checks a new channel.
func (c *Checker) ChannelCreate(body []byte) *Error { return c.check(ChannelCreate, body, false) }

// OverwriteEdit checks a permission overwrite of a role or member in a channel.
func (c *Checker) OverwriteEdit(body []byte) *Error { return c.check(OverwriteEdit, body, false) }

func postCreate(v value) {
	if !v.object() {
		return
	}
	v.required("name")
	thread(v)
	snowflakes(v.member("applied_tags"), MaxPostTags)
	if m := v.required("message"); m.present() {
		message{kind: PostCreate}.check(m)
	}
}

func channelCreate(v value) {
	if v.object() {
		v.required("name")
		channelEdit(v)
	}
}

func channelEdit(v value) {
	if !v.object() {
		return
	}
	name := v.member("name")
	name.notBlank(name.text(1, maxThreadName))
	v.member("type").choice(0, 2, 4, 5, 13, 14, 15, 16)
	v.member("topic").text(0, maxTopic)
	v.member("position").whole(0, maxComponentID)
	v.member("parent_id").snowflake()
	v.member("flags").whole(0, maxFlags)
	v.member("nsfw").flag()
	v.member("rate_limit_per_user").whole(0, 21600)
	v.member("default_thread_rate_limit_per_user").whole(0, 21600)
	v.member("default_auto_archive_duration").choice(60, 1440, 4320, 10080)
	v.member("default_sort_order").choice(0, 1)
	v.member("default_forum_layout").choice(0, 1, 2)
	v.member("default_tag_setting").word("match_all", "match_some")
	v.member("bitrate").whole(8000, maxComponentID)
	v.member("user_limit").whole(0, maxComponentID)
	v.member("video_quality_mode").choice(1, 2)
	v.member("rtc_region").anyText()
	for _, o := range v.member("permission_overwrites").list(0, MaxOverrides) {
		if o.object() {
			o.required("id").snowflake()
			overwriteEdit(o)
		}
	}
	forumEmoji(v.member("default_reaction_emoji"))
	for _, tag := range v.member("available_tags").list(0, MaxForumTags) {
		if tag.object() {
			tag.member("id").snowflake()
			tag.required("name").text(1, MaxTagName)
			tag.member("moderated").flag()
			forumEmoji(tag)
		}
	}
}

func overwriteEdit(v value) {
	if v.object() {
		v.member("type").choice(0, 1)
		permissions(v.member("allow"))
		permissions(v.member("deny"))
	}
}

// forumEmoji checks an emoji that is given by its id or its character.
func forumEmoji(v value) {
	if !v.object() {
		return
	}
	v.member("emoji_id").snowflake()
	name := v.member("emoji_name")
	if text := name.text(0, maxEmojiName); text != "" && !v.peek("emoji_id").present() && !UnicodeEmoji(text) {
		name.refuse(notAChoice, "Invalid emoji")
	}
}

func threadCreate(v value) {
	if v.object() {
		v.required("name")
		v.member("type").choice(10, 11, 12)
		v.member("invitable").flag()
		thread(v)
	}
}

func threadEdit(v value) {
	if v.object() {
		v.member("archived").flag()
		v.member("locked").flag()
		v.member("invitable").flag()
		v.member("flags").whole(0, maxFlags)
		snowflakes(v.member("applied_tags"), MaxPostTags)
		thread(v)
	}
}

// thread checks the members that new and changed threads share.
func thread(v value) {
	name := v.member("name")
	name.notBlank(name.text(1, 100))
	v.member("auto_archive_duration").choice(60, 1440, 4320, 10080)
	v.member("rate_limit_per_user").whole(0, 21600)
}
