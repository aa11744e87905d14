package rest

// RefusesEmoji reports whether Discord refused a message because of an emoji in a component.
var RefusesEmoji = refusesEmoji

// WithoutOwnEmoji replaces the application's emoji by Unicode emoji.
var WithoutOwnEmoji = withoutOwnEmoji
