package check

// ThreadCreate checks a new thread.
func (c *Checker) ThreadCreate(body []byte) *Error { return c.check(ThreadCreate, body, false) }

// ThreadEdit checks a change of a thread.
func (c *Checker) ThreadEdit(body []byte) *Error { return c.check(ThreadEdit, body, false) }

// PostCreate checks a new post of a forum, with its first message.
func (c *Checker) PostCreate(body []byte) *Error { return c.check(PostCreate, body, false) }

// ForumEdit checks a change of a forum.
func (c *Checker) ForumEdit(body []byte) *Error { return c.check(ForumEdit, body, false) }

func postCreate(v value) {
	if !v.object() {
		return
	}
	v.required("name")
	thread(v)
	snowflakes(v.member("applied_tags"), MaxPostTags)
	if m := v.required("message"); m.present() {
		message{kind: PostCreate}.judge(m)
	}
}

func forumEdit(v value) {
	if !v.object() {
		return
	}
	name := v.member("name")
	name.notBlank(name.text(1, maxThreadName))
	v.member("flags").whole(0, maxFlags)
	v.member("nsfw").flag()
	v.member("rate_limit_per_user").whole(0, 21600)
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
		thread(v)
	}
}

func threadEdit(v value) {
	if v.object() {
		v.member("archived").flag()
		v.member("locked").flag()
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
