package check

import (
	"regexp"
	"unicode/utf8"
)

// Component types, by Discord's numbers.
const (
	actionRow         = 1
	button            = 2
	stringSelect      = 3
	textInput         = 4
	userSelect        = 5
	roleSelect        = 6
	mentionableSelect = 7
	channelSelect     = 8
	section           = 9
	textDisplay       = 10
	thumbnail         = 11
	mediaGallery      = 12
	file              = 13
	separator         = 14
	container         = 17
	label             = 18
	fileUpload        = 19
	radioGroup        = 21
	checkboxGroup     = 22
	checkbox          = 23
)

// layout checks the components of one message or modal. It holds the values that must be unique among all components, and the
// values that are counted over all components.
type layout struct {
	customIDs map[string]bool
	ids       map[int64]bool
	count     int
	text      int
	inModal   bool
}

func newLayout() *layout {
	return &layout{customIDs: map[string]bool{}, ids: map[int64]bool{}}
}

// component checks a component and its descendants. allowed are the types permitted at this place.
func (l *layout) component(v value, allowed ...int64) {
	if !v.object() {
		return
	}
	l.count++
	l.id(v.member("id"))
	kind, ok := v.unionType(allowed...)
	if !ok {
		return
	}
	switch kind {
	case actionRow:
		l.row(v, button, stringSelect, userSelect, roleSelect, mentionableSelect, channelSelect)
	case button:
		l.button(v)
	case stringSelect, userSelect, roleSelect, mentionableSelect, channelSelect:
		l.selection(v, kind)
	case section:
		l.section(v)
	case textDisplay:
		l.textDisplay(v)
	case thumbnail:
		media(v.required("media"), "http", "https", "attachment")
		altText(v)
	case mediaGallery:
		gallery(v)
	case file:
		media(v.required("file"), "attachment")
		v.member("spoiler").flag()
	case separator:
		v.member("divider").flag()
		v.member("spacing").choice(1, 2)
	case container:
		l.container(v)
	case textInput:
		l.textInput(v)
	case label:
		l.label(v)
	case fileUpload:
		l.customID(v.required("custom_id"))
		v.member("required").flag()
		span(v, "min_values", "max_values", 0, maxUploads)
		l.atLeastOne(v)
		fileTypes(v.member("file_types"))
	case radioGroup:
		l.customID(v.required("custom_id"))
		v.member("required").flag()
		groupOptions(v.required("options"), minRadios, 1)
	case checkboxGroup:
		l.customID(v.required("custom_id"))
		v.member("required").flag()
		_, most := span(v, "min_values", "max_values", 0, maxGroup)
		l.atLeastOne(v)
		if !v.member("max_values").present() {
			most = maxGroup
		}
		groupOptions(v.required("options"), 1, most)
	case checkbox:
		l.customID(v.required("custom_id"))
		v.member("default").flag()
	}
}

// id checks the id of a component, which is optional. If it is 0, Discord chooses an id.
func (l *layout) id(v value) {
	id, ok := v.whole(0, maxComponentID)
	if !ok || id == 0 {
		return
	}
	if l.ids[id] {
		v.refuse("COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
	}
	l.ids[id] = true
}

// customID checks a custom_id, which must be unique within the message, including disabled components.
func (l *layout) customID(v value) {
	id := v.text(1, maxCustomID)
	if id == "" {
		return
	}
	if l.customIDs[id] {
		v.refuse("COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
	}
	l.customIDs[id] = true
}

// row checks an action row, which holds up to five buttons, or one component of another type.
func (l *layout) row(v value, allowed ...int64) {
	width := 0
	for _, item := range v.required("components").list(1, maxNestedWidth) {
		l.component(item, allowed...)
		if item.member("type").data == int64(button) {
			width++
		} else {
			width += maxNestedWidth
		}
		if width > maxNestedWidth {
			item.refuse("COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width")
		}
	}
}

func (l *layout) section(v value) {
	for _, item := range v.required("components").list(1, maxSectionTexts) {
		l.component(item, textDisplay)
	}
	l.component(v.required("accessory"), button, thumbnail)
}

func (l *layout) textDisplay(v value) {
	content := v.required("content").text(1, maxTextDisplay)
	l.text += utf8.RuneCountInString(content)
}

func (l *layout) container(v value) {
	v.member("accent_color").whole(0, maxColor)
	v.member("spoiler").flag()
	for _, item := range v.required("components").list(1, maxComponents) {
		l.component(item, actionRow, section, textDisplay, mediaGallery, file, separator)
	}
}

func gallery(v value) {
	for _, item := range v.required("items").list(1, maxGallery) {
		if item.object() {
			media(item.required("media"), "http", "https", "attachment")
			altText(item)
		}
	}
}

func media(v value, schemes ...string) {
	if v.object() {
		v.required("url").link(maxURL, schemes...)
	}
}

// altText checks the members that all media share.
func altText(v value) {
	v.member("description").text(1, maxAltText)
	v.member("spoiler").flag()
}

// extension matches a file extension, with its dot.
var extension = regexp.MustCompile(`^\.[0-9A-Za-z]+$`)

// fileTypes checks the files that a person may choose: named groups of file types, or extensions.
func fileTypes(v value) {
	for _, item := range v.list(0, maxFileTypes) {
		switch kind := item.text(1, maxFileType); kind {
		case "", "image", "video", "audio":
		default:
			if !extension.MatchString(kind) {
				item.refuse(notAChoice, "Value must be one of ('image', 'video', 'audio') or a file extension that begins with a dot.")
			}
		}
	}
}
