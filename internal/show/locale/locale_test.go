package locale_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// visible is a style that marks names, mentions, times and links in the text.
type visible struct{}

func (visible) Name(name string) string                              { return "«" + name + "»" }
func (visible) Title(title string) string                            { return "“" + title + "”" }
func (visible) Date(t time.Time, long func(time.Time) string) string { return "day " + long(t.UTC()) }
func (visible) Mention(p match.User) string                          { return "@" + string(p) }
func (visible) Moment(t time.Time) string                            { return "{" + t.UTC().Format(time.TimeOnly) + "}" }
func (visible) Hour(t time.Time) string                              { return "{at " + t.UTC().Format(time.DateTime) + "}" }
func (visible) Mark(m game.Mark) string                              { return m.String() }
func (visible) Link(text string, id match.ID) string                 { return "[" + text + " " + string(id) + "]" }
func (visible) Place(id string) string                               { return "#" + id }
func (visible) Role(id string) string                                { return "@" + id }
func (visible) Command(_, named string) string                       { return "</" + named + ">" }

func open(t testing.TB) *locale.Book {
	t.Helper()
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	return book
}

func TestSay(t *testing.T) {
	words := open(t).In("en-US")
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name string
		text view.Text
		want string
	}{
		{"a text without gaps", view.T("action.accept", nil), "Accept"},
		{"a name", view.T("challenge.first", view.Args{"Name": view.Name("Bob")}), "«Bob» moves first"},
		{"a text inside a text", view.T("challenge.first", view.Args{"Name": view.T("name.unknown", nil)}), "Someone moves first"},
		{"a text inside a text inside a text", view.T("challenge.first", view.Args{"Name": view.Names{}.Seat(match.Computer("easy"))}),
			"The computer (easy) moves first"},
		{"a mention", view.T("challenge.question", view.Args{"Player": view.Mention("7")}), "@7, are you in?"},
		{"a moment", view.T("challenge.expires", view.Args{"Deadline": view.Moment(noon)}), "The challenge expires {12:00:00}."},
		{"a mark", view.T("match.turn.untimed", view.Args{"Mark": view.Mark(game.X), "Name": view.Name("Bob")}), "X «Bob» to move"},
		{"a link", view.T("rematch.started", view.Args{"Link": view.Link{Text: view.T("rematch.link", nil), Match: "m"}}),
			"The rematch is on: [go to the board m]"},
		{"commands", view.T("gone", nil), "This match is gone. Start a new one with </tictactoe challenge> or </tictactoe ai>."},
		{"a command and a name", view.T("refusal.challenged", view.Args{"Name": view.Name("Bob")}), "This challenge is for «Bob». Start your own with </tictactoe challenge>."},
		{"a name is never a command", view.T("challenge.first", view.Args{"Name": view.Name("`/tictactoe ai`")}), "«`/tictactoe ai`» moves first"},
		{"an option is no command", view.T("help.boards", nil), "For other boards, use the `board` option of </tictactoe challenge> and </tictactoe ai>:"},
		{"a number", view.T("leaderboard.page", view.Args{"Page": 2, "Pages": 3}), "Page 2 of 3"},
		{"one", view.T("time.minutes", view.Args{"PluralCount": 1}), "1 minute"},
		{"many", view.T("time.hours", view.Args{"PluralCount": 24}), "24 hours"},
		{"what a name says is never a template", view.T("challenge.first", view.Args{"Name": view.Name("{{.Name}} {{panic}} <no>")}),
			"«{{.Name}} {{panic}} <no>» moves first"},
		{"a key without words is said itself", view.T("no.such.key", nil), "no.such.key"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := words.Say(tt.text, visible{}); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestEveryLanguageFallsBackToEnglish(t *testing.T) {
	book := open(t)
	for _, language := range []string{"", "en-US", "en-GB", "xx", "ar", "not a language at all!"} {
		if got := book.In(language).Say(view.T("action.resign", nil), visible{}); got != "Resign" {
			t.Errorf("%q: %q", language, got)
		}
		if got := book.In(language).Say(view.TurnTime(time.Minute), visible{}); got != "1 minute" {
			t.Errorf("%q: %q", language, got)
		}
	}
}

func TestALanguageHasItsOwnPluralForms(t *testing.T) {
	english, err := os.ReadFile("texts/en.json")
	if err != nil {
		t.Fatal(err)
	}
	book, err := locale.ReadBook(fstest.MapFS{
		"en.json": {Data: english},
		"ru.json": {Data: []byte(`{
			"time.minutes": {"one": "{{.PluralCount}} минута", "few": "{{.PluralCount}} минуты", "many": "{{.PluralCount}} минут", "other": "{{.PluralCount}} минуты"},
			"time.hours": {"=0": "ни часа", "=1": "час", "other": "часы: {{.PluralCount}}"}}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		text view.Text
		want string
	}{
		{"one", view.TurnTime(time.Minute), "1 минута"},
		{"few", view.TurnTime(3 * time.Minute), "3 минуты"},
		{"many", view.TurnTime(5 * time.Minute), "5 минут"},
		{"more than twenty, as one", view.TurnTime(21 * time.Minute), "21 минута"},
		{"a negative number", view.T("time.minutes", view.Args{"PluralCount": -3}), "-3 минуты"},
		{"exactly 0", view.T("time.hours", view.Args{"PluralCount": 0}), "ни часа"},
		{"exactly 1", view.TurnTime(time.Hour), "час"},
		{"a form that is missing", view.TurnTime(5 * time.Hour), "часы: 5"},
		{"a text that is missing", view.T("action.resign", nil), "Resign"},
		{"a text that English does not have either", view.T("no.such.key", nil), "no.such.key"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := book.In("ru").Say(tt.text, visible{}); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	if got := book.In("de").Say(view.TurnTime(5*time.Minute), visible{}); got != "5 minutes" {
		t.Errorf("an unknown language: %q", got)
	}
}

func TestInvalidTextsAreRefused(t *testing.T) {
	for name, files := range map[string]fstest.MapFS{
		"a file of no language": {"no language.json": {Data: []byte(`{}`)}},
		"no object":             {"en.json": {Data: []byte(`["Resign"]`)}},
		"a text that is none":   {"en.json": {Data: []byte(`{"action.resign": 7}`)}},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := locale.Check(files); err == nil {
				t.Error("the invalid texts were accepted")
			}
		})
	}
}

func TestNumbersAreWrittenAsTheLanguageDoes(t *testing.T) {
	book := open(t)
	for name, want := range map[string]string{
		"en-US": "12,345", "de": "12.345", "fr": "12\u00a0345", "no": "12\u00a0345", "hi": "12,345", "ru": "12\u00a0345", "ja": "12,345",
	} {
		got := book.In(name).Say(view.T("share.draw", view.Args{"PluralCount": 12_345}), visible{})
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q, without %q", name, got, want)
		}
	}
	got := book.In("de").Say(view.T("profile.chart", view.Args{"First": view.Points(1500)}), visible{})
	if !strings.Contains(got, "1500") {
		t.Errorf("a rating: %q", got)
	}
}

func TestDatesAndListsAreWrittenAsTheLanguageDoes(t *testing.T) {
	book := open(t)
	date := view.T("season.span.until", view.Args{"Ended": view.Date(time.Date(2026, 1, 2, 23, 0, 0, 0, time.UTC))})
	squares := game.SetOf(0) | game.SetOf(1) | game.SetOf(2)
	for _, tt := range []struct{ language, date, two, three string }{
		{"en-US", "January 2, 2026", "a1 or b1", "a1, b1, or c1"},
		{"en-GB", "2 January 2026", "a1 or b1", "a1, b1 or c1"},
		{"de", "2. Januar 2026", "a1 oder b1", "a1, b1 oder c1"},
		{"ru", "2 января 2026 г.", "a1 или b1", "a1, b1 или c1"},
		{"fi", "2. tammikuuta 2026", "a1 tai b1", "a1, b1 tai c1"},
		{"hu", "2026. január 2.", "a1 vagy b1", "a1, b1 vagy c1"},
		{"ja", "2026年1月2日", "a1またはb1", "a1、b1、またはc1"},
	} {
		words := book.In(tt.language)
		if got := words.Say(date, visible{}); !strings.Contains(got, "day "+tt.date) {
			t.Errorf("%s: %q", tt.language, got)
		}
		if got := words.Say(view.AnySquare(game.Classic(), squares&^game.SetOf(2)), visible{}); got != tt.two {
			t.Errorf("%s: %q", tt.language, got)
		}
		if got := words.Say(view.AnySquare(game.Classic(), squares), visible{}); got != tt.three {
			t.Errorf("%s: %q", tt.language, got)
		}
	}
	past := view.T("puzzle.past", view.Args{"Day": view.Day(time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC))})
	if got := book.In("ru").Say(past, visible{}); got != "Это задача за 23 ноября 2026 г." {
		t.Errorf("a day at the end of a sentence: %q", got)
	}
}

func TestSentencesNameLanguagesAsTheirOwnLanguageDoes(t *testing.T) {
	book := open(t)
	for name, want := range map[string]string{
		"nl": "Wat alleen jij ziet, is in het Deens.", "fr": "Les messages que personne d’autre ne voit sont en danois.",
		"ru": "Язык сообщений, которые видишь только ты: датский.", "en-GB": "Messages only you can see are in Danish.",
		"es-419": "Lo que solo ves tú está en danés.",
	} {
		if got := book.In(name).Say(view.OwnLanguage("da", "en-US").Lines[1], visible{}); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	menu := view.OwnLanguage("da", "en-US").Selects[0].Options[2].Label
	if got := book.In("nl").Say(menu, visible{}); got != "Dansk" {
		t.Errorf("in a menu: %q", got)
	}
}

func TestStandInsForNamesFitTheirSentence(t *testing.T) {
	book := open(t)
	names := view.Names{"a": "bob"}
	challenge := view.Args{"From": names.Of("a"), "To": names.Of(match.Left)}
	computer := view.Args{"Opponent": names.Seat(match.Computer("easy")), "Link": "board"}
	for _, tt := range []struct {
		language, want string
		text           view.Text
	}{
		{"en-US", "A deleted player declined «bob»'s challenge.", view.T("challenge.declined", challenge)},
		{"en-US", "«bob» challenges a deleted player to Tic-Tac-Toe", view.T("challenge.headline", challenge)},
		{"en-US", "⏰ Someone ran out of time. X A deleted player wins!", view.T("result.time", view.Args{
			"Loser": names.Of("?"), "Winner": names.Of(match.Left), "Mark": view.Mark(game.X)})},
		{"ru", "Удалённый игрок не принимает вызов игрока «bob».", view.T("challenge.declined", challenge)},
		{"ru", "«bob» вызывает удалённого игрока на партию в крестики-нолики", view.T("challenge.headline", challenge)},
		{"cs", "👥 Smazaný hráč vs. někdo", view.T("duel.title", view.Args{"A": names.Of(match.Left), "B": names.Of("?")})},
		{"ja", "削除されたプレイヤーが«bob»さんの挑戦を断りました。", view.T("challenge.declined", challenge)},
		{"ko", "삭제된 플레이어가 «bob» 님의 도전을 거절했어요.", view.T("challenge.declined", challenge)},
		{"fr", "Défaite contre l’ordinateur (facile) · board", view.T("games.lost", computer)},
		{"it", "Tocca al computer (facile). Poi tocca a te.", view.T("refusal.turn", view.Args{"Name": names.Seat(match.Computer("easy"))})},
		{"fr", "a désactivé\u00a0: profils, cours", view.T("deed.features", view.Args{
			"Features": view.T("row", view.Args{"First": view.T("feature.profiles", nil), "More": view.T("feature.learn", nil)})})},
		{"fr", "Profils", view.T("feature.profiles", nil)},
	} {
		if got := book.In(tt.language).Say(tt.text, visible{}); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.language, got, tt.want)
		}
	}
}

// TestATopicOfTheHelpIsHalfAPhoneHigh counts lines of 40 characters. Half the screen of a phone has a dozen lines; some languages
// need a few more.
func TestATopicOfTheHelpIsHalfAPhoneHigh(t *testing.T) {
	book := open(t)
	for _, language := range locale.Languages() {
		for _, topic := range view.HelpTopics() {
			rows := 0
			help := view.Help("unbeatable", topic)
			for _, line := range slices.Concat(help.Lines, help.Notes) {
				rows += (utf8.RuneCountInString(book.In(language).Say(line, visible{})) + 39) / 40
			}
			if most := 16; rows > most {
				t.Errorf("in %s the help about %s has %d lines, more than %d", language, topic, rows, most)
			}
		}
	}
}
