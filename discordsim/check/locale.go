package check

import "slices"

// locales are the locales that Discord's API accepts. Its clients do not support all of them.
var locales = []string{
	"ar", "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "he", "hi", "hr", "hu",
	"id", "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th", "tr", "uk", "vi", "zh-CN", "zh-TW",
}

// Locales returns the locales that Discord's API accepts, such as en-US.
func Locales() []string { return slices.Clone(locales) }
