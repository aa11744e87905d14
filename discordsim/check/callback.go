package check

// Interaction callback types, by Discord's numbers.
const (
	pong                   = 1
	channelMessage         = 4
	deferredChannelMessage = 5
	deferredUpdate         = 6
	updateMessage          = 7
	autocompleteResult     = 8
	openModal              = 9
	launchActivity         = 12
	purchaseEligibility    = 13
)

// callback checks the response to an interaction. wasV2 says whether the clicked message, if any, uses Components V2.
func callback(v value, wasV2 bool) {
	if !v.object() {
		return
	}
	kind, ok := v.required("type").choice(pong, channelMessage, deferredChannelMessage, deferredUpdate, updateMessage,
		autocompleteResult, openModal, launchActivity, purchaseEligibility)
	if !ok {
		return
	}
	switch kind {
	case channelMessage:
		data := v.member("data")
		if !data.present() {
			v.report.instead = emptyMessage()
		}
		message{kind: Callback}.check(data)
	case deferredChannelMessage:
		// Discord ignores every flag but EPHEMERAL here, even an invalid one (Discord's api-docs#7910). Findings reports ignored flags.
		if data := v.member("data"); data.object() {
			data.peek("flags").whole(0, maxFlags)
		}
	case deferredUpdate:
		v.member("data")
	case updateMessage:
		message{kind: Callback, edit: true, wasV2: wasV2}.check(v.member("data"))
	case autocompleteResult:
		suggestions(v.required("data"))
	case openModal:
		modal(v.required("data"))
	case purchaseEligibility:
		if data := v.required("data"); data.object() {
			data.required("eligible").flag()
			data.member("ineligible_reason").choice(0, 1, 2)
			data.member("ineligible_reason_description").text(0, maxReason)
		}
	}
}

// suggestions checks the suggestions of an autocompletion, which must all have the type of the focused option.
func suggestions(v value) {
	if !v.object() {
		return
	}
	// discordgo sends these members in every callback, because it has one struct for all callbacks, without omitempty.
	v.unset("tts", false)
	v.unset("content", "")
	items := v.member("choices").list(0, maxChoices)
	texts := 0
	for _, item := range items {
		choice(item)
		if _, isText := item.peek("value").data.(string); isText {
			texts++
		}
	}
	if texts > 0 && texts < len(items) {
		v.member("choices").refuse(notAChoice, "The values of all choices are of one type")
	}
}
