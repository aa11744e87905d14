package view

import (
	"slices"

	"tictactoe/internal/server/policy"
)

// Language is one of the languages that Discord's clients have.
type Language struct {
	Code string // Discord's code of the language
	Name string // the name of the language, in that language
}

// Languages returns all languages, in the order of Discord's documentation (https://discord.com/developers/docs/reference#locales).
func Languages() []Language { return slices.Clone(languages) }

var languages = []Language{
	{"id", "Bahasa Indonesia"}, {"da", "Dansk"}, {"de", "Deutsch"}, {"en-GB", "English, UK"}, {"en-US", "English, US"}, {"es-ES", "Español"},
	{"es-419", "Español, LATAM"}, {"fr", "Français"}, {"hr", "Hrvatski"}, {"it", "Italiano"}, {"lt", "Lietuviškai"}, {"hu", "Magyar"},
	{"nl", "Nederlands"}, {"no", "Norsk"}, {"pl", "Polski"}, {"pt-BR", "Português do Brasil"}, {"ro", "Română"}, {"fi", "Suomi"},
	{"sv-SE", "Svenska"}, {"vi", "Tiếng Việt"}, {"tr", "Türkçe"}, {"cs", "Čeština"}, {"el", "Ελληνικά"}, {"bg", "български"},
	{"ru", "Русский"}, {"uk", "Українська"}, {"hi", "हिन्दी"}, {"th", "ไทย"}, {"zh-CN", "中文"}, {"ja", "日本語"}, {"zh-TW", "繁體中文"}, {"ko", "한국어"},
}

// AutoLanguage is the value of the entry "automatic" in a menu of languages.
const AutoLanguage = "auto"

// LanguageCode is the code of a language. A text that has it as an argument shows the name of that language in the language of the text,
// such as "Engels" in Dutch.
type LanguageCode string

// Index returns the place of the language in Languages. For a language that Discord does not have, it returns the place of English, because
// the texts are then English.
func (c LanguageCode) Index() int {
	is := func(code LanguageCode) func(Language) bool {
		return func(l Language) bool { return l.Code == string(code) }
	}
	if i := slices.IndexFunc(languages, is(c)); i >= 0 {
		return i
	}
	return slices.IndexFunc(languages, is("en-US"))
}

// ownName returns the name of a language in that language, for menus.
func ownName(code string) Text {
	return T("language.name", Args{"Language": languages[LanguageCode(code).Index()].Name})
}

// languageMenus returns two menus of languages, because one menu has no room for all. The first menu also has the entry auto, which chooses
// no language.
func languageMenus(first, second Action, auto Text, chosen string) []Select {
	half := len(languages) / 2
	menu := func(do Action, some []Language) Select {
		s := Select{Do: do, Min: 1, Max: 1, Hint: T("language.pick", Args{
			"First": ownName(some[0].Code), "Last": ownName(some[len(some)-1].Code),
		})}
		for _, l := range some {
			s.Options = append(s.Options, Option{Value: l.Code, Label: ownName(l.Code), Chosen: l.Code == chosen})
		}
		return s
	}
	menus := []Select{menu(first, languages[:half]), menu(second, languages[half:])}
	none := Option{Value: AutoLanguage, Label: auto, Chosen: chosen == ""}
	menus[0].Options = append([]Option{none}, menus[0].Options...)
	return menus
}

// OwnLanguage returns the page that shows the language of a player's private messages, with menus to change it. chosen is the language that
// the player has chosen; if it is empty, the bot uses client, the language of the player's Discord client.
func OwnLanguage(chosen, client string) Screen {
	now := T("language.now", Args{"Language": LanguageCode(chosen)})
	if chosen == "" {
		now = T("language.now.client", Args{"Language": LanguageCode(client)})
	}
	return Screen{
		Lines:   []Text{T("language.title", nil), now},
		Notes:   []Text{T("language.note", nil)},
		Selects: languageMenus(ChangeSetting{LanguageMenu}, ChangeSetting{SecondLanguageMenu}, T("language.option.client", nil), chosen),
		Buttons: []Button{{Do: ShowSettings{AllSettings}, Label: T("action.back", nil)}},
	}
}

// VenueLanguage returns the page that shows the language of public messages in a server, with menus to change it. community is the language
// of a Community server at Discord, or empty for any other server.
func VenueLanguage(p policy.Policy, community string) Screen {
	var now Text
	switch {
	case p.Language != "":
		now = T("language.now.server", Args{"Language": LanguageCode(p.Language)})
	case community != "":
		now = T("language.now.community", Args{"Language": LanguageCode(community)})
	default:
		now = T("language.now.starter", nil)
	}
	return Screen{
		Lines:   []Text{T("language.title.server", nil), now},
		Notes:   []Text{T("language.note.server", nil)},
		Selects: languageMenus(SetPolicy{PolicyLanguage}, SetPolicy{PolicySecondLanguage}, T("language.option.server", nil), p.Language),
		Buttons: []Button{back(PolicyPage)},
	}
}
