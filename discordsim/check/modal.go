package check

// modal checks the data of a callback that opens a modal.
func modal(v value) {
	if !v.object() {
		return
	}
	// discordgo sends these members in every callback, because it has one struct for all callbacks, without omitempty.
	v.unset("tts", false)
	v.unset("content", "")
	v.required("custom_id").text(1, maxCustomID)
	v.required("title").text(1, maxModalTitle)
	l := newLayout()
	l.inModal = true
	for _, item := range v.required("components").list(1, maxModalComponents) {
		// A row means something else in a modal than in a message, so component does not check it.
		if item.member("type").data == int64(actionRow) {
			l.id(item.member("id"))
			l.inputRow(item)
			continue
		}
		l.component(item, actionRow, textDisplay, label)
	}
}

// inputRow checks a row with a text input that has its own label. Discord still accepts this older form of a label.
func (l *layout) inputRow(v value) {
	l.row(v, textInput)
	inputs, _ := v.member("components").data.([]any)
	for i := range inputs {
		v.member("components").item(i).required("label")
	}
}

// label checks a label, which has one input and its text.
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
