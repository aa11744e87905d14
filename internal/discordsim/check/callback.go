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

// callback judges the answer to an interaction. WasV2 is about the message that was clicked, if any.
func callback(v value, wasV2 bool) {
	if !v.object() {
		return
	}
	kind, ok := v.required("type").choice(pong, channelMessage, deferredChannelMessage, deferredUpdate, updateMessage,
		autocompleteResult, openModal, launchActivity, purchaseEligibility)
	if !ok {
		return
	}
	data := v.member("data")
	switch kind {
	case channelMessage:
		if !data.present() {
			v.report.instead = emptyMessage()
		}
		message{settable: interactionFlags}.judge(data)
	case deferredChannelMessage:
		// Everything but EPHEMERAL is ignored here, even a wrong flag (Discord's api-docs#7910): see findings.
		if data.object() {
			data.member("flags").whole(0, maxFlags)
		}
	case updateMessage:
		message{edit: true, wasV2: wasV2}.judge(data)
	case autocompleteResult:
		if data = v.required("data"); data.object() {
			for _, item := range data.member("choices").list(0, maxChoices) {
				choice(item)
			}
		}
	case openModal:
		modal(v.required("data"))
	}
}
