package check

// modal judges the data of a callback that opens a modal.
func modal(v value) {
	if !v.object() {
		return
	}
	v.unset("tts", false)  // discordgo has one struct for the data of all callbacks,
	v.unset("content", "") // without omitempty
	v.required("custom_id").text(1, maxCustomID)
	v.required("title").text(1, maxModalTitle)
	l := newLayout()
	l.inModal = true
	for _, item := range v.required("components").list(1, maxModalComponents) {
		// A row means another thing here than in a message, so it does not go by way of component.
		if item.member("type").data == int64(actionRow) {
			l.id(item.member("id"))
			l.inputRow(item)
			continue
		}
		l.component(item, actionRow, textDisplay, label)
	}
}

// inputRow: the older frame around a text input, which then carries its label itself.
func (l *layout) inputRow(v value) {
	l.row(v, textInput)
	inputs, _ := v.member("components").data.([]any)
	for i := range inputs {
		v.member("components").item(i).required("label")
	}
}

// label: the frame around one input, which carries the words for it.
func (l *layout) label(v value) {
	v.required("label").text(1, maxInputLabel)
	v.member("description").text(1, maxLabelDescription)
	l.component(v.required("component"),
		stringSelect, textInput, userSelect, roleSelect, mentionableSelect, channelSelect,
		fileUpload, radioGroup, checkboxGroup, checkbox)
}

func (l *layout) textInput(v value) {
	l.customID(v.required("custom_id"))
	v.required("style").choice(1, 2)
	v.member("label").text(1, maxInputLabel)
	v.member("placeholder").text(0, maxInputPlaceholder)
	v.member("value").text(0, maxInputText)
	v.member("required").flag()
	span(v, "min_length", "max_length", 0, maxInputText)
}
