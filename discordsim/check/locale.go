package check

import "slices"

// locales are those that Discord's API accepts. Its clients have not got all of them.
var locales = []string{
	"ar", "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "he", "hi", "hr", "hu",
	"id", "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th", "tr", "uk", "vi", "zh-CN", "zh-TW",
}

// Locales returns the codes of languages that Discord's API accepts, such as en-US.
func Locales() []string { return slices.Clone(locales) }
