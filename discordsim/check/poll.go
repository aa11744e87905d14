package check

// poll checks a poll in a message.
func poll(v value) {
	if !v.object() {
		return
	}
	pollText(v.required("question"), maxQuestion)
	for _, answer := range v.required("answers").list(1, maxAnswers) {
		if answer.object() {
			pollText(answer.required("poll_media"), maxAnswer)
		}
	}
	v.member("duration").whole(1, maxPollHours)
	v.member("allow_multiselect").flag()
	v.member("layout_type").choice(1)
}

// Poll checks a poll whose answers have no emoji. It returns the reason why Discord would refuse the poll, or nil.
func Poll(question string, answers []string, hours int) *Error {
	list := []any{}
	for _, answer := range answers {
		list = append(list, map[string]any{"poll_media": map[string]any{"text": answer}})
	}
	r := &report{}
	poll(value{report: r, data: map[string]any{"question": map[string]any{"text": question}, "answers": list, "duration": int64(hours)}})
	return r.err()
}

// pollText checks the text of a question or an answer, and the emoji of an answer, which is given by its id or its character.
func pollText(v value, most int) {
	if !v.object() {
		return
	}
	text := v.required("text")
	text.notBlank(text.text(1, most))
	if emoji := v.member("emoji"); emoji.object() {
		emoji.member("id").snowflake()
		name := emoji.member("name")
		if text := name.text(0, maxEmojiName); text != "" && !emoji.peek("id").present() && !UnicodeEmoji(text) {
			name.refuse(notAChoice, "Invalid emoji")
		}
		emoji.member("animated").flag()
	}
}
