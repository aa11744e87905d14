package commands_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tictactoe/commands"
	"tictactoe/game"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

func TestCleanName(t *testing.T) {
	for _, tt := range []struct{ name, given, want string }{
		{"a name", "Alice", "Alice"},
		{"a name of several scripts", "Łukasz 李 علي 🦊", "Łukasz 李 علي 🦊"},
		{"space around and between", "  a \t\t b  ", "a b"},
		{"lines", "a\nb\r\nc\u2028d\u2029e\u0085f", "a b c d e f"},
		{"control characters", "a\x00b\x1bc\x7f", "abc"},
		{"marks that turn the text around", "a\u202eb\u2066c\u200fd\u061ce", "abcde"},
		{"zero width", "a\u200bb\u2060c\ufeffd\u00ade", "abcde"},
		{"broken UTF-8", "a\xffb", "ab"},
		{"joined emoji stay joined", "👩\u200d🚀", "👩\u200d🚀"},
		{"a flag of a region stays one", "🏴\U000E0067\U000E0062\U000E007F", "🏴\U000E0067\U000E0062\U000E007F"},
		{"500 characters", strings.Repeat("é", 500), strings.Repeat("é", 31) + "…"},
		{"32 characters", strings.Repeat("a", 32), strings.Repeat("a", 32)},
		{"no space before the cut", strings.Repeat("a", 30) + " bc", strings.Repeat("a", 30) + "…"},
		{"nothing", "", ""},
		{"only space", " \u00a0\u3000\t", ""},
		{"only what cannot be seen", "\u200b\u202e\u200d\u00ad", ""},
		{"only fillers", "\u3164\u3164\u2800\u115f\uffa0", ""},
		{"only combining marks", "\u0301\u0301", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := commands.CleanName(tt.given); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestNamesAreShownLiterally(t *testing.T) {
	for given, want := range map[string]string{
		"Alice":                "**Alice**",
		"**boo** __x__ ~~y~~":  `**\*\*boo\*\* \_\_x\_\_ \~\~y\~\~**`,
		"@everyone @here":      `**\@everyone \@here**`,
		"<@1001> <#1> <@&1>":   `**\<\@1001\> \<\#1\> \<\@\&1\>**`,
		"<t:0:R> <:a:1>":       `**\<t\:0\:R\> \<\:a\:1\>**`,
		"[x](http://evil.com)": `**\[x\]\(http\:\/\/evil\.com\)**`,
		"`code` ||spoiler||":   "**\\`code\\` \\|\\|spoiler\\|\\|**",
		`back\slash\`:          `**back\\slash\\**`,
		"# a\n> b\n- c":        `**\# a \> b \- c**`,
		"\u202eevil":           "**evil**",
		"علي":                  "**\u2068علي\u2069**", // otherwise the numbers of a leaderboard would be shown before the name
		"*דן*":                 "**\u2068\\*דן\\*\u2069**",
	} {
		if got := commands.Styled(given); got != want {
			t.Errorf("%q: %s, want %s", given, got, want)
		}
	}
}

func TestNamesAreEscaped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.StringMatching("[*_~|`<>@#\\\\\\[\\]()/:. \n-]{0,60}")).Draw(t, "name")
		clean := commands.CleanName(name)
		if utf8.RuneCountInString(clean) > 32 || !utf8.ValidString(clean) || commands.CleanName(clean) != clean {
			t.Fatalf("%q is cleaned to %q, and that to %q", name, clean, commands.CleanName(clean))
		}
		said := commands.Styled(name)
		if strings.ContainsAny(said, "\n\r\u2028\u2029\u202e") {
			t.Fatalf("%q breaks the line: %q", name, said)
		}
		inside := []rune(strings.TrimSuffix(strings.TrimPrefix(said, "**"), "**"))
		for i := 0; i < len(inside); i++ {
			if inside[i] == '\\' {
				i++ // the next character is literal
				continue
			}
			if strings.ContainsRune("*_~|`<>@#[]():/.-", inside[i]) {
				t.Fatalf("%q is written %q: %q is not escaped", name, said, inside[i])
			}
		}
	})
}

func TestANameDoesNotEndACodeBlock(t *testing.T) {
	t.Parallel()
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	s := view.Screen{Paste: []view.Text{
		view.T("match.turn.untimed", view.Args{"Mark": view.Mark(game.O), "Name": view.Name("```_Bob_")}),
		view.T("square.mark", view.Args{"Mark": "❌⬜\n⭕❌"}),
	}}
	box := commands.Encoded(s, book.In("en"), nil, "")[0].(discordgo.Container)
	want := "```\n⭕ '''_Bob_ to move\n❌⬜\n⭕❌\n```"
	if diff := cmp.Diff(want, box.Components[0].(discordgo.TextDisplay).Content); diff != "" {
		t.Error(diff)
	}
}
