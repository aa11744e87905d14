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

// nameOf returns the clean name of the acting user. It is the name that others see or, if that has no visible character, the username.
func nameOf(in *interaction) string {
	return cmp.Or(cleanName(in.DisplayName()), cleanName(in.User().Username))
}

// maxName is the maximum length of a shown name, in characters. Discord has the same limit.
const maxName = 32

// discordStyle writes texts in Discord's markdown. It makes links to the matches whose boards it knows; other links are plain text.
type discordStyle struct {
	boards map[match.ID]board.Board
	site   string      // scheme and host of links to messages
	emoji  emoji.Drawn // the bot's own emoji; nil means Unicode emoji
	ids    *bot.CommandIDs
	most   int  // maximum length of a name in characters; 0 means maxName
	plain  bool // write links and commands as plain text
}

// Name returns the clean name in bold, with everything escaped that could be markdown or a mention. A name that is too long is cut before
// it is escaped.
func (s discordStyle) Name(name string) string {
	return "**" + escaped(cutName(cleanName(name), cmp.Or(s.most, maxName))) + "**"
}

// Title returns the clean title, with everything escaped that could be markdown or a mention.
func (discordStyle) Title(title string) string { return escaped(cleanTitle(title)) }

// escaped returns a clean text in which everything is escaped that could be markdown or a mention.
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

// Mention returns a mention of a player. Discord shows the current name, and notifies the player if the reply's Ping has the id.
func (discordStyle) Mention(p match.User) string { return "<@" + string(p) + ">" }

// Moment returns a time that the reader's client shows as a countdown.
func (discordStyle) Moment(t time.Time) string { return fmt.Sprintf("<t:%d:R>", t.Unix()) }

// Hour returns a time that the reader's client shows with its day, in the reader's time zone.
func (discordStyle) Hour(t time.Time) string { return fmt.Sprintf("<t:%d:f>", t.Unix()) }

// Date returns a day that the reader's client shows in the reader's language.
func (discordStyle) Date(t time.Time, _ func(time.Time) string) string {
	return fmt.Sprintf("<t:%d:D>", t.Unix())
}

// Mark returns the emoji of a mark.
func (s discordStyle) Mark(m game.Mark) string {
	return inText(s.emojiOf(emoji.Of("", m, picture.Plain)))
}

// inText returns an emoji as it is written in a text.
func inText(e *discordgo.ComponentEmoji) string {
	if e.ID == "" {
		return e.Name
	}
	return "<:" + e.Name + ":" + e.ID + ">"
}

// emojiOf returns the bot's own emoji if it was uploaded to Discord, and otherwise the Unicode emoji.
func (s discordStyle) emojiOf(e emoji.Emoji) *discordgo.ComponentEmoji {
	if id := s.emoji[e.Name]; id != "" {
		return &discordgo.ComponentEmoji{Name: e.Name, ID: id}
	}
	return &discordgo.ComponentEmoji{Name: e.Unicode()}
}

// square returns the emoji of a square. The bot's own emoji have names that say which square they are.
func (s discordStyle) square(c view.Cell) *discordgo.ComponentEmoji {
	return s.emojiOf(emoji.Of(c.Name, c.Mark, lookOf(c)))
}

func lookOf(c view.Cell) picture.Look {
	switch {
	case c.Winning:
		return picture.Winning
	case c.Losing:
		return picture.Losing
	case c.Vanishing:
		return picture.Leaving
	case c.Last:
		return picture.Last
	case c.Better:
		return picture.Better
	}
	return picture.Plain
}

// Link returns a link to the message that shows the match.
func (s discordStyle) Link(text string, id match.ID) string {
	b, ok := s.boards[id]
	if !ok || s.plain || b.Message == "" || b.Shown == board.Gone {
		return text
	}
	return fmt.Sprintf("[%s](%s/channels/%s/%s/%s)", text, s.site, cmp.Or(b.Guild, "@me"), b.Channel, b.Message)
}

// Place returns a link to a channel.
func (discordStyle) Place(id string) string { return "<#" + id + ">" }

// Role mentions a role.
func (discordStyle) Role(id string) string { return "<@&" + id + ">" }

// Command returns a command that readers can click. If the command's id is not known yet, it returns plain text with the name in the
// reader's language.
func (s discordStyle) Command(path, named string) string {
	name, _, _ := strings.Cut(path, " ")
	if id := s.ids.Of(name); id != "" && !s.plain {
		return "</" + path + ":" + id + ">"
	}
	return "`/" + named + "`"
}

// cleanName returns a name without control characters and characters that change the direction of the text, in one line of at most maxName
// characters. Only clean names are stored and shown. It returns nothing if no visible character is left.
func cleanName(name string) string { return clean(name, maxName) }

// cleanTitle returns the name of a season, cleaned as cleanName does, with at most view.MaxSeasonName characters.
func cleanTitle(title string) string { return clean(title, view.MaxSeasonName) }

// clean returns a text as cleanName does, with at most that many characters.
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

// cutName cuts a text to a maximum number of characters.
func cutName(name string, most int) string {
	if runes := []rune(name); len(runes) > most {
		return strings.TrimRight(string(runes[:most-1]), " ") + "…"
	}
	return name
}

// isolated keeps a right-to-left name from mixing with the text after it. Without that, "3 wins" after an Arabic name would be shown before
// the name. Other names stay as they are.
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

// joins reports whether an invisible character changes how the characters beside it look. Joiners shape letters and combine emoji, and tags
// make the flags of regions.
func joins(r rune) bool {
	return r == '\u200c' || r == '\u200d' || '\U000E0020' <= r && r <= '\U000E007F'
}

// isBlank reports whether a letter or symbol looks like a space: Hangul fillers and the empty Braille pattern.
func isBlank(r rune) bool { return strings.ContainsRune("\u115f\u1160\u2800\u3164\uffa0", r) }

// isVisible reports whether a character is visible on its own.
func isVisible(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.IsMark(r) && !joins(r)
}
