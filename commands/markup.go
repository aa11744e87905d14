package commands

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/show/emoji"
	"tictactoe/internal/show/picture"
	"tictactoe/internal/show/view"
)

// nameOf returns the clean name of the acting user: the name that others see, or the username if that has no visible character.
func nameOf(in *interaction) string {
	return cmp.Or(cleanName(in.DisplayName()), cleanName(in.User().Username))
}

// maxName is the longest name shown, in characters: as long as Discord lets one be.
const maxName = 32

// discordStyle writes for Discord's markdown. Links need to know where matches are shown; others stay plain text.
type discordStyle struct {
	boards map[match.ID]board.Board
	site   string      // where people read: scheme and host
	emoji  emoji.Drawn // the emoji of the bot; nil: Unicode
	ids    *bot.CommandIDs
	most   int  // characters of a name; 0 is maxName
	plain  bool // links are their text alone, and commands cannot be pressed
}

// Name returns the name in bold, clean and with everything escaped that could form markdown or mentions. A name that is too
// long is cut before it is escaped.
func (s discordStyle) Name(name string) string {
	return "**" + escaped(cutName(cleanName(name), cmp.Or(s.most, maxName))) + "**"
}

// Title returns the title, clean and escaped.
func (discordStyle) Title(title string) string { return escaped(cleanTitle(title)) }

// escaped returns a clean text with all characters escaped that could form markdown or mentions.
func escaped(text string) string {
	var b strings.Builder
	for _, r := range isolated(text) {
		if r < unicode.MaxASCII && (unicode.IsPunct(r) || unicode.IsSymbol(r)) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Mention names a player so that Discord shows the current name, and notifies if the reply says so.
func (discordStyle) Mention(p match.User) string { return "<@" + string(p) + ">" }

// Moment returns a countdown that the reader's own client keeps.
func (discordStyle) Moment(t time.Time) string { return fmt.Sprintf("<t:%d:R>", t.Unix()) }

// Date returns a day that the reader's own client names.
func (discordStyle) Date(t time.Time, _ func(time.Time) string) string {
	return fmt.Sprintf("<t:%d:D>", t.Unix())
}

// Mark returns the emoji of a mark.
func (s discordStyle) Mark(m game.Mark) string {
	return inText(s.emojiOf(emoji.Of("", m, picture.Plain)))
}

// inText writes an emoji in a text. A Unicode emoji has no id.
func inText(e *discordgo.ComponentEmoji) string {
	if e.ID == "" {
		return e.Name
	}
	return "<:" + e.Name + ":" + e.ID + ">"
}

// emojiOf returns the bot's own emoji if it has been brought to Discord, else the Unicode one.
func (s discordStyle) emojiOf(e emoji.Emoji) *discordgo.ComponentEmoji {
	if id := s.emoji[e.Name]; id != "" {
		return &discordgo.ComponentEmoji{Name: e.Name, ID: id}
	}
	return &discordgo.ComponentEmoji{Name: e.Unicode()}
}

// square returns the emoji of a square. The name of the emoji describes the square.
func (s discordStyle) square(c view.Cell) *discordgo.ComponentEmoji {
	look := picture.Plain
	switch {
	case c.Winning:
		look = picture.Winning
	case c.Losing:
		look = picture.Losing
	case c.Vanishing:
		look = picture.Leaving
	case c.Last:
		look = picture.Last
	case c.Better:
		look = picture.Better
	}
	return s.emojiOf(emoji.Of(c.Name, c.Mark, look))
}

// Link leads to the message that shows the match.
func (s discordStyle) Link(text string, id match.ID) string {
	b, ok := s.boards[id]
	if !ok || s.plain || b.Message == "" || b.Shown == board.Gone {
		return text
	}
	return fmt.Sprintf("[%s](%s/channels/%s/%s/%s)", text, s.site, cmp.Or(b.Guild, "@me"), b.Channel, b.Message)
}

// Place leads to a channel.
func (discordStyle) Place(id string) string { return "<#" + id + ">" }

// Command names a command so that it can be pressed, once its id is known. Discord knows it there by its own name alone.
func (s discordStyle) Command(path, named string) string {
	name, _, _ := strings.Cut(path, " ")
	if id := s.ids.Of(name); id != "" && !s.plain {
		return "</" + path + ":" + id + ">"
	}
	return "`/" + named + "`"
}

// cleanName returns a name as it may be stored and shown: no control characters and no marks that turn the direction of the
// text around, one line, at most maxName characters. It is empty if nothing visible is left.
func cleanName(name string) string { return clean(name, maxName) }

// cleanTitle returns the name of a season, cleaned like a name.
func cleanTitle(title string) string { return clean(title, view.MaxSeasonName) }

// clean returns a text in one line of at most so many characters.
func clean(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), isBlank(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r) && !joins(r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text)
	text = cutName(strings.Join(strings.Fields(text), " "), most)
	if !strings.ContainsFunc(text, isVisible) {
		return ""
	}
	return text
}

// cutName cuts a name or another text to at most so many characters.
func cutName(name string, most int) string {
	if runes := []rune(name); len(runes) > most {
		return strings.TrimRight(string(runes[:most-1]), " ") + "…"
	}
	return name
}

// isolated isolates a clean name that runs from right to left from the text after it: "3 wins" after an Arabic name would be shown
// before the name, as if it were part of it. Other names stay as they are.
func isolated(name string) string {
	if !strings.ContainsFunc(name, isRightToLeft) {
		return name
	}
	return "\u2068" + name + "\u2069"
}

// isRightToLeft reports whether a character is in one of the blocks that Unicode reserves for right-to-left scripts.
func isRightToLeft(r rune) bool {
	return '\u0590' <= r && r <= '\u08ff' || '\ufb1d' <= r && r <= '\ufdff' || '\ufe70' <= r && r <= '\ufeff' ||
		'\U00010800' <= r && r <= '\U00010fff' || '\U0001e800' <= r && r <= '\U0001efff'
}

// joins reports whether an invisible character matters to its neighbours: joiners shape letters and combine emoji, and tags make
// the flags of regions.
func joins(r rune) bool {
	return r == '\u200c' || r == '\u200d' || '\U000E0020' <= r && r <= '\U000E007F'
}

// isBlank reports whether a letter or symbol looks like a space: Hangul fillers and the empty Braille pattern.
func isBlank(r rune) bool { return strings.ContainsRune("\u115f\u1160\u2800\u3164\uffa0", r) }

// isVisible reports whether a character is visible on its own.
func isVisible(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.IsMark(r) && !joins(r)
}
